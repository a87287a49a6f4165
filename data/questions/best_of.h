#pragma once

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// The best points of a sweep for one metric, and how many points have no number and why.
struct BestOf {
    SweepTable table;        ///< with the metric among its columns
    std::size_t column = 0;  ///< index of the metric's column
    std::vector<std::size_t>
        best;  ///< rows with the best number, in the order of the sweep; empty if no row has a number
    std::optional<double> number;
    std::size_t compared = 0;  ///< rows with a number
    std::size_t failed = 0;    ///< rows that could not be run or failed; they have a reason
    std::size_t without = 0;   ///< rows that ran but have no value of this metric
    std::size_t missing = 0;   ///< rows that were not run because of a stop
};

/// Returns the best rows of a table. Precondition: the metric is one of the table's.
BestOf bestIn(SweepTable table, const std::string& metric, bool larger);

struct BestSearch {
    BestOf best;
    SweepSummary summary;  ///< how many runs the search needed; all are kept
};

/// Searches exhaustively: runs the missing points of the sweep into the store at `storePath` (see runSweep, also for
/// exceptions) and compares all its points. Throws engine::InvalidExperiment for an unknown metric.
BestSearch bestOf(const SweepPlan& plan, const std::string& storePath, const std::string& metric, bool larger,
                  const SweepOptions& options);

}  // namespace data
