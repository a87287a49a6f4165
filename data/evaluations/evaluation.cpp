#include "data/evaluations/evaluation.h"

#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/lessons/lesson.h"
#include "data/results/metrics.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace data {
namespace {

std::vector<Evaluation> bundledEvaluations() {
    std::vector<Evaluation> all;
    for (const BundledText& bundled : bundledEvaluationTexts()) {
        EvaluationReading reading = readEvaluation(bundled.text, bundled.name);
        if (!reading.problems.empty())
            throw std::logic_error(std::string(bundled.name) + ": " + engine::describe(reading.problems.front()));
        reading.evaluation.name = bundled.name;
        all.push_back(std::move(reading.evaluation));
    }
    return all;
}

/// Returns the item's row as a claim of a lesson, so that numbers are formatted alike in both.
LessonClaim claimLike(const EvaluationItem& item, std::string text) {
    LessonClaim claim;
    claim.kind = item.place                              ? LessonClaim::Kind::parameter
                 : item.over || item.saving || item.gain ? LessonClaim::Kind::ratio
                                                         : LessonClaim::Kind::metric;
    claim.path = item.place ? item.place->path : item.metrics.empty() ? std::string() : item.metrics.front();
    claim.text = std::move(text);
    return claim;
}

const Metric* wholeMetric(const EvaluationItem& item) {
    const bool isComputed = item.over || item.saving || item.gain || item.tasks || comparesWithMeasured(item.mean);
    const Metric* metric = isComputed ? nullptr : findMetric(item.metrics.front());
    return metric != nullptr && metric->whole ? metric : nullptr;
}

/// Returns the number of the document whose format a row has; null without one.
const EvaluationNumber* patternOf(const EvaluationItem& item, std::size_t row) {
    if (!item.published.empty())
        return &item.published[row];
    return item.least ? &*item.least : item.most ? &*item.most : nullptr;
}

int decimalsOf(std::string_view text) {
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos)
        return 0;
    const std::size_t end = text.find_first_not_of("0123456789", point + 1);
    return static_cast<int>(std::min(end, text.size()) - point - 1);
}

}  // namespace

std::string_view name(EvaluationRole role) {
    static constexpr std::array<std::string_view, 8> kNames{"exact",   "calibrated", "visible", "blind",
                                                            "context", "at_least",   "at_most", "between"};
    return kNames.at(static_cast<std::size_t>(role));
}

std::string_view name(EvaluationMean mean) {
    static constexpr std::array<std::string_view, 12> kNames{
        "value",  "each",       "geomean",          "mean",    "median",  "min", "max",
        "spread", "mean-error", "rank-correlation", "best-at", "crossing"};
    return kNames.at(static_cast<std::size_t>(mean));
}

bool comparesWithMeasured(EvaluationMean mean) {
    return mean == EvaluationMean::meanError || mean == EvaluationMean::rankCorrelation;
}

const std::vector<Evaluation>& evaluations() {
    static const std::vector<Evaluation> kAll = bundledEvaluations();
    return kAll;
}

const Evaluation* findEvaluation(std::string_view name) { return findNamed(evaluations(), &Evaluation::name, name); }

engine::ParameterUnit unitOf(const EvaluationItem& item) {
    if (item.place)
        return engine::findParameter(item.place->path)->unit;
    return comparesWithMeasured(item.mean) ? engine::ParameterUnit::none : unitOfPoints(item);
}

engine::ParameterUnit unitOfPoints(const EvaluationItem& item) {
    const bool isRatio = item.over || item.saving || item.gain || item.tasks;
    const Metric* metric = isRatio ? nullptr : findMetric(item.metrics.front());
    return metric == nullptr ? engine::ParameterUnit::none : metric->unit;
}

bool hasFiniteRanges(const EvaluationItem& item) {
    return std::ranges::all_of(item.published, [&](const EvaluationNumber& published) {
        const double share = item.toleranceIsShare ? std::abs(published.value) : 1;
        return isBounded(published.value, item.tolerance.value_or(0) * share);
    });
}

bool isPercentage(const EvaluationItem& item, std::size_t row) {
    if (comparesWithMeasured(item.mean))
        return item.mean == EvaluationMean::meanError;
    const EvaluationNumber* pattern = patternOf(item, row);
    return item.gain || (pattern == nullptr ? item.saving : pattern->text.find('%') != std::string::npos);
}

std::string axisText(const EvaluationItem& item, double value) {
    constexpr int kDigits = 4;
    const engine::Parameter& parameter = *engine::findParameter(item.place->path);
    const double shown = item.mean == EvaluationMean::bestAt ? value : roundedTo(value, kDigits);
    if (parameter.kind == engine::ParameterKind::integer && shown == std::floor(shown))
        return engine::formatValue(parameter, static_cast<std::int64_t>(shown));
    return engine::shortestText(shown);
}

std::vector<const EvaluationOperand*> operandsOf(const EvaluationItem& item) {
    std::vector<const EvaluationOperand*> operands;
    for (const auto* operand : {&item.over, &item.minus}) {
        if (*operand)
            operands.push_back(&**operand);
    }
    if (item.place && item.place->other)
        operands.push_back(&*item.place->other);
    return operands;
}

std::string boundText(const EvaluationItem& item) {
    if (item.least && item.most)
        return "between " + item.least->text + " and " + item.most->text;
    return item.least ? "at least " + item.least->text : item.most ? "at most " + item.most->text : "";
}

std::string itemText(const EvaluationItem& item, std::size_t row, double value, int moreDigits) {
    const bool percentage = isPercentage(item, row);
    const EvaluationNumber* pattern = patternOf(item, row);
    const std::string text = pattern == nullptr ? std::string() : pattern->text;
    if (item.place)
        return text.empty() ? axisText(item, value) : lessonNumberText({}, claimLike(item, text), value, moreDigits);
    if (percentage)
        return fixedNumber(value * 100, std::max(1, decimalsOf(text)) + moreDigits) + " %";
    const engine::ParameterUnit unit = unitOf(item);
    const bool isPrintedAsIs = item.tasks && (!text.empty() || value == std::floor(value));
    if (isPrintedAsIs || (unit == engine::ParameterUnit::none && wholeMetric(item) != nullptr))
        return fixedNumber(value, decimalsOf(text) + moreDigits);
    if (unit == engine::ParameterUnit::none)
        return fixedNumber(value, std::max(3, decimalsOf(text)) + moreDigits);
    if (text.empty())
        return formatMetric(*findMetric(item.metrics.front()), value);
    return lessonNumberText({}, claimLike(item, text), value, moreDigits);
}

}  // namespace data
