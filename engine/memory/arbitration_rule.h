#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace engine {

/// One request to memory, in a stream of a channel.
struct MemoryRequest {
    std::uint32_t id;
    std::uint32_t bytes : 24;
    std::uint32_t flow : 8;
    TimePoint arrival;
};

/// What a channel looks like at the moment of a choice: the head of each stream, null for an empty one.
struct ArbiterView {
    const MemoryRequest* compute = nullptr;
    const MemoryRequest* communication = nullptr;
    TimePoint queueEnd;  ///< when DRAM will have served all that is in its queue
};

/// What every rule of arbitration has unless it says otherwise. A rule is a copyable class that derives from this, is
/// made from an experiment, serves one channel, hides what differs and adds
///
///     const MemoryRequest* pick(const ArbiterView& view, TimePoint now);
///
/// which returns the head that goes to the DRAM queue, and counts it as served. It is called while a stream waits and
/// the DRAM queue has room. It may return null, for neither, while communication waits alone.
struct ArbitrationRule {
    /// What `verify` checks, as a sentence; empty: nothing.
    static constexpr std::string_view kPromise{};

    /// Returns true when `choice`, a head of `view`, breaks the promise. Called once after every choice, it judges by
    /// what it has seen itself and not by what `pick` has kept.
    bool breaksPromise(const MemoryRequest* /*choice*/, const ArbiterView& /*view*/, TimePoint /*now*/) {
        return false;
    }

    /// Returns from when on communication is served while it waits alone, should nothing else come: then `pick` is
    /// asked again, once the DRAM queue has room.
    TimePoint heldUntil(const ArbiterView&) const { return {}; }

    /// Learns, at the end of the GEMM's first stage, that DRAM has served the GEMM for `served` out of `elapsed`, both
    /// summed over the channels.
    void fixThreshold(Duration /*served*/, Duration /*elapsed*/) {}

    /// Returns how many bytes of one channel's DRAM queue communication is served below; empty: no limit. For the recorder.
    std::optional<Bytes> limit() const { return std::nullopt; }
};

}  // namespace engine
