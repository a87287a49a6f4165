#pragma once

#include <QPolygonF>

namespace ui {

/// Reduces a line to what a device can show: the first, lowest, highest and last point of each column of this width, in
/// order, so that no peak is lost.
QPolygonF thinned(const QPolygonF& points, double width);

}  // namespace ui
