#pragma once

#include "data/sweep_document.h"
#include "engine/api/experiment.h"

#include <cstddef>
#include <string>
#include <vector>

namespace data {

/// One experiment under one policy.
struct SweepPoint {
    std::size_t index = 0;        ///< in the whole sweep, also in a shard
    std::vector<std::size_t> at;  ///< which value of each axis
    std::size_t policy = 0;       ///< which of Sweep::policies
    ExperimentDraft draft;
    engine::Experiment experiment;
    std::string hash;           ///< experimentHash; of a point that cannot be run one that no experiment has
    std::string problem;        ///< why it cannot be run at all (TP does not divide K, …); empty when it can
    engine::Notices notices{};  ///< of what the draft says; a run's own come after them
};

struct Shard {
    std::size_t index = 0;  ///< counted from 0
    std::size_t count = 1;
};

/// Every point of a sweep, or every count-th of them, in the order of their index. Two points may be the same
/// experiment: they share a hash, and are run once.
struct SweepPlan {
    Sweep sweep;
    std::string id;     ///< sweepId
    std::size_t whole;  ///< points of the whole sweep
    std::vector<SweepPoint> points;
};

/// Precondition: check(sweep) is empty.
SweepPlan planOf(const Sweep& sweep, Shard shard = {});

std::size_t pointCount(const Sweep& sweep);  ///< saturates

}  // namespace data
