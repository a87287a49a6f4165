#pragma once

#include "engine/api/chunk_route.h"
#include "engine/memory/dram_timing.h"

#include <vector>

namespace engine {

/// The address map of one GPU: one route for each chunk, in the order in which the GPU works on the chunks. Collectives
/// build it. For tracker and DMA, collectives differ only in their address maps.
struct AddressMap {
    std::vector<ChunkRoute> routes;
    MemoryOp arrivals = MemoryOp::arrivingUpdate;  ///< memory operation of an arriving granule
    /// Arrivals of an all-gather replace the data there; those of an exchange are written beside them.
    bool arrivalsReplace = false;
};

}  // namespace engine
