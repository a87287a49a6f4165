#pragma once

#include "data/replay/ring_state.h"

#include <QString>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ui {

class TileWords;

using ChunkCounts = std::array<std::uint32_t, data::kTileStates>;

/// How many tiles of each chunk of one recorded GPU are in which state, at moments that follow each other.
class ChunkColumns {
public:
    ChunkColumns() = default;
    /// `begin`: by chunk, at the beginning of the run. `changes` and `moments` are sorted; a change counts from its own
    /// moment on.
    ChunkColumns(std::vector<ChunkCounts> begin, const std::vector<std::uint32_t>& chunkOfTile,
                 const std::vector<data::TileChange>& changes, const std::vector<std::int64_t>& moments);

    std::size_t chunks() const { return m_chunks; }
    std::size_t columns() const { return m_chunks == 0 ? 0 : m_counts.size() / m_chunks; }
    const ChunkCounts& at(std::size_t column, std::size_t chunk) const { return m_counts[column * m_chunks + chunk]; }
    /// Of all chunks together.
    ChunkCounts sum(std::size_t column) const;

private:
    std::size_t m_chunks = 0;
    std::vector<ChunkCounts> m_counts;  // by column, then chunk
};

/// Which state stands `share` of the way up a bar that is filled from below with the furthest state first.
data::TileState stateAt(const ChunkCounts& counts, double share);

/// Returns the tiles of all these chunks by state.
ChunkCounts sumOf(std::span<const ChunkCounts> chunks);

/// "12 sent, 3 in flight, 19 not produced", furthest first.
QString countsText(const ChunkCounts& counts, const TileWords& words);

}  // namespace ui
