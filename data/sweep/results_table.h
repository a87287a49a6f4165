#pragma once

#include "data/store/run_catalogue.h"
#include "data/sweep/sweep_document.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Results as other programs take them: one line a run or a point, one column a path. Numbers are in base units and
/// say nothing about when or on how many threads they were simulated, so that two executions of the same sweep give the
/// same bytes.
struct ResultsTable {
    std::vector<std::string> columns;
    std::vector<std::vector<CatalogueValue>> rows;  ///< as many values as columns
};

/// Every point of a sweep in the order of its index: what varies, policy, metrics, state, and the reason of a failed one.
ResultsTable resultsOf(const SweepTable& sweep);

/// Runs in the order given: name, policy, the columns that they were read with, note, tags and engine version.
ResultsTable resultsOf(std::span<const CatalogueRow> runs, std::span<const std::string> columns);

std::string_view name(PointState state);  ///< "missing", "done", "failed"

/// A cell of CSV, quoted where RFC 4180 asks for it.
std::string csvCell(std::string_view text);
std::string csvLine(const std::vector<std::string>& cells);  ///< with its line break

/// A heading and the rows; what is not there is an empty cell.
std::string writeCsv(const ResultsTable& table);

/// An array of objects by column; what is not there is absent.
std::string writeJson(const ResultsTable& table);

}  // namespace data
