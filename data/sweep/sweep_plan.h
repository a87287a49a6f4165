#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/experiment.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// One point, with as little data as possible, because a sweep may have a million. detailsOf returns the rest.
struct SweepPoint {
    std::size_t index = 0;  ///< index in the whole sweep, also in a shard
    std::string hash;  ///< experimentHash or modelPointHash; for a point that cannot be run a hash that no experiment
                       ///< has
    std::string problem;  ///< why it cannot be run (TP does not divide K, …); empty if it can
    double events = 0;    ///< engine::expectedEvents; for whole models without simulations of earlier points
};

struct PointPlace {
    std::vector<std::size_t> at;  ///< index of the value of each axis
    std::size_t policy = 0;       ///< index in Sweep::policies
};

/// Returns the axis values and the policy of point `index`. Policies vary fastest, then the last axis.
PointPlace placeOf(const Sweep& sweep, std::size_t index);

/// Returns the axis of a sweep that varies nothing but the seed, with at least two values.
std::optional<std::size_t> seedAxis(const Sweep& sweep);

/// The draft, experiment and problems of a point. They take a few kilobytes and microseconds, so they are made when
/// they are needed and not kept.
struct PointDetails : PointPlace {
    ExperimentDraft draft;
    engine::Experiment experiment{};
    engine::Problems problems{};
    engine::Notices notices{};                   ///< notices of the draft; those of the run follow them
    std::optional<engine::Experiment> source{};  ///< set if the times are projected from this one's
};

/// Returns the details of point `index`. Precondition: `index` is below pointCount(sweep).
PointDetails detailsOf(const Sweep& sweep, std::size_t index);

struct Shard {
    std::size_t index = 0;  ///< counted from 0
    std::size_t count = 1;
};

/// Every point of a sweep, or every count-th of them, in the order of their index. If two points have the same
/// experiment, they share a hash and are run once.
struct SweepPlan {
    Sweep sweep;
    std::string id;     ///< sweepId
    std::size_t whole;  ///< points of the whole sweep
    std::vector<SweepPoint> points;

    PointDetails details(const SweepPoint& point) const { return detailsOf(sweep, point.index); }
};

/// Stop token and progress for planning a large sweep.
struct PlanningOptions {
    std::stop_token stop{};
    std::function<void(std::size_t done, std::size_t whole)> progress{};  ///< called every few milliseconds, in points

    /// Call before each point: reports every 256th. Throws engine::RunStopped after a stop request.
    void reached(std::size_t done, std::size_t whole) const;
};

/// Returns the plan of a sweep, or of one shard of it. Precondition: check(sweep) is empty. Throws engine::RunStopped.
SweepPlan planOf(Sweep sweep, Shard shard = {}, const PlanningOptions& options = {});

std::size_t pointCount(const Sweep& sweep);  ///< saturates

}  // namespace data
