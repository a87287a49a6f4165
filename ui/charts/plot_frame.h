#pragma once

#include "ui/charts/axis_scale.h"
#include "ui/charts/marks.h"

#include <QColor>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

class QChart;

namespace ui {

/// One panel of a grid: where it draws, and whether axes are written at it.
struct Panel {
    QRectF plot;
    bool leftmost = false;
    bool lowest = false;  ///< nothing stands beneath it
};
struct PanelGaps {
    double left = 0, bottom = 0;  ///< of all: for what is written at the axes
    double top = 0;               ///< of each: for its title
    double between = 0;           ///< from column to column
    double underEach = 0;         ///< of each: for the rail of points without a value
};
/// Empty plots where the area is too small.
std::vector<Panel> placePanels(std::size_t count, const QRectF& area, double shape, const PanelGaps& gaps);

/// Ticks with lines through the plot (`lines`) and their labels outside it.
void paintTicksAcross(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, double labelsTop,
                      bool labels, bool lines, const ChartStyle& style);
void paintTicksUp(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, bool labels, bool lines,
                  const ChartStyle& style);
double widestLabel(const std::vector<AxisTick>& ticks, const ChartStyle& style);
int ticksThatFit(double length, double each);

/// One line of text, shortened where it has no room.
void paintText(QPainter& painter, const QRectF& room, int alignment, const QString& text, const QColor& ink,
               const ChartStyle& style, bool strong = false);

/// A QChart that draws lines over 0 to 1 both ways and nothing else: no axes, no frame, no legend, no animation. What is
/// written around it is drawn by us, because Qt Charts shortens labels and has no ticks at 1, 2 and 5.
std::unique_ptr<QChart> bareChart(const QRectF& plot);

/// One line. All points at once: appending them to a chart takes seconds.
void addLine(QChart& chart, const std::vector<QPointF>& points, const QPen& pen);

/// Once all lines are there.
void attachAxes(QChart& chart);

/// From numbers to colours whose lightness rises evenly, so that order survives grey print and every kind of colour
/// vision. Speed-ups have two hues that part at 1: slower and faster must not look alike.
class ColourScale {
public:
    enum class Kind { sequential, diverging };

    /// `values` may be equal or none. A logarithmic scale leaves out what is not positive.
    ColourScale(const std::vector<double>& values, Kind kind, bool logarithmic, int mostTicks, AxisMeasure measure);

    /// Nothing for what a logarithmic scale cannot hold.
    std::optional<QColor> colour(double value) const;
    QColor colourAt(double share) const;  ///< of the colour bar, 0 to 1
    const AxisScale& axis() const { return m_axis; }

private:
    AxisScale m_axis;
    Kind m_kind;
};

}  // namespace ui
