#pragma once

#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// GEMMs of 512 x 512 x 512 on 4 GPUs, each done in a fraction of a
/// millisecond: `bandwidths` link bandwidths by three block sizes by four
/// policies.
inline data::Sweep smallSweep(std::int64_t bandwidths) {
    data::Sweep sweep;
    sweep.base.explicitValues = {
        {"workload.model", std::string("small")},    {"workload.sublayer", std::string("fc-2")},
        {"workload.hidden", std::int64_t{512}},      {"workload.sequence", std::int64_t{512}},
        {"workload.batch", std::int64_t{1}},         {"parallel.tp", std::int64_t{4}},
        {"detail.level", std::string("interactive")}};
    data::AxisColumn bandwidth{"link.bandwidth", {}, {}};
    for (std::int64_t i = 0; i < bandwidths; ++i)
        bandwidth.values.emplace_back((50 + i) * 1'000'000'000);
    const data::AxisColumn block{"dma.block_tiles", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}, {}};
    sweep.axes = {{{bandwidth}}, {{block}}};
    sweep.policies = {"sequential", "t3", "t3-mca", "ideal-overlap"};
    sweep.metrics = {"speedup_over_sequential", "time_ps.total"};
    return sweep;
}

/// Returns the document of a run without the values that differ each time it runs.
inline std::string withoutWallTime(std::string document) {
    for (const std::string_view key : {"\"wall_ns\": ", "\"threads\": "}) {
        const std::size_t found = document.find(key);
        if (found == std::string::npos)
            continue;
        const std::size_t digits = found + key.size();
        document.replace(digits, document.find_first_not_of("0123456789", digits) - digits, "0");
    }
    return document;
}

/// Returns everything that is kept of each run, by its experiment's hash. Leaves out runs that are `known` already.
inline std::map<std::string, std::string> rowsOf(const std::string& path,
                                                 const std::map<std::string, std::string>& known = {}) {
    std::map<std::string, std::string> rows;
    const data::Store store(path);
    for (const data::StoredRun& run : store.runs())
        if (!known.contains(run.experimentHash))
            rows[run.experimentHash] = run.name + "\n" + run.draft + withoutWallTime(store.documentOf(run.id));
    return rows;
}

}  // namespace tests
