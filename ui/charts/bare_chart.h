#pragma once

#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <vector>

class QChart;

namespace ui {

/// A QChart that draws lines over 0 to 1 both ways and nothing else: no axes, no frame, no legend, no animation. What is
/// written around it is drawn by us, because Qt Charts shortens labels and has no ticks at 1, 2 and 5.
std::unique_ptr<QChart> bareChart(const QRectF& plot);

/// One line. All points at once: appending them to a chart takes seconds.
void addLine(QChart& chart, const std::vector<QPointF>& points, const QPen& pen);

/// Once all lines are there.
void attachAxes(QChart& chart);

}  // namespace ui
