#pragma once

#include "data/store/run_catalogue.h"
#include "data/sweep/sweep_document.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Results in the form that other programs read: one row for each run or point, one column for each path. Numbers are
/// in base units. Nothing depends on when or on how many threads they were simulated, so that two executions of the
/// same sweep give the same bytes.
struct ResultsTable {
    std::vector<std::string> columns;
    std::vector<std::vector<CatalogueValue>> rows;  ///< as many values as columns
};

/// Returns every point of a sweep in the order of its index: values of the axes, policy, metrics, state, and the reason
/// of a failure.
ResultsTable resultsOf(const SweepTable& sweep);

/// Returns the runs in the given order: name, policy, the columns that they were read with, note, tags and engine
/// version.
ResultsTable resultsOf(std::span<const CatalogueRow> runs, std::span<const std::string> columns);

std::string_view name(PointState state);  ///< "missing", "done", "failed"

/// Returns a CSV cell, quoted if RFC 4180 requires it. A text that begins with = + - @ or a tab would be a formula in a
/// spreadsheet, so it gets an apostrophe before it; a number stays as it is. Control characters are escaped. Every CSV
/// of Ringside is written with this function.
std::string csvCell(std::string_view text);
std::string csvLine(const std::vector<std::string>& cells);  ///< with its line break

/// Returns a heading and the rows; a missing value is an empty cell.
std::string writeCsv(const ResultsTable& table);

/// Returns an array of objects by column; a missing value has no key.
std::string writeJson(const ResultsTable& table);

}  // namespace data
