#include "data/sweep_work.h"

#include "engine/api/expected_work.h"

#include <string_view>

namespace data {

std::vector<const engine::Experiment*> SweepWork::experiments(const SweepPlan& plan) const {
    std::vector<const engine::Experiment*> experiments;
    experiments.reserve(tasks.size());
    for (const SweepTask& task : tasks)
        experiments.push_back(&plan.points[task.points.front()].experiment);
    return experiments;
}

SweepWork workOf(const SweepPlan& plan, const std::unordered_map<std::string, KeptPoint>& known, bool retryFailed) {
    SweepWork work;
    std::unordered_map<std::string_view, std::size_t> taskOf;
    for (std::size_t position = 0; position < plan.points.size(); ++position) {
        const SweepPoint& point = plan.points[position];
        const auto found = known.find(point.hash);
        if (!point.problem.empty()) {
            work.unusable.push_back(position);
        } else if (found != known.end() && found->second.runId) {
            ++work.kept;
        } else if (found != known.end() && !retryFailed) {
            ++work.failed;
        } else {
            const auto [task, isNew] = taskOf.try_emplace(point.hash, work.tasks.size());
            if (isNew)
                work.tasks.push_back({{}, engine::expectedEvents(point.experiment)});
            work.tasks[task->second].points.push_back(position);
        }
    }
    return work;
}

}  // namespace data
