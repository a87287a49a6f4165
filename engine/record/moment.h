#pragma once

#include "engine/api/attribution.h"
#include "engine/record/trace_lanes.h"

#include <array>
#include <cassert>
#include <cstdint>

namespace engine {

/// What happens at a moment of a run.
enum class MomentKind : std::uint8_t {
    runBegun,
    runEnded,
    collectiveBegun,  ///< the one of its phase
    gemmEnded,
    workgroupBegun,  ///< issues its first loads; place: the workgroup
    loaded,          ///< a K-step's data are there; place: the load
    computed,        ///< a K-step is done; place: the workgroup, part: the K-step
    released,        ///< a workgroup's stores are taken; place: the workgroup
    landed,          ///< a granule is in memory; place: the landing
    setFreed,        ///< the same, and what was waited for is the tracker's set that its tile gave back
    readBack,   ///< what DMA or a collective kernel has read is back; place: DRAM's service, part: the tile, if known
    sent,       ///< a packet has left; place: the packet, on the link out
    arrived,    ///< a packet is there; place: the packet, on the link in
    triggered,  ///< place: the trigger
    taken,      ///< a DMA engine takes a command; place: the transfer
    stepBegun,  ///< of a collective kernel; place: the step
    stepEnded,
    lost  ///< nothing is known but that it happened
};

struct Moment {
    TimePoint at;
    std::uint32_t gpu = 0;  ///< of the ring
    SpanPlace place;
    std::uint32_t part = kNone;
    MomentKind kind = MomentKind::lost;
    WorkPhase phase{};
    bool operator==(const Moment&) const = default;
};

/// `later` waited for `earlier`; what took the time between them is told by their kinds.
struct Enabling {
    Moment later, earlier;
    SpanPlace request;  ///< of DRAM, where the way leads through memory
    TimePoint asked;    ///< when that entered its stream, or was needed if that was later
    bool operator==(const Enabling&) const = default;
};

/// The few things that one moment waited for.
struct Causes {
    std::array<Enabling, 4> edges;
    std::size_t count = 0;

    void add(const Moment& later, const Moment& earlier, SpanPlace request = {}, TimePoint asked = {}) {
        assert(count < edges.size());
        if (earlier.at <= later.at)
            edges[count++] = {later, earlier, request, asked};
    }
};

}  // namespace engine
