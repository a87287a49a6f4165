#pragma once

#include "engine/api/collective_algorithm.h"
#include "engine/collective/ring_schedule.h"

#include <cstdint>
#include <vector>

namespace engine {

/// What a collective does with the chunks: add them up at their owners, spread them, or exchange them.
enum class CollectiveKind : std::uint8_t { reduceScatter, allGather, allToAll };

/// A chunk that leaves in one step, read once and sent to each of `to`. Without receivers the chunk stays: its sum is
/// written to memory.
struct Transfer {
    std::uint32_t chunk = 0;
    std::vector<std::uint32_t> to;
};

/// A chunk that comes from one GPU. No GPU sends the same chunk to another twice in one collective.
struct Receipt {
    std::uint32_t from = 0;
    std::uint32_t chunk = 0;
};

/// A step ends for a GPU when all it receives in it is there and all it sends has been handed out. Either may be empty.
struct CollectiveStep {
    std::vector<Transfer> sends;
    std::vector<Receipt> receives;
};

/// One GPU's part of a collective. A chunk may be sent in several steps: transfers are told apart by step and chunk. In a
/// reduce-scatter a chunk leaves once, with what it has gathered by then; what a chunk that never leaves has gathered by
/// the end is its sum.
struct CollectiveSchedule {
    CollectiveKind kind{};
    std::vector<CollectiveStep> steps;
};

/// Returns the part of GPU `ring.gpu`, step by step as `algorithm` has it.
CollectiveSchedule scheduleOf(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

/// Returns the chunks of a GPU that it never sends, in ascending order: in a reduce-scatter, whose sums it keeps.
std::vector<std::uint32_t> keptChunks(const CollectiveSchedule& schedule, std::uint32_t chunks);

/// Adds a transfer without receivers for each kept chunk of a reduce-scatter, in the step after its last contribution has
/// come: what a reduction on CUs still has to do there.
void addSums(CollectiveSchedule& schedule, std::uint32_t chunks);

/// Returns the GPU that has each chunk at the end of a reduce-scatter or all-to-all, and at the beginning of an
/// all-gather, by chunk.
std::vector<std::uint32_t> ownersOf(CollectiveAlgorithm algorithm, std::uint32_t gpus);

}  // namespace engine
