#pragma once

#include "data/laboratory/laboratory.h"
#include "data/replay/trace_index.h"

#include <optional>

namespace data {

/// A finished run as the window shows it. Crosses from the worker's thread as shared_ptr<const ShownRun>.
struct ShownRun {
    data::LaboratoryRun run;
    bool preview = false;             ///< made while something was dragged, at interactive detail, and not kept
    std::optional<TraceIndex> index;  ///< absent for the bounds, which are formulas and have no events
};

}  // namespace data
