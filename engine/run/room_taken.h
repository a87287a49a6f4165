#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>

namespace engine {

/// Returns the most room that the workgroups on one CU had at one moment, in units of which a CU has kWholeCu.
/// Precondition: `trace` is of a run of `experiment`.
std::int64_t mostRoomTaken(const Trace& trace, const Experiment& experiment);

}  // namespace engine
