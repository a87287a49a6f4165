#pragma once

#include <cstdint>
#include <vector>

namespace engine {
struct GemmConfig;
struct TiledOutput;
}  // namespace engine

namespace data {

/// How the output is divided into tiles and the tiles into chunks. Tiles are numbered in raster order: along `inner`
/// first, then along `outer`.
struct OutputGrid {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
    double outerElements = 1;  ///< extent of one tile along `outer`, relative to the other
    double innerElements = 1;
    bool rowsAreOuter = true;                   ///< `outer` runs along M
    bool isMatrix = true;                       ///< false for a collective alone, whose tiles are slabs of a buffer
    std::vector<std::uint32_t> chunkFirstTile;  ///< first tile of each chunk; the last entry is the number of tiles

    struct Cell {
        std::uint32_t outer = 0;
        std::uint32_t inner = 0;
    };

    std::uint32_t tiles() const { return chunkFirstTile.empty() ? 0 : chunkFirstTile.back(); }
    std::uint32_t chunks() const {
        return chunkFirstTile.empty() ? 0 : static_cast<std::uint32_t>(chunkFirstTile.size()) - 1;
    }
    std::uint32_t chunkTiles(std::uint32_t chunk) const { return chunkFirstTile[chunk + 1] - chunkFirstTile[chunk]; }
    std::uint32_t chunkOf(std::uint32_t tile) const;
    Cell cellOf(std::uint32_t tile) const { return {tile / inner, tile % inner}; }
    std::uint32_t tileAt(Cell cell) const { return cell.outer * inner + cell.inner; }
    /// Returns width / height of the whole output, with `outer` from left to right.
    double aspect() const;
};

OutputGrid outputGridOf(const engine::TiledOutput& output, const engine::GemmConfig& gemm);

}  // namespace data
