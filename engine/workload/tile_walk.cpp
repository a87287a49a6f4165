#include "engine/workload/tile_walk.h"

#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"

#include <algorithm>

namespace engine {

namespace {

// Appends the tiles [begin, end), whose raster rows have `rowTiles` tiles each; the first and the last may be in part.
void appendGroups(std::vector<std::uint32_t>& walk, std::int64_t begin, std::int64_t end, std::int64_t rowTiles,
                  std::int64_t group) {
    for (std::int64_t row = begin / rowTiles; row * rowTiles < end; row += group)
        for (std::int64_t column = 0; column < rowTiles; ++column)
            for (std::int64_t tile = row * rowTiles + column; tile < std::min(end, (row + group) * rowTiles);
                 tile += rowTiles)
                if (tile >= begin)
                    walk.push_back(static_cast<std::uint32_t>(tile));
}

}  // namespace

TileWalk::TileWalk(const TileGrid& grid, const OutputLayout& output, std::int64_t group) {
    if (group <= 1)
        return;
    const std::int64_t partTiles = grid.tiles() / grid.partsOfK();
    for (std::uint32_t chunk = 0; chunk < output.chunks(); ++chunk) {
        const std::int64_t end = std::int64_t{output.chunkFirstTile(chunk)} + output.chunkTiles(chunk);
        for (std::int64_t tile = output.chunkFirstTile(chunk); tile < end;) {
            const std::int64_t partEnd = std::min(end, (tile / partTiles + 1) * partTiles);
            appendGroups(m_tiles, tile, partEnd, grid.rasterRow(), group);
            tile = partEnd;
        }
    }
    numberPlaces();
}

TileWalk::TileWalk(const OutputLayout& layout, const std::vector<std::uint32_t>& chunks) {
    for (const std::uint32_t chunk : chunks)
        for (std::uint32_t tile = 0; tile < layout.chunkTiles(chunk); ++tile)
            m_tiles.push_back(layout.chunkFirstTile(chunk) + tile);
    numberPlaces();
}

void TileWalk::numberPlaces() {
    m_places.resize(m_tiles.size());
    for (std::uint32_t place = 0; place < m_tiles.size(); ++place)
        m_places[m_tiles[place]] = place;
}

}  // namespace engine
