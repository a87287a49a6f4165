#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>

namespace engine {

/// The sides of a pipeline that decide in which order a stage works.
struct PipelineShape {
    std::int64_t stages = 1;        ///< p
    std::int64_t microbatches = 1;  ///< m
    std::int64_t chunks = 1;        ///< of layers of one stage, v
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
};

/// One pass of one micro-batch through one chunk of a stage.
struct PipelineStep {
    bool forward = true;
    std::int64_t microbatch = 0;
    std::int64_t chunk = 0;
    bool operator==(const PipelineStep&) const = default;
};

/// Returns how many steps a stage does in one training step: a forward and a backward pass of each micro-batch and chunk.
std::int64_t pipelineSteps(const PipelineShape& shape);

/// Returns how many forward passes stage `stage` does before its first backward pass, without the one right before it.
/// Narayanan et al. (arXiv 2104.04473), section 2.2: p - stage - 1, and with chunks 2 (p - stage - 1) + (v - 1) p, as
/// Megatron-LM schedules them; never more than there are. All-forward (GPipe, arXiv 1811.06965): all but one.
std::int64_t pipelineWarmUp(const PipelineShape& shape, std::int64_t stage);

/// Returns the step at `index` of the order in which stage `stage` works. Micro-batches go through chunks in groups of p; a
/// backward pass takes chunks from the last to the first. Precondition: with several chunks, p divides m.
PipelineStep pipelineStep(const PipelineShape& shape, std::int64_t stage, std::int64_t index);

/// What a stage holds at most while it plays its order.
struct PipelineHeld {
    std::int64_t chunks = 0;  ///< pairs of a micro-batch and a chunk: forward done, backward not yet
    double bytes = 0;         ///< of them, where each chunk of one micro-batch has `bytesOfChunk`
};

/// Plays the order of one stage until it repeats itself, and returns the most that is held at once. Where all chunks are
/// alike, counts it without playing. Precondition: `bytesOfChunk` has one for each chunk.
PipelineHeld playPipeline(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk);

}  // namespace engine
