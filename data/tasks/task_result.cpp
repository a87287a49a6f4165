#include "data/tasks/task_result.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

namespace data {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// Returns a whole number without a decimal point.
ResultJson plainNumber(double value) {
    constexpr double kAllWholeBelow = 9007199254740992.0;  // 2^53
    const bool isWhole = std::abs(value) < kAllWholeBelow && value == std::floor(value);
    return isWhole ? ResultJson(static_cast<std::int64_t>(value)) : ResultJson(value);
}

/// A key of results, or a list of them: "in_flight[0]" and so on.
struct TaskKey {
    std::string_view name;
    std::optional<std::size_t> count{};  ///< of a list: its numbers
    std::string_view suffix{};           ///< of a list: the key of the number in each entry
};

std::vector<TaskKey> keysOf(const TaskDocument& document) {
    std::vector<TaskKey> keys{{"makespan"}, {"work"}, {"span"}, {"lower_bound"}, {"upper_bound"}};
    if (const auto* pipeline = std::get_if<TaskPipeline>(&document.work)) {
        const auto stages = static_cast<std::size_t>(pipeline->shape.stages);
        keys.insert(keys.end(), {{"mini_batch"}, {"bubble_share"}, {"bubble_over_ideal"}, {"in_flight", stages}});
        if (engine::isDelayed(pipeline->shape.schedule))
            keys.insert(keys.end(), {{"staleness", stages + 1}, {"stable_step", stages + 1}});
    } else {
        keys.push_back({"speedup"});
    }
    if (std::holds_alternative<TaskLoop>(document.work))
        keys.insert(keys.end(), {{"initiation_interval"}, {"speedup_long"}, {"program_speedup"}});
    keys.push_back({"pools", document.graph.pools.size(), ".busy"});
    return keys;
}

/// The parts of a key: "pools[1].busy" has the name "pools", the index 1 and the suffix ".busy".
struct KeyParts {
    std::string_view name;
    std::optional<std::size_t> index{};
    std::string_view suffix{};
};

std::optional<KeyParts> partsOf(std::string_view key) {
    const std::size_t bracket = key.find('[');
    if (bracket == std::string_view::npos)
        return KeyParts{key};
    std::size_t index = 0;
    const char* end = key.data() + key.size();
    const auto read = std::from_chars(key.data() + bracket + 1, end, index);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != ']')
        return std::nullopt;
    return KeyParts{key.substr(0, bracket), index, key.substr(static_cast<std::size_t>(read.ptr + 1 - key.data()))};
}

/// Returns the member of an object, or null if there is none.
const ResultJson* memberOf(const ResultJson* object, std::string_view key) {
    if (!object->is_object())
        return nullptr;
    const auto found = object->find(std::string(key));
    return found == object->end() ? nullptr : &*found;
}

}  // namespace

TaskResult resultOf(const TaskDocument& document) {
    TaskResult result;
    result.timetable = engine::timetableOf(document.graph);
    result.bounds = engine::boundsOf(document.graph);
    const auto* pipeline = std::get_if<TaskPipeline>(&document.work);
    if (pipeline != nullptr) {
        result.pipeline =
            engine::findingsOf(pipeline->shape, document.graph, engine::planOf(pipeline->shape), result.timetable);
        result.staleness = engine::stalenessOf(pipeline->shape);
    } else if (result.timetable.makespan > 0) {
        result.speedup = real(result.bounds.work) / real(result.timetable.makespan);
    }
    if (const auto* loop = std::get_if<TaskLoop>(&document.work))
        result.loop = engine::formulasOf(loop->shape);
    return result;
}

ResultJson taskResultJson(const TaskDocument& document, const TaskResult& result) {
    ResultJson json{{"unit", document.unit},
                    {"makespan", result.timetable.makespan},
                    {"work", result.bounds.work},
                    {"span", result.bounds.span},
                    {"lower_bound", plainNumber(result.bounds.lower)}};
    if (result.bounds.upper)
        json["upper_bound"] = plainNumber(*result.bounds.upper);
    if (result.speedup)
        json["speedup"] = plainNumber(*result.speedup);
    if (result.loop) {
        const double coverage = std::get<TaskLoop>(document.work).coverage;
        json["initiation_interval"] = plainNumber(result.loop->interval);
        json["speedup_long"] = plainNumber(result.loop->speedup);
        json["program_speedup"] = plainNumber(result.loop->programSpeedup(coverage));
    }
    if (result.pipeline) {
        json["mini_batch"] = result.pipeline->total;
        json["bubble_share"] = plainNumber(result.pipeline->bubbleShare);
        json["bubble_over_ideal"] = plainNumber(result.pipeline->bubbleOverIdeal);
        json["in_flight"] = jsonList(result.pipeline->inFlight, plainNumber);
    }
    if (!result.staleness.empty()) {
        json["staleness"] = result.staleness;
        json["stable_step"] = jsonList(result.staleness, [](auto tau) { return plainNumber(engine::stableStep(tau)); });
    }
    ResultJson pools = ResultJson::array();
    for (std::size_t pool = 0; pool < document.graph.pools.size(); ++pool)
        pools.push_back({{"name", document.graph.pools[pool].name}, {"busy", result.bounds.busy[pool]}});
    json["pools"] = std::move(pools);
    return json;
}

std::optional<double> numberAt(const ResultJson& result, std::string_view key) {
    const auto parts = partsOf(key);
    const ResultJson* value = parts ? memberOf(&result, parts->name) : nullptr;
    if (value != nullptr && parts->index)
        value = value->is_array() && *parts->index < value->size() ? &(*value)[*parts->index] : nullptr;
    if (value != nullptr && !parts->suffix.empty())
        value = memberOf(value, parts->suffix.substr(1));
    return value != nullptr && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

std::optional<std::string> otherTaskKeys(const TaskDocument& document, std::string_view key) {
    const auto parts = partsOf(key);
    std::vector<std::string> names;
    for (const TaskKey& known : keysOf(document)) {
        if (parts && parts->name == known.name && parts->index.has_value() == known.count.has_value() &&
            parts->index.value_or(0) < known.count.value_or(1) && parts->suffix == known.suffix)
            return std::nullopt;
        std::string text(known.name);
        if (known.count)
            text += "[0]" + std::string(known.suffix) + " to " + std::string(known.name) + "[" +
                    std::to_string(*known.count - 1) + "]" + std::string(known.suffix);
        names.push_back(std::move(text));
    }
    return joined(names, ", ");
}

TaskNames::TaskNames(const TaskDocument& document) : m_document(document) {
    if (const auto* pipeline = std::get_if<TaskPipeline>(&document.work))
        m_passes = engine::planOf(pipeline->shape).passes;
}

std::string TaskNames::operator()(engine::TaskIndex task) const {
    if (const auto* list = std::get_if<TaskList>(&m_document.work))
        return list->ids[task];
    if (const auto* loop = std::get_if<TaskLoop>(&m_document.work)) {
        const std::size_t pieces = loop->shape.pieces.size();
        return "iteration " + std::to_string(task / pieces) + ", piece " + std::to_string(task % pieces + 1);
    }
    return engine::nameOf(m_passes[task].step);
}

}  // namespace data
