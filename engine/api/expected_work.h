#pragma once

#include "engine/api/experiment.h"

#include <cstddef>
#include <unordered_set>

namespace engine {

struct GemmSize;

/// Returns about how many events the policy's own run takes, from a formula over tiles and granules. The number
/// compares experiments with each other, and predicts times once one of them has been timed. Returns 0 for an
/// experiment that cannot be run and for the ideal policies, which simulate nothing of their own. The trial simulations
/// of tiles.choice=best are not counted, because runs with the same trials share them. Those of tiles.choice=shared are
/// counted.
double expectedEvents(const Experiment& experiment);

/// Returns the same for a GEMM alone, as `runGemm` runs it; 0 if a field of `size` is below 1.
double expectedEvents(const Experiment& machine, const GemmSize& size);

/// Sums up the work of many runs that share their baselines.
class ExpectedWork {
public:
    void add(const Experiment& experiment);

    double events() const { return m_events; }
    std::size_t baselineRuns() const { return m_keys.size(); }

private:
    double m_events = 0;
    std::unordered_set<std::size_t>
        // Hashes of the parameters that baselines read. Two of 2^64 may collide: that changes the estimate, but no
        // result.
        m_keys;
};

}  // namespace engine
