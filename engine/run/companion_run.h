#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <optional>

namespace engine {

/// What is simulated for the companion by itself, on the whole GPU, carried `by` and in so many copies. Its own part, a GEMM, is
/// not run. Nothing else wants memory, so that it is arbitrated as under `sequential`.
Experiment companionAlone(const Experiment& experiment, CompanionCarrier by, std::int64_t copies);

/// Times of the parts alone: `companion` as it is set, `kernel` of one copy and as a kernel, which is what one would run
/// otherwise.
struct AloneTimes {
    Duration own, companion, kernel;
};

/// Returns what both lost to each other (side-by-side, section 4, "Numbers"). `last` is the GPU that ends last, with
/// its companion part. Without `alone` what needs it is absent.
CompanionResult companionResultOf(const Experiment& experiment, const GpuResult& last,
                                  const std::optional<AloneTimes>& alone);

}  // namespace engine
