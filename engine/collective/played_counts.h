#pragma once

#include "engine/api/units.h"
#include "engine/collective/collective_schedule.h"
#include "engine/overlap/address_map.h"
#include "engine/record/expected_counts.h"

#include <vector>

namespace engine {

/// Returns the bytes that one GPU moves in the steps of a collective kernel. `chunkBytes`: the size of each chunk.
/// `stores` is the whole output. `reducesOnCus`: contributions are read and added; otherwise they arrive as updates.
/// `buffers`: the kernel copies through buffers (copiesThroughBuffers). `readsForEach`: a chunk for several GPUs is read
/// once for each of them, as a kernel with buffers does, too.
ExpectedCounts countsOf(CollectiveSchedule schedule, const std::vector<Bytes>& chunkBytes, bool reducesOnCus,
                        bool buffers = false, bool readsForEach = false);

/// Returns the bytes that one GPU moves when tracker and DMA carry out an address map. `readsForEach`: a chunk for
/// several GPUs is read once for each of them.
ExpectedCounts countsOf(const AddressMap& map, const std::vector<Bytes>& chunkBytes, bool readsForEach = false);

}  // namespace engine
