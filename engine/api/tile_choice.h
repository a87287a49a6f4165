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

/// Returns every tile of the list that fits the experiment's own GEMM, the one with the least time first; of equal times the
/// larger tile is first. Of each, two waves are simulated on one GPU and all its waves are counted. The answer is a function
/// of the GEMM's shape and the machine and is kept for the shapes asked last. Throws RunStopped.
/// Precondition: the experiment is valid and not a collective alone.
std::vector<TileTrial> tileTrialsOf(const Experiment& experiment, std::stop_token stop = {});

/// Returns the experiment with the tile that a run of it uses in gemm.tile_m and gemm.tile_n, and tiles.choice=fixed. With
/// tiles.choice=fixed, or for a collective alone, returns it unchanged. Throws RunStopped.
Experiment withChosenTile(const Experiment& experiment, std::stop_token stop = {});

}  // namespace engine
