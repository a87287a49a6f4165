// The part of ChunkView that paints.
#include "ui/chunks/chunk_view.h"
#include "ui/look/format.h"
#include "ui/look/partial_paint.h"
#include "ui/look/plate.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ui {
namespace {

/// A stretch of columns that look the same. `tops`: the height of each state in steps, counted from the most advanced
/// state at the bottom.
struct Stretch {
    std::size_t first = 0, end = 0;
    std::array<int, data::kTileStates> tops{};
};

std::vector<Stretch> stretchesOf(const std::vector<ChunkCounts>& counts, int steps) {
    std::vector<Stretch> stretches;
    for (std::size_t column = 0; column < counts.size(); ++column) {
        const double tiles = std::max(1.0, std::accumulate(counts[column].begin(), counts[column].end(), 0.0));
        std::array<int, data::kTileStates> tops{};
        double below = 0;
        for (std::size_t state = data::kTileStates; state-- > 0;) {
            below += counts[column][state];
            tops[state] = static_cast<int>(std::lround(below / tiles * steps));
        }
        if (stretches.empty() || stretches.back().tops != tops)
            stretches.push_back({column, column, tops});
        stretches.back().end = column + 1;
    }
    return stretches;
}

/// Paints a chunk's strip over time as shapes for figures. `counts`: by column, from the left edge of the box to its
/// right. Heights are rounded to steps that print can show, so that long stretches look the same. Each state has one
/// outline, which has no seams.
void paintStripShapes(QPainter& painter, const QRectF& box, const std::vector<ChunkCounts>& counts,
                      const PictureLook& look) {
    const int steps = std::max(1, static_cast<int>(box.height() / (look.line / 24)));
    const std::vector<Stretch> stretches = stretchesOf(counts, steps);
    const double width = box.width() / std::max(1.0, static_cast<double>(counts.size()));
    const auto y = [&](int step) { return box.bottom() - box.height() * step / steps; };
    for (std::size_t state = 0; state < data::kTileStates; ++state) {
        const Fill fill = fillOf(kAllTileStates[state], look.colors);
        QPolygonF over;
        QPolygonF under;
        const auto close = [&] {
            std::reverse(under.begin(), under.end());
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill.color);
            if (!over.isEmpty())
                painter.drawPolygon(over + under);
            over.clear();
            under.clear();
        };
        std::vector<QRectF> parts;
        for (const Stretch& stretch : stretches) {
            const int top = stretch.tops[state];
            const int bottom = state + 1 < data::kTileStates ? stretch.tops[state + 1] : 0;
            if (top == bottom) {
                close();
                continue;
            }
            const double left = box.left() + static_cast<double>(stretch.first) * width;
            const double right = box.left() + static_cast<double>(stretch.end) * width;
            over << QPointF(left, y(top)) << QPointF(right, y(top));
            under << QPointF(left, y(bottom)) << QPointF(right, y(bottom));
            parts.emplace_back(QPointF(left, y(top)), QPointF(right, y(bottom)));
        }
        close();
        // The texture is aligned to the origin, so that neighbouring parts continue it.
        for (const QRectF& part : parts)
            paintTexture(painter, part, fill, textureSpacing(look.line));
    }
}

}  // namespace

void ChunkView::paintBackground(QPainter& painter) {
    if (m_columns.empty())
        buildColumns();
    if (inShapes())
        paintStrips(painter);
    else
        copyPixels(painter, m_layout.strips.topLeft(), stripPixels());
    paintNames(painter);
    painter.setFont(font());
    paintTileLegend(painter, m_legend, m_moment.tileWords(), colors());
}

void ChunkView::paintMoment(QPainter& painter, const QRegion& region) {
    if (region.intersects(QRect(0, 0, width(), static_cast<int>(std::ceil(m_axis)))))
        paintAxis(painter);
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        const std::vector<ChunkCounts>& chunks = m_moment.of(gpu).chunkTiles;
        for (std::uint32_t chunk = 0; chunk < std::min<std::size_t>(m_layout.chunks, chunks.size()); ++chunk) {
            const QRectF cell = m_layout.momentCell(gpu, chunk);
            if (region.intersects(damageOf(cell)))
                paintCell(painter, cell, chunks[chunk]);
        }
    }
    paintChunkNumbers(painter);
    paintFollowed(painter);
    paintCursor(painter);
}

void ChunkView::paintStrips(QPainter& painter) const {
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        for (std::uint32_t chunk = 0; chunk < stripsOf(gpu); ++chunk) {
            QRectF box = m_layout.strip(gpu, chunk);
            if (box.height() > line() * 0.3)
                box.adjust(0, 0, 0, -line() * 0.05);
            paintStripShapes(painter, box, countsOf(gpu, chunk), look());
        }
    }
}

void ChunkView::paintAxis(QPainter& painter) const {
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const std::optional<std::int64_t> cursor = m_viewState.cursor();
    for (const Tick& tick : m_ticks) {
        const double x = m_geometry.columnOf(tick.ps);
        painter.fillRect(QRectF(x, m_axis - line() * 0.4, 1, line() * 0.3), colors().inkFaint);
        const double extent = QFontMetricsF(font()).horizontalAdvance(tick.label) + 4;
        const double left = std::min(x - extent / 2, width() - extent);
        const double room = inShapes() && cursor ? (extent + bubbleWidth()) / 2 : extent * 0.6;
        if (cursor && std::abs(m_geometry.xOf(*cursor) - left - extent / 2) < room)
            continue;  // the cursor's time is written there
        painter.drawText(QRectF(left, m_axis - line() * 1.7, extent, line() * 1.2), Qt::AlignCenter, tick.label);
    }
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    const QString title = !m_viewState.cursor() ? tr("at the end")
                          : inShapes()          ? tr("at %1").arg(formatTime(*m_viewState.cursor()))
                                                : tr("at the cursor");
    painter.drawText(QRectF(m_layout.moment.left() - line() * 4, 0, m_layout.moment.width() + line() * 8, line() * 1.3),
                     Qt::AlignCenter, title);
}

void ChunkView::paintNames(QPainter& painter) const {
    for (std::uint32_t gpu = 1; gpu < m_layout.rows.size(); ++gpu) {
        const double above = m_layout.rows[gpu - 1].top + m_layout.rows[gpu - 1].height;
        const double middle = std::floor((above + m_layout.rows[gpu].top) / 2 / m_geometry.pixel) * m_geometry.pixel;
        painter.fillRect(QRectF(m_layout.strips.left(), middle, m_layout.strips.width(), 1), colors().line);
    }
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        const ChunkRow& row = m_layout.rows[gpu];
        if (!row.named)
            continue;
        const bool focused = gpu == focusedGpu();
        painter.setFont(focused ? strongFont(font()) : font());
        painter.setPen(focused ? colors().ink : colors().inkSoft);
        painter.drawText(QRectF(line() * 0.8, row.top + row.height / 2 - line(), m_layout.moment.left(), line() * 2),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("GPU %1").arg(gpu));
    }
    painter.fillRect(QRectF(m_layout.moment.left(), m_layout.rows.front().top, m_layout.moment.width(),
                            m_layout.rows.back().top + m_layout.rows.back().height - m_layout.rows.front().top),
                     colors().grid);
    if (inShapes())
        return;  // the focused GPU is of no interest to a figure's reader
    const ChunkRow& row = m_layout.rows[focusedGpu()];
    painter.fillRect(QRectF(line() * 0.3, row.top, line() * 0.2, row.height), colors().accent);
}

// Fills a cell from below, the most advanced state first. In tall cells with tiles in transit a number shows the share
// that has left or is final.
void ChunkView::paintCell(QPainter& painter, const QRectF& cell, const ChunkCounts& counts) const {
    const double pixel = m_geometry.pixel;
    const double gap = cell.width() > line() * 0.5 ? std::max(pixel, std::round(line() * 0.1)) : 0;
    const QRectF box = cell.adjusted(0, 0, -gap, 0);
    const double tiles = std::accumulate(counts.begin(), counts.end(), 0.0);
    double below = 0;
    double bottom = box.bottom();
    for (std::size_t i = data::kTileStates; i-- > 0;) {
        if (counts[i] == 0)
            continue;
        below += counts[i];
        const double top = std::round((box.bottom() - box.height() * below / tiles) / pixel) * pixel;
        paintFill(painter, QRectF(box.left(), top, box.width(), bottom - top), fillOf(kAllTileStates[i], colors()),
                  textureSpacing(line()));
        bottom = top;
    }
    const QFontMetricsF metrics(font());
    const double done = counts[static_cast<std::size_t>(data::TileState::sent)] +
                        counts[static_cast<std::size_t>(data::TileState::reduced)];
    const QString text = formatPercent(done / std::max(1.0, tiles));
    const double width = metrics.horizontalAdvance(text) + line() * 0.4;
    if (done == 0 || done == tiles || cell.height() < line() * 3 || width > box.width())
        return;
    QRectF plate(0, 0, width, line() * 1.1);
    plate.moveCenter(box.center());
    painter.fillRect(plate, colors().surface);
    painter.setFont(font());
    painter.setPen(colors().ink);
    painter.drawText(plate, Qt::AlignCenter, text);
}

// Writes chunk numbers above the cells and beside the strips of the focused row, as many as there is room for.
void ChunkView::paintChunkNumbers(QPainter& painter) const {
    const QFontMetricsF metrics(strongFont(font()));
    const double number = metrics.horizontalAdvance(QString::number(m_layout.chunks - 1)) + line() * 0.35;
    const std::uint32_t gpu = focusedGpu();
    const double cell = m_layout.momentCell(gpu, 0).width();
    const double strip = m_layout.rows[gpu].height / std::max(1u, m_layout.chunks);
    const auto every = [](double needed, double room) {
        return std::max(1u, static_cast<std::uint32_t>(std::ceil(needed / std::max(0.1, room))));
    };
    const std::uint32_t across = every(number, cell);
    const std::uint32_t down = every(line() * 0.95, strip);
    for (std::uint32_t chunk = 0; chunk < m_layout.chunks; ++chunk) {
        const bool followed = m_viewState.followedChunk() == chunk;
        painter.setFont(followed ? strongFont(font()) : font());
        painter.setPen(followed ? colors().ink : colors().inkSoft);
        if (chunk % across == 0) {
            const QRectF box = m_layout.momentCell(gpu, chunk);
            painter.drawText(QRectF(box.center().x() - line() * 2, m_axis - line() * 1.25, line() * 4, line() * 1.2),
                             Qt::AlignCenter, QString::number(chunk));
        }
        if (m_layout.rows[gpu].perChunk && chunk % down == 0) {
            const QRectF box = m_layout.strip(gpu, chunk);
            painter.drawText(QRectF(m_layout.moment.right(), box.center().y() - line(),
                                    m_layout.strips.left() - m_layout.moment.right() - line() * 0.3, line() * 2),
                             Qt::AlignRight | Qt::AlignVCenter, QString::number(chunk));
        }
    }
}

void ChunkView::paintFollowed(QPainter& painter) const {
    const auto chunk = m_viewState.followedChunk();
    if (!chunk || *chunk >= m_layout.chunks)
        return;
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](const QRectF& box) {
        const double width = std::clamp(box.height() * 0.2, 1.0, line() * 0.14);
        painter.setPen(QPen(colors().surface, width * 2));
        painter.drawRect(box);
        painter.setPen(QPen(colors().ink, width));
        painter.drawRect(box);
    };
    painter.save();
    painter.setClipRect(m_layout.strips.united(m_layout.moment).adjusted(-2, -2, 2, 2));
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        frame(m_layout.momentCell(gpu, *chunk));
        if (m_layout.rows[gpu].perChunk)
            frame(m_layout.strip(gpu, *chunk));
    }
    painter.restore();
}

// Returns the width of the bubble with the cursor's time.
double ChunkView::bubbleWidth() const {
    const QString text = formatTimeSteady(*m_viewState.cursor(), m_viewState.runEnd());
    return QFontMetricsF(strongFont(font())).horizontalAdvance(text) + line();
}

void ChunkView::paintCursor(QPainter& painter) const {
    if (!m_viewState.cursor())
        return;
    const double x = m_geometry.xOf(*m_viewState.cursor());
    const QRectF& strips = m_layout.strips;
    if (x < strips.left() - 1)
        return;
    // The time after the cursor is faint, as on the timeline.
    const double from = std::min(x, strips.right());
    painter.fillRect(QRectF(from, strips.top(), strips.right() - from, strips.height()),
                     Palette::seeThrough(colors().surface, 170));
    if (x > strips.right() + 1)
        return;
    painter.fillRect(QRectF(std::floor(x) - 0.5, m_axis - line() * 1.3, 2, strips.bottom() - m_axis + line() * 1.3),
                     colors().cursor);
    painter.setFont(strongFont(font()));
    const QString text = formatTimeSteady(*m_viewState.cursor(), m_viewState.runEnd());
    const double width = bubbleWidth();
    QRectF bubble(x - width / 2, m_axis - line() * 2.5, width, line() * 1.25);
    bubble.moveLeft(std::clamp(bubble.left(), strips.left() - line(), std::max(strips.left(), this->width() - width)));
    paintPlate(painter, bubble, line() * 0.25, colors().cursor, text);
}

}  // namespace ui
