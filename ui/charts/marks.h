#pragma once

#include "ui/charts/sweep_points.h"
#include "ui/look/policy_look.h"

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ui {

struct Palette;

/// The colours, fonts and sizes of a chart; sizes follow from the font.
struct ChartStyle {
    const Palette* colors = nullptr;
    QFont font;
    double line = 16;  ///< height of a line of text
    double ratio = 1;  ///< device pixels per unit of the chart
    double text(const QString& label) const;
};

/// The style of a series, which never differs by colour alone.
struct SeriesStyle {
    QColor color;
    MarkShape shape = MarkShape::none;
    std::vector<double> dash;  ///< in line widths; empty: a solid line
};

/// Returns colour, shape and dash of a policy; other names get grey and a circle.
SeriesStyle policyStyle(std::string_view policy, const Palette& colors);
/// Returns the shape with this index; the shapes repeat.
MarkShape shapeOf(std::size_t index);

QPen linePen(const SeriesStyle& series, const ChartStyle& style);
double markSize(const ChartStyle& style);
double textureSpacing(const ChartStyle& style);  ///< spacing of hatched fills

/// Paints a mark; `strong`: larger and with a ring, for the point under the mouse.
void paintMark(QPainter& painter, QPointF at, MarkShape shape, const QColor& color, const ChartStyle& style,
               bool strong);
/// Paints the mark of a point without a value: a cross if it failed, a ring if it is missing, a dash if it has no
/// value.
void paintOutcome(QPainter& painter, QPointF at, Outcome outcome, const ChartStyle& style, bool strong);

struct ChartLegendEntry {
    QString label;
    SeriesStyle style;
    bool line = false;                 ///< with a piece of line through the mark
    Outcome outcome = Outcome::value;  ///< shows the mark of this outcome instead
    bool heading = false;              ///< the heading of the entries after it
    std::optional<Fill> fill = {};     ///< a filled box instead of a mark
    bool cell = false;                 ///< shows outcomes as cells of a heat map
};

/// Returns the height of the entries, written in rows of this width.
double legendHeight(const std::vector<ChartLegendEntry>& entries, double width, const ChartStyle& style);
void paintLegend(QPainter& painter, const QRectF& room, const std::vector<ChartLegendEntry>& entries,
                 const ChartStyle& style);

/// Paints the cell of a point without a value: hatched, or with a dotted outline.
void paintOutcomeCell(QPainter& painter, const QRectF& cell, Outcome outcome, const ChartStyle& style);

}  // namespace ui
