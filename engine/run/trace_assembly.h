#pragma once

#include "engine/api/trace.h"
#include "engine/record/recorder.h"
#include "engine/run/gpu.h"
#include "engine/run/plan.h"

#include <memory>
#include <vector>

namespace engine {

/// Returns about how many spans a run will record.
Recorder::Expected expectedSpans(const Experiment& experiment, const Plan& plan);

/// Assembles the trace from the records of all GPUs. Call once, after the run; empties the recorders.
std::shared_ptr<const Trace> assembleTrace(const Experiment& experiment, const Plan& plan, const Program& program,
                                           bool mirrored, const std::vector<std::unique_ptr<Gpu>>& gpus,
                                           const std::vector<std::unique_ptr<Recorder>>& recorders);

}  // namespace engine
