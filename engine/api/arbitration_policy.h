#pragma once

#include <array>
#include <string_view>

namespace engine {

/// Which rule chooses the stream of memory requests that goes next to DRAM.
enum class ArbitrationPolicy { roundRobin, mca, computeFirst };

struct ArbitrationPolicyText {
    std::string_view word;     ///< as documents spell it
    std::string_view meaning;  ///< part of a sentence
};

/// In the enumerators' order. engine/memory/arbiter.h says what else a rule needs.
inline constexpr std::array kArbitrationPolicies{
    ArbitrationPolicyText{"round-robin", "turns of communication and compute"},
    ArbitrationPolicyText{
        "mca", "compute first, communication while the DRAM queue is short, with a limit against starvation"},
    ArbitrationPolicyText{"compute-first", "mca without both"},
};

}  // namespace engine
