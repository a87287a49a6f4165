#pragma once

#include "data/replay/ring_state.h"

#include <QRectF>
#include <QString>

#include <array>
#include <cstdint>
#include <optional>
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

/// One GPU's row of the chunk map.
struct ChunkRow {
    double top = 0;
    double height = 0;
    bool perChunk = true;  ///< a strip for each chunk; else, where there is no room, one for all together
    bool named = true;     ///< there is room for its name
};

/// Where everything stands on the chunk map: names at the left, chunks at the moment of the cursor, then over time.
/// A row of time and a row of the moment are the same GPU's.
struct ChunkLayout {
    std::vector<ChunkRow> rows;  ///< by GPU
    QRectF moment;               ///< all rows' chunks now
    QRectF strips;               ///< all rows over time
    std::uint32_t chunks = 0;

    QRectF momentCell(std::uint32_t gpu, std::uint32_t chunk) const;
    /// A chunk's strip over time; the whole row's where chunks have none.
    QRectF strip(std::uint32_t gpu, std::uint32_t chunk) const;
    std::optional<std::uint32_t> gpuAt(double y) const;
    std::optional<std::uint32_t> chunkAtMoment(double x) const;
    std::optional<std::uint32_t> chunkAtStrip(std::uint32_t gpu, double y) const;
};

struct ChunkLayoutInput {
    QRectF area;  ///< below the axis, above the legend
    std::uint32_t gpus = 1;
    std::uint32_t chunks = 1;
    std::uint32_t focused = 0;
    double line = 16;   ///< height of a line of text
    double pixel = 1;   ///< of the device
    double names = 60;  ///< width that names take
};

ChunkLayout layoutChunks(const ChunkLayoutInput& input);

}  // namespace ui
