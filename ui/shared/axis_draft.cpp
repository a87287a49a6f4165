#include "ui/shared/axis_draft.h"
#include "ui/look/format.h"

#include "data/document/value_places.h"
#include "data/presets/presets.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace ui {
namespace {

constexpr double kReach = 4;       // factor in both directions, for a list of powers of two
constexpr int kHalvings = 2;       // of the value itself, for an axis by ratio
constexpr int kDoublings = 4;      // from the first to the last value of such an axis
constexpr int kMostDoublings = 6;  // of an axis that does not depend on the current value
constexpr int kEvenCount = 5;
constexpr double kEvenReach = 0.5;  // share of the value in both directions, for an axis with equal steps

QString draftTr(const char* words) { return QCoreApplication::translate("AxisDraft", words); }

QString textOf(const engine::Parameter& parameter, const engine::ParameterValue& value) {
    return text(engine::formatValue(parameter, value));
}

QString listOf(const engine::Parameter& parameter, std::span<const engine::ParameterValue> values) {
    QStringList words;
    for (const engine::ParameterValue& value : values)
        words << textOf(parameter, value);
    return words.join(QStringLiteral(", "));
}

engine::ParameterValue valueOf(const engine::Parameter& parameter, double number) {
    if (parameter.kind == engine::ParameterKind::integer)
        return static_cast<std::int64_t>(std::llround(number));
    return number;
}

QString firstOf(const engine::Problems& problems) {
    return problems.empty() ? draftTr("not a valid value") : text(problems.front().text);
}

/// Returns the values of a list as they were typed. A number without a unit gets that of the next number that has one,
/// or else that of the number before: "50, 100, 150 GB/s".
QStringList typedValues(const engine::Parameter& parameter, const QString& values) {
    QStringList words = values.split(QLatin1Char(','));
    for (QString& word : words)
        word = word.trimmed();
    for (qsizetype i = words.size() - 2; i >= 0; --i)
        words[i] = withUnitOf(parameter, words[i], words[i + 1]);
    for (qsizetype i = 1; i < words.size(); ++i)
        words[i] = withUnitOf(parameter, words[i], words[i - 1]);
    return words;
}

/// Reads the values of a list. The message about a problem names the value itself, which is shorter than its position.
std::vector<engine::ParameterValue> readList(const engine::Parameter& parameter, const QString& values,
                                             QString& problem) {
    std::vector<engine::ParameterValue> read;
    const QString trimmed = values.trimmed();
    if (trimmed.isEmpty()) {
        problem = draftTr("Values are missing; allowed: %1, separated by commas.")
                      .arg(text(engine::describeAllowed(parameter)));
        return read;
    }
    for (const QString& word : typedValues(parameter, trimmed)) {
        engine::Problems problems;
        const auto value = engine::parseValue(parameter, word.toStdString(), problems);
        if (!value) {
            problem = draftTr("“%1”: %2").arg(word, firstOf(problems));
            return read;
        }
        read.push_back(*value);
    }
    return read;
}

AxisReading readRange(const AxisDraft& draft, const engine::Parameter& parameter) {
    data::AxisColumn column{parameter.path, {}, {}};
    engine::Problems problems;
    const QStringList ends{withUnitOf(parameter, draft.from, draft.to), withUnitOf(parameter, draft.to, draft.from)};
    const auto from = engine::parseValue(parameter, ends[0].trimmed().toStdString(), problems);
    const auto to = from ? engine::parseValue(parameter, ends[1].trimmed().toStdString(), problems) : std::nullopt;
    bool isNumber = false;
    const int count = draft.count.trimmed().toInt(&isNumber);
    if (!from || !to)
        return {{}, draftTr("“%1”: %2").arg(from ? draft.to : draft.from, firstOf(problems))};
    if (!isNumber || count < 1)
        return {{}, draftTr("“%1”: not a number of values; allowed: an integer of at least 2").arg(draft.count)};
    column.range = data::AxisRange{*from, *to, count, draft.kind == AxisKind::logarithmic};
    column.values = data::valuesOf(parameter, *column.range, problems);
    if (!problems.empty())
        return {{}, firstOf(problems)};
    return {{{std::move(column)}}, {}};
}

AxisDraft rangeOf(const engine::Parameter& parameter, double from, double to, int count, bool logarithmic) {
    AxisDraft draft;
    draft.kind = logarithmic ? AxisKind::logarithmic : AxisKind::linear;
    draft.columns = {{parameter.path, {}}};
    draft.from = textOf(parameter, valueOf(parameter, from));
    draft.to = textOf(parameter, valueOf(parameter, to));
    if (parameter.kind == engine::ParameterKind::integer)
        count = static_cast<int>(std::clamp(to - from + 1, 2.0, static_cast<double>(count)));
    draft.count = QString::number(count);
    return draft;
}

AxisDraft namesOf(const engine::Parameter& parameter, const engine::ParameterValue& current) {
    std::vector<engine::ParameterValue> values;
    const auto take = [&values](const std::string& name) {
        if (std::ranges::find(values, engine::ParameterValue(name)) == values.end())
            values.emplace_back(name);
    };
    std::span<const data::Preset> presets;
    if (parameter.path == "machine")
        presets = data::machines();
    if (parameter.path == "workload.model")
        presets = data::models();
    for (const data::Preset& preset : presets)
        take(preset.name);
    for (const std::string& word : parameter.words)
        take(word);
    if (const auto* name = std::get_if<std::string>(&current))
        take(*name);
    return {AxisKind::list, {{parameter.path, listOf(parameter, values)}}, {}, {}, {}};
}

/// Returns a list of powers of two around `middle`.
AxisDraft powersOf(const engine::Parameter& parameter, double middle) {
    std::vector<engine::ParameterValue> values;
    // A sweep simulates sub-layers, which a model on one GPU does not have.
    const double fewest = parameter.path == "parallel.tp" ? 2 : parameter.minimum;
    const double least = std::max(fewest, middle / kReach);
    for (double power = std::exp2(std::ceil(std::log2(std::max(1.0, least))));
         power <= std::min(parameter.maximum, middle * kReach); power *= 2)
        values.push_back(valueOf(parameter, power));
    return {AxisKind::list, {{parameter.path, listOf(parameter, values)}}, {}, {}, {}};
}

/// The ends of an axis.
struct AxisEnds {
    double from = 0, to = 0;
};

constexpr double kNanosecond = 1e3, kGBps = 1e9, kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

/// The ends for parameters whose default is a word or 0, where the ends by unit are not the values of real machines,
/// and for numbers that are names.
struct UsualEnds {
    std::string_view path;
    AxisEnds ends;
};
constexpr UsualEnds kUsualEnds[]{
    {"arbitration.turn", {kKiB, 64 * kKiB}},
    {"arbitration.threshold", {kKiB, 64 * kKiB}},
    {"link.packet", {256, 16 * kKiB}},
    {"link.header", {16, 256}},
    {"memory.arriving_update_cost", {1, 2}},
    {"node.memory", {16 * kGiB, 256 * kGiB}},
    {"workload.head_size", {32, 256}},
    {"workload.feed_forward", {4 * kKiB, 64 * kKiB}},
    {"companion.m", {kKiB, 16 * kKiB}},
    {"companion.n", {kKiB, 16 * kKiB}},
    {"companion.k", {kKiB, 16 * kKiB}},
    {"companion.tile_m", {64, 256}},
    {"companion.tile_n", {64, 256}},
    {"companion.slots", {1, 4}},
    {"topology.torus_columns", {1, 8}},
    {"division.weights", {1e9, 64e9}},
    {"variation.gpu", {0, 3}},
    {"seed", {1, 5}},
};

std::optional<AxisEnds> usualEnds(std::string_view path) {
    const auto* found = std::ranges::find(kUsualEnds, path, &UsualEnds::path);
    return found == std::end(kUsualEnds) ? std::nullopt : std::optional(found->ends);
}

/// Returns whether the numbers are names of things, so that twice a number means nothing.
bool isNumbering(const engine::Parameter& parameter) {
    return parameter.path == "seed" || parameter.path == "variation.gpu";
}

/// Returns the ends of an axis around a value that is a word or 0: of sizes that people build, as far as they are
/// allowed.
AxisEnds endsWithoutValue(const engine::Parameter& parameter) {
    AxisEnds ends{parameter.minimum, parameter.maximum};
    if (const auto usual = usualEnds(parameter.path)) {
        ends = *usual;
    } else {
        switch (parameter.unit) {
        case engine::ParameterUnit::bytes: ends = {16 * kKiB, 16 * kMiB}; break;
        case engine::ParameterUnit::picoseconds: ends = {100 * kNanosecond, 6'400 * kNanosecond}; break;
        case engine::ParameterUnit::bytesPerSecond: ends = {50 * kGBps, 3'200 * kGBps}; break;
        case engine::ParameterUnit::hertz: ends = {500e6, 4e9}; break;
        default:
            if (parameter.kind == engine::ParameterKind::integer)
                ends = {1, 64};
            break;
        }
    }
    const AxisEnds allowed{std::max(ends.from, parameter.minimum), std::min(ends.to, parameter.maximum)};
    return allowed.from < allowed.to ? allowed : AxisEnds{parameter.minimum, parameter.maximum};
}

/// Returns a range for a current value that is a word or 0: by ratios of 2 or 4, in equal steps for names and shares.
AxisDraft rangeWithoutValue(const engine::Parameter& parameter) {
    const AxisEnds ends = endsWithoutValue(parameter);
    const bool byRatio = ends.from > 0 && !isNumbering(parameter) &&
                         (parameter.logarithmic || parameter.kind == engine::ParameterKind::integer);
    if (!byRatio)
        return rangeOf(parameter, ends.from, ends.to, kEvenCount, false);
    const int doublings = static_cast<int>(std::floor(std::log2(ends.to / ends.from)));
    const int ratio = doublings <= kMostDoublings ? 1 : 2;  // doublings between two values
    const int steps = std::max(1, doublings / ratio);
    return rangeOf(parameter, ends.from, ends.from * std::exp2(ratio * steps), steps + 1, true);
}

/// Returns a range by ratios of two with the value itself among its values: two halvings of it and two doublings, or
/// more doublings where the smallest allowed value or an odd number leaves no room for a halving.
AxisDraft rangeByTwo(const engine::Parameter& parameter, double middle) {
    const bool whole = parameter.kind == engine::ParameterKind::integer;
    const double least = whole ? std::max(parameter.minimum, 1.0) : parameter.minimum;
    const auto isHalf = [&](double half) { return half >= least && (!whole || half == std::floor(half)); };
    double from = middle;
    int steps = 0;
    while (steps < kHalvings && isHalf(from / 2)) {
        from /= 2;
        ++steps;
    }
    double to = middle;
    while (steps < kDoublings && to * 2 <= parameter.maximum) {
        to *= 2;
        ++steps;
    }
    return steps > 0 ? rangeOf(parameter, from, to, steps + 1, true) : rangeWithoutValue(parameter);
}

}  // namespace

bool canHaveRange(const engine::Parameter& parameter) {
    return parameter.kind == engine::ParameterKind::integer || parameter.kind == engine::ParameterKind::real;
}

AxisReading readAxis(const AxisDraft& draft) {
    AxisReading reading;
    for (const ColumnDraft& column : draft.columns) {
        const engine::Parameter* parameter = engine::findParameter(column.path);
        if (parameter == nullptr) {
            reading.problem = draftTr("There is no parameter %1.").arg(text(column.path));
            return reading;
        }
        if (draft.kind == AxisKind::linear || draft.kind == AxisKind::logarithmic)
            return readRange(draft, *parameter);
        std::vector<engine::ParameterValue> values = readList(*parameter, column.values, reading.problem);
        if (!reading.problem.isEmpty())
            return reading;
        if (!reading.axis.columns.empty() && values.size() != reading.axis.size()) {
            reading.problem = draftTr("%1 has %2 values and %3 has %4; allowed: zipped lists with the same number "
                                      "of values")
                                  .arg(text(engine::findParameter(draft.columns.front().path)->label))
                                  .arg(reading.axis.size())
                                  .arg(text(parameter->label))
                                  .arg(values.size());
            return reading;
        }
        reading.axis.columns.push_back({column.path, std::move(values), {}});
    }
    return reading;
}

AxisDraft draftOf(const data::SweepAxis& axis) {
    AxisDraft draft;
    draft.kind = axis.columns.size() > 1 ? AxisKind::zipped : AxisKind::list;
    for (const data::AxisColumn& column : axis.columns) {
        const engine::Parameter* parameter = engine::findParameter(column.path);
        if (parameter == nullptr)
            continue;
        draft.columns.push_back({column.path, {}});
        if (column.range && axis.columns.size() == 1) {
            draft.kind = column.range->logarithmic ? AxisKind::logarithmic : AxisKind::linear;
            draft.from = textOf(*parameter, column.range->from);
            draft.to = textOf(*parameter, column.range->to);
            draft.count = QString::number(column.range->count);
        } else {
            draft.columns.back().values = listOf(*parameter, column.values);
        }
    }
    return draft;
}

AxisDraft defaultAxis(const engine::Parameter& parameter, const engine::ParameterValue& current) {
    if (!canHaveRange(parameter))
        return namesOf(parameter, current);
    std::optional<double> middle = data::numberOf(current);
    if (!middle || *middle <= 0)
        middle = data::numberOf(parameter.defaultValue);
    if (!middle || *middle <= 0 || isNumbering(parameter))
        return parameter.powerOfTwo ? powersOf(parameter, parameter.minimum) : rangeWithoutValue(parameter);
    // Degrees of parallelism that are not powers of two rarely divide the sizes of a model.
    if (parameter.powerOfTwo || parameter.path == "parallel.tp")
        return powersOf(parameter, *middle);
    if (parameter.logarithmic || parameter.kind == engine::ParameterKind::integer)
        return rangeByTwo(parameter, *middle);
    return rangeOf(parameter, std::max(parameter.minimum, *middle * (1 - kEvenReach)),
                   std::min(parameter.maximum, *middle * (1 + kEvenReach)), kEvenCount, false);
}

AxisDraft withKind(const AxisDraft& draft, AxisKind kind) {
    const bool wasRange = draft.kind == AxisKind::linear || draft.kind == AxisKind::logarithmic;
    const bool isRange = kind == AxisKind::linear || kind == AxisKind::logarithmic;
    if (draft.columns.size() != 1 || kind == AxisKind::zipped || kind == draft.kind)
        return draft;
    AxisDraft changed = draft;
    changed.kind = kind;
    if (wasRange && isRange)
        return changed;
    const engine::Parameter* parameter = engine::findParameter(draft.columns.front().path);
    const AxisReading reading = readAxis(draft);
    if (parameter == nullptr || reading.axis.size() == 0)
        return changed;
    const std::vector<engine::ParameterValue>& values = reading.axis.columns.front().values;
    if (isRange) {
        changed.columns.front().values.clear();
        changed.from = textOf(*parameter, values.front());
        changed.to = textOf(*parameter, values.back());
        changed.count = QString::number(values.size());
    } else {
        changed.columns.front().values = listOf(*parameter, values);
        changed.from = changed.to = changed.count = QString();
    }
    return changed;
}

}  // namespace ui
