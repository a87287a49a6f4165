#pragma once

#include "engine/api/experiment.h"

#include <cstdint>

namespace engine {

/// What one GPU moves in one collective, by closed form; bytes.
struct ExpectedCounts {
    std::int64_t stores = 0;    ///< the producer's own, into its memory
    std::int64_t reads = 0;     ///< the collective's, from DRAM
    std::int64_t writes = 0;    ///< likewise, updates included
    std::int64_t sent = 0;      ///< payload that it sends, not what it passes on
    std::int64_t received = 0;  ///< payload for it
};

/// Which parts an experiment has, as the counts tell them apart.
struct ExpectedParts {
    bool gemm = false, scatter = false, exchange = false, gather = false, consumes = false;
    bool fused = false;  ///< the GEMM's stores feed tracker and DMA, or go straight to their owners
    bool gatherByDma = false;
    bool reducesOnCus = false;

    explicit ExpectedParts(const Experiment& experiment);
};

/// Of the reduce-scatter, the all-to-all and the all-gather on GPU `gpu`, from the chunks alone (model.md, section 4.1; the
/// other algorithms likewise): they hold whatever the timing.
ExpectedCounts expectedScatter(const Experiment& experiment, const Shape& shape, std::int64_t gpu);
ExpectedCounts expectedExchange(const Experiment& experiment, const Shape& shape, std::int64_t gpu);
ExpectedCounts expectedGather(const Experiment& experiment, const Shape& shape, std::int64_t gpu);

}  // namespace engine
