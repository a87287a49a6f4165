#include "ui/chunks/chunk_view.h"

#include "ui/look/tile_style.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui {
namespace {

constexpr double kFocusedShare = 0.42;  // largest share of the height for the focused row
constexpr double kStripLines = 1.15;    // lines for a chunk in the focused row, if there is room
constexpr double kLeastStrip = 2;       // device pixels: smallest height of a chunk's strip
constexpr double kMomentShare = 0.24;   // largest share of the width
constexpr double kCellLines = 2.6;

}  // namespace

ChunkColumns::ChunkColumns(std::vector<ChunkCounts> begin, const std::vector<std::uint32_t>& chunkOfTile,
                           const std::vector<data::TileChange>& changes, const std::vector<std::int64_t>& moments)
    : m_chunks(begin.size()) {
    m_counts.reserve(m_chunks * moments.size());
    std::vector<ChunkCounts> now = std::move(begin);
    auto change = changes.begin();
    for (const std::int64_t moment : moments) {
        for (; change != changes.end() && change->ps <= moment; ++change) {
            ChunkCounts& counts = now[chunkOfTile[change->tile]];
            --counts[static_cast<std::size_t>(change->from)];
            ++counts[static_cast<std::size_t>(change->to)];
        }
        m_counts.insert(m_counts.end(), now.begin(), now.end());
    }
}

ChunkCounts ChunkColumns::sum(std::size_t column) const {
    return sumOf(std::span(m_counts).subspan(column * m_chunks, m_chunks));
}

ChunkCounts sumOf(std::span<const ChunkCounts> chunks) {
    ChunkCounts sum{};
    for (const ChunkCounts& counts : chunks) {
        for (std::size_t state = 0; state < data::kTileStates; ++state)
            sum[state] += counts[state];
    }
    return sum;
}

data::TileState stateAt(const ChunkCounts& counts, double share) {
    const double tiles = std::accumulate(counts.begin(), counts.end(), 0.0);
    double below = 0;
    for (std::size_t state = data::kTileStates; state-- > 0;) {
        below += counts[state];
        if (below > share * tiles)
            return static_cast<data::TileState>(state);
    }
    return data::TileState::notProduced;
}

QString countsText(const ChunkCounts& counts, const TileWords& words) {
    QStringList parts;
    for (std::size_t state = data::kTileStates; state-- > 0;) {
        if (counts[state] > 0)
            parts << QStringLiteral("%1 %2").arg(counts[state]).arg(words.nameOf(static_cast<data::TileState>(state)));
    }
    return parts.join(QStringLiteral(", "));
}

ChunkLayout layoutChunks(const ChunkLayoutInput& input) {
    const double gpus = std::max(1u, input.gpus);
    const double chunks = std::max(1u, input.chunks);
    const double gap = gpus > 16 ? 1 : std::round(input.line * 0.45);
    const double height = std::max(gpus, input.area.height() - gap * (gpus - 1));
    double focused = std::min(height * kFocusedShare, chunks * input.line * kStripLines);
    focused = std::max(focused, height / gpus);
    const double other = gpus > 1 ? (height - focused) / (gpus - 1) : 0;
    ChunkLayout layout;
    layout.chunks = input.chunks;
    double y = input.area.top();
    double lastName = y - input.line;
    for (std::uint32_t gpu = 0; gpu < input.gpus; ++gpu) {
        const double rowHeight = gpu == input.focused ? focused : other;
        const double top = std::round(y / input.pixel) * input.pixel;
        const double bottom = std::round((y + rowHeight) / input.pixel) * input.pixel;
        ChunkRow row{top, std::max(input.pixel, bottom - top), false, false};
        row.perChunk = row.height / chunks >= kLeastStrip * input.pixel;
        row.named = gpu == input.focused || row.top + row.height / 2 - lastName >= input.line * 0.95;
        if (row.named)
            lastName = row.top + row.height / 2;
        layout.rows.push_back(row);
        y += rowHeight + gap;
    }
    // The name of the focused row is always shown; names that it would overlap are left out.
    for (std::uint32_t gpu = 0; gpu < input.gpus; ++gpu) {
        const auto middle = [&](std::uint32_t i) { return layout.rows[i].top + layout.rows[i].height / 2; };
        if (gpu != input.focused && input.focused < input.gpus &&
            std::abs(middle(gpu) - middle(input.focused)) < input.line * 0.95)
            layout.rows[gpu].named = false;
    }
    const double cells = std::min(input.area.width() * kMomentShare, chunks * input.line * kCellLines);
    const double cell = std::max(input.pixel, std::floor(cells / chunks / input.pixel) * input.pixel);
    const double left = std::round(input.area.left() + input.names);
    layout.moment = QRectF(left, input.area.top(), cell * chunks, input.area.height());
    const double strips = std::round(layout.moment.right() + input.line * 3.2);
    layout.strips =
        QRectF(strips, input.area.top(), std::max(1.0, std::floor(input.area.right() - strips)), input.area.height());
    return layout;
}

QRectF ChunkLayout::momentCell(std::uint32_t gpu, std::uint32_t chunk) const {
    const double width = moment.width() / std::max(1u, chunks);
    return {moment.left() + width * chunk, rows[gpu].top, width, rows[gpu].height};
}

QRectF ChunkLayout::strip(std::uint32_t gpu, std::uint32_t chunk) const {
    const ChunkRow& row = rows[gpu];
    if (!row.perChunk)
        return {strips.left(), row.top, strips.width(), row.height};
    const double top = row.top + std::floor(row.height * chunk / chunks);
    const double bottom = row.top + std::floor(row.height * (chunk + 1) / chunks);
    return {strips.left(), top, strips.width(), bottom - top};
}

}  // namespace ui
