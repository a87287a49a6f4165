#include "data/results/metrics.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/results/result_fields.h"
#include "engine/api/quantity.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <cmath>
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
                                                      : ParameterUnit::none;
}

/// One metric for each number of a group. `find` returns the group of a result, or null.
template <class Find>
void append(std::vector<Metric>& table, const std::string& path, Find find) {
    using Group = std::remove_pointer_t<std::invoke_result_t<Find, const RunResult&>>;
    visitFields(static_cast<Group*>(nullptr), [&](const ResultField& field, auto member) {
        using Value = std::remove_cvref_t<decltype(std::declval<Group>().*member)>;
        const auto read = [find, member, later = field.later](const RunResult& result) -> Number {
            const Group* group = find(result);
            return group != nullptr && (!later || tellsLater(*group))
                       ? Number(static_cast<double>(plain(group->*member)))
                       : std::nullopt;
        };
        if (field.label != nullptr)
            table.push_back({path + field.key, field.label, unitOf<Value>(), field.better, field.meaning, read,
                             !std::is_same_v<Value, double>});
    });
}

template <class Group>
const Group* pointerTo(const std::optional<Group>& group) {
    return group ? &*group : nullptr;
}

/// Of a run that has a sequential run to compare with.
template <auto field>
Number ofHiding(const RunResult& result) {
    const auto hiding = engine::hidingOf(result);
    return hiding ? Number(static_cast<double>(plain((*hiding).*field))) : std::nullopt;
}

/// Before the older measures of the same.
void insertHiding(std::vector<Metric>& table) {
    const auto older = std::find_if(table.begin(), table.end(),
                                    [](const Metric& metric) { return metric.path == "time_ps.overlapped"; });
    table.insert(
        older, {{"time_ps.hidden", "Hidden communication", ParameterUnit::picoseconds, Better::larger,
                 "Total time of `sequential` without this run's; negative where this run is slower.",
                 &ofHiding<&engine::Hiding::hidden>, true},
                {"time_ps.exposed", "Exposed communication", ParameterUnit::picoseconds, Better::smaller,
                 "Total time without the GEMM's alone. Hidden and exposed add up to the communication of `sequential`.",
                 &ofHiding<&engine::Hiding::exposed>, true}});
}

void appendRatios(std::vector<Metric>& table) {
    table.push_back({"speedup_over_sequential", "Speed-up over sequential", ParameterUnit::none, Better::larger,
                     "Total time of `sequential` on the same machine, divided by this run's.",
                     [](const RunResult& result) { return result.speedupOverSequential; }});
    table.push_back({"gemm_stretch", "GEMM stretch", ParameterUnit::none, Better::smaller,
                     "The GEMM in this run, divided by the GEMM alone: what communication slows it down.",
                     &ofHiding<&engine::Hiding::gemmStretch>});
}

std::vector<Metric> buildTable() {
    std::vector<Metric> table;
    append(table, "shape.", [](const RunResult& result) { return &result.shape; });
    append(table, "time_ps.", [](const RunResult& result) { return &result.last.time; });
    insertHiding(table);
    append(table, "isolated_ps.", [](const RunResult& result) { return pointerTo(result.isolated); });
    appendRatios(table);
    visitGroups([&](const std::string& key, auto member) {
        if (key == "tracker")
            append(table, "network.", [](const RunResult& result) { return pointerTo(result.network); });
        append(table, key + ".", [member](const RunResult& result) { return pointerTo(result.last.*member); });
    });
    append(table, "bounds_ps.", [](const RunResult& result) { return &result.bounds; });
    append(table, "invariants.", [](const RunResult& result) { return &result.invariants; });
    append(table, "", [](const RunResult& result) { return &result; });
    return table;
}

/// `digits` significant digits without an exponent, whatever the locale: "2.004", "1.47", "150".
std::string significant(double value, int digits) {
    if (!std::isfinite(value))
        return "";
    const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    return fixedNumber(value, std::clamp(digits - 1 - magnitude, 0, 12));
}

constexpr int kDigits = 3;
constexpr int kTimeDigits = 4;  // times of policies differ by little

// Results are decimal, as data sheets write them; capacities that a person enters stay as entered.
bool isBinary(std::string_view unit) { return unit.find('i') != std::string_view::npos; }

std::string withUnit(ParameterUnit unit, double value, int more) {
    const auto names = engine::unitNames(unit);
    const engine::UnitName* best = &names.front();
    for (const engine::UnitName& name : names) {
        const bool wanted = name.shown && !isBinary(name.text);
        if (wanted && static_cast<double>(name.factor) <= std::abs(value) && name.factor >= best->factor)
            best = &name;
    }
    const double number = value / static_cast<double>(best->factor);
    const bool exact = best->factor == 1;
    return (exact ? significant(std::round(value), 1)
                  : significant(number, (unit == ParameterUnit::picoseconds ? kTimeDigits : kDigits) + more)) +
           " " + std::string(best->text);
}

/// With `more` digits than usual.
std::string formatWith(const Metric& metric, double value, int more) {
    if (metric.unit != ParameterUnit::none)
        return withUnit(metric.unit, value, more);
    return metric.whole ? significant(std::round(value), 1) : significant(value, kDigits + more);
}

}  // namespace

std::span<const Metric> metrics() {
    static const std::vector<Metric> kTable = buildTable();
    return kTable;
}

const Metric* findMetric(std::string_view path) { return findNamed(metrics(), &Metric::path, path); }

std::vector<std::string> nearestMetrics(std::string_view path) {
    return engine::nearestNames(path, namesOf(metrics(), &Metric::path));
}

std::string unknownMetric(std::string_view path) {
    const auto near = nearestMetrics(path);
    return near.empty() ? "unknown metric; allowed are the numbers of `run --output json`"
                        : "unknown metric, did you mean " + joinedNames(near, " or ") + "?";
}

std::string formatMetric(const Metric& metric, double value) { return formatWith(metric, value, 0); }

std::string formatApart(const Metric& metric, double value, double other) {
    constexpr int kMostMore = 12;
    int more = 0;
    while (more < kMostMore && value != other && formatWith(metric, value, more) == formatWith(metric, other, more))
        ++more;
    return formatWith(metric, value, more);
}

}  // namespace data
