#pragma once

#include <QPainterPath>

#include <cstdint>

namespace ui {

/// Shapes that tell marks apart without their colour: those that figures draw.
enum class MarkOutline : std::uint8_t { circle, square, triangle, diamond, cross, plus };

/// Returns the outline of a mark. All shapes of one radius have the area of that circle.
QPainterPath markPath(MarkOutline shape, QPointF centre, double radius);

}  // namespace ui
