#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"

namespace engine {

/// The critical path of a finished run, from its trace alone: what engine/api/attribution.h promises. Takes a few
/// milliseconds, whatever the size of the trace. A trace without spans gives one step, of which nothing is known.
/// Precondition: `trace` is of a run of `experiment`.
CriticalPath criticalPathOf(const Trace& trace, const Experiment& experiment);

/// The sums of a path; `gpus`: of the ring.
AttributionResult attributionOf(const CriticalPath& path, std::uint32_t gpus);

}  // namespace engine
