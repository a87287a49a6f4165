#pragma once

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// The best points of a sweep for one metric. Nothing is passed over in silence: what has no number is counted.
struct BestOf {
    SweepTable table;        ///< with the metric among its columns
    std::size_t column = 0;  ///< of the metric in the table
    std::vector<std::size_t>
        best;  ///< rows, all with the same number, in the order of the sweep; none when none has one
    std::optional<double> number;
    std::size_t compared = 0;  ///< rows with a number
    std::size_t failed = 0;    ///< rows that could not be run or failed, see their reason
    std::size_t without = 0;   ///< rows that ran but have no such number
    std::size_t missing = 0;   ///< rows that were not run, after a stop
};

/// Precondition: the metric is one of the table's.
BestOf bestIn(SweepTable table, const std::string& metric, bool larger);

struct BestSearch {
    BestOf best;
    SweepSummary summary;  ///< how many runs it took; all are kept
};

/// Exhaustive: runs what is missing of the sweep into the store at `storePath` (see runSweep, also for what it throws)
/// and looks at all its points. Throws engine::InvalidExperiment when nobody knows the metric.
BestSearch bestOf(const SweepPlan& plan, const std::string& storePath, const std::string& metric, bool larger,
                  const SweepOptions& options);

}  // namespace data
