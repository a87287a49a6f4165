#include "engine/api/pipeline.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

namespace engine {
namespace {

/// Returns the `index`-th pass of one direction.
PipelineStep passAt(const PipelineShape& shape, PassKind kind, std::int64_t index) {
    const std::int64_t round = shape.stages * shape.chunks;
    const std::int64_t inRound = index % round;
    const std::int64_t chunk = inRound / shape.stages;
    return {kind, index / round * shape.stages + inRound % shape.stages,
            kind == PassKind::forward ? chunk : shape.chunks - 1 - chunk};
}

/// Returns the step at `index` of the order of a stage with forward and whole backward passes.
PipelineStep stepAt(const PipelineShape& shape, std::int64_t warmUp, std::int64_t index) {
    using enum PassKind;
    const std::int64_t passes = shape.microbatches * shape.chunks;
    if (index < warmUp)
        return passAt(shape, forward, index);
    const std::int64_t pair = (index - warmUp) / 2;
    if (warmUp + pair >= passes)  // only backward passes are left
        return passAt(shape, backward, index - passes);
    return (index - warmUp) % 2 == 0 ? passAt(shape, forward, warmUp + pair) : passAt(shape, backward, pair);
}

std::int64_t wholePasses(const PipelineShape& shape) { return 2 * shape.microbatches * shape.chunks; }

std::vector<PipelineStep> delayedOrder(const PipelineShape& shape, std::int64_t stage, std::int64_t chunk) {
    const std::int64_t modules = shape.stages + 1;
    const std::int64_t delay = stage == 0 && chunk == 1 ? 0 : modules - stage - 1;  // K - k
    std::vector<PipelineStep> steps;
    for (std::int64_t t = 0; t < delayedMinibatches(shape.stages); ++t) {
        steps.push_back({PassKind::forward, t, chunk});
        if (t >= delay)
            steps.push_back({PassKind::backward, t - delay, chunk});
    }
    return steps;
}

/// Inserts the weight passes of zb-h1 into an order.
std::vector<PipelineStep> withWeightPasses(const std::vector<PipelineStep>& whole, std::int64_t stage) {
    std::vector<PipelineStep> steps;
    std::int64_t open = 0, next = 0;
    const auto addWeights = [&] {
        steps.push_back({PassKind::weight, next++, 0});
        --open;
    };
    for (const PipelineStep& step : whole) {
        steps.push_back(step);
        if (step.kind == PassKind::backward && ++open > stage)
            addWeights();
    }
    while (open > 0)
        addWeights();
    return steps;
}

/// Returns the most that a delayed schedule holds on a stage: K - k + 1 mini-batches of module k.
PipelineHeld heldDelayed(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk) {
    const std::int64_t first = shape.stages + 1 - stage;
    PipelineHeld held{first, static_cast<double>(first) * bytesOfChunk.front()};
    if (stage == 0)
        held = {held.chunks + 1, held.bytes + bytesOfChunk.back()};
    return held;
}

}  // namespace

PipelineShape shapeOf(const DivisionConfig& division) {
    return {division.pp, division.microbatches, division.interleave, division.schedule};
}

bool isDelayed(PipelineSchedule schedule) {
    return schedule == PipelineSchedule::delayed || schedule == PipelineSchedule::delayedPipelined;
}

bool splitsBackward(PipelineSchedule schedule) { return schedule == PipelineSchedule::zeroBubbleH1; }

std::int64_t partsOf(const PipelineShape& shape, std::int64_t stage) {
    if (isDelayed(shape.schedule))
        return stage == 0 ? 2 : 1;
    return shape.chunks;
}

std::int64_t delayedMinibatches(std::int64_t stages) {
    constexpr std::int64_t kRounds = 8;
    return kRounds * (stages + 1);
}

std::string nameOf(const PipelineStep& step) {
    constexpr std::array<std::string_view, 3> kLetters{"F ", "B ", "W "};
    const std::string chunk = step.chunk == 0 ? "" : "." + std::to_string(step.chunk + 1);
    return std::string(kLetters.at(static_cast<std::size_t>(step.kind))) + std::to_string(step.microbatch + 1) + chunk;
}

MeasuredMinibatches measuredMinibatches(std::int64_t stages) {
    constexpr std::int64_t kFirst = 3, kLast = 7;
    return {kFirst * (stages + 1), kLast * (stages + 1)};
}

std::int64_t pipelineWarmUp(const PipelineShape& shape, std::int64_t stage) {
    assert(!isDelayed(shape.schedule));
    const std::int64_t allButOne = shape.microbatches * shape.chunks - 1;
    if (shape.schedule == PipelineSchedule::allForward)
        return allButOne;
    const std::int64_t after = shape.stages - stage - 1;
    return std::min(allButOne, shape.chunks == 1 ? after : 2 * after + (shape.chunks - 1) * shape.stages);
}

std::vector<PipelineStep> pipelineOrder(const PipelineShape& shape, std::int64_t stage, std::int64_t chunk) {
    if (isDelayed(shape.schedule))
        return delayedOrder(shape, stage, chunk);
    std::vector<PipelineStep> steps;
    if (shape.forwardOnly) {
        for (std::int64_t i = 0; i < shape.microbatches * shape.chunks; ++i)
            steps.push_back(passAt(shape, PassKind::forward, i));
        return steps;
    }
    const std::int64_t warmUp = pipelineWarmUp(shape, stage);
    for (std::int64_t i = 0; i < wholePasses(shape); ++i)
        steps.push_back(stepAt(shape, warmUp, i));
    return splitsBackward(shape.schedule) ? withWeightPasses(steps, stage) : steps;
}

PipelineHeld playPipeline(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk) {
    if (isDelayed(shape.schedule))
        return heldDelayed(shape, stage, bytesOfChunk);
    const std::int64_t warmUp = pipelineWarmUp(shape, stage);
    // With zb-h1 a stage holds p - s micro-batches before their backward passes, and s before their weight passes.
    if (splitsBackward(shape.schedule)) {
        const std::int64_t held = std::min(shape.microbatches, shape.stages);
        return {held, static_cast<double>(held) * bytesOfChunk.front()};
    }
    // If all chunks have the same size, the most are held after the first forward pass that follows the warm-up: from
    // then on one is released for each that is added.
    const bool alike = std::all_of(bytesOfChunk.begin(), bytesOfChunk.end(),
                                   [&](double bytes) { return bytes == bytesOfChunk.front(); });
    if (alike)
        return {warmUp + 1, static_cast<double>(warmUp + 1) * bytesOfChunk.front()};
    // Between warm-up and the last backward passes the state repeats itself after each round of p micro-batches.
    const std::int64_t round = 2 * shape.stages * shape.chunks;
    const std::int64_t end = std::min(wholePasses(shape), warmUp + round + 1);
    PipelineHeld most;
    std::int64_t held = 0;
    double bytes = 0;
    for (std::int64_t i = 0; i < end; ++i) {
        const PipelineStep step = stepAt(shape, warmUp, i);
        const bool adds = step.kind == PassKind::forward;
        const double ofChunk = bytesOfChunk[static_cast<std::size_t>(step.chunk)];
        held += adds ? 1 : -1;
        bytes += adds ? ofChunk : -ofChunk;
        most = {std::max(most.chunks, held), std::max(most.bytes, bytes)};
    }
    return most;
}

}  // namespace engine
