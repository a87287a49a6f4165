#pragma once

#include "ui/charts/marks.h"
#include "ui/drawing/panel_plan.h"

#include <QColor>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QChart;

namespace ui {

/// One panel of a grid: its rectangle, and whether it has axis labels.
struct Panel {
    QRectF plot;
    bool leftmost = false;
    bool lowest = false;  ///< no panel is below it
};
struct PanelGaps {
    double left = 0, bottom = 0;  ///< of the whole grid: for axis labels
    double top = 0;               ///< of each panel: for its title
    double between = 0;           ///< between columns
    double underEach = 0;         ///< of each panel: for the strip of points without a value
};
/// Returns in how many columns this number of plots is best arranged; they are about `shape` times as wide as high.
std::size_t columnsFor(std::size_t count, QSizeF area, double shape);
/// Places the panels; they are empty if the area is too small.
std::vector<Panel> placePanels(std::size_t count, const QRectF& area, double shape, const PanelGaps& gaps);

/// A tick of an axis: its position, from 0 at the axis' start to 1 at its end, and its label.
struct AxisTick {
    double share = 0;
    QString label;
};
/// Returns the ticks from the axis' start, without those whose label would overlap the label before. `measure` returns
/// the length of a label including the gap to the next.
std::vector<AxisTick> ticksOf(const AxisPlan& plan, double length,
                              const std::function<double(const QString&)>& measure);

/// Returns an axis of words at equal distances: each is in the middle of its own section.
AxisPlan evenAxis(std::vector<QString> words, const data::FigureAxis& axis = {});
/// Returns an axis that ends at the least and the greatest value. A logarithmic axis ignores values that are not
/// positive.
AxisPlan tightAxis(const data::FigureAxis& axis, const std::vector<double>& values);

/// Paints ticks with lines through the plot (`lines`) and labels outside it.
void paintTicksAcross(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, double labelsTop,
                      bool labels, bool lines, const ChartStyle& style);
void paintTicksUp(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, bool labels, bool lines,
                  const ChartStyle& style);
double widestLabel(const std::vector<AxisTick>& ticks, const ChartStyle& style);

/// Paints one line of text, elided if it does not fit.
void paintText(QPainter& painter, const QRectF& room, int alignment, const QString& text, const QColor& ink,
               const ChartStyle& style, bool strong = false);

/// Returns a title, in bold, that fits: without its group if it is too long, and then elided before its unit or value.
QString shortened(const QString& title, double room, const ChartStyle& style);

/// Returns a QChart that draws lines over 0 to 1 in both directions and nothing else: no axes, frame, legend or
/// animation. The labels around it are painted separately, because Qt Charts elides labels and has no ticks at 1, 2 and
/// 5.
std::unique_ptr<QChart> bareChart(const QRectF& plot);

/// Adds a line with all its points at once, because appending points one by one takes seconds.
void addLine(QChart& chart, const QPolygonF& points, const QPen& pen);

/// Attaches hidden axes from 0 to 1 to all lines. Call it after the last line was added.
void attachAxes(QChart& chart);

}  // namespace ui
