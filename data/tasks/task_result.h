#pragma once

#include "data/results/result_json.h"
#include "data/tasks/task_document.h"
#include "engine/api/pipeline.h"
#include "engine/api/timetable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// What the timetable of a task document shows.
struct TaskResult {
    engine::Timetable timetable;
    engine::TaskBounds bounds;
    std::optional<double> speedup;                     ///< work / makespan; not of a pipeline
    std::optional<engine::LoopFormulas> loop;          ///< of a loop
    std::optional<engine::PipelineFindings> pipeline;  ///< of a pipeline
    std::vector<std::int64_t> staleness;               ///< by module of a delayed pipeline, otherwise empty
};

TaskResult resultOf(const TaskDocument& document);

/// Returns the numbers of a result as `timetable --output json` prints them. A number without a meaning for this kind of
/// document is left out.
ResultJson taskResultJson(const TaskDocument& document, const TaskResult& result);

/// Returns the number of a result at a key, "makespan", "in_flight[0]" or "pools[1].busy"; an empty optional if it has
/// none there.
std::optional<double> numberAt(const ResultJson& result, std::string_view key);

/// Returns an empty optional if results of the document may have a number at this key, otherwise the keys that they may
/// have, in words. Makes no timetable.
std::optional<std::string> otherTaskKeys(const TaskDocument& document, std::string_view key);

/// Names the tasks of a document: by the id of a listed task; by the pass and its micro-batch, "F 3", "B 3" and "W 3" for
/// the forward, backward and weight pass, "F 3.2" in the second chunk of a stage or in the second module of stage 0; by
/// the iteration and the piece, "iteration 12, piece 2". Iterations count from 0, all others from 1.
class TaskNames {
public:
    explicit TaskNames(const TaskDocument& document);
    std::string operator()(engine::TaskIndex task) const;

private:
    const TaskDocument& m_document;
    std::vector<engine::PipelinePass> m_passes;  // of a pipeline
};

}  // namespace data
