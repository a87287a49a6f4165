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

/// The progress of work that consists of several runs, each weighted by its expected cost. Reports a rising fraction;
/// calls never overlap. Thread-safe.
class WorkProgress {
public:
    /// `work`: the expected cost of each run, in any unit. `report` receives the progress; it may be empty.
    WorkProgress(std::vector<double> work, std::function<void(double)> report);

    void reached(std::size_t run, double fraction);
    void ended(std::size_t run) { reached(run, 1); }
    /// Removes a run that need not be made from the total.
    void leaveOut(std::size_t run);

    /// Returns the progress function for one run; empty if nobody receives the progress. It refers to this object.
    std::function<void(double)> of(std::size_t run);
    /// Follows runs of engine::runMany, of which the first is run 0: sets `many.progress`, and still calls the
    /// `finished` that `many` has. Does nothing if nobody receives the progress.
    void follow(engine::RunManyOptions& many);

private:
    std::mutex m_mutex;
    std::vector<double> m_work;
    std::vector<double> m_reached;  ///< of each run, 0 to 1
    std::function<void(double)> m_report;
    double m_all = 0, m_done = 0, m_told = 0;
};

/// The expected costs of runs that share their baselines, in events, in the order in which the runs begin.
class RunCosts {
public:
    /// `baselines`: as in RunOptions.
    explicit RunCosts(bool baselines) : m_baselines(baselines) {}

    double of(const engine::Experiment& experiment);

    /// The cost of any run besides its events.
    static constexpr double kEventsOfAnyRun = 2000;

private:
    bool m_baselines;
    engine::ExpectedWork m_shared;
};

/// Returns the expected cost of each experiment, in their order.
std::vector<double> costsOf(std::span<const engine::Experiment> experiments, bool baselines);

/// Returns the seconds left for work of which `fraction` took `seconds`, or an empty optional while it is too early for
/// an estimate.
std::optional<double> secondsLeft(double seconds, double fraction);

/// The measured speed of simulation on this machine.
class RunPace {
public:
    RunPace() = default;
    RunPace(double events, double ns) : m_events(events), m_ns(ns) {}

    void add(const RunPace& other);
    /// Returns the measured time of an event, or a usual one while nothing was measured.
    double nsPerEvent() const;
    std::chrono::nanoseconds timeOf(double events) const;

private:
    double m_events = 0, m_ns = 0;
};

using PaceClock = std::chrono::steady_clock;

/// Measures the pace with one run of `events` expected events, or with as much of it as can be done until `end`.
RunPace paceOf(const engine::Experiment& experiment, double events, PaceClock::time_point end);

}  // namespace data
