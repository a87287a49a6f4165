#pragma once

#include "data/laboratory/work_progress.h"
#include "data/sweep/sweep_runner.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

/// An experiment that is to be run, for all points that are the same one.
struct SweepTask {
    std::vector<std::size_t> points;  ///< positions in SweepPlan::points, rising; at least one
    double events = 0;                ///< expected, of its own run
};

/// What is left to do of a plan once it is known what the store has.
struct SweepWork {
    std::size_t kept = 0;    ///< points whose result is there
    std::size_t failed = 0;  ///< points that were tried before and are not tried again
    std::vector<std::size_t> unusable;
    std::vector<SweepTask> tasks;  ///< in the order of their first points
};

SweepWork workOf(const SweepPlan& plan, const std::unordered_map<std::string, KeptPoint>& known, bool retryFailed);

/// Rate and time left of a sweep: by the work that is done and left, not by the number of points, since large points
/// are run first. Time that it was paused does not count.
class SweepClock {
public:
    using Clock = std::chrono::steady_clock;

    /// `events`: the expected work of all.
    SweepClock(std::size_t toRun, double events, Clock::time_point now);

    /// A part that nobody sees the size of: what each run costs besides its events.
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
