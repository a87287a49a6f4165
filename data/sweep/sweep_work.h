#pragma once

#include "data/laboratory/work_progress.h"
#include "data/sweep/sweep_runner.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

/// An experiment to run, with all points that have it.
struct SweepTask {
    std::vector<std::size_t> points;  ///< positions in SweepPlan::points, rising; at least one
    double events = 0;                ///< expected events of its own run
};

/// The work of a plan that remains because the store does not have its results.
struct SweepWork {
    std::size_t kept = 0;    ///< points whose result is in the store
    std::size_t failed = 0;  ///< points that failed before and are not run again
    std::vector<std::size_t> unusable;
    std::vector<SweepTask> tasks;  ///< ordered by their first points
};

SweepWork workOf(const SweepPlan& plan, const std::unordered_map<std::string, KeptPoint>& known, bool retryFailed);

/// Computes the rate and the remaining time of a sweep from finished and remaining events, not from the number of
/// points, because large points run first. Paused time does not count.
class SweepClock {
public:
    using Clock = std::chrono::steady_clock;

    /// `events`: the expected work of all points.
    SweepClock(std::size_t toRun, double events, Clock::time_point now);

    /// The cost of each run besides its events.
    static constexpr double kEventsOfAnyRun = RunCosts::kEventsOfAnyRun;

    void ended(double events, bool failed);
    void setPaused(bool paused, Clock::time_point now);
    SweepProgress progress(Clock::time_point now) const;

private:
    Clock::duration running(Clock::time_point now) const;

    SweepProgress m_progress;
    double m_events;
    double m_doneEvents = 0;
    Clock::time_point m_begin, m_pausedAt;
    Clock::duration m_rested{};
    bool m_paused = false;
};

}  // namespace data
