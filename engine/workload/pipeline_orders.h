#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>

namespace engine {

/// The sizes of a pipeline that decide the order in which a stage works.
struct PipelineShape {
    std::int64_t stages = 1;        ///< p
    std::int64_t microbatches = 1;  ///< m
    std::int64_t chunks = 1;        ///< chunks of layers of one stage, v
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
};

/// One pass of one micro-batch through one chunk of a stage.
struct PipelineStep {
    bool forward = true;
    std::int64_t microbatch = 0;
    std::int64_t chunk = 0;
    bool operator==(const PipelineStep&) const = default;
};

/// Returns the number of steps of a stage in one training step: a forward and a backward pass of each micro-batch and
/// chunk.
std::int64_t pipelineSteps(const PipelineShape& shape);

/// Returns the number of forward passes of stage `stage` before its first backward pass, not counting the one right
/// before it. Narayanan et al. (arXiv 2104.04473), section 2.2: p - stage - 1, and with chunks 2 (p - stage - 1) + (v -
/// 1) p, as Megatron-LM schedules them; never more than there are. All-forward (GPipe, arXiv 1811.06965): all but one.
std::int64_t pipelineWarmUp(const PipelineShape& shape, std::int64_t stage);

/// Returns the step at `index` of the order in which stage `stage` works. Micro-batches go through chunks in groups of
/// p; backward passes take chunks from the last to the first. Precondition: with several chunks, p divides m.
PipelineStep pipelineStep(const PipelineShape& shape, std::int64_t stage, std::int64_t index);

/// The largest amount that a stage holds at once during one training step.
struct PipelineHeld {
    /// Pairs of a micro-batch and a chunk with the forward pass done and the backward pass not yet done.
    std::int64_t chunks = 0;
    double bytes = 0;  ///< their bytes, where each chunk of one micro-batch has `bytesOfChunk`
};

/// Steps through the order of one stage until it repeats, and returns the most that is held at once. If all chunks have
/// the same size, counts without stepping. Precondition: `bytesOfChunk` has one entry for each chunk.
PipelineHeld playPipeline(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk);

}  // namespace engine
