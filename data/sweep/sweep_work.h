#pragma once

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_shelf.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

/// An experiment that is to be run, for all points that are the same one.
struct SweepTask {
    std::vector<std::size_t> points;  ///< positions in SweepPlan::points, rising; at least one
    double events = 0;                ///< expected, of its own run
};

/// What is left to do of a plan once it is known what the store has.
struct SweepWork {
    std::size_t kept = 0;    ///< points whose result is there
    std::size_t failed = 0;  ///< points that were tried before and are not tried again
    std::vector<std::size_t> unusable;
    std::vector<SweepTask> tasks;  ///< in the order of their first points
};

SweepWork workOf(const SweepPlan& plan, const std::unordered_map<std::string, KeptPoint>& known, bool retryFailed);

}  // namespace data
