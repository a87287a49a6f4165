#include "ui/chunks/chunk_columns.h"

#include "ui/look/tile_words.h"

#include <QStringList>

#include <numeric>

namespace ui {

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

}  // namespace ui
