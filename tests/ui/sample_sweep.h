#pragma once

#include "data/sweep/sweep_document.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests {

inline data::SweepAxis axisOf(const std::string& path, std::vector<engine::ParameterValue> values) {
    return {{{path, std::move(values)}}};
}
inline data::SweepAxis bandwidths(std::vector<std::int64_t> gigabytes) {
    std::vector<engine::ParameterValue> values;
    for (const std::int64_t each : gigabytes)
        values.emplace_back(each * 1'000'000'000);
    return axisOf("link.bandwidth", std::move(values));
}
inline data::SweepAxis blocks() {
    return axisOf("dma.block_tiles", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}});
}
inline data::SweepAxis degrees() { return axisOf("parallel.tp", {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}); }
inline data::SweepAxis machines() {
    return axisOf("machine", {std::string("t3-table-1"), std::string("t3-table-1-75"), std::string("t3-2x-cu")});
}

/// Returns a table in which every point of these axes and policies has ended with realistic numbers: speed-up, total
/// time and DRAM bytes, which the ideal bounds do not have.
inline data::SweepTable sweepOver(std::vector<data::SweepAxis> axes,
                                  std::vector<std::string> policies = {"sequential", "t3", "t3-mca"}) {
    data::SweepTable table;
    table.id = "0123456789ab";
    table.metrics = {"speedup_over_sequential", "time_ps.total", "dram_bytes.total"};
    table.sweep.axes = std::move(axes);
    table.sweep.policies = std::move(policies);
    table.sweep.metrics = table.metrics;
    std::vector<std::size_t> at(table.sweep.axes.size(), 0);
    for (bool more = true; more;) {
        double load = 1;  // larger values of all axes after the first take longer
        for (std::size_t axis = 1; axis < at.size(); ++axis)
            load *= 1 + 0.22 * static_cast<double>(at[axis]);
        const double relief = at.empty() ? 1 : 1 + 0.35 * static_cast<double>(at[0]);
        for (std::size_t policy = 0; policy < table.sweep.policies.size(); ++policy) {
            data::SweepRow row;
            row.index = table.rows.size();
            row.at = at;
            row.policy = policy;
            row.state = data::PointState::done;
            const double sequential = 1.9e9 * load + 1.1e9 * load / relief;
            const double gain =
                1 +
                (0.13 * static_cast<double>(policy) + (policy > 0 ? 0.06 : 0)) * 2.2 / (1 + std::abs(relief - 1.8)) -
                (policy == 1 ? 0.1 * relief : 0) + 0.05 * (load - 1) * static_cast<double>(policy);
            row.values = {gain, sequential / gain, 4.2e8 * load / std::sqrt(gain)};
            if (table.sweep.policies[policy].starts_with("ideal"))
                row.values[2].reset();
            table.rows.push_back(std::move(row));
        }
        more = false;
        for (std::size_t axis = at.size(); axis-- > 0 && !more;) {
            more = ++at[axis] < table.sweep.axes[axis].size();
            at[axis] = more ? at[axis] : 0;
        }
    }
    return table;
}

inline void fail(data::SweepTable& table, std::size_t row, const std::string& reason) {
    table.rows.at(row).state = data::PointState::failed;
    table.rows[row].reason = reason;
    table.rows[row].values.clear();
}
inline void forget(data::SweepTable& table, std::size_t row) {
    table.rows.at(row).state = data::PointState::missing;
    table.rows[row].values.clear();
}

inline data::SweepTable oneAxis() { return sweepOver({bandwidths({50, 75, 100, 150, 200, 300})}); }
inline data::SweepTable twoAxes() { return sweepOver({bandwidths({50, 75, 100, 150, 200, 300}), blocks()}); }

inline std::shared_ptr<const data::SweepTable> shared(data::SweepTable table) {
    return std::make_shared<const data::SweepTable>(std::move(table));
}

}  // namespace tests
