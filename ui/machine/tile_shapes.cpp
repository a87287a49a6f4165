#include "ui/machine/tile_shapes.h"

#include "ui/look/tile_style.h"

#include <QPainter>

#include <algorithm>
#include <map>
#include <utility>

namespace ui {
namespace {

constexpr double kTellable = 3.5;  // units that a tile needs to stand on its own
constexpr double kEdge = 0.7;      // between chunks: what print shows at least

struct Run {
    QRect box;
    std::uint32_t tile = 0;  ///< the first
};

/// Neighbours of one key as rectangles: along a row first, then rows of the same extent one under the other.
template <class KeyOf>
std::vector<Run> mergedRuns(const TileCells& cells, const data::OutputGrid& grid, const KeyOf& keyOf) {
    std::vector<Run> runs;
    std::map<std::pair<int, int>, std::size_t> above;  // open at the last row, by left and right edge
    const auto columns = static_cast<std::uint32_t>(cells.x.size() - 1);
    const auto rows = static_cast<std::uint32_t>(cells.y.size() - 1);
    const auto tileAt = [&](std::uint32_t column, std::uint32_t row) {
        return grid.tileAt(cells.outerAcross ? data::OutputGrid::Cell{column, row}
                                             : data::OutputGrid::Cell{row, column});
    };
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::map<std::pair<int, int>, std::size_t> here;
        for (std::uint32_t column = 0, end = 0; column < columns; column = end) {
            end = column + 1;
            const std::uint32_t tile = tileAt(column, row);
            if (tile >= grid.tiles())
                continue;
            QRect box = cells.inside(grid, tile);
            for (; end < columns && tileAt(end, row) < grid.tiles() && keyOf(tileAt(end, row)) == keyOf(tile); ++end)
                box |= cells.inside(grid, tileAt(end, row));
            const std::pair edges(box.left(), box.right());
            const auto over = above.find(edges);
            if (over != above.end() && keyOf(runs[over->second].tile) == keyOf(tile)) {
                runs[over->second].box |= box;
                here[edges] = over->second;
            } else {
                here[edges] = runs.size();
                runs.push_back({box, tile});
            }
        }
        above = std::move(here);
    }
    return runs;
}

}  // namespace

void paintTileShapes(QPainter& painter, QPointF topLeft, double ratio, const TileCells& cells,
                     const data::OutputGrid& grid, const std::vector<data::TileState>& tiles,
                     const TileShapesLook& look) {
    if (cells.x.size() < 2 || cells.y.size() < 2)
        return;
    const auto placed = [&](const QRect& box) {
        return QRectF(topLeft + QPointF(box.topLeft()) / ratio, QSizeF(box.size()) / ratio);
    };
    const auto chunkOf = [&](std::uint32_t tile) { return grid.chunkOf(tile); };
    const auto stateOf = [&](std::uint32_t tile) {
        return tile < tiles.size() ? tiles[tile] : data::TileState::notProduced;
    };
    const double cell = std::min(cells.size().width() / static_cast<double>(cells.x.size() - 1),
                                 cells.size().height() / static_cast<double>(cells.y.size() - 1)) /
                        ratio;
    const std::vector<Run> chunks = mergedRuns(cells, grid, chunkOf);
    painter.fillRect(placed(QRect(QPoint(), cells.size())), look.colors.line);
    const bool apart = cells.gap > 0 && cell >= kTellable;
    // Each on its own where it can be seen; else chunk by chunk what is in one state.
    const auto runs = mergedRuns(
        cells, grid, [&](std::uint32_t tile) { return std::tuple(apart ? tile : chunkOf(tile), stateOf(tile)); });
    for (const Run& run : runs)
        paintFill(painter, placed(run.box), fillOf(stateOf(run.tile), look.colors), look.spacing);
    painter.setPen(QPen(look.colors.inkFaint, kEdge, Qt::SolidLine, Qt::FlatCap));
    for (const Run& run : chunks) {
        const QRectF box = placed(run.box.adjusted(0, 0, cells.border, cells.border));
        const double inset = cells.border / ratio / 2;
        if (run.box.right() + 1 + cells.border < cells.size().width())
            painter.drawLine(box.topRight() - QPointF(inset, 0), box.bottomRight() - QPointF(inset, 0));
        if (run.box.bottom() + 1 + cells.border < cells.size().height())
            painter.drawLine(box.bottomLeft() - QPointF(0, inset), box.bottomRight() - QPointF(0, inset));
    }
}

}  // namespace ui
