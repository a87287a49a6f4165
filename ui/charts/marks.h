#pragma once

#include "ui/charts/sweep_points.h"
#include "ui/drawing/figure_style.h"

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

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
    double textSize() const;  ///< in pixels
};

/// Paints the marker of a look, a circle if it has none. `strong`: larger and with a ring, for the point under the
/// mouse; `ringed`: with a thin ring.
enum class Emphasis : std::uint8_t { none, ringed, strong };
void paintMarker(QPainter& painter, QPointF at, const MarkStyle& look, double scale, const ChartStyle& style,
                 Emphasis emphasis);
/// Paints the mark of a point without a value: a cross if it failed, a ring if it is missing, a dash if it has no
/// value.
void paintOutcome(QPainter& painter, QPointF at, Outcome outcome, const ChartStyle& style, bool strong);

struct ChartLegendEntry {
    QString label;
    MarkStyle look;
    bool line = false;                 ///< with a piece of line through the mark
    bool bar = false;                  ///< a filled box instead of a mark
    Outcome outcome = Outcome::value;  ///< shows the mark of this outcome instead
    bool heading = false;              ///< the heading of the entries after it
    bool cell = false;                 ///< shows outcomes as cells of a heat map
};

/// Returns the height of the entries, written in rows of this width.
double legendHeight(const std::vector<ChartLegendEntry>& entries, double width, const ChartStyle& style);
void paintLegend(QPainter& painter, const QRectF& room, const std::vector<ChartLegendEntry>& entries,
                 const ChartStyle& style);

/// Paints the cell of a point without a value: hatched, or with a dotted outline.
void paintOutcomeCell(QPainter& painter, const QRectF& cell, Outcome outcome, const ChartStyle& style);

}  // namespace ui
