#pragma once

#include "data/laboratory/laboratory.h"
#include "data/replay/trace_index.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace data {

/// A finished run as the window shows it. Crosses from the worker's thread as shared_ptr<const ShownRun>.
struct ShownRun {
    data::LaboratoryRun run;
    bool preview = false;             ///< made while something was dragged, at interactive detail, and not kept
    std::optional<TraceIndex> index;  ///< absent for the bounds, which are formulas and have no events
};

/// Returns the picosecond at which there is nothing more to see of a run: at least 1, so that its time can be drawn.
inline std::int64_t endOf(const ShownRun& run) {
    const std::int64_t total = std::max<std::int64_t>(1, run.run.result.last.time.total.ps);
    return run.index ? std::max(total, run.index->trace().end.ps) : total;
}

}  // namespace data
