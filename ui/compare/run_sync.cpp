#include "ui/compare/run_sync.h"

#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"

#include <algorithm>
#include <map>

namespace ui {
namespace {

/// The moment at which `done` of `of` equal parts of `ends` are complete.
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
    // The trace's own moments are those of GPU 0: where GPUs differ a phase ends with the last of them.
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
    // The own chunk may be complete before it is summed; that it is summed counts.
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
    // Ends meet whatever came before: what would stand beyond one of them gives way.
    std::erase_if(knots, [&](const data::TimeKnot& knot) { return knot.from >= from.end || knot.to >= to.end; });
    knots.push_back({from.end, to.end});
    std::stable_sort(knots.begin(), knots.end(),
                     [](const data::TimeKnot& a, const data::TimeKnot& b) { return a.from < b.from; });
    return data::TimeMap(knots);
}

}  // namespace ui
