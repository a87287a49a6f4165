#include "data/laboratory/run_pace.h"

#include "engine/api/runner.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <stop_token>

namespace data {
namespace {

constexpr double kUsualNsPerEvent = 60;
constexpr double kLongest = 9e18;  // nanoseconds that can be counted

}  // namespace

void RunPace::add(const RunPace& other) {
    m_events += other.m_events;
    m_ns += other.m_ns;
}

double RunPace::nsPerEvent() const { return m_events > 0 ? m_ns / m_events : kUsualNsPerEvent; }

std::chrono::nanoseconds RunPace::timeOf(double events) const {
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
    } catch (const std::exception&) {}  // stopped, or it fails: what was done until then counts
    return {events * done, std::chrono::duration<double, std::nano>(PaceClock::now() - begin).count()};
}

}  // namespace data
