#include "data/model/model_survey.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace data {
namespace {

using engine::Problem;
using engine::Problems;

/// Collects the problems that prevent models from running, each once, with the cases that have it.
class Hindrances {
public:
    void add(const engine::Experiment& base, const Problems& problems) {
        ++m_cases;
        for (const Problem& problem : problems)
            concernedBy(problem, m_found).push_back(modelCaseName(base));
    }

    Problems problems() const {
        Problems problems;
        for (const auto& [problem, cases] : m_found) {
            problems.push_back(problem);
            if (cases.size() < m_cases)
                problems.back().text = "for " + joinedNames(cases, " and ") + ": " + problem.text;
        }
        return problems;
    }

    engine::Notices notices() const {
        engine::Notices notices;
        for (const auto& [problem, cases] : m_found)
            notices.push_back({problem.path, joinedNames(cases, " and ") + " left out: " +
                                                 (problem.value.empty() ? "" : problem.value + ": ") + problem.text});
        return notices;
    }

private:
    std::size_t m_cases = 0;
    std::vector<std::pair<Problem, std::vector<std::string>>> m_found;
};

ModelSurvey::Gain gainOf(const std::vector<ModelRun>& runs, std::size_t policy) {
    ModelSurvey::Gain gain{runs.front().policies[policy].policy, 1, 0};
    double logs = 0;
    for (const ModelRun& run : runs) {
        const double speedup = run.policies[policy].speedupOverSequential;
        logs += std::log(speedup);
        gain.maximum = std::max(gain.maximum, speedup);
    }
    gain.geomean = std::exp(logs / static_cast<double>(runs.size()));
    return gain;
}

}  // namespace

ModelSurvey surveyModels(const std::vector<engine::Experiment>& bases, const ModelRunOptions& options) {
    ModelRunOptions each = options;
    if (!each.memory)
        each.memory = std::make_shared<ModelMemory>();
    ModelSurvey survey;
    Hindrances hindrances;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        if (options.progress)
            each.progress = [&, i](double done) {
                options.progress((static_cast<double>(i) + done) / static_cast<double>(bases.size()));
            };
        try {
            survey.runs.push_back(modelRun(bases[i], each));
        } catch (const engine::InvalidExperiment& error) { hindrances.add(bases[i], error.problems()); }
    }
    if (survey.runs.empty())
        throw engine::InvalidExperiment(hindrances.problems());
    survey.notices = hindrances.notices();
    for (std::size_t policy = 0; policy < options.policies.size(); ++policy)
        survey.gains.push_back(gainOf(survey.runs, policy));
    return survey;
}

}  // namespace data
