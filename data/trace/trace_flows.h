#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// A span by its place in a trace.
struct SpanAt {
    std::uint32_t lane = 0;  ///< index into Trace::lanes
    std::uint32_t span = 0;
    bool operator==(const SpanAt&) const = default;
};

/// What a trigger led to: the DMA transfer of its block, then the update that landed last of it on the GPU it went to.
struct TraceFlow {
    SpanAt trigger, transfer;
    std::optional<SpanAt> landed;  ///< a tracked tile; nothing where the receiver tracks none
};

/// All of them, in the order of their triggers within each lane; one for each receiver where a block goes to several.
/// Read from the trace, and from the experiment where blocks do not go around a ring. Where a mirrored trace holds one
/// GPU for all, the receiver's tile is the one that stands for it there. Left out rather than guessed: transfers whose
/// receiver the address map does not tell.
std::vector<TraceFlow> flowsOf(const engine::Trace& trace, const engine::Experiment& experiment);

}  // namespace data
