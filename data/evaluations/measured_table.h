#pragma once

#include "data/evaluations/evaluation.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A table of measured rows: the parameters that each row sets, and the measured value.
struct MeasuredTable {
    SweepAxis axis;                        ///< a step for each row, in the order of the file
    std::vector<EvaluationNumber> values;  ///< one for each row; empty if the file has no column `value`
    std::vector<std::size_t> lines{};      ///< for each row its line in the file
};

/// What the values of a table are.
struct MeasuredKind {
    std::string file;                ///< its name, for messages
    const Metric* metric = nullptr;  ///< of ours that is compared
    std::string unit;                ///< of the values; empty for a metric without a unit
    bool valuesMayBeMissing = false;
    std::size_t mostRows = 0;
};

/// Reads a table as CSV: see readCsv. The first line names the columns: paths of parameters, `value`, and `what` for
/// notes that no program reads. A cell of a parameter has the form of the command line ("64 MiB", or a number in base
/// units); a cell of `value` is a number above 0 in the table's unit. Two rows must not be the same experiment. Adds
/// problems that name file, line, column and what is allowed, at most kMostProblems, and returns what it could read.
MeasuredTable readMeasuredTable(std::string_view csv, const MeasuredKind& kind, engine::Problems& problems);

}  // namespace data
