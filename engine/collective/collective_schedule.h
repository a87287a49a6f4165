#pragma once

#include "engine/api/collective_algorithm.h"
#include "engine/collective/ring_schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// The task of a collective: to sum up the chunks at their owners, to send them to all, to exchange them, or to sum
/// them up on every GPU in one pass (RunParts::reducesAtOnce).
enum class CollectiveKind : std::uint8_t { reduceScatter, allGather, allToAll, allReduce };

/// A chunk that is sent in one step: it is read once and sent to each of `to`. Without receivers the chunk stays, and
/// its sum is written to memory.
struct Transfer {
    std::uint32_t chunk = 0;
    std::vector<std::uint32_t> to;
    /// 0: each of `to` gets a packet of its own. Otherwise one packet leaves this GPU, towards the first of `to`, and
    /// the switch on its way adds the packets of so many GPUs and sends the sum to each of `to`.
    std::uint32_t summands = 0;

    /// Returns the GPUs towards which packets leave.
    std::span<const std::uint32_t> packets() const { return std::span(to).first(summands == 0 ? to.size() : 1); }
};

/// In place of the GPU from which a chunk arrives: the switch, which adds the copies of several GPUs.
inline constexpr std::uint32_t kFromSwitch = ~std::uint32_t{0};

/// A chunk that arrives from one GPU, or from a switch. No GPU sends the same chunk to another twice in one collective.
struct Receipt {
    std::uint32_t from = 0;
    std::uint32_t chunk = 0;
};

/// A step ends for a GPU when all its receipts are in memory and all its sends have been handed out. Either may be
/// empty.
struct CollectiveStep {
    std::vector<Transfer> sends;
    std::vector<Receipt> receives;
};

/// One GPU's part of a collective. A chunk may be sent in several steps, so that step and chunk together identify a
/// transfer. In a reduce-scatter a chunk is sent once, with the contributions that it has collected by then. A chunk
/// that is never sent collects contributions until the end, and they are its sum.
struct CollectiveSchedule {
    CollectiveKind kind{};
    std::vector<CollectiveStep> steps;
};

/// Returns the part of GPU `ring.gpu` in `algorithm`, step by step.
CollectiveSchedule scheduleOf(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring);

/// Returns the chunks that a GPU never sends, in ascending order. In a reduce-scatter it keeps their sums.
std::vector<std::uint32_t> keptChunks(const CollectiveSchedule& schedule, std::uint32_t chunks);

/// Adds a transfer without receivers for each kept chunk of a reduce-scatter, in the step after its last contribution
/// has arrived. That transfer is the final sum of a reduction on CUs.
void addSums(CollectiveSchedule& schedule, std::uint32_t chunks);

/// Returns, by chunk, the GPU that has it at the end of a reduce-scatter or all-to-all, and at the beginning of an
/// all-gather.
std::vector<std::uint32_t> ownersOf(CollectiveAlgorithm algorithm, std::uint32_t gpus);

}  // namespace engine
