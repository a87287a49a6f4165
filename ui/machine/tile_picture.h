#pragma once

#include "data/replay/output_grid.h"
#include "data/replay/ring_state.h"
#include "ui/look/palette.h"
#include "ui/look/tile_style.h"

#include <QImage>
#include <QPointF>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// Edges of tiles in device pixels; borders between chunks are wider than gaps between tiles.
struct TileCells {
    std::vector<int> x, y;    ///< one more than tiles each way
    bool outerAcross = true;  ///< `outer` runs from left to right, else from top to bottom
    int gap = 0;              ///< between tiles of a chunk
    int border = 1;           ///< between chunks

    QSize size() const { return x.empty() ? QSize() : QSize(x.back(), y.back()); }
    /// The part of a tile that is its own colour.
    QRect inside(const data::OutputGrid& grid, std::uint32_t tile) const;
    std::optional<std::uint32_t> tileAt(const data::OutputGrid& grid, QPoint pixel) const;
    /// Of all its tiles.
    QRect chunkBox(const data::OutputGrid& grid, std::uint32_t chunk) const;
};

/// The way round in which the output is larger within `room`, true to its aspect.
TileCells layoutTiles(const data::OutputGrid& grid, QSize room);

/// One GPU's output, a tile at a time: only what has changed since the last time is drawn again.
class TilePicture {
public:
    void layOut(const data::OutputGrid& grid, QSize room);
    /// Colours for borders and for gaps; everything is drawn anew.
    void setLook(TileStamps stamps, QRgb border, QRgb gap);
    void show(const data::OutputGrid& grid, const std::vector<data::TileState>& tiles);

    /// Returns those that show() would draw again; all of them before the first time.
    std::vector<std::uint32_t> changedTiles(const std::vector<data::TileState>& tiles) const;

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
