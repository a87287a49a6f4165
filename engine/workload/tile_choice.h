#pragma once

#include "engine/api/gemm.h"
#include "engine/api/tile_choice.h"

#include <vector>

namespace engine {

/// Returns the library tiles that are no larger than the output along either side, the largest first. A larger tile
/// would be partly padding in every workgroup. So along each side at least half of what the tiles cover is output.
/// Empty for an output below 64 x 64.
std::vector<Tile> fittingTiles(const GemmSize& size);

/// Returns the experiment with this tile and tiles.choice=fixed. The K-step stays unchanged. So does gemm.prefetch: if
/// it is automatic, it follows from this tile.
Experiment withTile(Experiment experiment, const Tile& tile);

/// The workgroups of a GEMM's first waves in dispatch order, and the part of the GEMM that they touch.
struct FirstWaves {
    std::int64_t workgroups = 0;  ///< workgroups of two waves, or all if there are fewer
    GemmSize touched;  ///< the GEMM without the parts of its longer side, or of a batch, that they do not touch
    bool rowsAreOuter = false;  ///< TileGrid::rowsAreOuter of the whole GEMM
};

/// Returns the first two waves of a GEMM alone on the machine, whose matrix sides, batch and tile are the experiment's.
/// Precondition: workload.sublayer=gemm.
FirstWaves firstWavesOf(const Experiment& experiment);

}  // namespace engine
