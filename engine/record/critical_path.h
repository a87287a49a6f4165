#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"

namespace engine {

/// Returns the critical path of a finished run, as engine/api/attribution.h promises it, from the run's trace alone.
/// Takes a few milliseconds, whatever the size of the trace. A trace without spans gives one step of unknown cause.
/// Precondition: `trace` is of a run of `experiment`.
CriticalPath criticalPathOf(const Trace& trace, const Experiment& experiment);

/// Returns the sums of a path's steps. `gpus`: number of GPUs of the ring.
AttributionResult attributionOf(const CriticalPath& path, std::uint32_t gpus);

}  // namespace engine
