#include "data/lessons/lesson_trace.h"

#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/document/whole_file.h"
#include "data/lessons/lesson.h"
#include "data/measured/measured_report_json.h"
#include "data/measured/trace_reading.h"
#include "engine/api/runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace data {
namespace {

/// Returns the end of a path: "ranks.0.span_ps" gives "span_ps".
std::string_view lastKeyOf(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

/// Collects the numbers of a document by their paths.
void addNumbers(const nlohmann::ordered_json& node, const std::string& path,
                std::map<std::string, double, std::less<>>& numbers) {
    if (node.is_number())
        numbers.emplace(path, node.get<double>());
    const std::string before = path.empty() ? path : path + ".";
    if (node.is_array()) {
        for (std::size_t i = 0; i < node.size(); ++i)
            addNumbers(node[i], before + std::to_string(i), numbers);
    } else if (node.is_object()) {
        for (const auto& [key, child] : node.items())
            addNumbers(child, before + key, numbers);
    }
}

}  // namespace

LessonTraceReport lessonTraceReport(const LessonTraces& traces, const std::stop_token& stop) {
    LessonTraceReport report;
    MeasuredOptions options;
    options.stop = stop;
    try {
        const MeasuredTraces read = readMeasuredFiles(traces.files, options);
        if (stop.stop_requested())
            throw engine::RunStopped();
        engine::Problems problems = read.problems;
        if (problems.empty() && read.traces.empty())
            problems.push_back({"traces", "", "the step has no traces"});
        if (problems.empty()) {
            const RankMatch match = matchRanks(read.traces, {});
            const MeasuredReport measured = measuredReportOf(read.traces, {}, match);
            nlohmann::ordered_json json = measuredReportJson(measured);
            if (!traces.pair.empty()) {
                const MeasuredChoice choice = choiceNamed(read.traces, measured, traces.pair, problems);
                json["pair"] = tracePairJson(tracePairOf(read.traces, match, measured, choice), {});
            }
            addNumbers(json, {}, report.numbers);
        }
        if (!problems.empty())
            report.failure = engine::describe(problems.front());
    } catch (const FileError& error) { report.failure = error.what(); }
    return report;
}

std::optional<double> lessonTraceNumber(const LessonTraceReport& report, std::string_view path, std::string& failure) {
    failure = report.failure;
    if (!failure.empty())
        return std::nullopt;
    if (const auto found = report.numbers.find(path); found != report.numbers.end())
        return found->second;
    std::vector<std::string> paths;
    for (const auto& [known, number] : report.numbers)
        paths.push_back(known);
    const std::vector<std::string> near = engine::nearestNames(path, paths);
    failure = "the traces have no number " + std::string(path) + (near.empty() ? "" : ", " + suggestionOf(near));
    return std::nullopt;
}

engine::ParameterUnit lessonTraceUnit(std::string_view path) {
    const std::string_view key = lastKeyOf(path);
    if (key.ends_with("_ps"))
        return engine::ParameterUnit::picoseconds;
    if (key == "bytes")
        return engine::ParameterUnit::bytes;
    if (key == "algbw" || key == "busbw")
        return engine::ParameterUnit::bytesPerSecond;
    return engine::ParameterUnit::none;
}

}  // namespace data
