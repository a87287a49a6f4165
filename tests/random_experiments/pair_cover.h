#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tests {

/// A random experiment in which several parameters were drawn anew.
struct DrawnTogether {
    engine::Experiment experiment;
    std::vector<const engine::Parameter*> drawn;  ///< at least two different parameters; each has a new value
};

/// Random experiments that together cover all pairs of parameters.
struct PairCover {
    std::vector<DrawnTogether> experiments;
    std::size_t pairs = 0;    ///< number of pairs of different parameters
    std::size_t covered = 0;  ///< number of pairs that were changed together in some experiment
};

/// Draws experiments until each pair of parameters is changed together in one of them, except for the few pairs that
/// the engine does not accept together. An experiment changes up to five parameters (ten pairs), so there are an eighth
/// as many experiments as pairs. Returns the same experiments for the same seed.
PairCover coverOfPairs(std::uint64_t seed);

}  // namespace tests
