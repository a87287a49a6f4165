#include "data/trace/timetable_trace.h"

#include "data/document/whole_file.h"
#include "data/trace/chrome_events.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/api/units.h"

#include <cstddef>
#include <vector>

namespace data {
namespace {

/// Names the processes and threads of a timetable. Returns for each pool the thread of its place 0; threads of all
/// processes have different numbers, because viewers tell threads apart by number alone.
std::vector<std::uint32_t> nameRows(const engine::TaskGraph& graph, const engine::Timetable& timetable,
                                    ChromeEvents& events) {
    std::vector<std::uint32_t> firstThread;
    std::vector<std::vector<bool>> isUsed;
    std::uint32_t next = 1;
    for (const engine::TaskPool& pool : graph.pools) {
        firstThread.push_back(next);
        next += static_cast<std::uint32_t>(pool.places);
        isUsed.emplace_back(static_cast<std::size_t>(pool.places), false);
    }
    for (std::size_t task = 0; task < graph.tasks.size(); ++task)
        isUsed[graph.tasks[task].pool][timetable.spans[task].place] = true;
    for (std::uint32_t pool = 0; pool < graph.pools.size(); ++pool) {
        events.nameProcess(pool + 1, graph.pools[pool].name, pool);
        for (std::uint32_t place = 0; place < isUsed[pool].size(); ++place) {
            if (isUsed[pool][place])
                events.nameThread(pool + 1, firstThread[pool] + place,
                                  graph.pools[pool].name +
                                      (isUsed[pool].size() > 1 ? " " + std::to_string(place) : ""));
        }
    }
    return firstThread;
}

}  // namespace

std::int64_t psPerUnit(std::string_view unit, const engine::Timetable& timetable) {
    constexpr std::int64_t kMicrosecond = 1'000'000, kShrink = 10;
    std::int64_t ps = engine::unitFactor(engine::ParameterUnit::picoseconds, unit).value_or(kMicrosecond);
    while (ps > 1 && timetable.makespan > engine::kMostTaskTime / ps)
        ps /= kShrink;
    return ps;
}

void writeTimetableTrace(const engine::TaskGraph& graph, const engine::Timetable& timetable,
                         const TimetableTrace& trace, const std::function<void(std::string_view)>& sink) {
    ChromeEvents events(sink);
    events.open(R"({"displayTimeUnit":"ns","otherData":{"title":)" + quotedJson(trace.title) + R"(,"unit":)" +
                quotedJson(trace.unit) + R"(,"ps_per_unit":)" + std::to_string(trace.psPerUnit) +
                R"(},"traceEvents":[)");
    const std::vector<std::uint32_t> firstThread = nameRows(graph, timetable, events);
    for (engine::TaskIndex task = 0; task < graph.tasks.size(); ++task) {
        const std::uint32_t pool = graph.tasks[task].pool;
        const engine::TaskSpan& span = timetable.spans[task];
        events.named(pool + 1, firstThread[pool] + span.place, trace.nameOf(task),
                     engine::TimePoint{span.begin * trace.psPerUnit}, engine::TimePoint{span.end * trace.psPerUnit});
    }
    events.close();
}

void writeTimetableFile(const engine::TaskGraph& graph, const engine::Timetable& timetable, const TimetableTrace& trace,
                        const std::string& path) {
    WholeFile file(path);
    writeTimetableTrace(graph, timetable, trace, [&file](std::string_view piece) { file.write(piece); });
    file.keep();
}

}  // namespace data
