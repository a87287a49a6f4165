#include "data/sweep/sweep_plan.h"

#include "data/document/text_hash.h"
#include "data/model/model_point.h"
#include "data/model/projection.h"
#include "engine/api/expected_work.h"
#include "engine/api/runner.h"

#include <limits>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kPointsAReport = 256;  // points between two reports: a few milliseconds

/// Adds the model from which the times of a point are projected.
void addSource(const Sweep& sweep, PointDetails& details) {
    Expansion source = expandValues(sourceDraft(details.draft, sweep.projectFrom->explicitValues));
    for (engine::Problem& problem : source.problems)
        details.problems.push_back(
            {std::string(kProjectFrom) + "." + problem.path, std::move(problem.value), std::move(problem.text)});
    if (details.problems.empty())
        details.problems = projectedPointProblems(details.experiment, sweep.of, source.experiment);
    details.source = std::move(source.experiment);
}

SweepPoint pointAt(const Sweep& sweep, std::size_t index, ModelWork& work) {
    const PointDetails details = detailsOf(sweep, index);
    SweepPoint point{index, {}, {}, 0};
    for (const engine::Problem& problem : details.problems)
        point.problem += (point.problem.empty() ? "" : "\n") + engine::describe(problem);
    if (!point.problem.empty()) {
        point.hash = sha256(canonicalForm(details.experiment) + point.problem);
    } else if (isOfModels(sweep.of)) {
        point.hash = modelPointHash(details.experiment, sweep.of, details.source);
        point.events = work.add(details.experiment, sweep.of, details.source);
    } else {
        point.hash = experimentHash(details.experiment);
        point.events = engine::expectedEvents(details.experiment);
    }
    return point;
}

}  // namespace

std::optional<std::size_t> seedAxis(const Sweep& sweep) {
    const auto found = std::ranges::find_if(sweep.axes, [](const SweepAxis& axis) {
        return axis.columns.size() == 1 && axis.columns.front().path == "seed" && axis.size() >= 2;
    });
    return found == sweep.axes.end() ? std::nullopt
                                     : std::optional(static_cast<std::size_t>(found - sweep.axes.begin()));
}

PointPlace placeOf(const Sweep& sweep, std::size_t index) {
    PointPlace place{std::vector<std::size_t>(sweep.axes.size()), index % sweep.policies.size()};
    index /= sweep.policies.size();
    for (std::size_t i = sweep.axes.size(); i-- > 0;) {
        place.at[i] = index % sweep.axes[i].size();
        index /= sweep.axes[i].size();
    }
    return place;
}

PointDetails detailsOf(const Sweep& sweep, std::size_t index) {
    PointDetails details{placeOf(sweep, index), sweep.base};
    Settings& values = details.draft.explicitValues;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (const AxisColumn& column : sweep.axes[i].columns)
            values.insert_or_assign(column.path, column.values[details.at[i]]);
    }
    if (isTimed(sweep.of))
        values.insert_or_assign("policy.preset", sweep.policies[details.policy]);
    else
        values.erase("policy.preset");  // points that differ only in it are the same point
    if (isOfModels(sweep.of))
        setModelDefaults(details.draft, sweep.of);
    Expansion expansion = isOfModels(sweep.of) ? expandModelPoint(details.draft, sweep.of) : expand(details.draft);
    details.experiment = std::move(expansion.experiment);
    details.problems = std::move(expansion.problems);
    details.notices = std::move(expansion.notices);
    if (sweep.projectFrom)
        addSource(sweep, details);
    return details;
}

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

void PlanningOptions::reached(std::size_t done, std::size_t whole) const {
    if (stop.stop_requested())
        throw engine::RunStopped();
    if (progress && done % kPointsAReport == 0)
        progress(done, whole);
}

SweepPlan planOf(Sweep sweep, Shard shard, const PlanningOptions& options) {
    SweepPlan plan{std::move(sweep), {}, 0, {}};
    plan.id = sweepId(plan.sweep);
    plan.whole = pointCount(plan.sweep);
    const std::size_t points = (plan.whole + shard.count - 1 - shard.index) / shard.count;
    plan.points.reserve(points);
    ModelWork work;
    for (std::size_t index = shard.index; index < plan.whole; index += shard.count) {
        options.reached(plan.points.size(), points);
        plan.points.push_back(pointAt(plan.sweep, index, work));
    }
    return plan;
}

}  // namespace data
