#include "ui/runs/run_comparison.h"
#include "data/document/value_places.h"
#include "ui/look/format.h"

#include "engine/api/parameters.h"

#include <cmath>

namespace ui {
namespace {

const QString kNone = QStringLiteral("–");

QString ratioText(double first, double second) {
    // Of nothing, or across zero, a ratio says nothing.
    if (first == 0 || (first < 0) != (second < 0))
        return {};
    return QString::number(second / first, 'f', 3) + QStringLiteral("×");
}

QString signedText(bool negative, const QString& magnitude) { return QChar(negative ? 0x2212 : u'+') + magnitude; }

engine::ParameterValue magnitudeOf(const engine::Parameter& parameter, double difference) {
    if (parameter.kind == engine::ParameterKind::integer)
        return static_cast<std::int64_t>(std::llround(std::abs(difference)));
    return std::abs(difference);
}

ComparedValue compare(const engine::Parameter& parameter, const engine::ParameterValue& first,
                      const engine::ParameterValue& second) {
    ComparedValue row{parameter.path,
                      text(parameter.label),
                      text(engine::formatValue(parameter, first)),
                      text(engine::formatValue(parameter, second)),
                      {},
                      {}};
    const std::optional<double> a = data::numberOf(first), b = data::numberOf(second);
    if (a && b) {
        row.difference = signedText(*b < *a, text(engine::formatValue(parameter, magnitudeOf(parameter, *b - *a))));
        row.ratio = ratioText(*a, *b);
    }
    return row;
}

ComparedValue::Verdict verdictOf(data::Better better, double first, double second) {
    if (better == data::Better::neither || first == second)
        return ComparedValue::Verdict::none;
    const bool secondBetter = (second < first) == (better == data::Better::smaller);
    return secondBetter ? ComparedValue::Verdict::secondBetter : ComparedValue::Verdict::firstBetter;
}

ComparedValue compare(const data::Metric& metric, std::optional<double> first, std::optional<double> second) {
    const auto valueText = [&metric](std::optional<double> value) {
        return value ? text(data::formatMetric(metric, *value)) : kNone;
    };
    ComparedValue row{metric.path, text(metric.label), valueText(first), valueText(second), {}, {}};
    if (!first || !second)
        return row;
    row.difference =
        *first == *second ? QStringLiteral("=") : signedText(*second < *first, valueText(std::abs(*second - *first)));
    row.ratio = *first == *second ? QString() : ratioText(*first, *second);
    row.verdict = verdictOf(metric.better, *first, *second);
    return row;
}

}  // namespace

RunComparison compareRuns(const KeptRun& first, const KeptRun& second) {
    RunComparison comparison;
    for (const engine::Parameter& parameter : engine::parameters()) {
        const engine::ParameterValue a = parameter.read(first.experiment), b = parameter.read(second.experiment);
        if (a != b)
            comparison.parameters.push_back(compare(parameter, a, b));
    }
    for (const data::Metric& metric : data::metrics()) {
        const std::optional<double> a = metric.read(first.result), b = metric.read(second.result);
        if (a || b)
            comparison.metrics.push_back(compare(metric, a, b));
    }
    return comparison;
}

}  // namespace ui
