#include "data/laboratory/work_progress.h"

#include "engine/api/runner.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <numeric>
#include <stop_token>
#include <utility>

namespace data {

WorkProgress::WorkProgress(std::vector<double> work, std::function<void(double)> report)
    : m_work(std::move(work)), m_reached(m_work.size(), 0), m_report(std::move(report)),
      m_all(std::accumulate(m_work.begin(), m_work.end(), 0.0)) {}

void WorkProgress::reached(std::size_t run, double fraction) {
    if (!m_report || run >= m_work.size() || m_all <= 0)
        return;
    const std::lock_guard lock(m_mutex);
    const double further = std::clamp(fraction, 0.0, 1.0) - m_reached[run];
    if (further <= 0)
        return;
    m_reached[run] += further;
    m_done += further * m_work[run];
    m_told = std::clamp(m_done / m_all, m_told, 1.0);
    m_report(m_told);
}

std::function<void(double)> WorkProgress::of(std::size_t run) {
    if (!m_report)
        return {};
    return [this, run](double fraction) { reached(run, fraction); };
}

void WorkProgress::leaveOut(std::size_t run) {
    const std::lock_guard lock(m_mutex);
    m_all -= (1 - m_reached[run]) * m_work[run];
    m_work[run] *= m_reached[run];
    m_reached[run] = 1;
}

void WorkProgress::follow(engine::RunManyOptions& many) {
    if (!m_report)
        return;
    many.progress = [this](std::size_t run, double fraction) { reached(run, fraction); };
    many.finished = [this, then = std::move(many.finished)](std::size_t run, engine::RunOutcome& outcome,
                                                            std::size_t count) {
        ended(run);
        if (then)
            then(run, outcome, count);
    };
}

double RunCosts::of(const engine::Experiment& experiment) {
    const engine::PolicyPreset policy = experiment.policy.preset;
    // Bounds are computed from the baselines, and a sequential run is a baseline itself.
    if (!m_baselines && !engine::isIdeal(policy) && policy != engine::PolicyPreset::sequential)
        return kEventsOfAnyRun + engine::expectedEvents(experiment);
    const double before = m_shared.events();
    m_shared.add(experiment);
    return kEventsOfAnyRun + m_shared.events() - before;
}

std::vector<double> costsOf(std::span<const engine::Experiment> experiments, bool baselines) {
    RunCosts costs(baselines);
    std::vector<double> all;
    all.reserve(experiments.size());
    for (const engine::Experiment& experiment : experiments)
        all.push_back(costs.of(experiment));
    return all;
}

std::optional<double> secondsLeft(double seconds, double fraction) {
    constexpr double kReportSeconds = 1, kReportFraction = 0.02;
    if (seconds < kReportSeconds || fraction < kReportFraction)
        return std::nullopt;
    return seconds * std::max(0.0, 1 - fraction) / fraction;
}

void RunPace::add(const RunPace& other) {
    m_events += other.m_events;
    m_ns += other.m_ns;
}

double RunPace::nsPerEvent() const {
    constexpr double kUsualNsPerEvent = 60;
    return m_events > 0 ? m_ns / m_events : kUsualNsPerEvent;
}

std::chrono::nanoseconds RunPace::timeOf(double events) const {
    constexpr double kLongest = 9e18;  // nanoseconds that can be counted
    return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(kLongest, events * nsPerEvent())));
}

RunPace paceOf(const engine::Experiment& experiment, double events, PaceClock::time_point end) {
    std::stop_source stop;
    double done = 0;
    engine::RunOptions options;
    options.baselines = false;
    options.stop = stop.get_token();
    options.progress = [&](double fraction) {
        done = fraction;
        if (PaceClock::now() >= end)
            stop.request_stop();
    };
    const PaceClock::time_point begin = PaceClock::now();
    try {
        engine::run(experiment, options);
    } catch (const std::exception&) {}  // stopped or failed: the part that was done counts
    return {events * done, std::chrono::duration<double, std::nano>(PaceClock::now() - begin).count()};
}

}  // namespace data
