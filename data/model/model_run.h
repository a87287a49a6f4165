#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/model/message_times.h"
#include "data/model/pair_rates.h"
#include "data/results/model_time.h"
#include "engine/api/operator_graph.h"
#include "engine/api/runner.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

class ModelMemory;

struct ModelRunOptions {
    engine::ModelPhase phase = engine::ModelPhase::training;
    std::vector<engine::PolicyPreset> policies{engine::PolicyPreset::sequential, engine::PolicyPreset::t3,
                                               engine::PolicyPreset::t3Mca, engine::PolicyPreset::idealOverlap};
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction of the simulations, rising; calls never overlap, but come
                                             ///< from any thread
    std::shared_ptr<engine::BaselineCache> baselineCache{};  ///< shared with other runs; changes no result
    std::shared_ptr<ModelMemory> memory{};                   ///< results of earlier simulations; changes no result
    /// Takes the rates of GEMMs beside messages of a step from `memory` alone. The timetable has the others at full
    /// rates until withPairs() simulates them.
    bool rememberedPairs = false;
};

/// The time of one occurrence of an operator under one policy. The run of a feeding GEMM is split between it and its
/// collective: the GEMM takes `feedingGemm`, the collective the exposed part.
struct OperatorTime {
    ModelTime time;
    /// For a reduce-scatter or an all-gather the time from its begin to its end, with the hidden part; otherwise equal
    /// to the time.
    engine::Duration whole;
};

/// The time of a message of a step.
struct MessageTime {
    MessageKind kind;
    engine::Duration time;
};

/// The whole phase under one policy.
struct PolicyModelTime {
    engine::PolicyPreset policy{};
    ModelTime
        time;  ///< of one micro-batch through all layers on one group: the sum of `operators`, each times its count
    std::vector<OperatorTime> operators;  ///< by operator of the graph
    std::vector<MessageTime> messages;    ///< of the collectives of a step, outside the passes
    std::vector<RateOfPair> pairs;        ///< the GEMMs and messages that run beside each other in the step
    double communicationShare = 0;        ///< exposed / total
    double speedupOverSequential = 1;     ///< ratio of the totals
    /// Geometric mean of the speed-ups over sequential of the layer's feeding GEMMs with their collectives, each kind
    /// of sub-layer once; 1 if there are none.
    double sublayerGeomean = 1;

    /// Returns the time of a message. Precondition: `messages` has its kind.
    engine::Duration timeOf(const MessageKind& kind) const;
};

/// The graph that was timed, and its times under each policy in the order asked.
struct ModelRun {
    engine::Experiment base;
    engine::OperatorGraph graph;
    PolicyModelTime sequential;  ///< the base of all ratios, requested or not
    std::vector<PolicyModelTime> policies;
    std::vector<std::int64_t> partsOfK;  ///< by operator: into how many parts K of a skinny GEMM is split to fill the
                                         ///< GPU; otherwise 1
    engine::Notices notices;             ///< of the graph, then of the runs, each once
    std::size_t simulatedRuns = 0;       ///< distinct pairs of (sub-layer, or size of a collective) and policy
    std::size_t simulatedGemms = 0;      ///< distinct sizes
    std::size_t simulatedPairs = 0;      ///< of a GEMM and a message, under all policies
    std::size_t remembered = 0;          ///< how many of both were taken from the memory instead of being simulated
    std::size_t operatorsTimed = 0;      ///< pairs of operator and policy whose times come from these or from formulas
    BrokenInvariants broken;             ///< of the runs
    std::int64_t wallNs = 0;
    std::optional<ModelProjection> projection{};  ///< set if the times are projected: all runs are those of its source
};

/// Returns everything that is wrong with the experiment as a whole model in this phase under these policies, by path.
/// This includes a TP that does not divide a K, with the sub-layer, and fewer tiles than GPUs.
engine::Problems modelRunProblems(const engine::Experiment& base, const ModelRunOptions& options);

/// Times a phase of the model of `base` (workload.*, except the sub-layer) on its machine. The policy of `base` is
/// ignored, and settings of a policy that were made by hand are replaced by those of each policy's preset. Each
/// distinct sub-layer is simulated once for each policy, each distinct other GEMM once for all. The times do not depend
/// on the number of threads. Throws InvalidExperiment, RunStopped or Deadlock.
ModelRun modelRun(const engine::Experiment& base, const ModelRunOptions& options);

/// Returns the time of the whole phase under a policy from the times of one occurrence of each operator of the graph.
/// Throws InvalidExperiment if it is too long for 63 bits of picoseconds.
PolicyModelTime sumOf(const engine::Experiment& base, const engine::OperatorGraph& graph, engine::PolicyPreset policy,
                      std::vector<OperatorTime> operators);

/// Returns a problem for each of division.dp, division.pp and division.microbatches that is not 1; `why` is its text.
engine::Problems dividedStepProblems(const engine::Experiment& base, const std::string& why);

/// A simulation that a whole model needs.
struct ModelSimulation {
    std::string identity;  ///< equal for equal simulations, even of different models
    double events = 0;     ///< expected
};

/// Returns the simulations that `modelRun` makes without a memory, each once. Precondition: modelRunProblems is empty.
std::vector<ModelSimulation> simulationsOf(const engine::Experiment& base, const ModelRunOptions& options);

/// Returns the experiment that shows one operator by itself, as Explore opens it: `base` with the operator's workload.
/// Returns an empty optional for operators that are not simulated with a collective.
std::optional<engine::Experiment> experimentOf(const engine::Experiment& base, const engine::Operator& op);

}  // namespace data
