#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Scheduling of tasks on pools of equal places, as on cores, copy engines or the stages of a pipeline. Nothing here
// knows of Transformers or machines. Times are whole numbers of one unit, which the caller chooses: picoseconds for
// steps of a model, any unit in a task document.

namespace engine {

/// The index of a task in its graph.
using TaskIndex = std::uint32_t;
inline constexpr TaskIndex kNoTask = std::numeric_limits<TaskIndex>::max();

/// Largest number of tasks of a graph, and largest sum of all times and latencies.
inline constexpr std::int64_t kMostTasks = 1'000'000;
inline constexpr std::int64_t kMostTaskTime = std::int64_t{1} << 62;

/// Equal places, each of which works on one task at a time.
struct TaskPool {
    std::string name;
    std::int64_t places = 1;
    bool operator==(const TaskPool&) const = default;
};

struct Task {
    static constexpr std::int32_t kAnyPlace = -1, kNone = -1;

    std::int64_t time = 0;
    std::uint32_t pool = 0;          ///< position in TaskGraph::pools
    std::int32_t place = kAnyPlace;  ///< the only place of the pool that may take it
    std::int32_t order = kNone;      ///< position in TaskGraph::lookaheads; kNone: held back by its inputs alone
    std::int32_t gpu = kNone;        ///< tasks with the same number that run at once share the rates of one GPU
    bool operator==(const Task&) const = default;
};

/// Task `to` begins no earlier than `latency` after the end of task `from`.
struct TaskEdge {
    TaskIndex from = 0, to = 0;
    std::int64_t latency = 0;
    bool operator==(const TaskEdge&) const = default;
};

/// The look-ahead of an order that holds nothing back.
inline constexpr std::int64_t kUnlimitedLookahead = std::numeric_limits<std::int64_t>::max();

/// Tasks in program order. An order is the list of the tasks that name it, in program order. Of each order only the
/// first `lookahead` unfinished tasks may begin.
struct TaskGraph {
    std::vector<TaskPool> pools;
    std::vector<Task> tasks;
    std::vector<TaskEdge> edges;
    std::vector<std::int64_t> lookaheads;  ///< one for each order, at least 1
};

/// A reason why a graph has no timetable.
struct TaskFault {
    enum class Kind {
        cycle,  ///< each of `tasks` waits for the next one; the last is the first again
        stuck   ///< the first of `tasks` never begins, because the look-ahead of its order never reaches the second
    };
    Kind kind{};
    std::vector<TaskIndex> tasks;
};

/// Returns why the graph has no timetable, or an empty optional. Precondition: every index is valid, there are at most
/// kMostTasks tasks, and the sum of all times and latencies is at most kMostTaskTime.
std::optional<TaskFault> faultOf(const TaskGraph& graph);

/// What a task waited for last.
struct TaskWait {
    enum class Kind : std::uint8_t {
        nothing,
        input,  ///< the end of `task`, and the latency of the edge
        place,  ///< the end of `task`, which was before it on its place
        order   ///< the end of `task`, through which it came into the look-ahead
    };
    Kind kind = Kind::nothing;
    TaskIndex task = kNoTask;
    bool operator==(const TaskWait&) const = default;
};

/// Begin and end of a task.
struct TaskSpan {
    std::int64_t begin = 0, end = 0;
    std::uint32_t place = 0;  ///< in its pool
    TaskWait wait;
    bool operator==(const TaskSpan&) const = default;
};

struct Timetable {
    std::vector<TaskSpan> spans;  ///< by task
    std::int64_t makespan = 0;    ///< the last end
};

inline constexpr std::int64_t kFullRate = 1'000'000;

/// Writes the rate of each of the tasks that one GPU runs at once, in millionths of its full rate. A rate outside 1 to
/// kFullRate counts as the nearer end. `running` has the tasks in the order of their indices.
using TaskRates = std::function<void(std::span<const TaskIndex> running, std::span<std::int64_t> millionths)>;

/// Returns the timetable of a graph. A task may begin when its inputs are there and the look-ahead of its order reaches
/// it; then a free place takes the task with the lowest index. There are no priorities: T3's tracker, whose counter
/// reaches a threshold and triggers a command, follows the same rule. A larger look-ahead can give a longer timetable
/// (Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM Journal on Applied Mathematics 17(2), 1969). With
/// `rates`, tasks of one GPU slow each other down; only an end is rounded up to a whole unit. Precondition: faultOf is
/// empty.
Timetable timetableOf(const TaskGraph& graph, const TaskRates& rates = {});

/// Returns the tasks that decide the makespan, from the first to the last: each waited last for the one before it.
std::vector<TaskIndex> criticalChain(const Timetable& timetable);

/// What limits the timetable of a graph at full rates.
struct TaskBounds {
    std::int64_t work = 0;           ///< sum of all times
    std::int64_t span = 0;           ///< longest path of times and latencies
    std::vector<std::int64_t> busy;  ///< by pool: the sum of the times of its tasks
    double lower = 0;                ///< max(busy of a pool / its places, span)
    /// work/R + span (1 - 1/R), for one pool of R places whose tasks are bound to no place, without latencies and look-ahead
    /// (Graham, 1969); otherwise empty.
    std::optional<double> upper;
};
TaskBounds boundsOf(const TaskGraph& graph);

/// A loop whose iterations are dealt to cores: iteration i runs on core i mod `cores`, and a core works on one iteration
/// after the other. A sequential piece of an iteration waits for the same piece of the iteration before it, and
/// `latency` longer if that ran on another core. HELIX-RC (Campanoni et al., CACM, 2017) passes such values
/// through a ring cache.
struct LoopShape {
    struct Piece {
        bool sequential = false;
        std::int64_t time = 0;
    };
    std::string pool = "cores";
    std::int64_t cores = 1;
    std::int64_t iterations = 1;
    std::vector<Piece> pieces;
    std::int64_t latency = 0;
};

/// Returns one task for each piece of each iteration, iteration after iteration.
TaskGraph loopTasks(const LoopShape& loop);

/// Formulas of a long loop, which hold when the first iterations no longer count (derived).
struct LoopFormulas {
    std::int64_t work = 0;  ///< of one iteration
    double interval = 0;    ///< time between iterations: max(work/cores, max of (s + latency) over sequential pieces)
    std::optional<std::size_t> bound;  ///< the sequential piece that decides the interval; empty: the cores do
    double speedup = 1;                ///< work/interval
    /// Returns the speed-up of a program that spends the share `coverage` of its time in the loop: 1/((1-c) + c/G).
    double programSpeedup(double coverage) const { return 1 / ((1 - coverage) + coverage / speedup); }
};
LoopFormulas formulasOf(const LoopShape& loop);

}  // namespace engine
