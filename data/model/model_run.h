#pragma once

#include "data/laboratory/broken_invariants.h"
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
    std::function<void(double)> progress{};  ///< fraction of the simulations, rising; one call at a time, on any thread
    std::shared_ptr<engine::BaselineCache> baselineCache{};  ///< shared with other runs; changes no result
    std::shared_ptr<ModelMemory> memory{};                   ///< of what was simulated before; changes no result
};

/// One operator under one policy, of one occurrence. A feeding GEMM's run is split between it and its collective: the
/// GEMM has `feedingGemm`, the collective what is exposed.
struct OperatorTime {
    ModelTime time;
    /// A collective: from its begin to its end, hidden parts too (reduce-scatter and all-gather); otherwise the time.
    engine::Duration whole;
};

/// The whole phase under one policy.
struct PolicyModelTime {
    engine::PolicyPreset policy{};
    ModelTime time;                       ///< the sum of `operators`, each times its count
    std::vector<OperatorTime> operators;  ///< by operator of the graph
    double communicationShare = 0;        ///< exposed / total
    double speedupOverSequential = 1;     ///< of the total
    /// Of the layer's feeding GEMMs with their collectives over sequential, each kind of sub-layer once; 1 without any.
    double sublayerGeomean = 1;
};

/// The graph that was timed, and its times under each policy in the order asked.
struct ModelRun {
    engine::Experiment base;
    engine::OperatorGraph graph;
    PolicyModelTime sequential;  ///< what ratios are ratios of, asked for or not
    std::vector<PolicyModelTime> policies;
    std::vector<std::int64_t> partsOfK;  ///< by operator: of a skinny GEMM that is split to fill the GPU; otherwise 1
    engine::Notices notices;             ///< of the graph, then of the runs, each once
    std::size_t simulatedRuns = 0;       ///< distinct pairs of a sub-layer or a collective's size and a policy
    std::size_t simulatedGemms = 0;      ///< distinct sizes
    std::size_t remembered = 0;          ///< of both, not simulated again because the memory had them
    std::size_t operatorsTimed = 0;      ///< pairs of operator and policy that these and formulas answer
    BrokenInvariants broken;             ///< of the runs
    std::int64_t wallNs = 0;
};

/// Everything that is wrong with the experiment as a whole model in this phase under these policies, by path: also TP
/// that does not divide a K, with the sub-layer, and fewer tiles than GPUs.
engine::Problems modelRunProblems(const engine::Experiment& base, const ModelRunOptions& options);

/// Times a phase of the model of `base` (workload.*, but for the sub-layer) on its machine. The policy of `base` is not
/// read; parts of it that were set by hand are those of each policy's preset. Each distinct sub-layer is simulated once
/// for each policy, each distinct other GEMM once for all. The times do not depend on the number of threads.
/// Throws InvalidExperiment, RunStopped or Deadlock.
ModelRun modelRun(const engine::Experiment& base, const ModelRunOptions& options);

/// A simulation that a whole model needs.
struct ModelSimulation {
    std::string identity;  ///< equal for equal ones, also of other models
    double events = 0;     ///< expected
};

/// Returns the simulations that `modelRun` makes without a memory, each once. Precondition: modelRunProblems is empty.
std::vector<ModelSimulation> simulationsOf(const engine::Experiment& base, const ModelRunOptions& options);

/// What to run to see an operator by itself, as Explore opens it: `base` with the operator's workload. Nothing for
/// operators that are not simulated with a collective.
std::optional<engine::Experiment> experimentOf(const engine::Experiment& base, const engine::Operator& op);

}  // namespace data
