#pragma once

#include "engine/collective/address_maps.h"
#include "engine/collective/ring_schedule.h"

#include <cstdint>
#include <vector>

namespace engine {

/// A chunk that leaves in one step, read once and sent to each of `to`.
struct Transfer {
    std::uint32_t chunk = 0;
    std::vector<std::uint32_t> to;
};

/// A chunk that comes from one GPU.
struct Receipt {
    std::uint32_t from = 0;
    std::uint32_t chunk = 0;
};

/// A step ends for a GPU when all it receives in it is there and all it sends has been handed out.
struct CollectiveStep {
    std::vector<Transfer> sends;
    std::vector<Receipt> receives;
};

/// One GPU's part of a collective that runs as a kernel of its own. What a chunk has gathered by the step in which it is
/// sent goes with it; what the own chunk has gathered by the end is its result.
struct CollectiveSchedule {
    CollectiveKind kind{};
    std::vector<CollectiveStep> steps;
};

/// ring: N-1 steps to the neighbour; of an all-to-all, N-1 pairwise exchanges. direct: one step, everything to everybody it
/// concerns. hierarchical: a reduce-scatter within each node, then between counterparts; an all-gather to the own node
/// and the counterpart, then the counterpart's chunk to the own node.
CollectiveSchedule scheduleOf(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

}  // namespace engine
