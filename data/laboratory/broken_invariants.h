#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstddef>
#include <string>
#include <vector>

namespace data {

/// Runs in which the simulator broke one of its own invariants. Their numbers must not be trusted.
struct BrokenInvariants {
    static constexpr std::size_t kMostShown = 10;

    std::size_t runs = 0;
    std::vector<std::string> shown;  ///< "t-nlg/fc-2/tp8 t3: INVARIANT", the first ones

    bool any() const { return runs > 0; }
    /// Adds a run. Does nothing if all its invariants hold.
    void add(const engine::Experiment& experiment, const engine::InvariantsResult& invariants);
    void add(const BrokenInvariants& others);
};

}  // namespace data
