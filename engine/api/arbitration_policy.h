#pragma once

#include <array>
#include <string_view>

namespace engine {

/// The rule by which the memory controller chooses the stream of requests that it serves next.
enum class ArbitrationPolicy { roundRobin, mca, computeFirst };

struct ArbitrationPolicyText {
    std::string_view word;     ///< the value of arbitration.policy
    std::string_view meaning;  ///< an explanation that fits into a sentence
};

/// The texts, in the order of the enumerators. engine/memory/arbiter.h lists all steps to add a rule.
inline constexpr std::array kArbitrationPolicies{
    ArbitrationPolicyText{"round-robin", "communication and compute in turn"},
    ArbitrationPolicyText{"mca",
                          "compute first, communication only while the DRAM queue is short, with a starvation limit"},
    ArbitrationPolicyText{"compute-first", "mca without the threshold and without the starvation limit"},
};

}  // namespace engine
