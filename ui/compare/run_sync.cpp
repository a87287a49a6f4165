#include "ui/compare/run_sync.h"

#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <map>
#include <utility>

namespace ui {
namespace {

/// Returns the time at which `done` of `of` equal parts of `ends` are complete.
std::int64_t momentAt(const std::vector<std::int64_t>& ends, std::size_t done, std::size_t of) {
    const std::size_t scaled = done * ends.size();
    const std::size_t whole = scaled / of;
    const auto rest = static_cast<std::int64_t>(scaled % of);
    const std::int64_t before = whole == 0 ? 0 : ends[whole - 1];
    return rest == 0 ? before : before + (ends[whole] - before) * rest / static_cast<std::int64_t>(of);
}

void appendChunks(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                  std::vector<data::TimeKnot>& knots) {
    const std::size_t steps = std::min(from.size(), to.size());
    for (std::size_t done = 1; done <= steps; ++done)
        knots.push_back({momentAt(from, done, steps), momentAt(to, done, steps)});
}

void appendPhase(std::int64_t from, std::int64_t to, std::vector<data::TimeKnot>& knots) {
    if (from > 0 && to > 0)
        knots.push_back({from, to});
}

}  // namespace

SyncTimes syncTimesOf(const data::ShownRun& run) {
    const engine::TimeResult& time = run.run.result.last.time;
    SyncTimes times;
    times.end = time.total.ps;
    if (!run.run.result.trace) {
        times.gemmEnd = time.gemm.ps;
        times.scatterEnd = std::max(time.gemm, time.reduceScatter).ps;
        times.gatherEnd = time.total.ps;
        return times;
    }
    const engine::Trace& trace = *run.run.result.trace;
    times.gemmEnd = trace.gemmEnd.ps;
    times.scatterEnd = trace.reduceScatterEnd > trace.reduceScatterStart ? trace.reduceScatterEnd.ps : 0;
    times.gatherEnd = trace.allGatherEnd > trace.allGatherStart ? trace.allGatherEnd.ps : 0;
    // The trace has the phase ends of GPU 0. Where GPUs differ, a phase ends when the last GPU ends it.
    if (const auto& whole = run.run.result.whole) {
        times.gemmEnd = (whole->gemmStart + whole->time.gemm).ps;
        times.scatterEnd = (whole->scatterStart + whole->time.reduceScatter + whole->time.allToAll).ps;
        times.gatherEnd = (whole->gatherStart + whole->time.allGather).ps;
    }
    times.end = std::max(times.end, trace.end.ps);
    return times;
}

SyncTimes syncTimesWithChunks(const data::ShownRun& run) {
    SyncTimes times = syncTimesOf(run);
    if (!run.run.result.trace)
        return times;
    const data::RunLog log(run.run.result.trace, run.run.experiment);
    const data::LogFacts& facts = log.facts(0);
    // The GPU's own chunk may be complete before it is summed; the time of the sum counts.
    std::map<std::uint32_t, std::int64_t> scattered;
    for (const data::RunLog::ChunkDone& done : log.chunksDone(0)) {
        const std::int64_t ps = log.events(0)[done.event].ps;
        if (done.final && facts.parts[done.chunk].gathered)
            times.gathered.push_back(ps);
        else
            scattered[done.chunk] = ps;
    }
    for (const auto& [chunk, ps] : scattered)
        times.scattered.push_back(ps);
    std::sort(times.scattered.begin(), times.scattered.end());
    return times;
}

data::TimeMap syncMap(const SyncTimes& from, const SyncTimes& to, SyncMode mode) {
    if (mode == SyncMode::time)
        return {};
    std::vector<data::TimeKnot> knots;
    const bool haveChunks =
        (!from.scattered.empty() && !to.scattered.empty()) || (!from.gathered.empty() && !to.gathered.empty());
    if (mode == SyncMode::chunks && haveChunks) {
        appendChunks(from.scattered, to.scattered, knots);
        appendChunks(from.gathered, to.gathered, knots);
    } else {
        appendPhase(from.gemmEnd, to.gemmEnd, knots);
        appendPhase(from.scatterEnd, to.scatterEnd, knots);
        appendPhase(from.gatherEnd, to.gatherEnd, knots);
    }
    // The ends are always aligned: knots beyond one of the ends are removed.
    std::erase_if(knots, [&](const data::TimeKnot& knot) { return knot.from >= from.end || knot.to >= to.end; });
    knots.push_back({from.end, to.end});
    std::stable_sort(knots.begin(), knots.end(),
                     [](const data::TimeKnot& a, const data::TimeKnot& b) { return a.from < b.from; });
    return data::TimeMap(knots);
}

ViewLink::ViewLink(ViewState& leader, QObject* parent) : QObject(parent), m_leader(leader) {
    const auto pass = [this] { passOn(nullptr); };
    connect(&m_leader, &ViewState::runEndChanged, this, pass);
    connect(&m_leader, &ViewState::rangeChanged, this, pass);
    connect(&m_leader, &ViewState::cursorChanged, this, pass);
    connect(&m_leader, &ViewState::followedChunkChanged, this, pass);
    connect(&m_leader, &ViewState::focusedGpuChanged, this, pass);
}

void ViewLink::lead(ViewState& follower, data::TimeMap map, std::int64_t endPs) {
    const auto known = std::ranges::find(m_followers, &follower, &Follower::state);
    data::TimeMap back = map.reversed();
    Follower led{&follower, std::move(map), std::move(back), endPs};
    if (known != m_followers.end()) {
        *known = std::move(led);
    } else {
        m_followers.push_back(std::move(led));
        connect(&follower, &ViewState::rangeChanged, this, [this, state = &follower] { takeRange(*state); });
        connect(&follower, &ViewState::followedChunkChanged, this, [this, state = &follower] {
            if (!m_passing)
                m_leader.setFollowedChunk(state->followedChunk());
        });
        connect(&follower, &ViewState::focusedGpuChanged, this, [this, state = &follower] {
            if (!m_passing)
                m_leader.setFocusedGpu(state->focusedGpu());
        });
        connect(&follower, &ViewState::selectionChanged, this, [this, state = &follower] {
            if (!state->selectedSpan() && !state->selectedArea())
                return;
            for (const Follower& other : m_followers) {
                if (other.state != state)
                    other.state->clearSelection();
            }
        });
    }
    const QScopedValueRollback passing(m_passing, true);
    show(*find(follower));
}

void ViewLink::letGo(ViewState& follower) {
    disconnect(&follower, nullptr, this, nullptr);
    std::erase_if(m_followers, [&follower](const Follower& each) { return each.state == &follower; });
}

std::int64_t ViewLink::leadersTime(const ViewState& follower, std::int64_t ps) const {
    const Follower* found = find(follower);
    return found != nullptr ? found->back(ps) : ps;
}

const ViewLink::Follower* ViewLink::find(const ViewState& state) const {
    const auto at = std::ranges::find(m_followers, &state, &Follower::state);
    return at == m_followers.end() ? nullptr : &*at;
}

void ViewLink::passOn(const ViewState* except) {
    if (m_passing)
        return;
    const QScopedValueRollback passing(m_passing, true);
    for (const Follower& follower : m_followers) {
        if (follower.state != except)
            show(follower);
    }
}

void ViewLink::show(const Follower& follower) const {
    ViewState& state = *follower.state;
    state.setRunEnd(std::max(follower.endPs, follower.map(m_leader.runEnd())));
    state.setRange({follower.map(m_leader.range().start), follower.map(m_leader.range().end)});
    if (m_leader.cursor())
        state.setCursor(follower.map(*m_leader.cursor()));
    else
        state.setCursor(std::nullopt);
    state.setFollowedChunk(m_leader.followedChunk());
    state.setFocusedGpu(m_leader.focusedGpu());
}

// Passes the range of `from` to the leader and then to the other followers; `from` keeps the range that the user set.
void ViewLink::takeRange(ViewState& from) {
    if (m_passing)
        return;
    const Follower& follower = *find(from);
    {
        const QScopedValueRollback passing(m_passing, true);
        m_leader.setRange({follower.back(from.range().start), follower.back(from.range().end)});
    }
    passOn(&from);
}

}  // namespace ui
