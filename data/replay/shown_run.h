#pragma once

#include "data/laboratory/laboratory.h"
#include "data/replay/trace_index.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace data {

/// A finished run as the window shows it. The worker's thread passes it on as shared_ptr<const ShownRun>.
struct ShownRun {
    data::LaboratoryRun run;
    bool preview = false;             ///< made while a control was dragged, at interactive detail; it is not kept
    std::optional<TraceIndex> index;  ///< absent for the bounds, which are formulas and have no events
};

/// Returns the end of a run in picoseconds, including spans of the trace after the total. At least 1, so that the run
/// can be drawn.
inline std::int64_t endOf(const ShownRun& run) {
    const std::int64_t total = std::max<std::int64_t>(1, run.run.result.last.time.total.ps);
    return run.index ? std::max(total, run.index->trace().end.ps) : total;
}

}  // namespace data
