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

/// Whether a smaller value is better; `neither` for counts that are neither good nor bad.
enum class Better { smaller, larger, neither };

/// One number of a result: what sweeps watch, lists are sorted by and charts draw. The path is the key of
/// `run --output json` (cli.md), or of a point of whole models, so that a column of a CSV file is called as the JSON is.
struct Metric {
    std::string path{};            ///< "time_ps.total", "speedup_over_sequential", "dram_bytes.total"
    std::string label{};           ///< "Total time"
    engine::ParameterUnit unit{};  ///< of `read`; none for ratios and counts
    Better better = Better::neither;
    std::string meaning{};                                                  ///< one sentence
    std::function<std::optional<double>(const engine::RunResult&)> read{};  ///< nothing where the result lacks it
    bool whole = false;                                                     ///< never a fraction of a base unit
    std::vector<ResultSubject> subjects{ResultSubject::run};                ///< of which results it is a number
    std::function<std::optional<double>(const ModelPoint&)> readPoint{};    ///< as `read`, of a point of whole models

    bool isOf(ResultSubject subject) const;
};

/// The metrics of runs, in the order of cli.md.
std::span<const Metric> metrics();

/// The metrics of one subject.
std::vector<const Metric*> metricsOf(ResultSubject subject);

/// A metric of any subject. Nothing when none has this path.
const Metric* findMetric(std::string_view path);

/// The same of one subject.
const Metric* findMetric(std::string_view path, ResultSubject subject);

/// Paths most like `path`, best first, at most three.
std::vector<std::string> nearestMetrics(std::string_view path, ResultSubject subject = ResultSubject::run);

/// Why `path` is no metric of the subject, with what may be meant.
std::string unknownMetric(std::string_view path, ResultSubject subject = ResultSubject::run);

/// For people: "2.004 ms", "1.47", "31.8 MB".
std::string formatMetric(const Metric& metric, double value);

/// The same with as many digits as it takes to be another text than `other` has, where the two numbers differ.
std::string formatApart(const Metric& metric, double value, double other);

}  // namespace data
