#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>

namespace engine {

/// Returns the most room that the workgroups on one CU had at any one time; a whole CU is kWholeCu units. Precondition:
/// `trace` is of a run of `experiment`.
std::int64_t mostRoomTaken(const Trace& trace, const Experiment& experiment);

}  // namespace engine
