#pragma once

#include "engine/api/expected_work.h"
#include "engine/api/experiment.h"
#include "engine/api/runner.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace data {

/// How much of work made of several runs is done, by what each of them is expected to take: one long run among many
/// short ones is most of it. Safe from any thread; tells of one fraction at a time, rising.
class WorkProgress {
public:
    /// `work`: of each run, in any unit. Without `tell` there is nobody to tell.
    WorkProgress(std::vector<double> work, std::function<void(double)> tell);

    void reached(std::size_t run, double fraction);
    void ended(std::size_t run) { reached(run, 1); }
    /// Leaves out a run that need not be made.
    void leaveOut(std::size_t run);

    /// What one run is told to call; empty when there is nobody to tell. Refers to this object.
    std::function<void(double)> of(std::size_t run);
    /// Follows runs side by side, of which the first is run 0, beside whatever `many` calls already.
    void follow(engine::RunManyOptions& many);

private:
    std::mutex m_mutex;
    std::vector<double> m_work;
    std::vector<double> m_reached;  ///< of each run, 0 to 1
    std::function<void(double)> m_tell;
    double m_all = 0, m_done = 0, m_told = 0;
};

/// What runs that share their baselines are expected to take, in events, in the order in which they begin.
class RunCosts {
public:
    /// `baselines`: as RunOptions has it.
    explicit RunCosts(bool baselines) : m_baselines(baselines) {}

    double of(const engine::Experiment& experiment);

    /// What any run costs besides its events.
    static constexpr double kEventsOfAnyRun = 2000;

private:
    bool m_baselines;
    engine::ExpectedWork m_shared;
};

/// Of all of them, by experiment.
std::vector<double> costsOf(std::span<const engine::Experiment> experiments, bool baselines);

/// Seconds that are left of work of which `fraction` took `seconds`; nothing while that would be a wild guess.
std::optional<double> secondsLeft(double seconds, double fraction);

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
