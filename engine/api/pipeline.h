#pragma once

#include "engine/api/experiment.h"
#include "engine/api/timetable.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// The sizes of a pipeline that decide the order in which a stage works.
struct PipelineShape {
    std::int64_t stages = 1;        ///< p
    std::int64_t microbatches = 1;  ///< m
    std::int64_t chunks = 1;        ///< chunks of layers of one stage, v
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    bool forwardOnly = false;  ///< inference: passes through the model have no way back
};

/// Returns the pipeline of a training step.
PipelineShape shapeOf(const DivisionConfig& division);

/// Returns whether a schedule gives each module gradients of an earlier mini-batch (Huo et al., "Ouroboros", arXiv
/// 1909.06695). Such a pipeline has K = p + 1 modules: stage s has module s + 1, and stage 0 has module K as well, which
/// shares the embedding with module 1; each of the two has half of its layers (second-hand). A mini-batch is one
/// micro-batch.
bool isDelayed(PipelineSchedule schedule);

/// Returns whether a schedule makes the weight gradients in a pass of its own (Qi et al., "Zero Bubble Pipeline
/// Parallelism", arXiv 2401.10241).
bool splitsBackward(PipelineSchedule schedule);

/// Returns the number of parts of a stage that passes go through: its chunks, or its modules.
std::int64_t partsOf(const PipelineShape& shape, std::int64_t stage);

/// The layers of a stage's chunk (or module), and whether the embedding stands before them and the head after them.
struct StageChunk {
    bool begin = false;
    std::int64_t layers = 0;
    bool end = false;
    /// The sections that a pass goes through: the beginning, each layer, the end.
    std::int64_t sections() const { return (begin ? 1 : 0) + layers + (end ? 1 : 0); }
    bool operator==(const StageChunk&) const = default;
};

/// Returns the chunks of a stage of a model with `layers` layers. Precondition: the layers can be divided so.
std::vector<StageChunk> chunksOfStage(const DivisionConfig& division, std::int64_t layers, std::int64_t stage);

/// A pass of one micro-batch through one chunk. `backward` computes the gradients of weights too, unless the schedule
/// splits them off as `weight`.
enum class PassKind { forward, backward, weight };

/// One pass of one micro-batch through one chunk of a stage.
struct PipelineStep {
    PassKind kind = PassKind::forward;
    std::int64_t microbatch = 0;  ///< of a delayed schedule: the mini-batch
    std::int64_t chunk = 0;       ///< of stage 0 in a delayed schedule: 0 is module 1, and 1 is module K
    bool operator==(const PipelineStep&) const = default;
};

/// Returns "F 3", "B 3" or "W 3" for the forward, backward or weight pass of the third micro-batch; "F 3.2" in the second
/// chunk of a stage, or in the second module of stage 0.
std::string nameOf(const PipelineStep& step);

/// Returns the number of forward passes of stage `stage` before its first backward pass, not counting the one right
/// before it. Narayanan et al. (arXiv 2104.04473), section 2.2: p - stage - 1, and with chunks 2 (p - stage - 1) + (v -
/// 1) p, as Megatron-LM schedules them; never more than there are. All-forward (GPipe, arXiv 1811.06965): all but one.
/// Precondition: not delayed.
std::int64_t pipelineWarmUp(const PipelineShape& shape, std::int64_t stage);

/// Returns the steps of a stage in one training step, in the order in which it works. Micro-batches go through chunks in
/// groups of p; backward passes take chunks from the last to the first. With zb-h1, after each backward pass the oldest
/// open weight pass follows if more than `stage` are open; the rest comes at the end. Delayed: the steps of one module,
/// `chunk` of the stage, in all of `delayedMinibatches`. Precondition: with several chunks, p divides m.
std::vector<PipelineStep> pipelineOrder(const PipelineShape& shape, std::int64_t stage, std::int64_t chunk = 0);

/// The mini-batches that a delayed pipeline plays: 8 K.
std::int64_t delayedMinibatches(std::int64_t stages);

/// The time of one mini-batch is measured from the end of mini-batch `first` = 3 K to that of `last` = 7 K, when the
/// delayed pipeline is full.
struct MeasuredMinibatches {
    std::int64_t first = 0, last = 0;
};
MeasuredMinibatches measuredMinibatches(std::int64_t stages);

/// The largest amount that a stage holds at once during one training step.
struct PipelineHeld {
    /// Pairs of a micro-batch and a chunk with the forward pass done and the last of its other passes not yet done.
    std::int64_t chunks = 0;
    double bytes = 0;  ///< their bytes, where each chunk of one micro-batch has `bytesOfChunk`
};

/// Steps through the order of one stage until it repeats, and returns the most that is held at once. If all chunks have
/// the same size, counts without stepping. Precondition: `bytesOfChunk` has one entry for each of partsOf.
PipelineHeld playPipeline(const PipelineShape& shape, std::int64_t stage, std::span<const double> bytesOfChunk);

/// A pass of a pipeline's plan.
struct PipelinePass {
    std::int64_t stage = 0;
    PipelineStep step;
    std::int32_t order = 0;  ///< the order of passes that it belongs to
};

/// Pass `to` reads what pass `from` made.
struct PassInput {
    std::uint32_t from = 0, to = 0;
    bool data = true;  ///< activations or gradients; false: a barrier of the schedule delayed, which moves no data
};

/// All passes of one training step in program order, and what they read. Passes of one order follow each other.
struct PipelinePlan {
    std::vector<PipelinePass> passes;
    std::vector<PassInput> inputs;
    std::int32_t orders = 0;
};
PipelinePlan planOf(const PipelineShape& shape);

/// Returns K - k, the updates of module k between the forward and the backward pass of a mini-batch, counted in the
/// order of the module's stage; by module, from the first. Empty for a schedule that is not delayed.
std::vector<std::int64_t> stalenessOf(const PipelineShape& shape);

/// Returns the largest stable step of delayed descent on a quadratic with curvature 1 and this staleness: 2 sin(pi / (2
/// (2 tau + 1))) (derived; of tau 0 it is 2).
double stableStep(std::int64_t staleness);

/// The times of a pipeline with equal stages.
struct PipelineTimes {
    std::int64_t forward = 0, backward = 0;  ///< of one micro-batch through a whole stage
    std::int64_t weights = 0;                ///< the part of `backward` that zb-h1 moves
    std::int64_t send = 0;                   ///< latency between stages
};

/// Returns one task for each pass of the plan, on one pool for each stage. Precondition: chunks divide `forward` and
/// `backward`; in a delayed schedule both are even.
TaskGraph pipelineTasks(const PipelineShape& shape, const PipelineTimes& times);

/// What a timetable of pipelineTasks shows.
struct PipelineFindings {
    std::int64_t total = 0;        ///< of one step; of a delayed schedule one mini-batch, the mean of those measured
    double bubbleShare = 0;        ///< share of the total in which a stage does not compute; mean over the stages
    double bubbleOverIdeal = 0;    ///< (total - ideal) / ideal, where the ideal is the mean work of a stage
    std::vector<double> inFlight;  ///< by stage: micro-batches held at once; a part counts as its share of the stage
};
PipelineFindings findingsOf(const PipelineShape& shape, const TaskGraph& graph, const PipelinePlan& plan,
                            const Timetable& timetable);

}  // namespace engine
