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

/// The address maps of one GPU, each in the order in which it works on the chunks.
struct GpuRoutes {
    std::vector<ChunkRoute> scatter;  ///< of the reduce-scatter or all-to-all that tracker and DMA carry; else empty
    std::vector<ChunkRoute> gather;   ///< of the all-gather that they carry; else empty
    std::vector<ChunkRoute> output;   ///< of what the GEMM stores

    /// The map that tells most: that of the collective which tracker and DMA carry, or of the output.
    std::vector<ChunkRoute> foremost() const { return !scatter.empty() ? scatter : !gather.empty() ? gather : output; }
};

/// Returns the maps of GPU `gpu`. Precondition: `validate(experiment)` is empty.
GpuRoutes routesOf(const Experiment& experiment, std::uint32_t gpu);

/// What becomes of a chunk on one GPU in the steps of a collective, whoever carries it.
struct ChunkMoves {
    std::uint32_t received = 0;     ///< copies that come from other GPUs
    std::vector<std::uint32_t> to;  ///< GPUs that it is sent to, over all steps
};

/// Returns what the reduce-scatter or all-to-all, and the all-gather, of an experiment move on GPU `gpu`, by chunk; empty
/// where there is none. Precondition: `validate(experiment)` is empty.
std::vector<ChunkMoves> scatterMovesOf(const Experiment& experiment, std::uint32_t gpu);
std::vector<ChunkMoves> gatherMovesOf(const Experiment& experiment, std::uint32_t gpu);

}  // namespace engine
