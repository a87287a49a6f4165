#pragma once

#include "data/results/metrics.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// Points whose number differs from the best by no more than this share of it count as equally good.
inline constexpr double kEquallyGood = 0.01;

/// The best points of a sweep for one metric, and how many points have no number and why. Points are rows of the table.
struct BestOf {
    std::size_t column = 0;         ///< index of the metric's column
    std::vector<std::size_t> best;  ///< points with the best number, in the order of the sweep; empty if none has one
    std::optional<double> number;
    std::vector<std::size_t> near;  ///< points within kEquallyGood of the best number, the best ones included
    /// The points of `near` that cost least: no other one has a smaller cost on some axis and a larger one on none, or
    /// the same costs and a better number. Empty if no axis of the sweep has a cost.
    std::vector<std::size_t> cheapest;
    std::size_t compared = 0;  ///< points with a number
    std::size_t failed = 0;    ///< points that could not be run or failed; they have a reason
    std::size_t without = 0;   ///< points that ran but have no value of this metric
    std::size_t missing = 0;   ///< points that were not run because of a stop
};

/// Returns the best points of a table. Precondition: the metric is one of the table's.
BestOf bestIn(const SweepTable& table, const std::string& metric, bool larger);

/// Returns which values of a parameter cost less: the larger ones of a time, because short times are expensive, the
/// smaller ones of everything else.
Better cheaperValues(const engine::Parameter& parameter);

struct BestSearch {
    SweepTable table;  ///< with the metric among its columns
    BestOf best;
    SweepSummary summary;  ///< how many runs the search needed; all are kept
};

/// Searches exhaustively: runs the missing points of the sweep into the store at `storePath` (see runSweep, also for
/// exceptions) and compares all its points. Throws engine::InvalidExperiment for an unknown metric.
BestSearch bestOf(const SweepPlan& plan, const std::string& storePath, const std::string& metric, bool larger,
                  const SweepOptions& options);

}  // namespace data
