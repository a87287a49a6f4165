#pragma once

#include "engine/api/experiment.h"

#include <cstddef>
#include <unordered_set>

namespace engine {

struct GemmSize;

/// How much work the policy's own run is, about in events, by a formula over tiles and granules. Good for comparing
/// experiments with each other, and for a time once one of them has been timed. 0 for one that cannot be run and for
/// the ideal policies, which simulate nothing of their own. What tiles.choice=best simulates to choose is not counted:
/// runs of a class share it.
double expectedEvents(const Experiment& experiment);

/// The same of a GEMM by itself, as `runGemm` runs it; 0 for one without a side.
double expectedEvents(const Experiment& machine, const GemmSize& size);

/// The work of many runs that share their baselines.
class ExpectedWork {
public:
    void add(const Experiment& experiment);

    double events() const { return m_events; }
    std::size_t baselineRuns() const { return m_keys.size(); }

private:
    double m_events = 0;
    std::unordered_set<std::size_t>
        m_keys;  // hashes of what baselines read: two alike are one in 2^64, no result's matter
};

}  // namespace engine
