#include "ui/charts/chart_drawing.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui {

bool ChartDrawing::logarithmic(const std::vector<double>& values, std::size_t which) const {
    if (m_input.scale == ValueScale::logarithmic)
        return std::any_of(values.begin(), values.end(), [](double value) { return value > 0; });
    return m_input.scale == ValueScale::automatic && !points().isSpeedup(which) && wantsLogarithmic(values);
}

void ChartDrawing::addOutcomesToLegend(const std::vector<std::size_t>& rows, bool cells) {
    std::array<std::size_t, 4> counts{};
    for (const std::size_t row : rows)
        ++counts[static_cast<std::size_t>(points().value(row, metric()).outcome)];
    const auto add = [&](Outcome outcome, const char* text) {
        if (const std::size_t count = counts[static_cast<std::size_t>(outcome)]; count > 0)
            m_legend.push_back({.label = QCoreApplication::translate("ChartDrawing", text).arg(count),
                                .outcome = outcome,
                                .cell = cells});
    };
    add(Outcome::failed, QT_TRANSLATE_NOOP("ChartDrawing", "failed (%1)"));
    add(Outcome::missing, QT_TRANSLATE_NOOP("ChartDrawing", "not run yet (%1)"));
    add(Outcome::without, QT_TRANSLATE_NOOP("ChartDrawing", "no value (%1)"));
}

void ChartDrawing::noteOffScale(const std::vector<double>& values) {
    if (logarithmic(values))
        noteOffScale(
            static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](double v) { return v <= 0; })));
}

void ChartDrawing::noteOffScale(std::size_t count) {
    if (count == 1)
        m_notes << QCoreApplication::translate("ChartDrawing",
                                               "1 point is not above 0 and cannot be shown on a logarithmic axis.");
    else if (count > 1)
        m_notes << QCoreApplication::translate("ChartDrawing",
                                               "%1 points are not above 0 and cannot be shown on a logarithmic axis.")
                       .arg(count);
}

void ChartDrawing::notePointsWithoutValue(const std::vector<std::size_t>& rows, std::size_t which) {
    std::array<std::size_t, 4> counts{};
    for (const std::size_t row : rows) {
        const Outcome outcome = points().value(row, which).outcome;
        ++counts[static_cast<std::size_t>(outcome == Outcome::value ? Outcome::without : outcome)];
    }
    QStringList parts;
    const auto add = [&](Outcome outcome, const char* text) {
        if (const std::size_t count = counts[static_cast<std::size_t>(outcome)]; count > 0)
            parts << QCoreApplication::translate("ChartDrawing", text).arg(count);
    };
    add(Outcome::failed, QT_TRANSLATE_NOOP("ChartDrawing", "%1 failed"));
    add(Outcome::missing, QT_TRANSLATE_NOOP("ChartDrawing", "%1 not run yet"));
    add(Outcome::without, QT_TRANSLATE_NOOP("ChartDrawing", "%1 without one of the metrics"));
    if (!parts.isEmpty())
        m_notes << QCoreApplication::translate("ChartDrawing", "Not shown: %1.").arg(parts.join(QStringLiteral(", ")));
}

std::unique_ptr<ChartDrawing> makeDrawing(const ChartInput& input, const ChartStyle& style) {
    switch (input.plan.kind) {
    case ChartKind::lines:
    case ChartKind::groupedLines:
    case ChartKind::smallMultiples: return lineDrawing(input, style);
    case ChartKind::heatMap: return heatDrawing(input, style);
    case ChartKind::parallel: return parallelDrawing(input, style);
    case ChartKind::pareto: return paretoDrawing(input, style);
    case ChartKind::tornado: return tornadoDrawing(input, style);
    }
    return nullptr;
}

}  // namespace ui
