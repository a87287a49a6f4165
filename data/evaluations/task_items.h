#pragma once

#include "data/document/document_tree.h"
#include "data/document/tree_reader.h"
#include "data/evaluations/evaluation.h"
#include "data/results/result_json.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace data {

/// Reads the task documents of an evaluation, and the items that ask for numbers of their timetables. All timetables of
/// an evaluation together have at most engine::kMostTasks tasks, inputs of tasks and pools.
class TaskItems : private TreeReader {
public:
    TaskItems(Evaluation& evaluation, engine::Problems& problems) : TreeReader(problems), m_evaluation(evaluation) {}

    /// Reads the key "tasks" of the evaluation, whose sweeps were read. `root` must outlive this reader.
    void readDocuments(const DocumentNode& root);

    /// Returns whether an item asks for a number of a timetable: its "of" names a document, or there is nothing else
    /// that it could name.
    bool isAsked(const DocumentNode& item) const;

    /// Reads "of", "set" and "metric" of such an item whose words were read, and refuses keys of other items.
    void readItem(const DocumentNode& node, const std::string& where, EvaluationItem& item);

private:
    /// Returns the position in Evaluation::tasks of a document with some values replaced; `set` may be null.
    std::optional<std::size_t> tasksOf(const std::string& name, const DocumentNode& document, const DocumentNode* set,
                                       const std::string& where);

    Evaluation& m_evaluation;
    std::map<std::string, const DocumentNode*, std::less<>> m_documents;
    std::map<std::pair<std::string, std::string>, std::size_t> m_positions;  // by name and settings
    std::int64_t m_size = 0;                                                 // tasks, inputs and pools
};

/// Makes the timetables of an evaluation's tasks, and returns their numbers: one for each of Evaluation::tasks.
std::vector<ResultJson> timetablesOf(const Evaluation& evaluation);

}  // namespace data
