#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/model/message_times.h"
#include "engine/api/gemm.h"
#include "engine/api/messages.h"
#include "engine/api/policy_preset.h"
#include "engine/api/timetable.h"

#include <cstddef>
#include <cstdint>
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

/// Makes timetables under each of `policies` and simulates the pairs of GEMMs and messages that occur in them, until no
/// other pair occurs, at most three times. Each pair is a GEMM of eight waves with a companion of the message's operation
/// and links that takes at least twice as long; an all-reduce is a reduce-scatter, then an all-gather. Results go to
/// PolicyModelTime::pairs.
void simulatePairs(ModelRun& run, const std::vector<PolicyModelTime*>& policies, const ModelRunOptions& options);

}  // namespace data
