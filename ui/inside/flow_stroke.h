#pragma once

#include "data/replay/gpu_inside.h"
#include "ui/look/palette.h"

#include <QPointF>

#include <array>
#include <vector>

class QPainter;

namespace ui {

/// How flows of data are drawn.
struct StreamLook {
    const Palette& colors;
    double line = 16;    ///< height of a line of text
    double widest = 40;  ///< width of a stream of `peak` bytes per second
    double peak = 1;     ///< bytes per second
    double phase = 0;    ///< offset of the moving dashes, in dashes
};

/// Returns a path parallel to `path`, at `distance` to the right of its direction; its segments are parallel to the
/// axes.
std::vector<QPointF> besidePath(const std::vector<QPointF>& path, double distance);

/// Returns the width of a stream: in proportion to its rate, at most one and a half times `widest`, and never too thin
/// to see.
double streamWidth(double bytesPerSecond, const StreamLook& look);

/// Draws the data that flow along a path: a band for each owner, side by side, with dashes that move with time and an
/// arrow at the end; a thin line if nothing flows. The lengths of the dashes differ between owners as well.
void paintStream(QPainter& painter, const std::vector<QPointF>& path,
                 const std::array<double, data::kTrafficOwners>& rates, const StreamLook& look);

/// Draws the path of a message: a line with an arrow.
void paintSignal(QPainter& painter, const std::vector<QPointF>& path, const QColor& color, double width, double line);

}  // namespace ui
