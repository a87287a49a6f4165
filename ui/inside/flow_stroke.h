#pragma once

#include "data/replay/gpu_inside.h"
#include "ui/look/palette.h"

#include <QPointF>

#include <array>
#include <vector>

class QPainter;

namespace ui {

/// How streams are drawn.
struct StreamLook {
    const Palette& colors;
    double line = 16;    ///< height of a line of text
    double widest = 40;  ///< width of a stream of `peak` bytes per second
    double peak = 1;     ///< bytes per second
    double phase = 0;    ///< how far its dashes have moved, in dashes
};

/// Returns a way beside `path`, `distance` to the right of its direction; its pieces lie along the axes.
std::vector<QPointF> besidePath(const std::vector<QPointF>& path, double distance);

/// Returns how wide a stream is: in proportion to its rate, at most a half wider than `widest`, and never invisible.
double streamWidth(double bytesPerSecond, const StreamLook& look);

/// Draws what flows along a path: a band for each owner, side by side, with dashes that move with the time and an arrow
/// at its end; a thin line where nothing flows. Owners differ in the length of their dashes as well.
void paintStream(QPainter& painter, const std::vector<QPointF>& path,
                 const std::array<double, data::kTrafficOwners>& rates, const StreamLook& look);

/// Draws a message's way: a line with an arrow.
void paintSignal(QPainter& painter, const std::vector<QPointF>& path, const QColor& color, double width, double line);

}  // namespace ui
