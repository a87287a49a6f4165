#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/model/message_times.h"
#include "engine/api/gemm.h"
#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "engine/api/policy_preset.h"
#include "engine/api/timetable.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace data {

struct ModelRun;
struct ModelRunOptions;
struct ModelStep;
struct PolicyModelTime;

/// The rates in millionths at which an operator and a message proceed beside each other.
struct PairRates {
    std::int64_t compute = engine::kFullRate, message = engine::kFullRate;
    bool operator==(const PairRates&) const = default;
};

/// A GEMM of the model beside a message.
struct RatePair {
    engine::GemmSize gemm;
    engine::MessageGroup group{};
    engine::MessageOperation operation{};
    bool operator==(const RatePair&) const = default;
};

/// Returns the GEMM of an operator as it is simulated, with its parts of K. Precondition: the operator has a GEMM.
engine::GemmSize pairGemm(const ModelRun& run, std::size_t op);

/// A pair with its rates. They are empty if its GEMM and message cannot be simulated beside each other.
struct RateOfPair {
    RatePair pair;
    std::optional<PairRates> rates;
};

/// Returns the rates of an operator beside a message: those of a simulated pair; otherwise the full rates. Two messages
/// on the same links have half each (derived).
PairRates ratesBeside(const ModelRun& run, const PolicyModelTime& policy, std::size_t op, engine::MessageGroup group,
                      engine::MessageOperation operation);

/// The pairs that run beside each other in a step.
struct StepPairs {
    std::vector<RatePair> gemms;  ///< each once
    std::size_t withoutRate = 0;  ///< pairs of attention or an element-wise operator and a message
};
StepPairs pairsOf(const ModelRun& run, const ModelStep& step);

/// Returns how many of the step's pairs of a GEMM and a message have not been simulated. The timetable has them at full
/// rates. `policy` is that of the step.
std::size_t missingPairs(const PolicyModelTime& policy, const ModelStep& step);

/// Makes timetables under each of `policies` and simulates the pairs of GEMMs and messages that occur in them, until no
/// other pair occurs, at most three times. Each pair is a GEMM of eight waves with a companion of the message's operation
/// and links that takes at least twice as long; an all-reduce is a reduce-scatter, then an all-gather. Results go to
/// PolicyModelTime::pairs. `progress` receives the rising fraction of the simulations in place of options.progress.
/// With ModelRunOptions::rememberedPairs nothing is simulated, and a pair that the memory does not have stays missing.
void simulatePairs(ModelRun& run, const std::vector<PolicyModelTime*>& policies, const ModelRunOptions& options,
                   const std::function<void(double)>& progress = {});

/// Returns the run with the rates of the pairs that occur in the steps of `bases` under a policy. Each base differs from
/// that of the run only in division.* and step.*. Throws RunStopped.
ModelRun withPairs(ModelRun run, const std::vector<engine::Experiment>& bases, engine::PolicyPreset policy,
                   const ModelRunOptions& options);

/// Returns the expected work of simulatePairs in events, at most: every GEMM of the graph meets every message.
double expectedPairWork(const engine::Experiment& base, const engine::OperatorGraph& graph, std::size_t policies);

}  // namespace data
