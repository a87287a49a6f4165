#pragma once

#include "engine/api/collective_algorithm.h"
#include "engine/collective/collective_schedule.h"
#include "engine/overlap/address_map.h"

#include <cstdint>
#include <vector>

namespace engine {

/// Returns, by chunk, what a GPU receives and sends in all steps of a schedule.
std::vector<ChunkMoves> movesOf(const CollectiveSchedule& schedule, std::uint32_t chunks);

/// Returns the map of output that stays where it is produced, chunk after chunk from `first` on; a collective kernel
/// moves it afterwards.
AddressMap localOutputMap(std::uint32_t gpus, std::uint32_t first);

/// Returns the map of a collective that is fused with its producer (T3, section 4.1; other algorithms: section 7),
/// derived from the algorithm's steps. In a reduce-scatter, a chunk that this GPU sends without having received any
/// part of it is stored straight to its receiver, as updates. Every other chunk is summed up here, with one update from
/// the producer and one from each sender, and then stays or is sent on by DMA. An all-to-all goes straight to the
/// owners as writes.
AddressMap fusedMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

/// Returns the map of the same collective by tracker and DMA without a producer: the chunks are in memory at the start.
AddressMap byDmaMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

}  // namespace engine
