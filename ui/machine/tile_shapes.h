#pragma once

#include "ui/machine/tile_picture.h"
#include "ui/shared/palette.h"

#include <QPointF>

#include <vector>

class QPainter;

namespace ui {

/// How the same picture as TilePicture's is painted in shapes, for figures: neighbours that cannot be told apart anyway
/// become one rectangle, so that a thousand tiles on a thumb's width do not weigh as much as a page.
struct TileShapesLook {
    const Palette& colors;
    double spacing = 4;  ///< of textures
};

/// `cells` in pixels of which there are `ratio` to the painter's unit; the upper left corner stands at `topLeft`.
void paintTileShapes(QPainter& painter, QPointF topLeft, double ratio, const TileCells& cells, const OutputGrid& grid,
                     const std::vector<TileState>& tiles, const TileShapesLook& look);

}  // namespace ui
