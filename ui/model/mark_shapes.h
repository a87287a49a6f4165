#pragma once

#include <QPainterPath>

#include <cstdint>

namespace ui {

/// Shapes that distinguish marks without colour; figures use the same shapes.
enum class MarkOutline : std::uint8_t { circle, square, triangle, diamond, cross, plus };

/// Returns the outline of a mark. All shapes of one radius have the area of a circle with that radius.
QPainterPath markPath(MarkOutline shape, QPointF centre, double radius);

}  // namespace ui
