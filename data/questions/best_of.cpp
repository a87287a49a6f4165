#include "data/questions/best_of.h"

#include "data/document/value_places.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameter_roles.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace data {
namespace {

/// A numeric column of an axis that describes what the machine has, so that a value of it has a cost.
struct CostColumn {
    std::size_t axis = 0;
    std::vector<double> costs;  ///< one for each value of the axis; a smaller one is cheaper
};

bool hasCost(const engine::Parameter& parameter) {
    return engine::roleOf(parameter) == engine::ParameterRole::machine &&
           parameter.group != engine::ParameterGroup::variation;
}

std::vector<CostColumn> costColumnsOf(const Sweep& sweep) {
    std::vector<CostColumn> columns;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        for (const AxisColumn& column : sweep.axes[axis].columns) {
            const engine::Parameter& parameter = *engine::findParameter(column.path);
            const auto isNumber = [](const engine::ParameterValue& value) { return numberOf(value).has_value(); };
            if (!hasCost(parameter) || !std::all_of(column.values.begin(), column.values.end(), isNumber))
                continue;
            const double sign = cheaperValues(parameter) == Better::larger ? -1 : 1;
            CostColumn costs{axis, {}};
            for (const engine::ParameterValue& value : column.values)
                costs.costs.push_back(sign * *numberOf(value));
            columns.push_back(std::move(costs));
        }
    }
    return columns;
}

/// Returns the rows that no other row undercuts.
std::vector<std::size_t> cheapestOf(const SweepTable& table, const std::vector<std::size_t>& rows, std::size_t column,
                                    bool larger) {
    const std::vector<CostColumn> costs = costColumnsOf(table.sweep);
    if (costs.empty())
        return {};
    const auto undercuts = [&](std::size_t row, std::size_t other) {
        bool less = false;
        for (const CostColumn& cost : costs) {
            const double own = cost.costs[table.rows[row].at[cost.axis]];
            const double others = cost.costs[table.rows[other].at[cost.axis]];
            if (own > others)
                return false;
            less = less || own < others;
        }
        const double own = *table.rows[row].values[column], others = *table.rows[other].values[column];
        return less || (larger ? own > others : own < others);
    };
    std::vector<std::size_t> cheapest;
    for (const std::size_t row : rows) {
        if (std::any_of(cheapest.begin(), cheapest.end(), [&](std::size_t other) { return undercuts(other, row); }))
            continue;
        std::erase_if(cheapest, [&](std::size_t other) { return undercuts(row, other); });
        cheapest.push_back(row);
    }
    return cheapest;
}

}  // namespace

Better cheaperValues(const engine::Parameter& parameter) {
    return parameter.unit == engine::ParameterUnit::picoseconds ? Better::larger : Better::smaller;
}

BestOf bestIn(const SweepTable& table, const std::string& metric, bool larger) {
    BestOf result;
    const auto column = std::find(table.metrics.begin(), table.metrics.end(), metric);
    result.column = static_cast<std::size_t>(column - table.metrics.begin());
    std::vector<std::size_t> compared;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const SweepRow& row = table.rows[i];
        if (row.state != PointState::done) {
            ++(row.state == PointState::failed ? result.failed : result.missing);
            continue;
        }
        const std::optional<double> number = row.values[result.column];
        if (!number) {
            ++result.without;
            continue;
        }
        compared.push_back(i);
        if (!result.number || (larger ? *number > *result.number : *number < *result.number)) {
            result.number = number;
            result.best.clear();
        }
        if (*number == *result.number)
            result.best.push_back(i);
    }
    result.compared = compared.size();
    for (const std::size_t i : compared) {
        if (std::abs(*table.rows[i].values[result.column] - *result.number) <= kEquallyGood * std::abs(*result.number))
            result.near.push_back(i);
    }
    result.cheapest = cheapestOf(table, result.near, result.column, larger);
    return result;
}

BestSearch bestOf(const SweepPlan& plan, const std::string& storePath, const std::string& metric, bool larger,
                  const SweepOptions& options) {
    if (findMetric(metric, plan.sweep.of) == nullptr)
        throw engine::InvalidExperiment({{"metric", metric, unknownMetric(metric, plan.sweep.of)}});
    BestSearch search;
    search.summary = runSweep(plan, storePath, options);
    Store store(storePath);
    const std::array<std::string, 1> wanted{metric};
    search.table = SweepStore(store).table(plan.id, wanted);
    // After an early stop all results in the table may be those of another engine version, which do not count.
    if (search.table.engineVersion != engine::engineVersion()) {
        for (SweepRow& row : search.table.rows) {
            row.state = PointState::missing;
            std::fill(row.values.begin(), row.values.end(), std::nullopt);
        }
    }
    search.best = bestIn(search.table, metric, larger);
    return search;
}

}  // namespace data
