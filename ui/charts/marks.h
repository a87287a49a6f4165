#pragma once

#include "ui/charts/sweep_points.h"
#include "ui/look/texture.h"

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

/// What a chart is drawn with: colours, type, and sizes that follow from the type.
struct ChartStyle {
    const Palette* colors = nullptr;
    QFont font;
    double line = 16;  ///< height of a line of text
    double ratio = 1;  ///< device pixels in one of the chart's
    double text(const QString& label) const;
};

enum class MarkShape : std::uint8_t { none, circle, square, triangle, diamond, pentagon, wedge };

/// How a series is drawn: never by its colour alone.
struct SeriesStyle {
    QColor color;
    MarkShape shape = MarkShape::none;
    std::vector<double> dash;  ///< in widths of the line; empty: a whole line
};

/// Colour, shape and dash of a policy; other names get grey and a circle.
SeriesStyle policyStyle(std::string_view policy, const Palette& colors);
/// The shapes one after another, over and over.
MarkShape shapeOf(std::size_t index);

QPen linePen(const SeriesStyle& series, const ChartStyle& style);
double markSize(const ChartStyle& style);
double textureSpacing(const ChartStyle& style);  ///< of hatched fills

/// `strong`: larger and ringed, as the point that the mouse is at.
void paintMark(QPainter& painter, QPointF at, MarkShape shape, const QColor& color, const ChartStyle& style,
               bool strong);
/// A cross for what failed, a ring for what is missing, a stroke for what has no value.
void paintOutcome(QPainter& painter, QPointF at, Outcome outcome, const ChartStyle& style, bool strong);

struct ChartLegendEntry {
    QString label;
    SeriesStyle style;
    bool line = false;                 ///< with a stretch of line through the mark
    Outcome outcome = Outcome::value;  ///< the mark of an outcome instead
    bool heading = false;              ///< the name of the entries after it
    std::optional<Fill> fill = {};     ///< a filled box instead of a mark
    bool cell = false;                 ///< outcomes as the cells of a heat map show them
};

/// Height that entries take when they are written in rows of this width.
double legendHeight(const std::vector<ChartLegendEntry>& entries, double width, const ChartStyle& style);
void paintLegend(QPainter& painter, const QRectF& room, const std::vector<ChartLegendEntry>& entries,
                 const ChartStyle& style);

/// A cell of a point that has no value: hatched, or with a dotted outline.
void paintOutcomeCell(QPainter& painter, const QRectF& cell, Outcome outcome, const ChartStyle& style);

}  // namespace ui
