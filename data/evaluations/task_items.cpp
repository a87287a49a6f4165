#include "data/evaluations/task_items.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/document/tree_setting.h"
#include "data/evaluations/plain_name.h"
#include "data/tasks/task_result.h"

#include <algorithm>
#include <string_view>

namespace data {
namespace {

/// Reads a document with some values replaced; `set` may be null.
TaskReading readWith(const DocumentNode& document, const DocumentNode* set, std::int64_t mostTasks) {
    if (set == nullptr)
        return readTasks(document, mostTasks);
    TaskReading refused;
    DocumentNode changed = document;
    for (std::size_t i = 0; i < set->keys.size(); ++i)
        setAt(changed, set->keys[i], set->children[i], refused.problems);
    return refused.problems.empty() ? readTasks(changed, mostTasks) : refused;
}

}  // namespace

void TaskItems::readDocuments(const DocumentNode& root) {
    const DocumentNode* documents = childOf(root, "", "tasks", Kind::object, "an object {...}", problems());
    if (documents != nullptr && documents->keys.empty())
        report("tasks", "{}", "at least one task document is expected");
    for (std::size_t i = 0; documents != nullptr && i < documents->keys.size() && goesOn(); ++i) {
        const std::string& name = documents->keys[i];
        const DocumentNode& node = documents->children[i];
        const std::string where = within("tasks", name);
        if (!isPlainName(name))
            report(where, name, "not a valid name; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100");
        else if (findNamed(m_evaluation.sweeps, &EvaluationSweep::name, name) != nullptr)
            report(where, name, "a sweep or a table has this name; allowed: names that differ");
        else if (node.kind != Kind::object)
            report(where, node.shown(), "wrong type, a task document {...} is expected");
        else if (tasksOf(name, node, nullptr, where))
            m_documents.emplace(name, &node);
    }
}

bool TaskItems::isAsked(const DocumentNode& item) const {
    const DocumentNode* of = item.find("of");
    return of == nullptr ? m_evaluation.sweeps.empty() && m_documents.size() == 1
                         : of->kind == Kind::string && m_documents.contains(of->text);
}

void TaskItems::readItem(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
    checkKeys(node, where,
              {"id", "what", "of", "set", "metric", "published", "label", "role", "tolerance", "at_least", "at_most",
               "between"},
              problems());
    item.sweep = EvaluationItem::kNoSweep;
    if (item.role == EvaluationRole::blind || item.role == EvaluationRole::calibrated)
        report(within(where, "role"), std::string(name(item.role)),
               "a timetable depends on no constants; allowed: exact, visible, context");
    const DocumentNode* of = node.find("of");
    const auto document = of == nullptr ? m_documents.begin() : m_documents.find(of->text);
    const DocumentNode* set = childOf(node, where, "set", Kind::object, "an object {...}", problems());
    item.tasks = tasksOf(document->first, *document->second, set, within(where, "set"));
    const std::string metric = textAt(node, where, "metric", "a key of the timetable is expected");
    if (!item.tasks || metric.empty())
        return;
    if (const auto others = otherTaskKeys(m_evaluation.tasks[*item.tasks].document, metric))
        report(within(where, "metric"), metric, "not a number of this timetable; allowed: " + *others);
    item.metrics = {metric};
}

std::optional<std::size_t> TaskItems::tasksOf(const std::string& name, const DocumentNode& document,
                                              const DocumentNode* set, const std::string& where) {
    const std::size_t before = problems().size();
    std::string settings;
    for (std::size_t i = 0; set != nullptr && i < set->keys.size() && goesOn(); ++i) {
        const DocumentNode& value = set->children[i];
        settings += set->keys[i] + "=" + value.shown() + "\n";
        if (value.kind == Kind::object || value.kind == Kind::list)
            report(within(where, set->keys[i]), value.shown(), "wrong type, a number or a text is expected");
    }
    if (problems().size() != before)
        return std::nullopt;
    const auto known = m_positions.find({name, settings});
    if (known != m_positions.end())
        return known->second;
    TaskReading reading = readWith(document, set, std::max<std::int64_t>(0, engine::kMostTasks - m_size));
    for (engine::Problem& problem : reading.problems)
        report(within(where, problem.path), std::move(problem.value), std::move(problem.text));
    if (problems().size() != before)
        return std::nullopt;
    const engine::TaskGraph& graph = reading.document.graph;
    m_size += static_cast<std::int64_t>(graph.tasks.size() + graph.edges.size() + graph.pools.size());
    m_evaluation.tasks.push_back({name, std::move(reading.document)});
    return m_positions[{name, settings}] = m_evaluation.tasks.size() - 1;
}

std::vector<ResultJson> timetablesOf(const Evaluation& evaluation) {
    std::vector<ResultJson> timetables;
    timetables.reserve(evaluation.tasks.size());
    for (const EvaluationTasks& tasks : evaluation.tasks)
        timetables.push_back(taskResultJson(tasks.document, resultOf(tasks.document)));
    return timetables;
}

}  // namespace data
