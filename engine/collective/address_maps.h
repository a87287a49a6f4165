#pragma once

#include "engine/api/experiment.h"
#include "engine/collective/ring_schedule.h"
#include "engine/overlap/address_map.h"

#include <cstdint>

namespace engine {

/// What a collective does with the chunks: add them up at their owners, spread them, or exchange them.
enum class CollectiveKind : std::uint8_t { reduceScatter, allGather, allToAll };

/// Output stays where it is produced, chunk after chunk from `first` on; a collective kernel moves it afterwards.
AddressMap localOutputMap(std::uint32_t gpus, std::uint32_t first);

/// The collective fused with its producer (T3, section 4.1; direct: section 7). By algorithm, for a reduce-scatter:
/// ring: the first chunk's stores go to the neighbour as updates and are never kept; every other element gets two
/// updates, one local and one from the neighbour; then all but the own chunk go on by DMA.
/// direct: every chunk's stores go to its owner as updates; the own chunk gets N. No DMA, nothing tracked.
/// hierarchical: what GPUs of the own node own goes to them, what the other node owns to the owner's counterpart on this
/// node, which passes its node's sum on by DMA.
/// An all-to-all goes straight to the owners as writes, whatever the algorithm.
AddressMap fusedMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

/// The collective by tracker and DMA without a producer: the chunks are there at the start.
AddressMap byDmaMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

}  // namespace engine
