#include "ui/charts/chart_drawing.h"

#include <QCoreApplication>

#include <array>

namespace ui {

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

void ChartDrawing::noteOffScale(std::size_t count) {
    if (const QString note = offScaleNote(count); !note.isEmpty())
        m_notes << note;
}

std::unique_ptr<ChartDrawing> makeDrawing(const ChartInput& input, const ChartStyle& style) {
    switch (input.plan.kind) {
    case ChartKind::lines:
    case ChartKind::groupedLines:
    case ChartKind::smallMultiples:
    case ChartKind::pareto:
    case ChartKind::tornado: return figureDrawing(input, style);
    case ChartKind::heatMap: return heatDrawing(input, style);
    case ChartKind::parallel: return parallelDrawing(input, style);
    }
    return nullptr;
}

}  // namespace ui
