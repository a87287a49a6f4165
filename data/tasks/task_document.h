#pragma once

#include "data/document/document_tree.h"
#include "engine/api/pipeline.h"
#include "engine/api/problem.h"
#include "engine/api/timetable.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace data {

/// A loop whose iterations are dealt to cores.
struct TaskLoop {
    engine::LoopShape shape;
    double coverage = 1;  ///< share of its time that the program spends in the loop
};

/// A pipeline with equal stages.
struct TaskPipeline {
    engine::PipelineShape shape;
    engine::PipelineTimes times;
};

/// Tasks that the document lists, in program order.
struct TaskList {
    std::vector<std::string> ids;  ///< by task
    std::int64_t lookahead = 1;
};

/// Tasks on pools of places, with times in a unit of the document's own.
struct TaskDocument {
    std::string title, unit;
    std::variant<TaskLoop, TaskPipeline, TaskList> work;
    engine::TaskGraph graph;  ///< has a timetable
};

inline constexpr std::string_view kTaskFormat = "ringside-tasks";
inline constexpr std::int64_t kMostMembers = 1'000'000;  ///< of each size of a loop or a pipeline, and of all places

struct TaskReading {
    TaskDocument document;
    engine::Problems problems;  ///< all problems, each by path ("tasks[3].after[0]"), value and what is allowed
};

/// The task document has exactly one of the keys `loop`, `pipeline` and `tasks`:
///
///   { "format": "ringside-tasks", "version": 1, "title": "…", "unit": "cycles", "pools": { "cores": 16 },
///     "loop": { "on": "cores", "iterations": 10000, "pieces": [ { "parallel": 100 }, { "sequential": 5 } ],
///               "latency": 75, "coverage": 1 } }
///
///     "pipeline": { "stages": 4, "micro_batches": 8, "forward": 10, "backward": 20, "weights": 10, "send": 0,
///                   "schedule": "1f1b", "interleave": 1 }
///
///     "tasks": [ { "id": "a", "on": "cores", "time": 7 },
///                { "id": "b", "on": "cores[3]", "time": 7, "after": ["a", { "task": "c", "latency": 2 }] } ],
///     "lookahead": 1
///
/// Times and latencies are whole numbers of `unit`. `pools` names pools of equal places; a pipeline has none, because
/// its stages are pools of one place. `on` may be missing if there is one pool; "cores[3]" is the fourth place of it.
/// See engine::LoopShape for a loop; `latency` is 0 and `coverage` 1 if they are missing. The times of a pipeline are
/// those of one stage; `weights` is the part of `backward` that zb-h1 moves, `send` the latency between stages, and
/// `schedule` a word of division.schedule. Of the keys of a pipeline `stages`, `forward` and `backward` are needed.
/// `lookahead` is a number or "unlimited"; all tasks are one order.
///
/// `settings` are texts KEY=VALUE that replace values of the document: see applySetting. A document is refused before
/// memory in proportion to its numbers is allocated if it has more than `mostTasks` tasks.
TaskReading readTasks(std::string_view json, std::string_view origin, const std::vector<std::string>& settings = {},
                      std::int64_t mostTasks = engine::kMostTasks);
/// Reads the tasks that are part of another document, in which `format`, `version` and `title` may be missing; paths
/// begin at `root`.
TaskReading readTasks(const DocumentNode& root, std::int64_t mostTasks = engine::kMostTasks);
/// Reads a file; "-" is standard input.
TaskReading readTaskFile(const std::string& path, const std::vector<std::string>& settings = {});

}  // namespace data
