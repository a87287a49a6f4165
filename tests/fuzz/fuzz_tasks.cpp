// Gives any bytes to the reader of task documents. It must return a list of problems, or a document with a timetable
// within its bounds. An input may end with lines KEY=VALUE after a line "---", which are set in the document.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/tasks/task_result.h"
#include "tests/fuzz/checks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz::tasks {

constexpr std::size_t kFewTasks = 5'000;  // documents with at most this many tasks are scheduled
constexpr std::int64_t kMostFuzzed = 100'000;

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void checkTimetable(const data::TaskDocument& document) {
    const data::TaskResult result = data::resultOf(document);
    const auto makespan = static_cast<double>(result.timetable.makespan);
    constexpr double kSlack = 1e-9;
    require(makespan >= result.bounds.lower * (1 - kSlack), "no timetable beats the lower bound", document.title);
    require(!result.bounds.upper || makespan <= *result.bounds.upper * (1 + kSlack) + kSlack,
            "none is above the upper bound", document.title);
    const data::ResultJson json = data::taskResultJson(document, result);
    require(data::numberAt(json, "makespan") == makespan, "a number is found by its key", document.title);
    const data::TaskNames nameOf(document);
    for (const engine::TaskIndex task : engine::criticalChain(result.timetable))
        require(!nameOf(task).empty(), "a task has a name", document.title);
}

RINGSIDE_FUZZ_TARGET(fuzz_tasks)(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    constexpr std::string_view kEndOfDocument = "\n---\n";
    const std::size_t end = std::min(input.find(kEndOfDocument), input.size());
    const std::string_view settings = input.substr(std::min(end + kEndOfDocument.size(), input.size()));
    const data::TaskReading reading = data::readTasks(input.substr(0, end), "input", linesOf(settings), kMostFuzzed);
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;
    const std::size_t tasks = reading.document.graph.tasks.size();
    require(tasks >= 1 && tasks <= static_cast<std::size_t>(kMostFuzzed), "there are tasks, and not too many", "");
    require(!engine::faultOf(reading.document.graph), "an accepted document has a timetable", reading.document.title);
    if (tasks <= kFewTasks)
        checkTimetable(reading.document);
    return 0;
}

}  // namespace fuzz::tasks
