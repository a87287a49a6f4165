#pragma once

#include "engine/api/chunk_route.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

/// The order in which one GPU expects the tiles of tracked chunks. If a GEMM stores them, it is the order in which the
/// GEMM's workgroups take the tiles; otherwise it is that of the address map. The tracker chooses the set of a tile by
/// the tile's position in this order, which replaces T3's workgroup id.
class TrackedOrder {
public:
    TrackedOrder() = default;

    /// `fused`: a GEMM stores the tiles of the reduce-scatter or all-to-all (RunParts::fused). `output` must outlive
    /// this object.
    TrackedOrder(const TiledOutput& output, const GpuRoutes& routes, bool fused)
        : m_output(&output), m_fused(fused), m_scattered(tilesBefore(routes.scatter)),
          m_gathered(tilesBefore(routes.gather)) {
        const std::vector<std::uint32_t>& first = output.chunkTile;
        if (!routes.scatter.empty() && routes.scatter.front().chunk < first.size())
            m_firstTile = first[routes.scatter.front().chunk];
    }

    /// Returns the position of a tile, of the all-gather if `gathering`, otherwise of the collective before it. For a
    /// tile that belongs to no chunk, returns the tile's number.
    std::uint32_t positionOf(std::uint32_t tile, bool gathering) const {
        return m_fused && !gathering ? positionInWalk(tile) : positionInMap(tile, gathering ? m_gathered : m_scattered);
    }

private:
    /// Returns, by chunk, how many tiles come before it in the order of an address map.
    std::vector<std::uint32_t> tilesBefore(const std::vector<ChunkRoute>& routes) const {
        const std::vector<std::uint32_t>& first = m_output->chunkTile;
        std::vector<std::uint32_t> before(first.empty() ? 0 : first.size() - 1);
        std::uint32_t tiles = 0;
        for (const ChunkRoute& route : routes) {
            if (route.chunk >= before.size())
                continue;
            before[route.chunk] = tiles;
            tiles += first[route.chunk + 1] - first[route.chunk];
        }
        return before;
    }

    std::uint32_t positionInWalk(std::uint32_t tile) const {
        const std::vector<std::uint32_t>& places = m_output->walkPlace;
        const std::uint32_t place = tile < places.size() ? places[tile] : tile;
        return place >= m_firstTile ? place - m_firstTile : place + m_output->tiles() - m_firstTile;
    }

    std::uint32_t positionInMap(std::uint32_t tile, const std::vector<std::uint32_t>& before) const {
        const std::vector<std::uint32_t>& first = m_output->chunkTile;
        const auto after = std::upper_bound(first.begin(), first.end(), tile);
        if (after == first.begin() || after == first.end())
            return tile;
        const auto chunk = static_cast<std::size_t>(after - first.begin() - 1);
        return before[chunk] + tile - first[chunk];
    }

    const TiledOutput* m_output = nullptr;
    bool m_fused = false;
    std::uint32_t m_firstTile = 0;                       // first tile of the chunk with which the GEMM begins
    std::vector<std::uint32_t> m_scattered, m_gathered;  // by chunk: tiles before it in the map
};

}  // namespace engine
