#include "data/evaluations/evaluation_rows.h"

#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/evaluations/statistics.h"
#include "data/tasks/task_result.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace data {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
/// The relative slack for numbers that are equal on paper but differ in their last bits.
constexpr double kRounding = 1e-9;

constexpr std::size_t kLeastRanked = 3;  // pairs that have a rank correlation
constexpr const char* kNothingAttached = "no measured steps attached";

/// A number of some points, or why there is none.
struct Computed {
    double value = kNoNumber;
    std::string failure;
    bool isMissing = false;  ///< a point has not been run
    std::string remark{};    ///< what a reader of the value has to know
};

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

class ItemNumbers {
public:
    ItemNumbers(const EvaluationItem& item, std::span<const SweepTable> tables) : m_item(item), m_tables(tables) {}

    /// Returns the number of one point, without what the item subtracts and divided by the item's divisor.
    Computed ofPoint(std::size_t index) const {
        Computed number = sum(m_item.sweep, index, m_item.metrics);
        if (m_item.minus && number.failure.empty()) {
            Computed subtracted = operandAt(*m_item.minus, index);
            if (!subtracted.failure.empty())
                return subtracted;
            number.value -= subtracted.value;
        }
        if (!m_item.over || !number.failure.empty())
            return number;
        Computed divisor = operandAt(*m_item.over, index);
        if (!divisor.failure.empty())
            return divisor;
        if (divisor.value == 0)
            return {kNoNumber, joined(m_item.over->metrics, " + ") + " is 0, so the ratio does not exist"};
        return {number.value / divisor.value, {}};
    }

    /// Returns the number of some points together, combined by the item's `as`.
    Computed of(std::span<const std::size_t> points) const {
        if (m_item.place)
            return placeIn(points);
        std::vector<double> values;
        for (const std::size_t index : points) {
            Computed number = ofPoint(index);
            if (!number.failure.empty())
                return number;
            values.push_back(number.value);
        }
        if (comparesWithMeasured(m_item.mean))
            return compared(values);
        Computed result = together(values);
        if (m_item.saving)
            result.value = 1 - result.value;
        if (m_item.gain)
            result.value -= 1;
        return result;
    }

private:
    /// Returns the number of an operand that belongs to a point of the item.
    Computed operandAt(const EvaluationOperand& operand, std::size_t index) const {
        const std::size_t place = index / m_tables[m_item.sweep].sweep.policies.size();
        const std::size_t own = place * m_tables[operand.sweep].sweep.policies.size() + operand.policy;
        return sum(operand.sweep, operand.point.value_or(own), operand.metrics);
    }

    /// The numbers along an axis, in the order of its values.
    struct Along {
        std::vector<double> at, values;
        std::optional<Computed> failure;  ///< set if a number cannot be computed
    };

    /// Computes a number at each value of the item's axis. Several points at one value have their geometric mean.
    template <class NumberAt>
    Along along(std::span<const std::size_t> points, NumberAt numberAt) const {
        const EvaluationPlace& place = *m_item.place;
        const SweepTable& table = m_tables[m_item.sweep];
        const AxisColumn& column = table.sweep.axes[place.axis].columns[place.column];
        std::map<double, std::vector<double>> byValue;
        for (const std::size_t index : points) {
            Computed number = numberAt(index);
            if (!number.failure.empty())
                return {{}, {}, std::move(number)};
            byValue[*numberOf(column.values[table.rows[index].at[place.axis]])].push_back(number.value);
        }
        Along along;
        for (const auto& [at, values] : byValue) {
            Computed mean = values.size() == 1 ? Computed{values.front(), {}} : geomean(values);
            if (!mean.failure.empty())
                return {{}, {}, std::move(mean)};
            along.at.push_back(at);
            along.values.push_back(mean.value);
        }
        return along;
    }

    /// Returns the value of the axis that the item looks for.
    Computed placeIn(std::span<const std::size_t> points) const {
        Along ours = along(points, [this](std::size_t index) { return ofPoint(index); });
        if (ours.failure)
            return *ours.failure;
        const EvaluationPlace& place = *m_item.place;
        if (m_item.mean == EvaluationMean::bestAt) {
            const auto best =
                place.isLargestBest ? std::ranges::max_element(ours.values) : std::ranges::min_element(ours.values);
            return {ours.at[static_cast<std::size_t>(best - ours.values.begin())], {}};
        }
        Along others;
        if (place.other)
            others = along(points, [&](std::size_t index) { return operandAt(*place.other, index); });
        if (others.failure)
            return *others.failure;
        for (std::size_t i = 0; i < ours.values.size(); ++i)
            ours.values[i] -= place.other ? others.values[i] : place.level->value;
        return crossingOf(ours);
    }

    /// Returns the first value of the axis at which the distances to the level, or to the other numbers, change their
    /// sign. Between two points they are interpolated: by differences, and along a logarithmic axis by its logarithm.
    Computed crossingOf(const Along& distances) const {
        Computed crossing{kNoNumber, {}};
        std::size_t count = 0;
        for (std::size_t i = 0; i + 1 < distances.at.size(); ++i) {
            const double from = distances.values[i], to = distances.values[i + 1];
            if ((from >= 0) == (to >= 0) || ++count > 1)
                continue;
            const double share = from / (from - to), a = distances.at[i], b = distances.at[i + 1];
            crossing.value = m_item.place->isLogarithmic ? a * std::pow(b / a, share) : a + (b - a) * share;
        }
        if (count > 1)
            crossing.remark = "crosses " + std::to_string(count) + " times; this is the first";
        if (count == 0)
            crossing.failure =
                "no crossing: " + std::string(distances.values.front() >= 0 ? "never below " : "always below ") +
                (m_item.place->level ? m_item.place->level->text : "the other numbers") + " from " +
                axisText(m_item, distances.at.front()) + " to " + axisText(m_item, distances.at.back());
        return crossing;
    }

    static Computed geomean(const std::vector<double>& values) {
        double logarithms = 0;
        for (const double value : values) {
            if (!(value > 0))
                return {kNoNumber, "no geometric mean: not all numbers are above 0"};
            logarithms += std::log(value);
        }
        return {std::exp(logarithms / static_cast<double>(values.size())), {}};
    }

    Computed sum(std::size_t sweep, std::size_t index, const std::vector<std::string>& metrics) const {
        const SweepTable& table = m_tables[sweep];
        const SweepRow& row = table.rows[index];
        if (row.state != PointState::done)
            return row.state == PointState::failed ? Computed{kNoNumber, "failed: " + firstLine(row.reason)}
                                                   : Computed{kNoNumber, "not run", true};
        double total = 0;
        for (const std::string& metric : metrics) {
            const auto column = std::find(table.metrics.begin(), table.metrics.end(), metric) - table.metrics.begin();
            const std::optional<double> value = row.values[static_cast<std::size_t>(column)];
            if (!value)
                return {kNoNumber, "a run has no " + metric + " under " + table.sweep.policies[row.policy]};
            total += *value;
        }
        return {total, {}};
    }

    Computed together(const std::vector<double>& values) const {
        const auto count = static_cast<double>(values.size());
        double sum = 0;
        switch (m_item.mean) {
        case EvaluationMean::value:
        case EvaluationMean::each:
        case EvaluationMean::meanError:
        case EvaluationMean::rankCorrelation:
        case EvaluationMean::bestAt:
        case EvaluationMean::crossing: return {values.front(), {}};
        case EvaluationMean::median: return {medianOf(values), {}};
        case EvaluationMean::min: return {*std::min_element(values.begin(), values.end()), {}};
        case EvaluationMean::max: return {*std::max_element(values.begin(), values.end()), {}};
        case EvaluationMean::spread: {
            const auto [least, most] = std::minmax_element(values.begin(), values.end());
            return *least > 0 ? Computed{*most / *least, {}}
                              : Computed{kNoNumber, "no spread: not all numbers are above 0"};
        }
        case EvaluationMean::mean:
            for (const double value : values)
                sum += value;
            return {sum / count, {}};
        case EvaluationMean::geomean: return geomean(values);
        }
        return {};
    }

    /// Compares the numbers of all points with the measured ones.
    Computed compared(std::vector<double> ours) const {
        std::vector<double> theirs;
        double errors = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (m_item.saving)
                ours[i] = 1 - ours[i];
            theirs.push_back(m_item.against->numbers[i].value);
            errors += std::abs(ours[i] / theirs[i] - 1);
        }
        if (m_item.mean == EvaluationMean::meanError)
            return {errors / static_cast<double>(ours.size()), {}};
        if (ours.size() < kLeastRanked)
            return {kNoNumber, "no rank correlation: there are fewer than " + std::to_string(kLeastRanked) + " points"};
        const double rank = rankCorrelationOf(ours, theirs);
        return std::isnan(rank) ? Computed{kNoNumber, "no rank correlation: all numbers are equal"}
                                : Computed{rank, {}};
    }

    const EvaluationItem& m_item;
    std::span<const SweepTable> m_tables;
};

/// Returns the number of a timetable that an item of tasks asks for.
Computed numberOfTasks(const EvaluationItem& item, std::span<const ResultJson> timetables) {
    if (*item.tasks >= timetables.size())
        return {kNoNumber, "not run", true};
    const std::optional<double> number = numberAt(timetables[*item.tasks], item.metrics.front());
    return number ? Computed{*number, {}} : Computed{kNoNumber, "the timetable has no " + item.metrics.front()};
}

/// Returns whether the first parameter of an axis has the value of this step at no other step.
bool isDescribedByFirst(const SweepAxis& axis, std::size_t step) {
    const std::vector<engine::ParameterValue>& values = axis.columns.front().values;
    return std::count(values.begin(), values.end(), values[step]) == 1;
}

/// Returns what distinguishes a point of an item from its other points: axis values, {{"parallel.tp", "8"}, …}, or
/// the key of the row of the file that the axis reads, {{"id", "17"}}.
std::vector<std::pair<std::string, std::string>>
differencesOf(const EvaluationSweep& evaluated, const EvaluationItem& item, std::size_t position, const SweepRow& row) {
    const Sweep& sweep = evaluated.sweep;
    std::vector<std::pair<std::string, std::string>> differences;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        if (evaluated.rows && evaluated.rows->axis == i) {
            differences.emplace_back(evaluated.rows->key, evaluated.rows->keys[item.rows[position]]);
            continue;
        }
        const SweepAxis& axis = sweep.axes[i];
        const std::size_t step = row.at[i], named = isDescribedByFirst(axis, step) ? 1 : axis.columns.size();
        for (std::size_t k = 0; axis.size() > 1 && k < named; ++k) {
            const AxisColumn& column = axis.columns[k];
            differences.emplace_back(column.path,
                                     engine::formatValue(*engine::findParameter(column.path), column.values[step]));
        }
    }
    return differences;
}

/// Returns the label of a parameter within a sentence, "tensor-parallel degree"; the name itself if it is a column's.
std::string axisWords(const std::string& name) {
    const engine::Parameter* parameter = engine::findParameter(name);
    std::string words = parameter == nullptr ? name : parameter->label;
    if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z')  // not "DRAM timing"
        words.front() = engine::lowerLetter(words.front());
    return words;
}

/// Gives a row for one point of several the id and the words of that point.
void namePlace(const std::vector<std::pair<std::string, std::string>>& differences, ReproducedItem& made) {
    std::string id;
    for (const auto& [name, value] : differences) {
        std::string word = value;
        std::erase(word, ' ');
        const std::size_t last = engine::findParameter(name) == nullptr ? 0 : name.rfind('.') + 1;
        id += (id.empty() ? "[" : ",") + name.substr(last) + "=" + word;
        made.placeText += (made.placeText.empty() ? "" : ", ") + axisWords(name) + " " + value;
    }
    made.published.id += id.empty() ? "" : id + "]";
}

bool isClaimed(const EvaluationItem& item) { return item.least || item.most; }

/// Returns whether a row states that it holds or does not hold.
bool isJudged(const EvaluationItem& item) {
    return isClaimed(item) || (!item.published.empty() && (item.role == EvaluationRole::exact || item.tolerance));
}

/// Returns why blind rows are not compared: the constants are others than those that were frozen before the comparison.
std::string changedText(const Evaluation& evaluation, bool asWritten, const std::string& constants) {
    if (constants != evaluation.frozen)
        return "constants changed: frozen " + evaluation.frozen + ", now " + constants;
    return asWritten ? "" : "constants changed by settings";
}

/// Returns whether a row has nothing that it may be compared with, and says so in the row. `changed`: why blind rows are
/// not compared; empty if they are.
bool isWithheld(const EvaluationItem& item, const std::string& changed, ReproducedItem& made) {
    const bool isCompared = comparesWithMeasured(item.mean);
    if (!isCompared && item.published.empty() && isClaimed(item))
        return true;
    if (isCompared ? item.against->numbers.empty() : item.published.empty()) {
        made.note = item.against ? kNothingAttached : "no published value yet";
        made.verdict = RowVerdict::unpublished;
        return true;
    }
    if (item.role == EvaluationRole::blind && !changed.empty()) {
        made.note = changed;
        made.verdict = RowVerdict::constantsChanged;
        return true;
    }
    return false;
}

void compare(const EvaluationItem& item, std::size_t row, const std::string& changed, ReproducedItem& made) {
    const bool isContext = item.role == EvaluationRole::context;
    if (isWithheld(item, changed, made) || isContext || comparesWithMeasured(item.mean))
        return;
    const EvaluationNumber& published = item.published[row];
    if (made.isFraction)
        made.difference = made.value - published.value;
    else if (published.value != 0)
        made.difference = made.value / published.value - 1;
    else if (made.value == 0)
        made.difference = 0;
    else
        made.note = "the published number is 0, so there is no relative difference";
}

/// Judges what the item claims.
void judgeClaim(const EvaluationItem& item, ReproducedItem& made) {
    const auto slack = [&](const EvaluationNumber& bound) {
        return kRounding * std::max(std::abs(bound.value), std::abs(made.value));
    };
    const bool holds = (!item.least || made.value >= item.least->value - slack(*item.least)) &&
                       (!item.most || made.value <= item.most->value + slack(*item.most));
    made.verdict = holds ? RowVerdict::holds : RowVerdict::fails;
    if (!holds)
        made.allowedText = made.boundText;
}

void judge(const EvaluationItem& item, std::size_t row, ReproducedItem& made) {
    if (isClaimed(item))
        return judgeClaim(item, made);
    const EvaluationNumber& published = item.published[row];
    const double share = item.toleranceIsShare ? std::abs(published.value) : 1;
    const double allowed = item.tolerance ? *item.tolerance * share : published.digit;
    const double slack = kRounding * std::max(std::abs(published.value), std::abs(made.value));
    made.verdict = std::abs(made.value - published.value) <= allowed + slack ? RowVerdict::holds : RowVerdict::fails;
    if (made.verdict == RowVerdict::fails)
        made.allowedText = itemText(item, row, published.value - allowed, 1) + " to " +
                           itemText(item, row, published.value + allowed, 1);
}

/// Returns the published number as the source prints it, with the decimals of ratios and percentages in the column.
std::string publishedTextOf(const EvaluationItem& item, std::size_t row) {
    const EvaluationNumber& published = item.published[row];
    return unitOf(item) == engine::ParameterUnit::none ? itemText(item, row, published.value) : published.text;
}

}  // namespace

std::vector<std::string> metricsOf(const Evaluation& evaluation, std::size_t sweep) {
    std::vector<std::string> metrics;
    for (const EvaluationItem& item : evaluation.items) {
        if (item.sweep == sweep) {
            for (const std::string& path : item.metrics)
                addOnce(metrics, path);
        }
        for (const EvaluationOperand* operand : operandsOf(item)) {
            for (const std::string& path : operand->metrics) {
                if (operand->sweep == sweep)
                    addOnce(metrics, path);
            }
        }
    }
    for (const EvaluationFigure& figure : evaluation.figures) {
        if (figure.sweep == sweep)
            addOnce(metrics, figure.metric);
    }
    if (metrics.empty())
        metrics = evaluation.sweeps[sweep].sweep.metrics;
    return metrics;
}

std::vector<ReproducedItem> rowsOf(const Evaluation& evaluation, std::span<const SweepTable> tables,
                                   const std::vector<std::string>& asked, bool asWritten, const std::string& constants,
                                   std::span<const ResultJson> timetables) {
    const std::string changed = changedText(evaluation, asWritten, constants);
    std::vector<ReproducedItem> rows;
    for (const EvaluationItem& item : evaluation.items) {
        if (!asked.empty() && !isAmong(asked, item.id))
            continue;
        const bool each = item.mean == EvaluationMean::each;
        const ItemNumbers numbers(item, tables);
        for (std::size_t row = 0; row < (each ? item.points.size() : 1); ++row) {
            const std::span<const std::size_t> points =
                each ? std::span(item.points).subspan(row, 1) : std::span(item.points);
            ReproducedItem made;
            made.published = {item.id, item.what, kNoNumber, item.label};
            if (each)
                namePlace(
                    differencesOf(evaluation.sweeps[item.sweep], item, row, tables[item.sweep].rows[points.front()]),
                    made);
            std::ranges::unique_copy(points, std::back_inserter(made.points));
            made.role = item.role;
            made.isFraction = isPercentage(item, row);
            made.difference = kNoNumber;
            made.boundText = boundText(item);
            made.least = item.least ? std::optional(item.least->value) : std::nullopt;
            made.most = item.most ? std::optional(item.most->value) : std::nullopt;
            if (!item.published.empty()) {
                made.published.value = item.published[row].value;
                made.publishedText = publishedTextOf(item, row);
            }
            if (comparesWithMeasured(item.mean) && isWithheld(item, changed, made)) {
                made.value = kNoNumber;
                rows.push_back(std::move(made));
                continue;
            }
            const Computed number = item.tasks ? numberOfTasks(item, timetables) : numbers.of(points);
            made.value = number.value;
            if (number.failure.empty()) {
                const bool hasUnit =
                    unitOf(item) != engine::ParameterUnit::none && (!item.published.empty() || isClaimed(item));
                made.valueText = itemText(item, row, number.value, hasUnit ? 1 : 0);
                compare(item, row, changed, made);
                if (!number.remark.empty())
                    made.note = number.remark;
                if (asWritten && isJudged(item) && (item.role != EvaluationRole::blind || changed.empty()))
                    judge(item, row, made);
            } else {
                made.note = number.failure;
                made.verdict = number.isMissing              ? RowVerdict::notRun
                               : asWritten && isJudged(item) ? RowVerdict::fails
                                                             : RowVerdict::noNumber;
            }
            rows.push_back(std::move(made));
        }
    }
    return rows;
}

std::optional<double> numberOfPoint(const EvaluationItem& item, std::size_t point, std::span<const SweepTable> tables) {
    const Computed number = ItemNumbers(item, tables).of(std::span(&point, 1));
    return number.failure.empty() ? std::optional(number.value) : std::nullopt;
}

}  // namespace data
