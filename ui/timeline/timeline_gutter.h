#pragma once

#include "ui/look/palette.h"

#include <cstddef>
#include <optional>

class QPainter;

namespace ui {

class TimelineLayout;

/// Paints the names of the lanes and of their GPUs, of the pinned rows or of those that scroll. Marks the row in focus; if
/// its GPU is closed, the GPU as a whole.
void paintGutter(QPainter& painter, const TimelineLayout& layout, const Palette& colors, bool pinned,
                 std::optional<std::size_t> focusedRow);

}  // namespace ui
