#pragma once

#include "data/model/model_run.h"
#include "data/model/section_times.h"
#include "engine/api/footprint.h"
#include "engine/api/pipeline.h"
#include "engine/api/timetable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// Returns whether a step is more than one pass through one group of GPUs: several stages, replicas or micro-batches, or
/// operators that overlap. Otherwise it takes the time of the model.
bool isStep(const engine::Experiment& experiment);

/// Returns every reason why the step of an experiment has no timetable. Precondition: the values have passed the checks
/// of the parameter table.
engine::Problems stepProblems(const engine::Experiment& experiment, engine::ModelPhase phase);

/// The lanes of a stage. A pass takes the compute lane for its whole time, its collectives included.
enum class StepLane { compute, data, pipeline };

enum class StepTaskKind { pass, send, message, optimizer, barrier };

/// What a task of a step's timetable is.
struct StepTask {
    StepTaskKind kind{};
    std::int64_t stage = 0;
    std::size_t pass = 0;           ///< pass, send: index in ModelStep::plan
    std::int64_t firstSection = 0;  ///< pass: of the sections in the order in which it goes through them
    std::int64_t sections = 0;      ///< pass: how many sections this task has
    std::size_t message = 0;        ///< message: index in ModelStep::messages of its stage
};

/// Parts of a time that add up to it.
struct StepParts {
    engine::Duration compute, tensor, data, pipeline, bubble;
    engine::Duration total() const { return compute + tensor + data + pipeline + bubble; }
    bool operator==(const StepParts&) const = default;
};

/// One stage in a step.
struct StageStep {
    engine::StageFootprint footprint;
    std::vector<engine::StageChunk> chunks;
    std::vector<engine::StageMessage> messages;
    StepParts time;  ///< of a delayed schedule: the mean of the measured mini-batches
};

/// The timetable of a training step, or of one batch of inference, under one policy. Every GPU of a stage does the same.
struct ModelStep {
    engine::PolicyPreset policy{};
    engine::PipelineShape shape;
    engine::PipelinePlan plan;
    SectionTimes sections;
    engine::TaskGraph graph;  ///< pool 3 s + lane for each stage s, then one for barriers
    std::vector<StepTask> tasks;
    engine::Timetable timetable;
    std::vector<engine::TaskIndex> chain;  ///< the critical chain; empty in a delayed schedule, which has no last end
    engine::Duration total;                ///< of a delayed schedule: of one mini-batch
    StepParts time;          ///< along the critical chain, without bubble; of a delayed schedule: mean over the stages
    double bubbleShare = 0;  ///< mean over the stages
    double bubbleOverIdeal = 0;        ///< mean bubble / mean time of passes
    StepPairs pairs;                   ///< GEMMs and messages that run beside each other
    std::size_t simulatedPairs = 0;    ///< pairs of a GEMM and a message that run beside each other, with their rates
    std::size_t pairsWithoutRate = 0;  ///< pairs that keep their full rates, attention and element-wise operators
    std::vector<std::int64_t> staleness;  ///< by module, of a delayed schedule
    std::vector<StageStep> stages;

    static std::size_t poolOf(std::int64_t stage, StepLane lane) {
        return static_cast<std::size_t>(3 * stage) + static_cast<std::size_t>(lane);
    }
    /// Returns the message of a task, or null.
    const engine::StageMessage* messageOf(engine::TaskIndex task) const;
    /// Returns the sections of a task that is a pass, in the order in which it goes through them.
    std::vector<const SectionTime*> sectionsOf(engine::TaskIndex task) const;
    bool isDelayed() const { return engine::isDelayed(shape.schedule); }
};

/// Names a task of a step: "F 3", "B 3, section 2 of 14", "send of F 3", "all-reduce of 2.1 GB", "optimizer".
std::string nameOf(const ModelStep& step, engine::TaskIndex task);

/// Makes the timetable of a model's step under one policy, without any simulation. `policy` is one of run.policies, or
/// run.sequential. Precondition: stepProblems of run.base is empty.
ModelStep stepOf(const ModelRun& run, const PolicyModelTime& policy);

}  // namespace data
