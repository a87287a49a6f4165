#pragma once

#include <cstdint>
#include <vector>

namespace engine {

class OutputLayout;
class TileGrid;

/// The order in which workgroups take the tiles of an output, as places 0, 1, 2 ... The places of a chunk's tiles are
/// the numbers of these tiles in raster order, so that the order of chunks is the same. Within a chunk, and within a
/// part of K, the walk takes `group` raster rows at a time, column by column, as rocBLAS' work-group mapping and
/// CUTLASS' swizzle do: the workgroups of a wave then share more of their inputs. A group of 1 is raster order.
class TileWalk {
public:
    /// Makes a walk in raster order.
    TileWalk() = default;
    TileWalk(const TileGrid& grid, const OutputLayout& output, std::int64_t group);
    /// Makes a walk chunk after chunk in the order of `chunks`, each in raster order. Precondition: `chunks` has each
    /// chunk once.
    TileWalk(const OutputLayout& layout, const std::vector<std::uint32_t>& chunks);

    std::uint32_t tileAt(std::uint32_t place) const { return m_tiles.empty() ? place : m_tiles[place]; }
    std::uint32_t placeOf(std::uint32_t tile) const { return m_places.empty() ? tile : m_places[tile]; }
    /// Returns the place of each tile; empty for raster order.
    const std::vector<std::uint32_t>& places() const { return m_places; }

private:
    void numberPlaces();

    std::vector<std::uint32_t> m_tiles;   // by place; empty: raster order
    std::vector<std::uint32_t> m_places;  // by tile
};

/// The order in which one GPU works through the tiles: a walk that begins at place `first` and wraps around. The
/// position of a tile in this order is its workgroup id. A null walk is raster order.
struct TileOrder {
    std::uint32_t first = 0;
    std::uint32_t tiles = 0;
    const TileWalk* walk = nullptr;

    std::uint32_t tileAt(std::uint32_t position) const {
        const std::uint32_t place = first + position;
        const std::uint32_t wrapped = place < tiles ? place : place - tiles;
        return walk ? walk->tileAt(wrapped) : wrapped;
    }
    std::uint32_t positionOf(std::uint32_t tile) const {
        const std::uint32_t place = walk ? walk->placeOf(tile) : tile;
        return place >= first ? place - first : place + tiles - first;
    }
};

}  // namespace engine
