#pragma once

#include "data/questions/call_program.h"

#include <cstddef>
#include <vector>

namespace data {

/// A call of a rank that waits for another rank.
struct WaitStep {
    std::size_t rank = 0;
    std::size_t call = 0;      ///< its number in the rank, from 0
    std::size_t waitsFor = 0;  ///< a rank that has not begun the operation for which this one waits
    bool operator==(const WaitStep&) const = default;
};

/// An operation that a rank of its group never calls.
struct MissingCall {
    std::size_t rank = 0;
    std::size_t operation = 0;
    bool operator==(const MissingCall&) const = default;
};

/// The call at which a rank stays for ever.
struct StuckRank {
    std::size_t rank = 0;
    std::size_t call = 0;
    bool operator==(const StuckRank&) const = default;
};

/// Whether a program of calls ends. All waits are conjunctions: what waits for something that never happens never
/// happens itself.
struct WaitOutcome {
    std::vector<StuckRank> never;      ///< the ranks that never end, rising
    std::vector<WaitStep> cycle;       ///< ranks that wait for each other in a circle; empty if there is none
    std::vector<MissingCall> missing;  ///< calls without which their operations never end

    bool isDeadlock() const { return !never.empty(); }
};

/// Finds what never happens in the graph of waits: what is in a circle of waits, what waits for a missing call, and what
/// waits for one of these. Takes time in proportion to the calls and the sizes of the groups.
WaitOutcome waitOutcomeOf(const CallProgram& program);

}  // namespace data
