#pragma once

#include <QColor>

#include <span>
#include <vector>

namespace ui {

/// Interpolates between `colours`, which are spaced evenly over 0 to 1. Below 0 and above 1 it returns the end colours.
QColor alongColours(std::span<const QRgb> colours, double share);

/// Returns a colour of Viridis (van der Walt and Smith). Lightness rises evenly, so the order is visible in grey print
/// and to people with any kind of colour vision.
QColor viridis(double share);

/// Returns a colour for each of `count` values of an axis, in the order of the values. Each colour has a contrast of at
/// least 3:1 with `background`.
std::vector<QColor> orderedColours(std::size_t count, const QColor& background);

}  // namespace ui
