#pragma once

#include "engine/api/experiment.h"

namespace engine {

// About how many events a granule of the output costs, whatever the policy: stored by the GEMM, then sent, read and
// written again by each of the collectives.
inline constexpr double kStoreEvents = 2, kScatterEvents = 5, kGatherEvents = 3;

/// What the isolated reduce-scatter takes, as a share of what the whole experiment does; 0 where there is none.
double isolatedScatterShare(const Experiment& experiment);

}  // namespace engine
