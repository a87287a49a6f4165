#pragma once

#include "engine/memory/dram_timing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// Where a workgroup's stores to a chunk go.
enum class StoreTarget : std::uint8_t {
    local,   ///< to this GPU's memory
    remote,  ///< straight to another GPU's (remote_map)
    none,    ///< nobody stores: a collective alone
};

/// When the DMA commands of a chunk become ready.
enum class DmaTrigger : std::uint8_t {
    never,        ///< the chunk stays
    atStart,      ///< its data are there when the collective begins
    whenUpdated,  ///< block by block, when every tile of it has all its updates
};

/// How the output address space is configured for one chunk on one GPU (T3's remote_map and dma_map).
struct ChunkRoute {
    std::uint32_t chunk = 0;
    StoreTarget stores = StoreTarget::local;
    std::uint32_t storesTo = 0;           ///< which GPU, where they are remote
    bool storesAreUpdates = false;        ///< NMC op-and-store instead of a write, here or there
    std::uint32_t updatesPerElement = 0;  ///< that land here until it is complete; 0: nothing is waited for
    bool tracked = false;                 ///< by entries of the tracker; otherwise only the end of it all is waited for
    DmaTrigger dma = DmaTrigger::never;
    std::vector<std::uint32_t> dmaTo;  ///< GPUs that a block is sent to, read once for all of them
};

/// The address map of one GPU: one route for each chunk, in the order in which the chunks are worked on.
/// Collectives build it; nothing else tells them apart while they run.
struct AddressMap {
    std::vector<ChunkRoute> routes;
    MemoryOp arrivals = MemoryOp::arrivingUpdate;  ///< what an arriving granule does to memory
};

}  // namespace engine
