#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace engine {

/// One memory request that waits in a stream of a channel.
struct MemoryRequest {
    std::uint32_t id;
    std::uint32_t bytes : 24;
    std::uint32_t flow : 8;
    TimePoint arrival;
};

/// The state of a channel at the time of a choice: the head of each stream, null for an empty one.
struct ArbiterView {
    const MemoryRequest* compute = nullptr;
    const MemoryRequest* communication = nullptr;
    TimePoint queueEnd;  ///< when DRAM will have served all that is in its queue
};

/// The base of every arbitration rule, with defaults for what a rule may leave out. A rule is a copyable class that
/// derives from this, is constructed from an experiment and serves one channel. It redeclares the functions in which it
/// differs and adds
///
///     const MemoryRequest* pick(const ArbiterView& view, TimePoint now);
///
/// which returns the head that goes to the DRAM queue, and counts it as served. `pick` is called while a stream has
/// requests and the DRAM queue has room. It may return null, for neither stream, while communication waits alone.
struct ArbitrationRule {
    /// The promise that `verify` checks, as a sentence; empty: none.
    static constexpr std::string_view kPromise{};

    /// Returns whether `choice`, a head of `view`, breaks the promise. It is called once after every choice, and judges
    /// by state of its own instead of the state that `pick` keeps.
    bool breaksPromise(const MemoryRequest* /*choice*/, const ArbiterView& /*view*/, TimePoint /*now*/) {
        return false;
    }

    /// Returns the time from which communication is served while it waits alone, if no other request arrives. `pick` is
    /// called again at that time, or later when the DRAM queue has room.
    TimePoint heldUntil(const ArbiterView&) const { return {}; }

    /// Called at the end of the GEMM's first stage: DRAM has served the GEMM for `served` out of `elapsed`, both summed
    /// over the channels.
    void fixThreshold(Duration /*served*/, Duration /*elapsed*/) {}

    /// Returns the bytes in one channel's DRAM queue below which communication is served; empty: no limit. The recorder
    /// uses it.
    std::optional<Bytes> limit() const { return std::nullopt; }
};

}  // namespace engine
