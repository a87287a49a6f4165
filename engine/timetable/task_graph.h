#pragma once

#include "engine/api/timetable.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstdint>
#include <vector>

namespace engine {

/// The edges of a graph, found by the task that they leave.
class TaskEdges {
public:
    struct Latency {
        std::int64_t latency = 0;
    };
    using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Latency, boost::no_property,
                                                   TaskIndex, TaskIndex>;

    explicit TaskEdges(const TaskGraph& graph);

    const Csr& csr() const { return m_csr; }
    const std::vector<std::uint32_t>& inputs() const { return m_inputs; }  ///< by task: edges that lead to it

    /// Calls `visit(to, latency)` for every edge that leaves a task.
    template <typename Visit>
    void eachFrom(TaskIndex task, const Visit& visit) const {
        const auto [edge, end] = boost::out_edges(task, m_csr);
        for (auto each = edge; each != end; ++each)
            visit(static_cast<TaskIndex>(boost::target(*each, m_csr)), m_csr[*each].latency);
    }

private:
    Csr m_csr;
    std::vector<std::uint32_t> m_inputs;
};

/// The orders of a graph while its tasks finish. Promise: a task is handed out once, as soon as it is among the first
/// `lookahead` unfinished tasks of its order.
class TaskOrders {
public:
    explicit TaskOrders(const TaskGraph& graph);

    /// Calls `enter(task)` for each task that may begin from the outset as far as its order is concerned.
    template <typename Enter>
    void begin(const Enter& enter) {
        for (std::size_t order = 0; order < m_lists.size(); ++order) {
            while (m_next[order] < m_lists[order].size() &&
                   static_cast<std::int64_t>(m_next[order]) < m_graph.lookaheads[order])
                enter(m_lists[order][m_next[order]++]);
        }
        for (TaskIndex task = 0; task < m_graph.tasks.size(); ++task) {
            if (m_graph.tasks[task].order == Task::kNone)
                enter(task);
        }
    }

    /// Returns the task that comes into the look-ahead when `task` has finished, or kNoTask.
    TaskIndex finished(TaskIndex task) {
        const std::int32_t of = m_graph.tasks[task].order;
        if (of == Task::kNone)
            return kNoTask;
        const auto order = static_cast<std::size_t>(of);
        return m_next[order] < m_lists[order].size() ? m_lists[order][m_next[order]++] : kNoTask;
    }

private:
    const TaskGraph& m_graph;
    std::vector<std::vector<TaskIndex>> m_lists;
    std::vector<std::size_t> m_next;
};

}  // namespace engine
