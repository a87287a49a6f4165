#include "data/tasks/task_document.h"

#include "data/document/names.h"
#include "data/document/parameter_words.h"
#include "data/document/tree_reader.h"
#include "data/document/tree_setting.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace data {
namespace {

using engine::kMostTaskTime;
using engine::TaskIndex;

constexpr std::string_view kSchedulePath = "division.schedule";
constexpr std::size_t kLongestTaskName = 100;  // in bytes
constexpr std::size_t kMostListed = 12;        // names in a message

/// Adds times up to a limit, which the sum never exceeds.
class TimeSum {
public:
    /// Adds `time` so many times. Precondition: both are at least 0.
    void add(std::int64_t time, std::int64_t times = 1) {
        m_fits = m_fits && (times == 0 || time <= (kMostTaskTime - m_sum) / times);
        if (m_fits)
            m_sum += time * times;
    }
    bool fits() const { return m_fits; }

private:
    std::int64_t m_sum = 0;
    bool m_fits = true;
};

/// The numbers that a key may have.
struct WholeRange {
    std::int64_t least = 0, most = 0;

    std::string text() const {
        return "a whole number, " + std::to_string(least) + " to " +
               (most == kMostTaskTime ? "2^62" : std::to_string(most));
    }
};

constexpr WholeRange kTimes{0, kMostTaskTime}, kMembers{1, kMostMembers};

/// Reads one document of tasks. Every problem is added to the reading.
class TaskReader : private TreeReader {
public:
    /// `isWhole`: the document is not a part of another, so that it needs a title.
    TaskReader(TaskReading& reading, std::int64_t mostTasks, bool isWhole)
        : TreeReader(reading.problems), m_document(reading.document), m_graph(reading.document.graph),
          m_mostTasks(mostTasks), m_isWhole(isWhole) {}

    void read(const DocumentNode& root) {
        checkKeys(root, "", {"format", "version", "title", "unit", "pools", "loop", "pipeline", "tasks", "lookahead"},
                  problems());
        checkVersion(root, 1, problems());
        m_document.title = textAt(root, "", "title", m_isWhole);
        m_document.unit = textAt(root, "", "unit", "the unit of all times is expected, such as cycles or us");
        const DocumentNode* loop = childOf(root, "", "loop", Kind::object, "a loop {...}", problems());
        const DocumentNode* pipeline = childOf(root, "", "pipeline", Kind::object, "a pipeline {...}", problems());
        const DocumentNode* tasks = childOf(root, "", "tasks", Kind::list, "a list of tasks [...]", problems());
        if (!hasOneWork(root) || !goesOn())
            return;
        if (root.find("lookahead") != nullptr && tasks == nullptr)
            report("lookahead", root.find("lookahead")->shown(), "only a list of tasks has a look-ahead; leave it out");
        const std::size_t before = problems().size();
        if (pipeline == nullptr)
            readPools(root);
        else if (root.find("pools") != nullptr)
            report("pools", root.find("pools")->shown(), "the stages of a pipeline are its pools; leave it out");
        if (problems().size() != before)
            return;
        if (loop != nullptr)
            readLoop(*loop);
        else if (pipeline != nullptr)
            readPipeline(*pipeline);
        else if (tasks != nullptr)
            readTaskList(root, *tasks);
    }

private:
    bool hasOneWork(const DocumentNode& root) {
        std::vector<std::string> works;
        for (const char* key : {"loop", "pipeline", "tasks"}) {
            if (root.find(key) != nullptr)
                works.emplace_back(key);
        }
        if (works.empty())
            report("tasks", "", "missing; exactly one of loop, pipeline and tasks is expected");
        else if (works.size() > 1)
            report(works[1], root.find(works[1])->shown(),
                   "the document has " + joinedNames(works, " and ") +
                       "; allowed: exactly one of loop, pipeline and tasks");
        return works.size() == 1;
    }

    /// Returns a whole number in a range. If it is missing, returns `usual`, or reports that without it.
    std::int64_t wholeAt(const DocumentNode& object, const std::string& where, std::string_view key, WholeRange range,
                         std::optional<std::int64_t> usual = {}) {
        const DocumentNode* node = object.find(key);
        if (node == nullptr && !usual)
            report(within(where, key), "", "missing; allowed: " + range.text());
        return node == nullptr ? usual.value_or(range.least) : wholeIn(*node, within(where, key), range);
    }

    std::int64_t wholeIn(const DocumentNode& node, const std::string& path, WholeRange range) {
        const auto value = wholeNumber(node);
        if (value && *value >= range.least && *value <= range.most)
            return *value;
        report(path, node.shown(), "not possible; allowed: " + range.text());
        return range.least;
    }

    void readPools(const DocumentNode& root) {
        const DocumentNode* pools = childOf(root, "", "pools", Kind::object, "an object {...}", problems());
        if (root.find("pools") == nullptr || (pools != nullptr && pools->keys.empty()))
            report("pools", pools == nullptr ? "" : "{}",
                   "at least one pool with its number of places is expected, such as {\"cores\": 16}");
        std::int64_t places = 0;
        for (std::size_t i = 0; pools != nullptr && i < pools->keys.size() && goesOn(); ++i) {
            const std::string& name = pools->keys[i];
            if (name.empty() || name.size() > kLongestTaskName || name.find_first_of("[].") != std::string::npos)
                report("pools", name,
                       "not the name of a pool; allowed: up to 100 bytes without \"[\", \"]\" and \".\"");
            const std::int64_t count = wholeIn(pools->children[i], within("pools", name), kMembers);
            places += count;
            if (places > kMostMembers)
                return report(within("pools", name), std::to_string(count),
                              "too many places; allowed: up to " + std::to_string(kMostMembers) + " in all pools");
            m_poolOf.emplace(name, static_cast<std::uint32_t>(m_graph.pools.size()));
            m_graph.pools.push_back({name, count});
        }
    }

    /// The pool, and the place if there is one, that "on" names.
    struct Place {
        std::uint32_t pool = 0;
        std::int32_t place = engine::Task::kAnyPlace;
    };

    std::optional<Place> placeAt(const DocumentNode& object, const std::string& where) {
        if (object.find("on") == nullptr) {
            if (m_graph.pools.size() == 1)
                return Place{};
            report(within(where, "on"), "", "missing; the name of a pool is expected; allowed: " + poolNames());
            return std::nullopt;
        }
        const std::string text = textAt(object, where, "on", false);
        if (text.empty())
            return std::nullopt;
        const std::string name = text.substr(0, text.find('['));
        const auto pool = m_poolOf.find(name);
        if (pool == m_poolOf.end()) {
            report(within(where, "on"), text, "not a pool of the document; allowed: " + poolNames());
            return std::nullopt;
        }
        Place place{pool->second, engine::Task::kAnyPlace};
        if (name.size() == text.size())
            return place;
        const std::int64_t places = m_graph.pools[place.pool].places;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + name.size() + 1, end, place.place);
        if (read.ec == std::errc() && read.ptr + 1 == end && *read.ptr == ']' && place.place >= 0 &&
            place.place < places)
            return place;
        report(within(where, "on"), text,
               "not a place of the pool; allowed: " + name + ", or " + name + "[0] to " + name + "[" +
                   std::to_string(places - 1) + "]");
        return std::nullopt;
    }

    std::string poolNames() const {
        std::vector<std::string> names = namesOf(m_graph.pools, &engine::TaskPool::name);
        const bool isLong = names.size() > kMostListed;
        names.resize(std::min(names.size(), kMostListed));
        return joined(names, ", ") + (isLong ? " and others" : "");
    }

    /// Returns whether the document may have so many tasks.
    bool isAllowedCount(const std::string& path, std::int64_t count) {
        if (count <= m_mostTasks)
            return true;
        report(path, std::to_string(count) + " tasks", "too many; allowed: up to " + std::to_string(m_mostTasks));
        return false;
    }

    void reportSum(const std::string& path) {
        report(path, "", "all times and latencies together are above 2^62; allowed: smaller times, in a larger unit");
    }

    void readLoop(const DocumentNode& node) {
        const std::size_t before = problems().size();
        checkKeys(node, "loop", {"on", "iterations", "pieces", "latency", "coverage"}, problems());
        TaskLoop loop;
        const auto place = placeAt(node, "loop");
        if (place && place->place != engine::Task::kAnyPlace)
            report("loop.on", node.find("on")->shown(), "a loop runs on all places of its pool; name the pool alone");
        loop.shape.iterations = wholeAt(node, "loop", "iterations", kMembers);
        loop.shape.latency = wholeAt(node, "loop", "latency", kTimes, 0);
        loop.coverage = coverageIn(node);
        readPieces(node, loop.shape);
        if (problems().size() != before)
            return;
        loop.shape.pool = m_graph.pools[place->pool].name;
        loop.shape.cores = m_graph.pools[place->pool].places;
        const auto pieces = static_cast<std::int64_t>(loop.shape.pieces.size());
        if (!isAllowedCount("loop", loop.shape.iterations * pieces))
            return;
        TimeSum sum;
        sum.add(loop.shape.latency);  // a formula adds it to a piece even if no iteration waits for another
        for (const engine::LoopShape::Piece& piece : loop.shape.pieces) {
            sum.add(piece.time, loop.shape.iterations);
            sum.add(loop.shape.latency, piece.sequential ? loop.shape.iterations - 1 : 0);
        }
        if (!sum.fits())
            return reportSum("loop");
        m_graph = engine::loopTasks(loop.shape);
        m_document.work = std::move(loop);
    }

    double coverageIn(const DocumentNode& loop) {
        const DocumentNode* node = loop.find("coverage");
        if (node == nullptr)
            return 1;
        double share = 0;
        const char* end = node->text.data() + node->text.size();
        const auto read = std::from_chars(node->text.data(), end, share);
        if (node->kind != Kind::number || read.ec != std::errc() || read.ptr != end || !(share >= 0 && share <= 1))
            report("loop.coverage", node->shown(), "not a share of the program's time; allowed: a number, 0 to 1");
        return share;
    }

    void readPieces(const DocumentNode& node, engine::LoopShape& shape) {
        const DocumentNode* pieces = childOf(node, "loop", "pieces", Kind::list, "a list of pieces [...]", problems());
        if (node.find("pieces") == nullptr || (pieces != nullptr && pieces->children.empty()))
            report("loop.pieces", pieces == nullptr ? "" : "[]",
                   "an iteration has at least one piece, such as {\"parallel\": 100} or {\"sequential\": 5}");
        readEach(pieces, "loop.pieces", "a piece {...}", [&](const DocumentNode& piece, const std::string& where) {
            checkKeys(piece, where, {"parallel", "sequential"}, problems());
            const bool sequential = piece.find("sequential") != nullptr;
            if (sequential == (piece.find("parallel") != nullptr))
                return report(where, "{...}", "exactly one of parallel and sequential is expected");
            shape.pieces.push_back({sequential, wholeAt(piece, where, sequential ? "sequential" : "parallel", kTimes)});
        });
    }

    void readPipeline(const DocumentNode& node) {
        const std::size_t before = problems().size();
        checkKeys(node, "pipeline",
                  {"stages", "micro_batches", "forward", "backward", "weights", "send", "schedule", "interleave"},
                  problems());
        TaskPipeline pipeline;
        engine::PipelineShape& shape = pipeline.shape;
        engine::PipelineTimes& times = pipeline.times;
        shape.stages = wholeAt(node, "pipeline", "stages", kMembers);
        shape.microbatches = wholeAt(node, "pipeline", "micro_batches", kMembers, 1);
        shape.chunks = wholeAt(node, "pipeline", "interleave", kMembers, 1);
        times.forward = wholeAt(node, "pipeline", "forward", kTimes);
        times.backward = wholeAt(node, "pipeline", "backward", kTimes);
        times.weights = wholeAt(node, "pipeline", "weights", kTimes, 0);
        times.send = wholeAt(node, "pipeline", "send", kTimes, 0);
        readSchedule(node, shape.schedule);
        if (problems().size() != before)
            return;
        checkShape(shape);
        checkPipelineTimes(shape, times);
        if (problems().size() != before || !isAllowedCount("pipeline", passesOf(shape)))
            return;
        TimeSum sum;
        const std::int64_t rounds =
            engine::isDelayed(shape.schedule) ? engine::delayedMinibatches(shape.stages) : shape.microbatches;
        sum.add(times.forward, rounds * shape.stages);
        sum.add(times.backward, rounds * shape.stages);
        sum.add(times.send, passesOf(shape));  // a pass receives at most once
        if (!sum.fits())
            return reportSum("pipeline");
        m_graph = engine::pipelineTasks(shape, times);
        m_document.work = pipeline;
    }

    void readSchedule(const DocumentNode& node, engine::PipelineSchedule& schedule) {
        const std::string word = textAt(node, "pipeline", "schedule", false);
        if (word.empty())
            return;
        const std::vector<std::string>& words = engine::findParameter(kSchedulePath)->words;
        const auto found = std::ranges::find(words, word);
        if (found == words.end())
            return report("pipeline.schedule", word, "unknown schedule; allowed: " + joined(words, ", "));
        schedule = static_cast<engine::PipelineSchedule>(found - words.begin());
    }

    void checkShape(const engine::PipelineShape& shape) {
        const auto refuse = [&](const char* key, std::int64_t value, const std::string& text) {
            report(within("pipeline", key), std::to_string(value), text);
        };
        const std::string& word = wordAt(kSchedulePath, shape.schedule);
        if (shape.chunks > 1 && shape.schedule != engine::PipelineSchedule::oneForwardOneBackward)
            refuse("interleave", shape.chunks,
                   "stages with several chunks need the schedule 1f1b, not " + word + "; allowed: 1, or that schedule");
        else if (shape.chunks > 1 && shape.microbatches % shape.stages != 0)
            refuse("micro_batches", shape.microbatches,
                   "not a multiple of the " + std::to_string(shape.stages) +
                       " stages, which interleaved stages need; allowed: a multiple, or interleave 1");
        if (!engine::isDelayed(shape.schedule))
            return;
        if (shape.stages == 1)
            refuse("stages", shape.stages, word + " needs several stages; allowed: 2 or more, or another schedule");
        if (shape.microbatches > 1)
            refuse("micro_batches", shape.microbatches,
                   "a mini-batch of " + word + " is one micro-batch; allowed: 1, or another schedule");
    }

    void checkPipelineTimes(const engine::PipelineShape& shape, const engine::PipelineTimes& times) {
        const bool isDelayed = engine::isDelayed(shape.schedule);
        const std::int64_t parts = isDelayed ? 2 : shape.chunks;
        for (const auto& [key, time] : {std::pair{"forward", times.forward}, std::pair{"backward", times.backward}}) {
            if (time % parts != 0)
                report(within("pipeline", key), std::to_string(time),
                       "does not divide by the " + std::to_string(parts) +
                           (isDelayed ? " modules of stage 0" : " chunks of a stage") + "; allowed: a multiple of " +
                           std::to_string(parts));
        }
        if (times.weights > times.backward)
            report("pipeline.weights", std::to_string(times.weights),
                   "is a part of backward, and longer; allowed: 0 to " + std::to_string(times.backward));
    }

    /// Returns the number of passes of a pipeline, at most. Members of a shape are small enough for the product.
    static std::int64_t passesOf(const engine::PipelineShape& shape) {
        if (engine::isDelayed(shape.schedule))
            return 2 * (shape.stages + 1) * engine::delayedMinibatches(shape.stages);
        return (engine::splitsBackward(shape.schedule) ? 3 : 2) * shape.stages * shape.microbatches * shape.chunks;
    }

    void readTaskList(const DocumentNode& root, const DocumentNode& list) {
        const std::size_t before = problems().size();
        if (list.children.empty())
            report("tasks", "[]", "at least one task is expected");
        if (!isAllowedCount("tasks", static_cast<std::int64_t>(list.children.size())))
            return;
        TaskList tasks;
        tasks.lookahead = lookaheadIn(root);
        m_graph.lookaheads = {tasks.lookahead};
        readEach(&list, "tasks", "a task {...}",
                 [&](const DocumentNode& node, const std::string& where) { readTask(node, where, tasks.ids); });
        if (problems().size() == before)
            readEach(
                &list, "tasks", "a task {...}",
                [&, to = TaskIndex{0}](const auto& node, const auto& where) mutable { readInputs(node, where, to++); });
        if (problems().size() != before)
            return;
        TimeSum sum;
        for (const engine::Task& task : m_graph.tasks)
            sum.add(task.time);
        for (const engine::TaskEdge& edge : m_graph.edges)
            sum.add(edge.latency);
        if (!sum.fits())
            return reportSum("tasks");
        if (const auto fault = engine::faultOf(m_graph))
            reportFault(*fault, tasks);
        m_document.work = std::move(tasks);
    }

    std::int64_t lookaheadIn(const DocumentNode& root) {
        const DocumentNode* node = root.find("lookahead");
        if (node == nullptr)
            return 1;
        if (node->kind == Kind::string && node->text == "unlimited")
            return engine::kUnlimitedLookahead;
        const auto value = wholeNumber(*node);
        if (value && *value >= 1)
            return *value;
        report("lookahead", node->shown(), "not a look-ahead; allowed: a whole number from 1 on, or \"unlimited\"");
        return 1;
    }

    void readTask(const DocumentNode& node, const std::string& where, std::vector<std::string>& ids) {
        checkKeys(node, where, {"id", "on", "time", "after"}, problems());
        std::string id = textAt(node, where, "id", true);
        if (id.size() > kLongestTaskName)
            report(where + ".id", std::to_string(id.size()) + " bytes", "too long; allowed: up to 100");
        else if (!id.empty() && !m_taskOf.emplace(id, static_cast<TaskIndex>(ids.size())).second)
            report(where + ".id", id, "two tasks have this id; allowed: ids that differ");
        ids.push_back(std::move(id));
        engine::Task task;
        task.order = 0;
        task.time = wholeAt(node, where, "time", kTimes);
        if (const auto place = placeAt(node, where)) {
            task.pool = place->pool;
            task.place = place->place;
        }
        m_graph.tasks.push_back(task);
    }

    void readInputs(const DocumentNode& node, const std::string& where, TaskIndex to) {
        const DocumentNode* list = childOf(node, where, "after", Kind::list, "a list of tasks [...]", problems());
        for (std::size_t i = 0; list != nullptr && i < list->children.size() && goesOn(); ++i) {
            const DocumentNode& input = list->children[i];
            const std::string path = indexed(where + ".after", i);
            engine::TaskEdge edge{0, to, 0};
            std::optional<TaskIndex> from;
            if (input.kind == Kind::string) {
                from = taskNamed(input.text, path);
            } else if (input.kind == Kind::object) {
                checkKeys(input, path, {"task", "latency"}, problems());
                edge.latency = wholeAt(input, path, "latency", kTimes, 0);
                const std::string id = textAt(input, path, "task", "the id of a task is expected");
                from = id.empty() ? std::nullopt : taskNamed(id, within(path, "task"));
            } else {
                report(path, input.shown(),
                       "wrong type; allowed: the id of a task, or {\"task\": \"a\", \"latency\": 2}");
            }
            if (!from)
                continue;
            edge.from = *from;
            m_graph.edges.push_back(edge);
        }
    }

    std::optional<TaskIndex> taskNamed(const std::string& id, const std::string& path) {
        const auto found = m_taskOf.find(id);
        if (found != m_taskOf.end())
            return found->second;
        report(path, id, "not a task of the document; allowed: the id of a task");
        return std::nullopt;
    }

    void reportFault(const engine::TaskFault& fault, const TaskList& tasks) {
        const auto idOf = [&](std::size_t i) { return tasks.ids[fault.tasks[i]]; };
        if (fault.kind == engine::TaskFault::Kind::stuck)
            return report(indexed("tasks", fault.tasks.front()), idOf(0),
                          "never begins with a look-ahead of " + std::to_string(tasks.lookahead) +
                              ", since it waits for " + idOf(1) + ", which stands behind it; allowed: " + idOf(1) +
                              " before it, or a larger lookahead");
        std::string cycle;
        for (std::size_t i = 0; i < fault.tasks.size(); ++i) {
            const bool isShown = i < kMostListed || i + 1 == fault.tasks.size();
            if (isShown)
                cycle += (i == 0 ? "" : ", ") + idOf(i);
            else if (i == kMostListed)
                cycle += ", ...";
        }
        report("tasks", cycle, "a cycle, in which each task waits for the next; allowed: tasks without a cycle");
    }

    TaskDocument& m_document;
    engine::TaskGraph& m_graph;
    std::int64_t m_mostTasks;
    bool m_isWhole;
    std::map<std::string, std::uint32_t, std::less<>> m_poolOf;
    std::map<std::string, TaskIndex, std::less<>> m_taskOf;
};

TaskReading readingOf(const DocumentNode& root, std::int64_t mostTasks, bool isWhole) {
    TaskReading reading;
    TaskReader(reading, mostTasks, isWhole).read(root);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

}  // namespace

TaskReading readTasks(const DocumentNode& root, std::int64_t mostTasks) { return readingOf(root, mostTasks, false); }

TaskReading readTasks(std::string_view json, std::string_view origin, const std::vector<std::string>& settings,
                      std::int64_t mostTasks) {
    TaskReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    if (auto other = formatProblem(*tree.root, origin, "a task document", kTaskFormat)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    for (const std::string& setting : settings)
        applySetting(setting, *tree.root, reading.problems);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading.problems.empty() ? readingOf(*tree.root, mostTasks, true) : reading;
}

TaskReading readTaskFile(const std::string& path, const std::vector<std::string>& settings) {
    TaskReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readTasks(text, path == "-" ? "standard input" : path, settings) : reading;
}

}  // namespace data
