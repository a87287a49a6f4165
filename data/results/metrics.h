#pragma once

#include "data/results/result_subject.h"
#include "engine/api/parameters.h"
#include "engine/api/results.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

struct ModelPoint;

/// Which direction of a metric is better; `neither` for counts that are neither good nor bad.
enum class Better { smaller, larger, neither };

/// One number of a result, for sweeps, sorted lists and charts. The path is the key in `run --output json`, or
/// in the JSON of a point of whole models, so that CSV columns have the names of the JSON.
struct Metric {
    std::string path{};            ///< "time_ps.total", "speedup_over_sequential", "dram_bytes.total"
    std::string label{};           ///< "Total time"
    engine::ParameterUnit unit{};  ///< the unit of `read`; none for ratios and counts
    Better better = Better::neither;
    std::string meaning{};                                                  ///< one sentence
    std::function<std::optional<double>(const engine::RunResult&)> read{};  ///< empty if the result lacks it
    bool whole = false;                                                     ///< true: never a fraction of a base unit
    std::vector<ResultSubject> subjects{ResultSubject::run};                ///< the kinds of result that have it
    std::function<std::optional<double>(const ModelPoint&)> readPoint{};    ///< like `read`, for a point of whole
                                                                            ///< models
    std::string key{};  ///< the path in the JSON, if a parameter has that path; else empty

    bool isOf(ResultSubject subject) const;
};

/// Returns the metrics of runs, in the order of `run --output json`.
std::span<const Metric> metrics();

/// Returns the metrics of one subject.
std::vector<const Metric*> metricsOf(ResultSubject subject);

/// Returns the metric of any subject with this path, or null.
const Metric* findMetric(std::string_view path);

/// Returns the path that the number of a metric has in the JSON of a result.
std::string keyOfMetric(const std::string& path);

/// Returns the metric of one subject with this path, or null.
const Metric* findMetric(std::string_view path, ResultSubject subject);

/// Returns the paths most similar to `path`, best first, at most three.
std::vector<std::string> nearestMetrics(std::string_view path, ResultSubject subject = ResultSubject::run);

/// Returns a message that `path` is not a metric of the subject, with suggestions.
std::string unknownMetric(std::string_view path, ResultSubject subject = ResultSubject::run);

/// Formats a value for people: "2.004 ms", "1.47", "31.8 MB".
std::string formatMetric(const Metric& metric, double value);

/// Formats `value` with as many digits as it takes to distinguish it from `other`, if the two differ.
std::string formatApart(const Metric& metric, double value, double other);

}  // namespace data
