#pragma once

#include "ui/look/palette.h"
#include "ui/machine/tile_picture.h"

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
void paintTileShapes(QPainter& painter, QPointF topLeft, double ratio, const TileCells& cells,
                     const data::OutputGrid& grid, const std::vector<data::TileState>& tiles,
                     const TileShapesLook& look);

}  // namespace ui
