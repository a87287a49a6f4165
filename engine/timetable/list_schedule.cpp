#include "engine/timetable/task_graph.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace engine {
namespace {

__extension__ typedef __int128 Wide;

template <typename Value>
using LeastFirst = std::priority_queue<Value, std::vector<Value>, std::greater<>>;

/// The places of one pool, and the ready tasks that wait for them.
class Places {
public:
    explicit Places(const TaskPool& pool) : m_fixed(0), m_last(static_cast<std::size_t>(pool.places), kNoTask) {
        for (std::uint32_t place = 0; place < static_cast<std::uint32_t>(pool.places); ++place)
            m_free.push(place);
        m_isFree.assign(m_last.size(), true);
    }

    void add(TaskIndex task, std::int32_t place) {
        if (place == Task::kAnyPlace) {
            m_shared.push(task);
            return;
        }
        const auto own = static_cast<std::size_t>(place);
        if (m_fixed.empty())
            m_fixed.resize(m_last.size());
        m_fixed[own].push(task);
        if (m_isFree[own])
            m_asked.push(static_cast<std::uint32_t>(place));
    }

    void free(std::uint32_t place) {
        m_isFree[place] = true;
        m_free.push(place);
        if (!m_fixed.empty() && !m_fixed[place].empty())
            m_asked.push(place);
    }

    /// Calls `start(task, place, before)` for each task that a free place takes: the lowest place first, and each takes
    /// the task with the lowest index. `before` was the place's last task.
    template <typename Start>
    void assign(const Start& start) {
        for (; !m_asked.empty(); m_asked.pop()) {
            const std::uint32_t place = m_asked.top();
            if (!m_isFree[place] || m_fixed[place].empty())
                continue;
            auto& own = m_fixed[place];
            auto& from = !m_shared.empty() && m_shared.top() < own.top() ? m_shared : own;
            take(from, place, start);
        }
        while (!m_shared.empty() && !m_free.empty()) {
            const std::uint32_t place = m_free.top();
            m_free.pop();
            if (m_isFree[place])  // a task of its own may have taken it
                take(m_shared, place, start);
        }
    }

private:
    template <typename Start>
    void take(LeastFirst<TaskIndex>& from, std::uint32_t place, const Start& start) {
        const TaskIndex task = from.top();
        from.pop();
        m_isFree[place] = false;
        start(task, place, std::exchange(m_last[place], task));
    }

    LeastFirst<TaskIndex> m_shared;              // ready tasks that any place may take
    std::vector<LeastFirst<TaskIndex>> m_fixed;  // by place: ready tasks of its own; empty if the pool has none
    LeastFirst<std::uint32_t> m_free;            // has every free place, and some that are taken again
    LeastFirst<std::uint32_t> m_asked;           // has every free place with ready tasks of its own
    std::vector<bool> m_isFree;
    std::vector<TaskIndex> m_last;  // by place
};

/// The tasks of one GPU that run at once, with the work that is left of each.
class SharedGpu {
public:
    /// Brings the work that is left to this time.
    void advance(std::int64_t now) {
        for (Running& each : m_running) {
            const Wide done = static_cast<Wide>(now - m_since) * each.rate;
            each.left = each.left > done ? each.left - done : 0;
        }
        m_since = now;
    }

    void add(TaskIndex task, std::int64_t time, std::int64_t now) {
        advance(now);
        const auto at = std::ranges::lower_bound(m_running, task, {}, &Running::task);
        m_running.insert(at, {task, static_cast<Wide>(time) * kFullRate, kFullRate});
    }

    void remove(TaskIndex task, std::int64_t now) {
        advance(now);
        m_running.erase(std::ranges::lower_bound(m_running, task, {}, &Running::task));
    }

    /// Asks for new rates and calls `end(task, time)` with the new end of each task. Precondition: advanced to now.
    template <typename End>
    void update(const TaskRates& rates, const End& end) {
        if (m_running.empty())
            return;
        m_tasks.clear();
        for (const Running& each : m_running)
            m_tasks.push_back(each.task);
        m_rates.assign(m_tasks.size(), kFullRate);
        rates(m_tasks, m_rates);
        for (std::size_t i = 0; i < m_running.size(); ++i) {
            Running& each = m_running[i];
            each.rate = std::clamp<std::int64_t>(m_rates[i], 1, kFullRate);
            end(each.task, m_since + static_cast<std::int64_t>((each.left + each.rate - 1) / each.rate));
        }
    }

private:
    struct Running {
        TaskIndex task = 0;
        Wide left = 0;  // in units x kFullRate
        std::int64_t rate = kFullRate;
    };
    std::vector<Running> m_running;  // by task
    std::vector<TaskIndex> m_tasks;
    std::vector<std::int64_t> m_rates;
    std::int64_t m_since = 0;
};

class ListSchedule {
public:
    ListSchedule(const TaskGraph& graph, const TaskRates& rates)
        : m_graph(graph), m_rates(rates), m_edges(graph), m_orders(graph), m_missing(m_edges.inputs()),
          m_arrival(graph.tasks.size(), 0), m_inputWait(graph.tasks.size(), kNoTask),
          m_orderWait(graph.tasks.size(), kNoTask), m_entered(graph.tasks.size(), false),
          m_finished(graph.tasks.size(), false) {
        for (const TaskPool& pool : graph.pools)
            m_pools.emplace_back(pool);
        m_dirtyPool.assign(graph.pools.size(), false);
        if (rates) {
            std::int32_t gpus = 0;
            for (const Task& task : graph.tasks)
                gpus = std::max(gpus, task.gpu + 1);
            m_gpus.resize(static_cast<std::size_t>(gpus));
            m_dirtyGpu.assign(m_gpus.size(), false);
        }
        m_timetable.spans.resize(graph.tasks.size());
    }

    Timetable run() {
        m_orders.begin([&](TaskIndex task) { enter(task, kNoTask); });
        assign();
        while (!m_events.empty()) {
            m_now = m_events.top().at;
            while (!m_events.empty() && m_events.top().at == m_now) {
                const Event event = m_events.top();
                m_events.pop();
                if (event.isArrival)
                    makeReady(event.task);
                else if (m_timetable.spans[event.task].end == m_now && !m_finished[event.task])
                    finish(event.task);  // otherwise its end has moved since
            }
            assign();
        }
        return std::move(m_timetable);
    }

private:
    struct Event {
        std::int64_t at = 0;
        bool isArrival = false;  // of the last input of a task; otherwise the end of a task
        TaskIndex task = 0;
        bool operator>(const Event& other) const {
            return std::tie(at, isArrival, task) > std::tie(other.at, other.isArrival, other.task);
        }
    };

    /// The task has come into the look-ahead when `opener` ended.
    void enter(TaskIndex task, TaskIndex opener) {
        m_entered[task] = true;
        m_orderWait[task] = opener;
        if (m_missing[task] == 0)
            await(task);
    }

    /// Nothing but the latency of an input holds the task back.
    void await(TaskIndex task) {
        if (m_arrival[task] > m_now)
            m_events.push({m_arrival[task], true, task});
        else
            makeReady(task);
    }

    void makeReady(TaskIndex task) {
        const Task& of = m_graph.tasks[task];
        m_pools[of.pool].add(task, of.place);
        touch(of.pool);
    }

    void touch(std::uint32_t pool) {
        if (!m_dirtyPool[pool])
            m_dirtyPools.push_back(pool);
        m_dirtyPool[pool] = true;
    }

    void finish(TaskIndex task) {
        m_finished[task] = true;
        m_timetable.makespan = m_now;
        const Task& of = m_graph.tasks[task];
        m_pools[of.pool].free(m_timetable.spans[task].place);
        touch(of.pool);
        if (isShared(of)) {
            m_gpus[static_cast<std::size_t>(of.gpu)].remove(task, m_now);
            touchGpu(of.gpu);
        }
        m_edges.eachFrom(task, [&](TaskIndex to, std::int64_t latency) {
            if (m_inputWait[to] == kNoTask || m_now + latency > m_arrival[to]) {
                m_arrival[to] = m_now + latency;
                m_inputWait[to] = task;
            }
            if (--m_missing[to] == 0 && m_entered[to])
                await(to);
        });
        if (const TaskIndex next = m_orders.finished(task); next != kNoTask)
            enter(next, task);
    }

    void assign() {
        for (std::size_t i = 0; i < m_dirtyPools.size(); ++i) {
            const std::uint32_t pool = m_dirtyPools[i];
            m_dirtyPool[pool] = false;
            m_pools[pool].assign(
                [&](TaskIndex task, std::uint32_t place, TaskIndex before) { start(task, place, before); });
        }
        m_dirtyPools.clear();
        for (const std::int32_t gpu : m_dirtyGpus) {
            m_dirtyGpu[static_cast<std::size_t>(gpu)] = false;
            m_gpus[static_cast<std::size_t>(gpu)].update(m_rates, [&](TaskIndex task, std::int64_t end) {
                if (m_timetable.spans[task].end != end)
                    expectEnd(task, end);
            });
        }
        m_dirtyGpus.clear();
    }

    void start(TaskIndex task, std::uint32_t place, TaskIndex before) {
        const Task& of = m_graph.tasks[task];
        m_timetable.spans[task] = {m_now, kNotYet, place, waitOf(task, before)};
        if (isShared(of)) {
            m_gpus[static_cast<std::size_t>(of.gpu)].add(task, of.time, m_now);
            touchGpu(of.gpu);
        } else {
            expectEnd(task, m_now + of.time);
        }
    }

    void expectEnd(TaskIndex task, std::int64_t end) {
        m_timetable.spans[task].end = end;
        m_events.push({end, false, task});
    }

    /// Returns what a task that begins now waited for last. It begins as soon as all three are there.
    TaskWait waitOf(TaskIndex task, TaskIndex before) const {
        if (m_inputWait[task] != kNoTask && m_arrival[task] == m_now)
            return {TaskWait::Kind::input, m_inputWait[task]};
        if (before != kNoTask && m_timetable.spans[before].end == m_now)
            return {TaskWait::Kind::place, before};
        if (m_orderWait[task] != kNoTask)
            return {TaskWait::Kind::order, m_orderWait[task]};
        return {};
    }

    bool isShared(const Task& task) const { return !m_gpus.empty() && task.gpu != Task::kNone; }

    void touchGpu(std::int32_t gpu) {
        if (!m_dirtyGpu[static_cast<std::size_t>(gpu)])
            m_dirtyGpus.push_back(gpu);
        m_dirtyGpu[static_cast<std::size_t>(gpu)] = true;
    }

    static constexpr std::int64_t kNotYet = -1;

    const TaskGraph& m_graph;
    const TaskRates& m_rates;
    TaskEdges m_edges;
    TaskOrders m_orders;
    std::vector<std::uint32_t> m_missing;  // by task: inputs that have not ended
    std::vector<std::int64_t> m_arrival;   // by task: of its last input so far
    std::vector<TaskIndex> m_inputWait;    // by task: the input that arrives last so far
    std::vector<TaskIndex> m_orderWait;    // by task: the task through whose end it came into the look-ahead
    std::vector<bool> m_entered, m_finished;
    std::vector<Places> m_pools;
    std::vector<SharedGpu> m_gpus;  // empty without rates
    std::vector<bool> m_dirtyPool, m_dirtyGpu;
    std::vector<std::uint32_t> m_dirtyPools;
    std::vector<std::int32_t> m_dirtyGpus;
    LeastFirst<Event> m_events;
    std::int64_t m_now = 0;
    Timetable m_timetable;
};

}  // namespace

Timetable timetableOf(const TaskGraph& graph, const TaskRates& rates) { return ListSchedule(graph, rates).run(); }

std::vector<TaskIndex> criticalChain(const Timetable& timetable) {
    const auto last = std::ranges::max_element(timetable.spans, {}, &TaskSpan::end);
    if (last == timetable.spans.end())
        return {};
    std::vector<TaskIndex> chain{static_cast<TaskIndex>(last - timetable.spans.begin())};
    while (timetable.spans[chain.back()].wait.kind != TaskWait::Kind::nothing)
        chain.push_back(timetable.spans[chain.back()].wait.task);
    std::ranges::reverse(chain);
    return chain;
}

}  // namespace engine
