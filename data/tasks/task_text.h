#pragma once

#include "data/tasks/task_result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace data {

/// Returns an amount of a document's unit: "10,000 cycles".
std::string unitsText(const TaskDocument& document, std::int64_t amount);

/// Returns what the timetable of a document shows, one text for each line: how long it is and against what, then what
/// decides that. "8 micro-batches through 4 stages, 1f1b: 330 us; bubble 27.3 %, 37.5 % over the ideal time".
std::vector<std::string> taskSentences(const TaskDocument& document, const TaskResult& result);

}  // namespace data
