#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <vector>

namespace engine {

/// Where a workgroup's stores to a chunk go.
enum class StoreTarget : std::uint8_t {
    local,   ///< to this GPU's memory
    remote,  ///< straight to another GPU's (remote_map)
    none,    ///< nobody stores: a collective alone, or an input
};

/// When the DMA commands of a chunk become ready.
enum class DmaTrigger : std::uint8_t {
    never,        ///< the chunk stays, or a collective kernel moves it
    atStart,      ///< its data are there when the collective begins
    whenUpdated,  ///< block by block, when every tile of it has all its updates
};

/// How the address space is configured for one chunk on one GPU (T3's remote_map and dma_map).
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

/// The address map of GPU `gpu`, in the order in which it works on the chunks: of its GEMM's output, of the input that its
/// GEMM waits for, or of a collective alone. Precondition: `validate(experiment)` is empty.
std::vector<ChunkRoute> routesOf(const Experiment& experiment, std::uint32_t gpu);

}  // namespace engine
