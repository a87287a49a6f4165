#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <optional>

namespace engine {

/// Returns the experiment that is simulated for the companion alone, on the whole GPU, with the given carrier and
/// number of copies. Its own part, a GEMM, is not run. No other traffic competes for memory, which is arbitrated as
/// under `sequential`.
Experiment companionAlone(const Experiment& experiment, CollectiveCarrier by, std::int64_t copies);

/// The times of the parts alone. `companion` has the companion's settings; `kernel` is one copy carried out by a
/// kernel, as one would run it otherwise.
struct AloneTimes {
    Duration own, companion, kernel;
};

/// Returns the time that the own work and the companion lost to each other (side-by-side, section 4, "Numbers"). `last`
/// is the GPU that ends last, with its companion part. Without `alone` the values that need it are absent.
CompanionResult companionResultOf(const Experiment& experiment, const GpuResult& last,
                                  const std::optional<AloneTimes>& alone);

}  // namespace engine
