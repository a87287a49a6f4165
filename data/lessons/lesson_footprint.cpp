#include "data/lessons/lesson_footprint.h"

#include "data/model/model_point.h"
#include "data/results/metrics.h"
#include "engine/api/footprint.h"

#include <string>
#include <utility>

namespace data {
namespace {

const Metric* findNumber(std::string_view path) { return findMetric(path, ResultSubject::footprint); }

}  // namespace

engine::Problems lessonFootprintProblems(const ExperimentDraft& draft, engine::ModelPhase phase,
                                         std::string_view path) {
    Expansion expansion = expandValues(draft);
    if (!expansion.problems.empty())
        return std::move(expansion.problems);
    engine::Problems problems = engine::footprintProblems(expansion.experiment, phase);
    const Metric* metric = findNumber(path);
    if (problems.empty() && metric != nullptr && !metric->readPoint(divisionPointOf(expansion.experiment, phase)))
        problems.push_back({"node.memory", "unlimited",
                            std::string(path) + " needs the memory of a GPU; allowed: a capacity such as 80 GB"});
    return problems;
}

double lessonFootprint(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path) {
    return findNumber(path)->readPoint(divisionPointOf(expandValues(draft).experiment, phase)).value();
}

}  // namespace data
