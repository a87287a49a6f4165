#pragma once

#include "engine/api/tile_choice.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace engine {

/// Returns the tiles from which a run that searches chooses (choosesTile), the largest first: those that fit the own
/// GEMM and with which the experiment can be run. Simulates nothing. Precondition: the values that decide the GEMM's
/// size have passed the table; not for a collective alone.
std::vector<Tile> candidateTiles(const Experiment& experiment);

/// The times of the first two waves of a GEMM with all of its K, or of the whole GEMM if it has fewer.
struct WaveTimes {
    Duration first;  ///< from the beginning of the run until as many tiles are stored as one wave has
    Duration both;   ///< until all simulated tiles are stored
    Duration end;    ///< until they are in memory
    bool operator==(const WaveTimes&) const = default;
};

/// Simulates the first waves and keeps no result. Throws RunStopped. Precondition: workload.sublayer=gemm,
/// tiles.choice=fixed, valid.
WaveTimes simulateWaves(const Experiment& gemmAlone, const std::stop_token& stop = {},
                        const std::function<void(double)>& progress = {});

/// Does what tileTrialsOf does and reports progress: `progress`, unless it is empty, gets fractions of all trials.
std::vector<TileTrial> tileTrials(const Experiment& experiment, const std::stop_token& stop,
                                  const std::function<void(double)>& progress);

/// Returns the time of the whole GEMM, estimated from that of its first waves. Each further wave takes as long as the
/// second. In a last wave that is not full each CU has fewer workgroups, and the wave takes as large a share of a
/// wave's time as they take of the CU's slots. That is exact if CUs are the limit, and an upper bound if memory is.
/// Launch, first loads and last stores count once. With at most two waves the time is that of the simulation.
Duration estimatedTime(const Experiment& gemmAlone, const WaveTimes& waves);

/// Returns how many first waves have been simulated for tileTrials since the program began.
std::size_t simulatedWaves();

}  // namespace engine
