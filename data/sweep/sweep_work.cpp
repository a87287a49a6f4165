#include "data/sweep/sweep_work.h"

#include <algorithm>
#include <string_view>

namespace data {

SweepWork workOf(const SweepPlan& plan, const std::unordered_map<std::string, KeptPoint>& known, bool retryFailed) {
    SweepWork work;
    std::unordered_map<std::string_view, std::size_t> taskOf;
    for (std::size_t position = 0; position < plan.points.size(); ++position) {
        const SweepPoint& point = plan.points[position];
        const auto found = known.find(point.hash);
        if (!point.problem.empty()) {
            work.unusable.push_back(position);
        } else if (found != known.end() && found->second.runId) {
            ++work.kept;
        } else if (found != known.end() && !retryFailed) {
            ++work.failed;
        } else {
            const auto [task, isNew] = taskOf.try_emplace(point.hash, work.tasks.size());
            if (isNew)
                work.tasks.push_back({{}, point.events});
            work.tasks[task->second].points.push_back(position);
        }
    }
    return work;
}

SweepClock::SweepClock(std::size_t toRun, double events, Clock::time_point now)
    : m_events(events + kEventsOfAnyRun * static_cast<double>(toRun)), m_begin(now) {
    m_progress.toRun = toRun;
}

void SweepClock::ended(double events, bool failed) {
    ++m_progress.done;
    m_progress.failed += failed ? 1 : 0;
    m_doneEvents += events + kEventsOfAnyRun;
}

void SweepClock::setPaused(bool paused, Clock::time_point now) {
    if (paused && !m_paused)
        m_pausedAt = now;
    if (!paused && m_paused)
        m_rested += now - m_pausedAt;
    m_paused = paused;
}

SweepClock::Clock::duration SweepClock::running(Clock::time_point now) const {
    return (m_paused ? m_pausedAt : now) - m_begin - m_rested;
}

SweepProgress SweepClock::progress(Clock::time_point now) const {
    SweepProgress progress = m_progress;
    const std::chrono::duration<double> seconds = running(now);
    if (progress.done == 0 || seconds.count() <= 0)
        return progress;
    progress.perSecond = static_cast<double>(progress.done) / seconds.count();
    const double left = std::max(0.0, m_events - m_doneEvents) / m_doneEvents;
    progress.left = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds * left);
    return progress;
}

}  // namespace data
