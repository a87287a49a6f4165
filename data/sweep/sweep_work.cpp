#include "data/sweep/sweep_work.h"

#include <string_view>

namespace data {

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
                work.tasks.push_back({{}, point.events});
            work.tasks[task->second].points.push_back(position);
        }
    }
    return work;
}

}  // namespace data
