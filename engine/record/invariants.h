#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"
#include "engine/record/bounds.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// Facts of a finished run about one GPU beyond its result.
struct GpuFacts {
    GpuResult result;
    Bytes received;        ///< payload that arrived by the links
    Bytes served;          ///< bytes that DRAM served, background traffic excluded
    Bytes passed;          ///< bytes on which a pass inside memory has worked
    bool drained = false;  ///< every queue is empty, every tracked tile closed, every DMA command done
    /// Service time of the channel that served longest, with a pass inside memory, background traffic excluded.
    Duration busiestChannel;
    /// The arbiter's promise as a sentence (empty: none), and how often the arbiter broke it.
    std::string_view promise;
    std::int64_t picksAgainstRule = 0;
    std::int64_t surplusUpdates = 0;  ///< updates that landed although their tile already had all its updates
};

struct RunFacts {
    std::vector<GpuFacts> gpus;     ///< all GPUs, or the one that stands for all
    std::optional<WholeRun> whole;  ///< the times of the run, if GPUs differ
    NetworkFacts network;
    bool mirrored = true;
    std::int64_t eventsInThePast = 0;  ///< events that a GPU or a switch scheduled for a time in the past
};

/// Returns the times that the run could not undercut.
BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, const RunFacts& facts);

/// Checks the invariants that need one finished run only: conservation, counts, bounds, arbitration.
std::vector<Check> checkRun(const Experiment& experiment, const Shape& shape, const RunFacts& facts);

/// Returns the number of `checks` and those that failed, as a result carries them.
InvariantsResult summarise(const std::vector<Check>& checks);

}  // namespace engine
