#include "engine/timetable/task_graph.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace engine {
namespace {

/// Returns the tasks in an order in which each comes after its inputs. If there is a cycle, its tasks and those behind
/// it are missing.
std::vector<TaskIndex> inputsFirst(const TaskEdges& edges) {
    std::vector<std::uint32_t> missing = edges.inputs();
    std::vector<TaskIndex> sorted;
    sorted.reserve(missing.size());
    for (TaskIndex task = 0; task < missing.size(); ++task) {
        if (missing[task] == 0)
            sorted.push_back(task);
    }
    for (std::size_t at = 0; at < sorted.size(); ++at) {
        edges.eachFrom(sorted[at], [&](TaskIndex to, std::int64_t) {
            if (--missing[to] == 0)
                sorted.push_back(to);
        });
    }
    return sorted;
}

/// Returns a cycle among the tasks that `sorted` lacks: each waits for the next one. Going from such a task to an input
/// that is missing as well must come back to a task that was met before.
std::vector<TaskIndex> cycleOutside(const TaskGraph& graph, const std::vector<TaskIndex>& sorted) {
    std::vector<bool> fine(graph.tasks.size(), false);
    for (const TaskIndex task : sorted)
        fine[task] = true;
    std::vector<TaskIndex> waitsFor(graph.tasks.size(), kNoTask);
    for (const TaskEdge& edge : graph.edges) {
        if (!fine[edge.from] && !fine[edge.to] && waitsFor[edge.to] == kNoTask)
            waitsFor[edge.to] = edge.from;
    }
    std::vector<bool> met(graph.tasks.size(), false);
    auto at = static_cast<TaskIndex>(std::find(fine.begin(), fine.end(), false) - fine.begin());
    for (; !met[at]; at = waitsFor[at])
        met[at] = true;
    std::vector<TaskIndex> cycle{at};
    do {
        at = waitsFor[at];
        cycle.push_back(at);
    } while (at != cycle.front());
    return cycle;
}

/// Finishes tasks without times until none can begin any more. Finishing a task never holds another one back, so that
/// it does not matter which goes first.
class Progress {
public:
    explicit Progress(const TaskGraph& graph, const TaskEdges& edges)
        : m_graph(graph), m_edges(edges), m_orders(graph), m_missing(edges.inputs()),
          m_entered(graph.tasks.size(), false), m_finished(graph.tasks.size(), false) {}

    /// Returns the first task that never begins with the task that it needs, or an empty optional.
    std::optional<TaskFault> stuck() {
        m_orders.begin([&](TaskIndex task) { enter(task); });
        while (!m_ready.empty()) {
            const TaskIndex task = m_ready.back();
            m_ready.pop_back();
            m_finished[task] = true;
            m_edges.eachFrom(task, [&](TaskIndex to, std::int64_t) {
                if (--m_missing[to] == 0 && m_entered[to])
                    m_ready.push_back(to);
            });
            if (const TaskIndex next = m_orders.finished(task); next != kNoTask)
                enter(next);
        }
        for (const TaskEdge& edge : m_graph.edges) {
            if (m_entered[edge.to] && !m_entered[edge.from])
                return TaskFault{TaskFault::Kind::stuck, {edge.to, edge.from}};
        }
        assert(std::find(m_finished.begin(), m_finished.end(), false) == m_finished.end());
        return std::nullopt;
    }

private:
    void enter(TaskIndex task) {
        m_entered[task] = true;
        if (m_missing[task] == 0)
            m_ready.push_back(task);
    }

    const TaskGraph& m_graph;
    const TaskEdges& m_edges;
    TaskOrders m_orders;
    std::vector<std::uint32_t> m_missing;
    std::vector<bool> m_entered, m_finished;
    std::vector<TaskIndex> m_ready;
};

}  // namespace

TaskEdges::TaskEdges(const TaskGraph& graph) : m_inputs(graph.tasks.size(), 0) {
    std::vector<std::pair<TaskIndex, TaskIndex>> ends;
    std::vector<Latency> latencies;
    ends.reserve(graph.edges.size());
    latencies.reserve(graph.edges.size());
    for (const TaskEdge& edge : graph.edges) {
        ends.emplace_back(edge.from, edge.to);
        latencies.push_back({edge.latency});
        ++m_inputs[edge.to];
    }
    m_csr = Csr(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), latencies.begin(),
                static_cast<TaskIndex>(graph.tasks.size()));
}

TaskOrders::TaskOrders(const TaskGraph& graph)
    : m_graph(graph), m_lists(graph.lookaheads.size()), m_next(graph.lookaheads.size(), 0) {
    for (TaskIndex task = 0; task < graph.tasks.size(); ++task) {
        if (const std::int32_t order = graph.tasks[task].order; order != Task::kNone)
            m_lists[static_cast<std::size_t>(order)].push_back(task);
    }
}

std::optional<TaskFault> faultOf(const TaskGraph& graph) {
    const TaskEdges edges(graph);
    const std::vector<TaskIndex> sorted = inputsFirst(edges);
    if (sorted.size() < graph.tasks.size())
        return TaskFault{TaskFault::Kind::cycle, cycleOutside(graph, sorted)};
    return Progress(graph, edges).stuck();
}

TaskBounds boundsOf(const TaskGraph& graph) {
    const TaskEdges edges(graph);
    TaskBounds bounds;
    bounds.busy.resize(graph.pools.size());
    std::vector<std::int64_t> begin(graph.tasks.size(), 0);
    for (const TaskIndex task : inputsFirst(edges)) {
        const std::int64_t time = graph.tasks[task].time, end = begin[task] + time;
        bounds.work += time;
        bounds.busy[graph.tasks[task].pool] += time;
        bounds.span = std::max(bounds.span, end);
        edges.eachFrom(task,
                       [&](TaskIndex to, std::int64_t latency) { begin[to] = std::max(begin[to], end + latency); });
    }
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    bounds.lower = real(bounds.span);
    for (std::size_t pool = 0; pool < graph.pools.size(); ++pool)
        bounds.lower = std::max(bounds.lower, real(bounds.busy[pool]) / real(graph.pools[pool].places));
    const bool bound = std::ranges::any_of(graph.tasks, [&](const Task& task) {
        return task.place != Task::kAnyPlace ||
               (task.order != Task::kNone &&
                graph.lookaheads[static_cast<std::size_t>(task.order)] < static_cast<std::int64_t>(graph.tasks.size()));
    });
    const bool delayed = std::ranges::any_of(graph.edges, [](const TaskEdge& edge) { return edge.latency > 0; });
    if (graph.pools.size() == 1 && !bound && !delayed) {
        const double places = real(graph.pools.front().places);
        bounds.upper = real(bounds.work) / places + real(bounds.span) * (1 - 1 / places);
    }
    return bounds;
}

}  // namespace engine
