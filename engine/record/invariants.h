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

/// What a finished run knows about one GPU beyond its result.
struct GpuFacts {
    GpuResult result;
    Bytes received;           ///< payload that came in by the link
    Bytes served;             ///< by DRAM, background traffic aside
    bool drained = false;     ///< every queue empty, every tracked tile closed, every DMA command done
    Duration busiestChannel;  ///< service time of the channel that served longest, background traffic aside
    /// What the arbiter promises, as a sentence (empty: nothing), and how often it broke that.
    std::string_view promise;
    std::int64_t picksAgainstRule = 0;
    std::int64_t surplusUpdates = 0;  ///< that landed after all that their tile was to get
};

struct RunFacts {
    std::vector<GpuFacts> gpus;     ///< all, or the one that stands for all
    std::optional<WholeRun> whole;  ///< the times of the run, where GPUs differ
    NetworkFacts network;
    bool mirrored = true;
    std::int64_t eventsInThePast = 0;  ///< that a GPU or a switch scheduled for a moment that was over
};

/// What the run could not have been faster than.
BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, const RunFacts& facts);

/// The invariants that can be read off one finished run: conservation, counts, bounds, arbitration.
std::vector<Check> checkRun(const Experiment& experiment, const Shape& shape, const RunFacts& facts);

/// How many of `checks` there are and which failed, as a result carries it.
InvariantsResult summarise(const std::vector<Check>& checks);

}  // namespace engine
