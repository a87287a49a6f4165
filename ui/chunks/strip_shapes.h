#pragma once

#include "ui/chunks/chunk_columns.h"
#include "ui/look/palette.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace ui {

/// How a chunk's strip over time is painted in shapes, for figures: heights in steps that print can show, so that long
/// stretches look the same, and for each state one outline, which has no seams.
struct StripShapesLook {
    const Palette& colors;
    double spacing = 4;  ///< of textures
    double step = 1;     ///< the smallest height that is told apart
};

/// `counts`: by column, from the left edge of the box to its right.
void paintStripShapes(QPainter& painter, const QRectF& box, const std::vector<ChunkCounts>& counts,
                      const StripShapesLook& look);

}  // namespace ui
