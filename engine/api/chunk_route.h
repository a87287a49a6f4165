#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <vector>

namespace engine {

/// Where a workgroup's stores to a chunk go.
enum class StoreTarget : std::uint8_t {
    local,   ///< to this GPU's memory
    remote,  ///< straight to another GPU's memory (T3's remote_map)
    none,    ///< no workgroup stores to it: the chunk belongs to a collective alone, or is an input of the GEMM
};

/// The event at which the DMA commands of a chunk become ready.
enum class DmaTrigger : std::uint8_t {
    never,        ///< no DMA: the chunk stays where it is, or a collective kernel moves it
    atStart,      ///< the chunk's data are in memory when the collective begins
    whenUpdated,  ///< each block's command becomes ready when every tile of the block has all its updates
};

/// The configuration of the address space for one chunk on one GPU (T3's remote_map and dma_map).
struct ChunkRoute {
    std::uint32_t chunk = 0;
    StoreTarget stores = StoreTarget::local;
    std::uint32_t storesTo = 0;  ///< the GPU that receives them, for StoreTarget::remote
    /// Stores are NMC op-and-store updates instead of writes, in local and remote memory.
    bool storesAreUpdates = false;
    /// Updates that each element gets on this GPU before the chunk is complete; 0: none.
    std::uint32_t updatesPerElement = 0;
    /// The tracker has entries for the chunk's tiles; otherwise only the end of all its updates is observed.
    bool tracked = false;
    DmaTrigger dma = DmaTrigger::never;
    std::vector<std::uint32_t> dmaTo;  ///< the GPUs to which DMA sends each block, which it reads once for all of them
};

/// The address maps of one GPU. Each lists the chunks in the order in which the GPU works on them.
struct GpuRoutes {
    /// Map of the reduce-scatter or all-to-all; empty unless tracker and DMA carry it out.
    std::vector<ChunkRoute> scatter;
    std::vector<ChunkRoute> gather;  ///< map of the all-gather; empty unless tracker and DMA carry it out
    std::vector<ChunkRoute> output;  ///< map of the GEMM's output

    /// Returns the map with most information: that of the collective that tracker and DMA carry out, or else of the
    /// output.
    std::vector<ChunkRoute> foremost() const { return !scatter.empty() ? scatter : !gather.empty() ? gather : output; }
};

/// Returns the address maps of GPU `gpu`. Precondition: `validate(experiment)` is empty.
GpuRoutes routesOf(const Experiment& experiment, std::uint32_t gpu);

/// The copies of a chunk that one GPU receives and sends in a collective, whether DMA or a kernel carries it out.
struct ChunkMoves {
    std::uint32_t received = 0;     ///< copies that arrive from other GPUs
    std::vector<std::uint32_t> to;  ///< the GPUs to which it is sent, in all steps together
};

/// Returns, by chunk, what GPU `gpu` receives and sends in the experiment's reduce-scatter or all-to-all, or in its
/// all-gather. Empty if the experiment has no such collective. Precondition: `validate(experiment)` is empty.
std::vector<ChunkMoves> scatterMovesOf(const Experiment& experiment, std::uint32_t gpu);
std::vector<ChunkMoves> gatherMovesOf(const Experiment& experiment, std::uint32_t gpu);

}  // namespace engine
