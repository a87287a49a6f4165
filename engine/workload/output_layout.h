#pragma once

#include "engine/api/units.h"

#include <cstdint>
#include <vector>

namespace engine {

class TileGrid;

/// The layout of the output in memory: chunks of tiles, tiles of granules, tile-major, slab after slab. Granules are
/// numbered through the whole output; a granule is never larger than `granule` and never crosses a tile. Immutable and
/// the same on every GPU.
class OutputLayout {
public:
    /// Lays out a GEMM's output. With T tiles, chunk k holds tiles floor(T*k/N) to floor(T*(k+1)/N)-1 in raster order.
    OutputLayout(const TileGrid& grid, std::int64_t gpus, Bytes granule);

    /// Lays out a buffer of elements of `elementBytes` without a GEMM: chunk k holds elements floor(E*k/N) to
    /// floor(E*(k+1)/N)-1, cut into slabs of `slab` bytes that take the place of tiles.
    OutputLayout(Bytes output, Bytes slab, std::int64_t gpus, Bytes granule, std::int64_t elementBytes);

    /// Lays out a buffer whose chunks have as many slabs each as `like` has tiles: a gathered input whose parts have
    /// the numbers of the output's tiles.
    OutputLayout(Bytes output, const OutputLayout& like, Bytes granule, std::int64_t elementBytes);

    std::uint32_t tiles() const { return static_cast<std::uint32_t>(m_tileGranule.size()) - 1; }
    std::uint32_t chunks() const { return static_cast<std::uint32_t>(m_chunkTile.size()) - 1; }
    std::uint32_t granules() const { return m_tileGranule.back(); }
    std::uint32_t chunkFirstTile(std::uint32_t chunk) const { return m_chunkTile[chunk]; }
    std::uint32_t chunkTiles(std::uint32_t chunk) const { return m_chunkTile[chunk + 1] - m_chunkTile[chunk]; }
    std::uint32_t chunkFirstGranule(std::uint32_t chunk) const { return m_tileGranule[m_chunkTile[chunk]]; }
    std::uint32_t chunkEndGranule(std::uint32_t chunk) const { return m_tileGranule[m_chunkTile[chunk + 1]]; }
    std::uint32_t tileFirstGranule(std::uint32_t tile) const { return m_tileGranule[tile]; }
    std::uint32_t tileEndGranule(std::uint32_t tile) const { return m_tileGranule[tile + 1]; }
    std::uint32_t tileOf(std::uint32_t granule) const { return m_granuleTile[granule]; }
    std::uint32_t chunkOf(std::uint32_t tile) const { return m_tileChunk[tile]; }
    std::uint32_t indexInChunk(std::uint32_t granule) const {
        return granule - chunkFirstGranule(m_tileChunk[m_granuleTile[granule]]);
    }
    std::uint32_t granuleBytes(std::uint32_t granule) const {
        const std::uint32_t tile = m_granuleTile[granule];
        return granule + 1 < m_tileGranule[tile + 1] ? m_granule
                                                     : m_tileBytes[tile] - (granule - m_tileGranule[tile]) * m_granule;
    }
    std::uint32_t tileBytes(std::uint32_t tile) const { return m_tileBytes[tile]; }
    std::uint32_t granuleSize() const { return m_granule; }
    Bytes chunkBytes(std::uint32_t chunk) const { return m_chunkBytes[chunk]; }
    Bytes outputBytes() const;
    /// Returns the granules of the largest tile.
    std::uint32_t mostGranulesOfTile() const;

    /// Returns whether every chunk has the same number of bytes, tiles and granules, so that a rotation by whole chunks
    /// maps the layout onto itself.
    bool chunksAreAlike() const;

private:
    void finish(std::int64_t granule);

    std::uint32_t m_granule;
    std::vector<std::uint32_t> m_chunkTile;  // first tile of each chunk, and the number of tiles at the end
    std::vector<std::uint32_t> m_tileBytes;
    std::vector<std::uint32_t> m_tileChunk;
    std::vector<std::uint32_t> m_tileGranule;  // first granule of each tile, and the number of granules at the end
    std::vector<std::uint32_t> m_granuleTile;
    std::vector<Bytes> m_chunkBytes;
};

}  // namespace engine
