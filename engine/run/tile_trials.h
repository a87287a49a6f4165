#pragma once

#include "engine/api/tile_choice.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace engine {

/// Returns the tiles that a run with tiles.choice=best chooses from, the largest first: those that fit the own GEMM and
/// with which the experiment can be run. Simulates nothing.
/// Precondition: the values that decide the GEMM's size have passed the table; not of a collective alone.
std::vector<Tile> candidateTiles(const Experiment& experiment);

/// The two first waves of a GEMM with all of its K, or all of it where that is less.
struct WaveTimes {
    Duration first;  ///< from the beginning of the run until as many tiles are stored as one wave has
    Duration both;   ///< until all simulated tiles are stored
    Duration end;    ///< until they are in memory
    bool operator==(const WaveTimes&) const = default;
};

/// Simulates them; nothing is kept. Throws RunStopped. Precondition: workload.sublayer=gemm, tiles.choice=fixed, valid.
WaveTimes simulateWaves(const Experiment& gemmAlone, const std::stop_token& stop = {},
                        const std::function<void(double)>& progress = {});

/// Does what tileTrialsOf does and tells how far it is: `progress` gets fractions of all trials, unless it is empty.
std::vector<TileTrial> tileTrials(const Experiment& experiment, const std::stop_token& stop,
                                  const std::function<void(double)>& progress);

/// Returns the time of the whole GEMM from that of its first waves. Waves that follow take as long as the second; of a
/// last one that is not full each CU has fewer workgroups, which take a share of a wave as large as theirs of its
/// slots: exact where CUs are what limits, the most where memory is. Launch, first loads and last stores count once.
/// With at most two waves the time is that of the simulation.
Duration estimatedTime(const Experiment& gemmAlone, const WaveTimes& waves);

/// Returns how many first waves have been simulated for tileTrials since the program began.
std::size_t simulatedWaves();

}  // namespace engine
