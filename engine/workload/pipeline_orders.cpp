#include "engine/workload/pipeline_orders.h"

#include <algorithm>
#include <cstddef>

namespace engine {
namespace {

/// Returns the `index`-th pass of one direction.
PipelineStep pipelinePass(const PipelineShape& shape, bool forward, std::int64_t index) {
    const std::int64_t round = shape.stages * shape.chunks;
    const std::int64_t inRound = index % round;
    const std::int64_t chunk = inRound / shape.stages;
    return {forward, index / round * shape.stages + inRound % shape.stages, forward ? chunk : shape.chunks - 1 - chunk};
}

}  // namespace

std::int64_t pipelineSteps(const PipelineShape& shape) { return 2 * shape.microbatches * shape.chunks; }

std::int64_t pipelineWarmUp(const PipelineShape& shape, std::int64_t stage) {
    const std::int64_t allButOne = shape.microbatches * shape.chunks - 1;
    if (shape.schedule == PipelineSchedule::allForward)
        return allButOne;
    const std::int64_t after = shape.stages - stage - 1;
    return std::min(allButOne, shape.chunks == 1 ? after : 2 * after + (shape.chunks - 1) * shape.stages);
}

PipelineStep pipelineStep(const PipelineShape& shape, std::int64_t stage, std::int64_t index) {
    const std::int64_t passes = shape.microbatches * shape.chunks;
    const std::int64_t warmUp = pipelineWarmUp(shape, stage);
    if (index < warmUp)
        return pipelinePass(shape, true, index);
    const std::int64_t pair = (index - warmUp) / 2;
    if (warmUp + pair >= passes)  // only backward passes are left
        return pipelinePass(shape, false, index - passes);
    return (index - warmUp) % 2 == 0 ? pipelinePass(shape, true, warmUp + pair) : pipelinePass(shape, false, pair);
}

PipelineHeld playPipeline(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk) {
    // If all chunks have the same size, the most are held after the first forward pass that follows the warm-up: from
    // then on one is released for each that is added.
    const bool alike = std::all_of(bytesOfChunk.begin(), bytesOfChunk.end(),
                                   [&](double bytes) { return bytes == bytesOfChunk.front(); });
    if (alike) {
        const std::int64_t chunks = pipelineWarmUp(shape, stage) + 1;
        return {chunks, static_cast<double>(chunks) * bytesOfChunk.front()};
    }
    // Between warm-up and the last backward passes the state repeats itself after each round of p micro-batches.
    const std::int64_t round = 2 * shape.stages * shape.chunks;
    const std::int64_t end = std::min(pipelineSteps(shape), pipelineWarmUp(shape, stage) + round + 1);
    PipelineHeld most;
    std::int64_t held = 0;
    double bytes = 0;
    for (std::int64_t i = 0; i < end; ++i) {
        const PipelineStep step = pipelineStep(shape, stage, i);
        const double ofChunk = bytesOfChunk[static_cast<std::size_t>(step.chunk)];
        held += step.forward ? 1 : -1;
        bytes += step.forward ? ofChunk : -ofChunk;
        most = {std::max(most.chunks, held), std::max(most.bytes, bytes)};
    }
    return most;
}

}  // namespace engine
