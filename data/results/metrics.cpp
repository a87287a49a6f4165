#include "data/results/metrics.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/results/metric_columns.h"
#include "data/results/model_point_fields.h"
#include "data/results/result_fields.h"
#include "engine/api/letters.h"
#include "engine/api/quantity.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <type_traits>
#include <utility>

namespace data {
namespace {

using engine::ParameterUnit;
using engine::RunResult;

using Number = std::optional<double>;

template <class Value>
constexpr ParameterUnit unitOf() {
    return std::is_same_v<Value, engine::Duration>    ? ParameterUnit::picoseconds
           : std::is_same_v<Value, engine::Bytes>     ? ParameterUnit::bytes
           : std::is_same_v<Value, engine::Bandwidth> ? ParameterUnit::bytesPerSecond
           : std::is_same_v<Value, engine::FlopRate>  ? ParameterUnit::flopsPerSecond
                                                      : ParameterUnit::none;
}

/// Returns a function that reads a member of a group as a double. `find` returns the group of a result, or null, for
/// which the function returns an empty optional.
template <class Result, class Find, class Member>
std::function<Number(const Result&)> reader(Find find, Member member, bool later) {
    return [find, member, later](const Result& result) -> Number {
        const auto* group = find(result);
        if (group == nullptr || (later && !hasLaterFields(*group)))
            return std::nullopt;
        const auto& held = std::invoke(member, *group);  // a sum is returned by value
        const auto* value = pointerTo(held);
        return value != nullptr ? Number(static_cast<double>(plain(*value))) : std::nullopt;
    };
}

std::string capitalised(std::string label) {
    label.front() = engine::upperLetter(label.front());
    return label;
}

/// Appends one metric for each number of a group of a run or of a point of whole models, including groups inside it.
/// `find` returns the group of a result, or null; `title` begins the labels.
template <class Result, class Find>
void append(std::vector<Metric>& table, const std::string& path, Find find, const std::string& title = {}) {
    using Group = std::remove_pointer_t<std::invoke_result_t<Find, const Result&>>;
    visitFields(static_cast<Group*>(nullptr), [&](const ResultField& field, auto member) {
        using Value = FieldValue<std::remove_cvref_t<std::invoke_result_t<decltype(member), Group&>>>;
        if constexpr (kIsGroup<Value>) {
            const auto within = [find, member](const Result& result) -> const Value* {
                const auto* group = find(result);
                return group != nullptr ? pointerTo(std::invoke(member, *group)) : nullptr;
            };
            append<Result>(table, path + field.key + ".", within, title);
        } else if (field.label != nullptr) {
            Metric metric{path + field.key, capitalised(title + field.label), unitOf<Value>(), field.better,
                          field.meaning};
            metric.whole = !std::is_same_v<Value, double>;
            if constexpr (std::is_same_v<Result, RunResult>)
                metric.read = reader<RunResult>(find, member, field.later);
            else
                metric.readPoint = reader<ModelPoint>(find, member, field.later);
            table.push_back(std::move(metric));
        }
    });
}

/// Reads a number of engine::Hiding. It is empty for a run that has no sequential run to compare with.
template <auto field>
Number ofHiding(const RunResult& result) {
    const auto hiding = engine::hidingOf(result);
    return hiding ? Number(static_cast<double>(plain((*hiding).*field))) : std::nullopt;
}

/// Inserts the metrics of hidden and exposed communication before the older metrics of overlap.
void insertHiding(std::vector<Metric>& table) {
    const auto older = std::find_if(table.begin(), table.end(),
                                    [](const Metric& metric) { return metric.path == "time_ps.overlapped"; });
    table.insert(
        older,
        {{"time_ps.hidden", "Hidden communication", ParameterUnit::picoseconds, Better::larger,
          "Total time of `sequential` minus that of this run; negative if this run is slower.",
          &ofHiding<&engine::Hiding::hidden>, true},
         {"time_ps.exposed", "Exposed communication", ParameterUnit::picoseconds, Better::smaller,
          "Total time minus that of the GEMM alone. Hidden and exposed add up to the communication of `sequential`.",
          &ofHiding<&engine::Hiding::exposed>, true}});
}

void appendRatios(std::vector<Metric>& table) {
    table.push_back({"speedup_over_sequential", "Speed-up over sequential", ParameterUnit::none, Better::larger,
                     "Total time of `sequential` on the same machine, divided by this run's.",
                     [](const RunResult& result) { return result.speedupOverSequential; }});
    table.push_back({"gemm_stretch", "GEMM stretch", ParameterUnit::none, Better::smaller,
                     "Time of the GEMM in this run, divided by its time alone: how much communication slows it down.",
                     &ofHiding<&engine::Hiding::gemmStretch>});
}

/// Appends the sides of the tile that a run used. Their keys in the JSON, gemm.tile_m and gemm.tile_n, are paths of
/// parameters, which metrics with these paths would hide.
void appendTile(std::vector<Metric>& table) {
    const auto add = [&](const char* path, const char* key, const char* label, const char* meaning, auto side) {
        Metric metric{path, label, ParameterUnit::none, Better::neither, meaning};
        metric.whole = true;
        metric.key = key;
        metric.read = [side](const RunResult& result) -> Number {
            return result.gemm ? Number(static_cast<double>((*result.gemm).*side)) : std::nullopt;
        };
        table.push_back(std::move(metric));
    };
    add("gemm.used_tile_m", "gemm.tile_m", "Rows of the tile",
        "Rows of the GEMM's tile in this run, as set or as chosen.", &engine::GemmResult::tileM);
    add("gemm.used_tile_n", "gemm.tile_n", "Columns of the tile",
        "Columns of the GEMM's tile in this run, as set or as chosen.", &engine::GemmResult::tileN);
}

std::vector<Metric> buildTable() {
    std::vector<Metric> table;
    append<RunResult>(table, "shape.", [](const RunResult& result) { return &result.shape; });
    append<RunResult>(table, "time_ps.", [](const RunResult& result) { return &result.last.time; });
    insertHiding(table);
    append<RunResult>(table, "isolated_ps.", [](const RunResult& result) { return pointerTo(result.isolated); });
    appendRatios(table);
    append<RunResult>(table, "gemm.", [](const RunResult& result) { return pointerTo(result.gemm); });
    appendTile(table);
    append<RunResult>(table, "access.", [](const RunResult& result) { return pointerTo(result.access); });
    append<RunResult>(table, "companion.", [](const RunResult& result) { return pointerTo(result.companion); });
    append<RunResult>(table, "companion.", [](const RunResult& result) { return pointerTo(result.last.companion); });
    visitGroups([&](const std::string& key, auto member) {
        if (key == "tracker")
            append<RunResult>(table, "network.", [](const RunResult& result) { return pointerTo(result.network); });
        append<RunResult>(table, key + ".",
                          [member](const RunResult& result) { return pointerTo(result.last.*member); });
    });
    append<RunResult>(table, "bounds_ps.", [](const RunResult& result) { return &result.bounds; });
    append<RunResult>(table, "invariants.", [](const RunResult& result) { return &result.invariants; });
    append<RunResult>(table, "", [](const RunResult& result) { return &result; });
    return table;
}

constexpr std::array kModelSubjects{ResultSubject::footprint, ResultSubject::training, ResultSubject::prompt,
                                    ResultSubject::generation};

/// Appends the metrics of the step, which points of one pass through one group have as well.
void appendStep(std::vector<Metric>& table) {
    const auto add = [&](std::string path, const ResultField& field, auto member) {
        using Value = FieldValue<std::remove_cvref_t<std::invoke_result_t<decltype(member), StepTime&>>>;
        Metric metric{std::move(path), field.label, unitOf<Value>(), field.better, field.meaning};
        metric.whole = !std::is_same_v<Value, double>;
        metric.readPoint = [member](const ModelPoint& point) -> Number {
            const std::optional<StepTime> step = stepTimeOf(point);
            return step ? Number(static_cast<double>(plain(std::invoke(member, *step)))) : std::nullopt;
        };
        table.push_back(std::move(metric));
    };
    visitFields(static_cast<StepTime*>(nullptr), [&](const ResultField& field, auto member) {
        add(std::string("step_ps.") + field.key, field, member);
    });
    add("bubble_share",
        {"bubble_share", "Bubble share",
         "Share of the step in which a stage waits for another stage; mean of the stages.", Better::smaller},
        &StepTime::bubbleShare);
}

std::vector<Metric> buildModelTable() {
    std::vector<Metric> table;
    append<ModelPoint>(table, "model_ps.", [](const ModelPoint& point) { return pointerTo(point.time); });
    appendStep(table);
    append<ModelPoint>(table, "", [](const ModelPoint& point) { return pointerTo(point.ratios); });
    append<ModelPoint>(table, "time_share.", [](const ModelPoint& point) { return pointerTo(point.shares); });
    append<ModelPoint>(table, "projected.", [](const ModelPoint& point) { return pointerTo(point.projection); });
    const std::size_t timed = table.size();
    append<ModelPoint>(table, "footprint_bytes.", [](const ModelPoint& point) { return &point.footprint; });
    append<ModelPoint>(table, "of_layers_bytes.", [](const ModelPoint& point) { return &point.ofLayers; });
    append<ModelPoint>(table, "", [](const ModelPoint& point) { return pointerTo(point.fit); });
    append<ModelPoint>(table, "messages.", [](const ModelPoint& point) { return &point.messages; });
    for (std::size_t i = 0; i < kMessageKeys.size(); ++i)
        append<ModelPoint>(
            table, std::string("messages.") + kMessageKeys[i].key + ".",
            [i](const ModelPoint& point) { return &point.byGroup[i]; }, std::string(kMessageKeys[i].title) + ", ");
    append<ModelPoint>(table, "", [](const ModelPoint& point) { return &point.messageRatios; });
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i].subjects.assign(kModelSubjects.begin() + (i < timed ? 1 : 0), kModelSubjects.end());
        table[i].read = [](const RunResult&) { return Number(); };
    }
    return table;
}

std::span<const Metric> modelMetrics() {
    static const std::vector<Metric> kTable = buildModelTable();
    return kTable;
}

/// Returns a value with as many decimals as `like` has with `digits` significant digits, without an exponent, whatever
/// the locale.
std::string significantLike(double value, double like, int digits) {
    if (!std::isfinite(value))
        return "";
    const int magnitude = like == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(like))));
    return fixedNumber(value, std::clamp(digits - 1 - magnitude, 0, 12));
}

/// Returns a value with `digits` significant digits: "2.004", "1.47", "150".
std::string significant(double value, int digits) { return significantLike(value, value, digits); }

constexpr int kDigits = 3;
constexpr int kTimeDigits = 4;  // one more than usual, because the times of policies differ little

// Returns whether a unit is binary, such as KiB. Results have decimal units, as data sheets do.
bool isBinary(std::string_view unit) { return unit.find('i') != std::string_view::npos; }

/// Formats a value with the unit and the decimals that suit `like`.
std::string withUnit(ParameterUnit unit, double value, double like, int more) {
    const auto names = engine::unitNames(unit);
    const engine::UnitName* best = &names.front();
    for (const engine::UnitName& name : names) {
        const bool wanted = name.shown && !isBinary(name.text);
        if (wanted && static_cast<double>(name.factor) <= std::abs(like) && name.factor >= best->factor)
            best = &name;
    }
    const auto factor = static_cast<double>(best->factor);
    const int digits = (unit == ParameterUnit::picoseconds ? kTimeDigits : kDigits) + more;
    const bool exact = best->factor == 1;
    return (exact ? significant(std::round(value), 1) : significantLike(value / factor, like / factor, digits)) + " " +
           std::string(best->text);
}

/// Formats a value with `more` digits than usual.
std::string formatWith(const Metric& metric, double value, int more) {
    if (metric.unit != ParameterUnit::none)
        return withUnit(metric.unit, value, value, more);
    return metric.whole ? significant(std::round(value), 1) : significant(value, kDigits + more);
}

}  // namespace

std::span<const Metric> metrics() {
    static const std::vector<Metric> kTable = buildTable();
    return kTable;
}

bool Metric::isOf(ResultSubject subject) const { return isAmong(subjects, subject); }

std::vector<const Metric*> metricsOf(ResultSubject subject) {
    std::vector<const Metric*> found;
    for (const Metric& metric : isOfModels(subject) ? modelMetrics() : metrics()) {
        if (metric.isOf(subject))
            found.push_back(&metric);
    }
    return found;
}

const Metric* findMetric(std::string_view path) {
    const Metric* ofRuns = findNamed(metrics(), &Metric::path, path);
    return ofRuns != nullptr ? ofRuns : findNamed(modelMetrics(), &Metric::path, path);
}

std::string keyOfMetric(const std::string& path) {
    const Metric* metric = findMetric(path);
    return metric == nullptr || metric->key.empty() ? path : metric->key;
}

const Metric* findMetric(std::string_view path, ResultSubject subject) {
    const Metric* metric = findMetric(path);
    return metric != nullptr && metric->isOf(subject) ? metric : nullptr;
}

std::vector<std::string> nearestMetrics(std::string_view path, ResultSubject subject) {
    std::vector<std::string> paths;
    for (const Metric* metric : metricsOf(subject))
        paths.push_back(metric->path);
    return engine::nearestNames(path, paths);
}

std::string unknownMetric(std::string_view path, ResultSubject subject) {
    if (const Metric* other = findMetric(path)) {
        std::vector<std::string> subjects;
        for (const ResultSubject each : other->subjects)
            subjects.emplace_back(name(each));
        return "not a number of " + std::string(name(subject)) + " but of " + joinedNames(subjects, " and ");
    }
    const auto near = nearestMetrics(path, subject);
    if (!near.empty())
        return "unknown metric, did you mean " + joinedNames(near, " or ") + "?";
    return isOfModels(subject) ? "unknown metric; allowed are the numbers of `results`, such as footprint_bytes.total"
                               : "unknown metric; allowed are the numbers of `run --output json`";
}

std::string formatMetric(const Metric& metric, double value) { return formatWith(metric, value, 0); }

std::string formatMetricLike(const Metric& metric, double value, double like) {
    return metric.unit == ParameterUnit::none ? formatMetric(metric, value) : withUnit(metric.unit, value, like, 0);
}

std::string formatApart(const Metric& metric, double value, double other) {
    constexpr int kMostMore = 12;
    int more = 0;
    while (more < kMostMore && value != other && formatWith(metric, value, more) == formatWith(metric, other, more))
        ++more;
    return formatWith(metric, value, more);
}

}  // namespace data
