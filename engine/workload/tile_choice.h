#pragma once

#include "engine/api/gemm.h"
#include "engine/api/tile_choice.h"

#include <vector>

namespace engine {

/// Returns the library's tiles that are no larger than the output along either side, the largest first: of a larger one
/// a part would be padding in every workgroup. Along each side a tile then covers at least half of what it pays for.
/// Empty for an output below 64 x 64.
std::vector<Tile> fittingTiles(const GemmSize& size);

/// Returns the experiment with this tile and tiles.choice=fixed. K-step and prefetch stay as they were set.
Experiment withTile(Experiment experiment, const Tile& tile);

/// Returns whether a run of the experiment looks for its tile: tiles.choice=best, and it has a GEMM of its own.
bool choosesTile(const Experiment& experiment);

/// The workgroups of a GEMM's first waves in the order in which they are dispatched, and what they touch of it.
struct FirstWaves {
    std::int64_t workgroups = 0;  ///< of two waves, or all
    GemmSize touched;             ///< the GEMM without what they do not touch along its longer side, or of a batch
    bool rowsAreOuter = false;    ///< of the whole GEMM
};

/// Returns the first two waves of a GEMM alone on the machine, whose matrix sides, batch and tile are the experiment's.
/// Precondition: workload.sublayer=gemm.
FirstWaves firstWavesOf(const Experiment& experiment);

}  // namespace engine
