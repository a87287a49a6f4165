#include "ui/machine/tile_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

namespace ui {
namespace {

constexpr int kRoomForGap = 5;  // device pixels: smaller tiles have no gaps

std::vector<int> edges(std::uint32_t tiles, int extent) {
    std::vector<int> edges(tiles + 1);
    for (std::uint32_t i = 0; i <= tiles; ++i)
        edges[i] = static_cast<int>(std::lround(static_cast<double>(extent) * i / std::max(1u, tiles)));
    return edges;
}

QSize fitted(double aspect, QSize room) {
    const double width = std::min<double>(room.width(), room.height() * aspect);
    return {std::max(1, static_cast<int>(width)), std::max(1, static_cast<int>(width / aspect))};
}

void stampInto(QImage& image, const QRect& box, const QImage& stamp) {
    const int period = stamp.width();
    for (int y = box.top(); y <= box.bottom(); ++y) {
        auto* target = reinterpret_cast<QRgb*>(image.scanLine(y));
        const auto* source = reinterpret_cast<const QRgb*>(stamp.constScanLine(y % period));
        for (int x = box.left(), from = box.left() % period; x <= box.right(); ++x) {
            target[x] = source[from];
            from = from + 1 == period ? 0 : from + 1;
        }
    }
}

constexpr double kDistinguishable = 3.5;  // units: smaller tiles are not drawn one by one
constexpr double kEdge = 0.7;             // width of the line between chunks: the thinnest that print shows

struct Run {
    QRect box;
    std::uint32_t tile = 0;  ///< the first tile of the rectangle
};

/// Returns rectangles of neighbouring tiles with the same key. Tiles are merged along a row first, then rows of the
/// same extent below each other.
template <class KeyOf>
std::vector<Run> mergedRuns(const TileCells& cells, const data::OutputGrid& grid, const KeyOf& keyOf) {
    std::vector<Run> runs;
    std::map<std::pair<int, int>, std::size_t> above;  // rectangles that reach the row above, by edges
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

TileCells layoutTiles(const data::OutputGrid& grid, QSize room) {
    TileCells cells;
    const double aspect = grid.aspect();
    const QSize across = fitted(aspect, room);
    const QSize down = fitted(1 / aspect, room);
    cells.outerAcross = across.width() * across.height() >= down.width() * down.height();
    const QSize size = cells.outerAcross ? across : down;
    cells.x = edges(cells.outerAcross ? grid.outer : grid.inner, size.width());
    cells.y = edges(cells.outerAcross ? grid.inner : grid.outer, size.height());
    const double cell = std::min(size.width() / std::max<double>(1, static_cast<double>(cells.x.size()) - 1),
                                 size.height() / std::max<double>(1, static_cast<double>(cells.y.size()) - 1));
    cells.gap = cell >= kRoomForGap ? std::max(1, static_cast<int>(cell / 12)) : 0;
    cells.border = cells.gap + std::max(1, static_cast<int>(std::lround(cell / 10)));
    return cells;
}

// Only the right and lower edges of a tile leave pixels for a gap, so that neighbours never both do.
QRect TileCells::inside(const data::OutputGrid& grid, std::uint32_t tile) const {
    const data::OutputGrid::Cell cell = grid.cellOf(tile);
    const std::uint32_t column = outerAcross ? cell.outer : cell.inner;
    const std::uint32_t row = outerAcross ? cell.inner : cell.outer;
    const std::uint32_t chunk = grid.chunkOf(tile);
    const auto apart = [&](data::OutputGrid::Cell other) {
        if (other.outer >= grid.outer || other.inner >= grid.inner)
            return 0;
        const std::uint32_t next = grid.tileAt(other);
        return next >= grid.tiles() || grid.chunkOf(next) != chunk ? border : gap;
    };
    const int after = apart({cell.outer + 1, cell.inner});
    const int beside = apart({cell.outer, cell.inner + 1});
    const int right = x[column + 1] - (outerAcross ? after : beside);
    const int bottom = y[row + 1] - (outerAcross ? beside : after);
    // If there are fewer pixels than tiles, some tiles share a pixel.
    const int left = std::min(x[column], x.back() - 1);
    const int top = std::min(y[row], y.back() - 1);
    return {QPoint(left, top), QPoint(std::max(right - 1, left), std::max(bottom - 1, top))};
}

std::optional<std::uint32_t> TileCells::tileAt(const data::OutputGrid& grid, QPoint pixel) const {
    if (!QRect(QPoint(), size()).contains(pixel))
        return std::nullopt;
    const auto index = [](const std::vector<int>& edges, int at) {
        return static_cast<std::uint32_t>(std::upper_bound(edges.begin(), edges.end(), at) - edges.begin() - 1);
    };
    const std::uint32_t column = index(x, pixel.x());
    const std::uint32_t row = index(y, pixel.y());
    const std::uint32_t tile =
        grid.tileAt(outerAcross ? data::OutputGrid::Cell{column, row} : data::OutputGrid::Cell{row, column});
    return tile < grid.tiles() ? std::optional(tile) : std::nullopt;
}

QRect TileCells::chunkBox(const data::OutputGrid& grid, std::uint32_t chunk) const {
    const std::uint32_t first = grid.chunkFirstTile[chunk];
    const std::uint32_t end = grid.chunkFirstTile[chunk + 1];
    if (end <= first)
        return {};
    const auto from = static_cast<std::size_t>(grid.cellOf(first).outer);
    const auto to = static_cast<std::size_t>(grid.cellOf(end - 1).outer) + 1;
    const std::vector<int>& way = outerAcross ? x : y;
    return outerAcross ? QRect(QPoint(way[from], 0), QPoint(way[to] - 1, y.back() - 1))
                       : QRect(QPoint(0, way[from]), QPoint(x.back() - 1, way[to] - 1));
}

void TilePicture::layOut(const data::OutputGrid& grid, QSize room) {
    m_cells = layoutTiles(grid, room);
    if (m_image.size() != m_cells.size())
        m_image = QImage(m_cells.size(), QImage::Format_RGB32);
    m_stale = true;
}

void TilePicture::setLook(TileStamps stamps, QRgb border, QRgb gap) {
    m_stamps = std::move(stamps);
    m_border = border;
    m_gap = gap;
    m_stale = true;
}

// Fills the image with the colour of borders and draws the gaps between tiles; show() never draws over either again.
void TilePicture::paintBorders(const data::OutputGrid& grid) {
    m_image.fill(m_border);
    if (m_cells.gap == 0)
        return;
    for (std::uint32_t tile = 0; tile < grid.tiles(); ++tile) {
        QRect box = m_cells.inside(grid, tile);
        box.setRight(std::min(box.right() + m_cells.gap, m_image.width() - 1));
        box.setBottom(std::min(box.bottom() + m_cells.gap, m_image.height() - 1));
        for (int y = box.top(); y <= box.bottom(); ++y) {
            auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
            std::fill(line + box.left(), line + box.right() + 1, m_gap);
        }
    }
}

void TilePicture::show(const data::OutputGrid& grid, const std::vector<data::TileState>& tiles) {
    if (m_stale)
        paintBorders(grid);
    for (std::uint32_t tile = 0; tile < std::min<std::size_t>(tiles.size(), grid.tiles()); ++tile) {
        if (m_stale || tile >= m_shown.size() || m_shown[tile] != tiles[tile])
            stampInto(m_image, m_cells.inside(grid, tile), m_stamps[static_cast<std::size_t>(tiles[tile])]);
    }
    m_shown = tiles;
    m_stale = false;
}

void paintTileShapes(QPainter& painter, QPointF topLeft, const TileCells& cells, const data::OutputGrid& grid,
                     const std::vector<data::TileState>& tiles, const PictureLook& look) {
    const double ratio = 1 / look.pixel;
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
    const bool apart = cells.gap > 0 && cell >= kDistinguishable;
    // Tiles are separate rectangles if they are large enough; otherwise the tiles of a chunk in one state are merged.
    const auto runs = mergedRuns(
        cells, grid, [&](std::uint32_t tile) { return std::tuple(apart ? tile : chunkOf(tile), stateOf(tile)); });
    for (const Run& run : runs)
        paintFill(painter, placed(run.box), fillOf(stateOf(run.tile), look.colors), textureSpacing(look.line));
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
