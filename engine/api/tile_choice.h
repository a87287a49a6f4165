#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace engine {

/// A macro-tile that a GEMM library offers.
struct Tile {
    std::int64_t m = 0;
    std::int64_t n = 0;
    auto operator<=>(const Tile&) const = default;
};

/// The tiles that tiles.choice=best chooses from: 256x128, 128x256, 128x128, 256x64, 64x256, 128x64, 64x64.
std::span<const Tile> libraryTiles();

/// A tile of the list with the time that a GEMM would take with it.
struct TileTrial {
    Tile tile;
    Duration time;  ///< of the whole GEMM, estimated from two simulated waves
    bool operator==(const TileTrial&) const = default;
};

/// Returns every tile of the list that is no larger than the own GEMM's output along either side and with which the
/// experiment can be run, the one with the least time first; of equal times the larger tile is first.
/// Of each, the first two waves are simulated with all of K on one GPU, and a wave more costs as much as the second.
/// That is exact for a GEMM of at most two waves whose sides are multiples of the tile; else it is within about a tenth
/// of the whole. Approximated: later waves meet the cache as the second did; a tile at the edge counts as a whole one;
/// the CUs that share a last wave take the part of it that the busiest has of its slots; no collective runs beside;
/// K-step and prefetch are those that are set, whatever the tile.
/// The waves that were simulated last are kept, for all threads, by what their simulation reads: the machine, the tile,
/// K, the shorter side in tiles, and of the longer side and of a batch as much as two waves touch. So all points of a
/// saw-tooth over the longer side share one simulation of each tile. The answer never depends on what is kept. Throws
/// RunStopped. Precondition: the experiment is valid and not a collective alone.
std::vector<TileTrial> tileTrialsOf(const Experiment& experiment, std::stop_token stop = {});

/// Returns the experiment with the tile that a run of it uses in gemm.tile_m and gemm.tile_n, and tiles.choice=fixed.
/// With tiles.choice=fixed, or for a collective alone, returns it unchanged. Throws RunStopped.
Experiment withChosenTile(const Experiment& experiment, std::stop_token stop = {});

}  // namespace engine
