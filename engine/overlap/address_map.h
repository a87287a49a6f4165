#pragma once

#include "engine/api/chunk_route.h"
#include "engine/memory/dram_timing.h"

#include <vector>

namespace engine {

/// The address map of one GPU: one route for each chunk, in the order in which the chunks are worked on.
/// Collectives build it; nothing else tells them apart while they run.
struct AddressMap {
    std::vector<ChunkRoute> routes;
    MemoryOp arrivals = MemoryOp::arrivingUpdate;  ///< what an arriving granule does to memory
    bool arrivalsReplace = false;                  ///< what was there: an all-gather's; an exchange writes beside
};

}  // namespace engine
