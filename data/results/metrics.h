#pragma once

#include "engine/api/parameters.h"
#include "engine/api/results.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Whether a smaller value is better; `neither` for counts that are neither good nor bad.
enum class Better { smaller, larger, neither };

/// One number of a result: what sweeps watch, lists are sorted by and charts draw. The path is the key of
/// `run --output json` (cli.md), so that a column of a CSV file is called as the JSON is.
struct Metric {
    std::string path{};            ///< "time_ps.total", "speedup_over_sequential", "dram_bytes.total"
    std::string label{};           ///< "Total time"
    engine::ParameterUnit unit{};  ///< of `read`; none for ratios and counts
    Better better = Better::neither;
    std::string meaning{};                                                  ///< one sentence
    std::function<std::optional<double>(const engine::RunResult&)> read{};  ///< nothing where the result lacks it
    bool whole = false;                                                     ///< never a fraction of a base unit
};

/// The one table, in the order of cli.md.
std::span<const Metric> metrics();

/// Nothing when no metric has this path.
const Metric* findMetric(std::string_view path);

/// Paths most like `path`, best first, at most three.
std::vector<std::string> nearestMetrics(std::string_view path);

/// Why `path` is no metric, with what may be meant.
std::string unknownMetric(std::string_view path);

/// For people: "2.004 ms", "1.47", "31.8 MB".
std::string formatMetric(const Metric& metric, double value);

/// The same with as many digits as it takes to be another text than `other` has, where the two numbers differ.
std::string formatApart(const Metric& metric, double value, double other);

}  // namespace data
