#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/experiment.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// One experiment under one policy, as little of it as a million of them need. What it stands for is detailsOf.
struct SweepPoint {
    std::size_t index = 0;  ///< in the whole sweep, also in a shard
    std::string hash;  ///< experimentHash or modelPointHash; of a point that cannot be run one that no experiment has
    std::string problem;  ///< why it cannot be run at all (TP does not divide K, …); empty when it can
    double events = 0;    ///< engine::expectedEvents; of whole models what the points before do not simulate
};

struct PointPlace {
    std::vector<std::size_t> at;  ///< which value of each axis
    std::size_t policy = 0;       ///< which of Sweep::policies
};

/// Where the point `index` stands. Policies vary fastest, then the last axis.
PointPlace placeOf(const Sweep& sweep, std::size_t index);

/// What a point of a sweep stands for. A few kilobytes and microseconds: made when it is needed, and not kept.
struct PointDetails : PointPlace {
    ExperimentDraft draft;
    engine::Experiment experiment{};
    engine::Problems problems{};
    engine::Notices notices{};  ///< of what the draft says; a run's own come after them
};

/// Precondition: `index` is below pointCount(sweep).
PointDetails detailsOf(const Sweep& sweep, std::size_t index);

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

    PointDetails details(const SweepPoint& point) const { return detailsOf(sweep, point.index); }
};

/// For whoever waits while a large sweep is planned.
struct PlanningOptions {
    std::stop_token stop{};
    std::function<void(std::size_t done, std::size_t whole)> progress{};  ///< every few milliseconds, points

    /// Before each point: tells of every 256th. Throws engine::RunStopped where that was asked for.
    void reached(std::size_t done, std::size_t whole) const;
};

/// Precondition: check(sweep) is empty. Throws engine::RunStopped.
SweepPlan planOf(Sweep sweep, Shard shard = {}, const PlanningOptions& options = {});

std::size_t pointCount(const Sweep& sweep);  ///< saturates

}  // namespace data
