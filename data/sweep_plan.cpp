#include "data/sweep_plan.h"

#include "data/text_hash.h"

#include <limits>

namespace data {
namespace {

/// Which value of each axis and which policy the point `index` has; the last axis varies fastest but for the policy.
void locate(const Sweep& sweep, SweepPoint& point) {
    std::size_t rest = point.index;
    point.policy = rest % sweep.policies.size();
    rest /= sweep.policies.size();
    point.at.resize(sweep.axes.size());
    for (std::size_t i = sweep.axes.size(); i-- > 0;) {
        point.at[i] = rest % sweep.axes[i].size();
        rest /= sweep.axes[i].size();
    }
}

SweepPoint pointAt(const Sweep& sweep, std::size_t index) {
    SweepPoint point;
    point.index = index;
    locate(sweep, point);
    point.draft = sweep.base;
    Settings& values = point.draft.explicitValues;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (const AxisColumn& column : sweep.axes[i].columns)
            values.insert_or_assign(column.path, column.values[point.at[i]]);
    }
    values.insert_or_assign("policy.preset", sweep.policies[point.policy]);
    Expansion expansion = expand(point.draft);
    for (const engine::Problem& problem : expansion.problems)
        point.problem += (point.problem.empty() ? "" : "\n") + engine::describe(problem);
    point.notices = std::move(expansion.notices);
    point.experiment = std::move(expansion.experiment);
    point.hash = point.problem.empty() ? experimentHash(point.experiment)
                                       : sha256(canonicalForm(point.experiment) + point.problem);
    return point;
}

}  // namespace

std::size_t pointCount(const Sweep& sweep) {
    std::size_t count = sweep.policies.size();
    for (const SweepAxis& axis : sweep.axes) {
        const std::size_t size = axis.size();
        if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size)
            return std::numeric_limits<std::size_t>::max();
        count *= size;
    }
    return count;
}

SweepPlan planOf(const Sweep& sweep, Shard shard) {
    SweepPlan plan{sweep, sweepId(sweep), pointCount(sweep), {}};
    plan.points.reserve(plan.whole / shard.count + 1);
    for (std::size_t index = shard.index; index < plan.whole; index += shard.count)
        plan.points.push_back(pointAt(sweep, index));
    return plan;
}

}  // namespace data
