#include "engine/workload/output_layout.h"

#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <numeric>

namespace engine {

OutputLayout::OutputLayout(const TileGrid& grid, std::int64_t gpus, Bytes granule)
    : m_granule(static_cast<std::uint32_t>(granule.count)) {
    const std::int64_t tiles = grid.tiles();
    for (std::int64_t chunk = 0; chunk <= gpus; ++chunk)
        m_chunkTile.push_back(static_cast<std::uint32_t>(tiles * chunk / gpus));
    m_tileBytes.reserve(static_cast<std::size_t>(tiles));
    for (std::int64_t tile = 0; tile < tiles; ++tile)
        m_tileBytes.push_back(static_cast<std::uint32_t>(grid.tileBytes(tile)));
    finish(granule.count);
}

OutputLayout::OutputLayout(Bytes output, Bytes slab, std::int64_t gpus, Bytes granule, std::int64_t elementBytes)
    : m_granule(static_cast<std::uint32_t>(granule.count)) {
    const std::int64_t elements = output.count / elementBytes;
    m_chunkTile.push_back(0);
    for (std::int64_t chunk = 0; chunk < gpus; ++chunk) {
        const std::int64_t first = elements * chunk / gpus * elementBytes;
        const std::int64_t end = elements * (chunk + 1) / gpus * elementBytes;
        for (std::int64_t at = first; at < end; at += slab.count)
            m_tileBytes.push_back(static_cast<std::uint32_t>(std::min(slab.count, end - at)));
        m_chunkTile.push_back(static_cast<std::uint32_t>(m_tileBytes.size()));
    }
    finish(granule.count);
}

OutputLayout::OutputLayout(Bytes output, const OutputLayout& like, Bytes granule, std::int64_t elementBytes)
    : m_granule(static_cast<std::uint32_t>(granule.count)) {
    const std::int64_t elements = output.count / elementBytes, chunks = like.chunks();
    m_chunkTile.push_back(0);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const std::int64_t first = elements * chunk / chunks, end = elements * (chunk + 1) / chunks;
        // An empty slab would never arrive.
        const std::int64_t slabs =
            std::min<std::int64_t>(like.chunkTiles(static_cast<std::uint32_t>(chunk)), end - first);
        for (std::int64_t slab = 0; slab < slabs; ++slab)
            m_tileBytes.push_back(static_cast<std::uint32_t>(
                ((end - first) * (slab + 1) / slabs - (end - first) * slab / slabs) * elementBytes));
        m_chunkTile.push_back(static_cast<std::uint32_t>(m_tileBytes.size()));
    }
    finish(granule.count);
}

void OutputLayout::finish(std::int64_t granule) {
    const std::size_t tiles = m_tileBytes.size();
    m_tileChunk.resize(tiles);
    m_tileGranule.resize(tiles + 1);
    for (std::uint32_t chunk = 0; chunk + 1 < m_chunkTile.size(); ++chunk) {
        std::int64_t bytes = 0;
        for (std::uint32_t tile = m_chunkTile[chunk]; tile < m_chunkTile[chunk + 1]; ++tile) {
            m_tileChunk[tile] = chunk;
            bytes += m_tileBytes[tile];
        }
        m_chunkBytes.push_back({bytes});
    }
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const auto count = static_cast<std::uint32_t>((m_tileBytes[tile] + granule - 1) / granule);
        m_tileGranule[tile + 1] = m_tileGranule[tile] + count;
    }
    m_granuleTile.resize(m_tileGranule.back());
    for (std::uint32_t tile = 0; tile < tiles; ++tile)
        std::fill(m_granuleTile.begin() + m_tileGranule[tile], m_granuleTile.begin() + m_tileGranule[tile + 1], tile);
}

std::uint32_t OutputLayout::mostGranulesOfTile() const {
    std::uint32_t most = 0;
    for (std::uint32_t tile = 0; tile < tiles(); ++tile)
        most = std::max(most, tileEndGranule(tile) - tileFirstGranule(tile));
    return most;
}

Bytes OutputLayout::outputBytes() const { return std::accumulate(m_chunkBytes.begin(), m_chunkBytes.end(), Bytes{}); }

bool OutputLayout::chunksAreAlike() const {
    for (std::uint32_t chunk = 1; chunk < chunks(); ++chunk) {
        const bool alike = m_chunkBytes[chunk] == m_chunkBytes[0] && chunkTiles(chunk) == chunkTiles(0) &&
                           chunkEndGranule(chunk) - chunkFirstGranule(chunk) == chunkEndGranule(0);
        if (!alike)
            return false;
    }
    return true;
}

}  // namespace engine
