#pragma once

#include "ui/figure/display_list.h"

#include <QLineF>
#include <QPolygonF>

#include <vector>

namespace ui {

/// The lines of a fill's texture, cut to the shape they fill. Every writer draws these, never a pattern: patterns come out
/// at another spacing on each device, and some viewers leave them out. A dot is a line as long as it is wide.
std::vector<QLineF> fillLines(const FigureFill& fill, const QRectF& box);
std::vector<QLineF> fillLines(const FigureFill& fill, const QPolygonF& polygon);

/// How wide they are drawn.
double fillLineWidth(const FigureFill& fill);

/// An ellipse as a polygon, finer than print shows.
QPolygonF ellipseOutline(const QRectF& box);

}  // namespace ui
