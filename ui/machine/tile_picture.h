#pragma once

#include "data/replay/output_grid.h"
#include "data/replay/ring_state.h"
#include "ui/drawing/part_picture.h"
#include "ui/look/tile_style.h"

#include <QImage>
#include <QPointF>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// The edges of tiles in device pixels; borders between chunks are wider than gaps between tiles.
struct TileCells {
    std::vector<int> x, y;    ///< one more than there are tiles in that direction
    bool outerAcross = true;  ///< true: `outer` runs from left to right; false: from top to bottom
    int gap = 0;              ///< between tiles of a chunk
    int border = 1;           ///< between chunks

    QSize size() const { return x.empty() ? QSize() : QSize(x.back(), y.back()); }
    /// Returns the part of a tile that has the tile's colour.
    QRect inside(const data::OutputGrid& grid, std::uint32_t tile) const;
    std::optional<std::uint32_t> tileAt(const data::OutputGrid& grid, QPoint pixel) const;
    /// Returns the box around all tiles of a chunk.
    QRect chunkBox(const data::OutputGrid& grid, std::uint32_t chunk) const;
};

/// Returns the cells in the orientation in which the output is larger within `room`, with its aspect ratio kept.
TileCells layoutTiles(const data::OutputGrid& grid, QSize room);

/// An image of one GPU's output. Only tiles that have changed since the last call are drawn again.
class TilePicture {
public:
    void layOut(const data::OutputGrid& grid, QSize room);
    /// Sets the fills and the colours of borders and gaps; everything is drawn again.
    void setLook(TileStamps stamps, QRgb border, QRgb gap);
    void show(const data::OutputGrid& grid, const std::vector<data::TileState>& tiles);

    const QImage& image() const { return m_image; }
    const TileCells& cells() const { return m_cells; }

private:
    void paintBorders(const data::OutputGrid& grid);

    TileCells m_cells;
    TileStamps m_stamps;
    QRgb m_border = 0;
    QRgb m_gap = 0;
    QImage m_image;
    std::vector<data::TileState> m_shown;
    bool m_stale = true;
};

/// Paints the tiles as shapes for figures. Neighbouring tiles that look the same are merged into one rectangle, so that
/// a thousand tiles in a small picture do not make a large file. `cells` are in pixels of `look`; the upper left corner
/// is at `topLeft`.
void paintTileShapes(QPainter& painter, QPointF topLeft, const TileCells& cells, const data::OutputGrid& grid,
                     const std::vector<data::TileState>& tiles, const PictureLook& look);

}  // namespace ui
