#include "data/questions/best_of.h"

#include "data/results/metrics.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>

namespace data {

BestOf bestIn(SweepTable table, const std::string& metric, bool larger) {
    BestOf result;
    const auto column = std::find(table.metrics.begin(), table.metrics.end(), metric);
    result.column = static_cast<std::size_t>(column - table.metrics.begin());
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
        ++result.compared;
        if (!result.number || (larger ? *number > *result.number : *number < *result.number)) {
            result.number = number;
            result.best.clear();
        }
        if (*number == *result.number)
            result.best.push_back(i);
    }
    result.table = std::move(table);
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
    SweepTable table = SweepStore(store).table(plan.id, wanted);
    // After an early stop all results in the table may be those of another engine version, which do not count.
    if (table.engineVersion != engine::engineVersion()) {
        for (SweepRow& row : table.rows) {
            row.state = PointState::missing;
            std::fill(row.values.begin(), row.values.end(), std::nullopt);
        }
    }
    search.best = bestIn(std::move(table), metric, larger);
    return search;
}

}  // namespace data
