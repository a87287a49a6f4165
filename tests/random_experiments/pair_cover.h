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
    std::vector<const engine::Parameter*>
        drawn;  ///< different ones, at least two; each has another value than at first
};

/// Random experiments that together cover the pairs of parameters.
struct PairCover {
    std::vector<DrawnTogether> experiments;
    std::size_t pairs = 0;    ///< of different parameters
    std::size_t covered = 0;  ///< of these, the pairs that some experiment drew anew together
};

/// Draws experiments until every pair of parameters was drawn anew in one of them, but for the few pairs that the
/// engine does not accept beside each other. Draws up to five parameters at a time, which are ten pairs: an eighth of
/// the experiments that one for each pair would be. Returns the same for the same seed.
PairCover coverOfPairs(std::uint64_t seed);

}  // namespace tests
