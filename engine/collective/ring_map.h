#pragma once

#include "engine/overlap/address_map.h"

#include <cstdint>

namespace engine {

/// Who works on which chunk when, on a ring in which GPU i sends to GPU i-1. GPU i produces chunks
/// i, i+1, …, i+N-1 (mod N): what its neighbour needs next comes first, and the last, i-1, is its own share.
struct RingSchedule {
    std::uint32_t gpus = 0;
    std::uint32_t gpu = 0;

    std::uint32_t chunkInOrder(std::uint32_t place) const { return (gpu + place) % gpus; }
    std::uint32_t ownChunk() const { return (gpu + gpus - 1) % gpus; }

    // Steps count from 1 to N-1.
    std::uint32_t reduceScatterSends(std::uint32_t step) const { return (gpu + step - 1) % gpus; }
    std::uint32_t reduceScatterReceives(std::uint32_t step) const { return (gpu + step) % gpus; }
    std::uint32_t allGatherSends(std::uint32_t step) const { return (gpu + gpus + step - 2) % gpus; }
    std::uint32_t allGatherReceives(std::uint32_t step) const { return (gpu + gpus + step - 1) % gpus; }
};

/// Output stays where it is produced; a collective kernel moves it afterwards.
AddressMap localOutputMap(const RingSchedule& ring, bool staggered, bool storesAreUpdates);

/// T3's ring reduce-scatter fused with the producer (T3, section 4.1): the first chunk's stores go to the neighbour
/// as updates and are never kept; every other element gets two updates, one local and one from the neighbour; then
/// all but the own chunk go on by DMA.
AddressMap fusedReduceScatterMap(const RingSchedule& ring, bool staggered);

/// The same without a producer: the chunks are there, one update an element arrives.
AddressMap reduceScatterByDmaMap(const RingSchedule& ring);

/// All-gather by DMA: the own chunk leaves at the start, each arriving one is passed on but the last.
AddressMap allGatherByDmaMap(const RingSchedule& ring);

}  // namespace engine
