#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <cstdint>
#include <vector>

namespace engine {

/// What the network lets one GPU do at best.
struct NetworkFacts {
    Bandwidth egress;  ///< of the links that the collectives use
    Duration latency;  ///< of the shortest hop
};

/// What a finished run knows about one GPU beyond its result.
struct GpuFacts {
    GpuResult result;
    NetworkFacts network;
    Bytes received;           ///< payload that came in by the link
    bool drained = false;     ///< every queue empty, every tracked tile closed, every DMA command done
    Duration busiestChannel;  ///< service time of the channel that served longest
    std::int64_t picksAgainstRule = 0;
};

struct RunFacts {
    std::vector<GpuFacts> gpus;  ///< all, or the one that stands for all
    bool mirrored = true;
};

/// No GPU can be faster than these; for GPU `gpu` (model.md, section 4.3).
BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const GpuFacts& facts);

/// The invariants that can be read off one finished run: conservation, counts, bounds, arbitration.
std::vector<Check> checkRun(const Experiment& experiment, const Shape& shape, const RunFacts& facts);

/// How many of `checks` there are and which failed, as a result carries it.
InvariantsResult summarise(const std::vector<Check>& checks);

}  // namespace engine
