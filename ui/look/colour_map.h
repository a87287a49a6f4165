#pragma once

#include <QColor>

#include <span>
#include <vector>

namespace ui {

/// `share` 0 to 1 of the way along colours that stand at equal distances; outside it the ends.
QColor alongColours(std::span<const QRgb> colours, double share);

/// Viridis (van der Walt and Smith): lightness rises evenly, so that order survives grey print and every kind of colour
/// vision.
QColor viridis(double share);

/// Colours of the values of an axis, in their order, each at least 3:1 against `background`.
std::vector<QColor> orderedColours(std::size_t count, const QColor& background);

}  // namespace ui
