#pragma once

#include "data/measured/measured_report.h"
#include "data/measured/trace_pair.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace data {

/// Returns a report as a document. Times are in ps and end in "_ps", sizes in bytes, rates in bytes/s and FLOP/s. A
/// number that cannot be known is missing; the list `unknown` says which, how many and why.
nlohmann::ordered_json measuredReportJson(const MeasuredReport& report);

/// Returns the cells of a report as CSV, whose first line is the heading. The column `kind` says what a line is: rank, collective, gemm or kernel;
/// cells that a line of its kind does not have, or that cannot be known, are empty.
std::vector<std::vector<std::string>> measuredReportLines(const MeasuredReport& report);

/// Returns a pair with its simulations as a document: values with their origin, times of the parts alone and of both
/// together, and of each simulation the difference, which is parts + interaction.
nlohmann::ordered_json tracePairJson(const TracePair& pair, const std::vector<SimulatedPair>& simulated);

}  // namespace data
