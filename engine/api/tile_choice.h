#pragma once

#include "engine/api/experiment.h"
#include "engine/api/gemm.h"

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

/// Returns the tiles from which tiles.choice=best and tiles.choice=shared choose: 256x128, 128x256, 128x128, 256x64,
/// 64x256, 128x64, 64x64.
std::span<const Tile> libraryTiles();

/// Returns whether a run of the experiment searches for its tile: it has a GEMM of its own, and tiles.choice is `best`
/// or `shared`, or it is automatic, the machine states llc.bandwidth, and a library tile fits the output.
bool choosesTile(const Experiment& experiment);

/// Returns the same for a GEMM of this size on the machine of the experiment.
bool choosesTile(const Experiment& machine, const GemmSize& size);

/// A library tile with the time that a GEMM would take with it.
struct TileTrial {
    Tile tile;
    /// tiles.choice=best: of the whole GEMM, estimated from two simulated waves; shared: until the companion has ended,
    /// too
    Duration time;
    bool operator==(const TileTrial&) const = default;
};

/// Returns the library tiles with their times, the fastest first, and of equal times the larger tile first. It leaves
/// out tiles that are larger than the own GEMM's output along either side, and those with which the experiment cannot
/// be run.
///
/// With tiles.choice=shared the own GEMM and the companion's GEMMs are simulated to their end with each tile, without
/// collectives. For a GEMM alone (SubLayer::gemm) that is the run itself; a sub-layer's GEMM stores and walks as under
/// `sequential`. A companion whose tile is `same` follows the own GEMM. These times are not kept.
///
/// Otherwise for each tile the first two waves are simulated with all of K on one GPU, and each further wave is taken
/// to cost as much as the second. That is exact for a GEMM of at most two waves whose sides are multiples of the tile;
/// otherwise it is within about a tenth of the whole. The approximations are: later waves meet the cache as the second
/// did; a tile at the edge counts as a whole one; a last wave fills all slots of the CUs that are free first, so that
/// it takes the time of a whole one unless it has fewer workgroups than a CU has slots; no collective runs beside the
/// GEMM; the K-step is the set one, whatever the tile. An automatic prefetch is that of the tile.
///
/// The simulated waves that were used last are kept, for all threads. The cache key is what the simulation reads: the
/// machine, the tile, K, the shorter side in tiles, and as much of the longer side and of a batch as two waves touch.
/// So all points of a saw-tooth over the longer side share one simulation of each tile. The result does not depend on
/// the cache. Throws RunStopped. Precondition: the experiment is valid and not a collective alone.
std::vector<TileTrial> tileTrialsOf(const Experiment& experiment, std::stop_token stop = {});

/// Returns the experiment with tiles.choice=fixed and with gemm.tile_m and gemm.tile_n set to the tile that a run of it
/// uses. Returns it unchanged if the run does not search (choosesTile). Throws RunStopped.
Experiment withChosenTile(const Experiment& experiment, std::stop_token stop = {});

}  // namespace engine
