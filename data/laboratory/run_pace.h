#pragma once

#include "engine/api/experiment.h"

#include <chrono>

namespace data {

/// How fast this machine simulates at the moment.
class RunPace {
public:
    RunPace() = default;
    RunPace(double events, double ns) : m_events(events), m_ns(ns) {}

    void add(const RunPace& other);
    /// What is usual, as long as nothing was timed.
    double nsPerEvent() const;
    std::chrono::nanoseconds timeOf(double events) const;

private:
    double m_events = 0, m_ns = 0;
};

using PaceClock = std::chrono::steady_clock;

/// Of one run of `events`, or of as much of it as there is time for until `end`.
RunPace paceOf(const engine::Experiment& experiment, double events, PaceClock::time_point end);

}  // namespace data
