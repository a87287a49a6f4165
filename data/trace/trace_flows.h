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

/// A trigger with the DMA transfer of its block, and the update of the transfer that landed last on the receiving GPU.
struct TraceFlow {
    SpanAt trigger, transfer;
    std::optional<SpanAt> landed;  ///< a tracked tile; empty if the receiver tracks none
};

/// Returns all flows of a trace, in the order of their triggers within each lane; if a block goes to several receivers,
/// one flow for each. They are read from the trace, and from the experiment if blocks do not go around a ring. In a
/// mirrored trace the receiver's tile is the corresponding tile of the recorded GPU. Transfers whose receiver is not in
/// the address map are left out instead of guessed.
std::vector<TraceFlow> flowsOf(const engine::Trace& trace, const engine::Experiment& experiment);

}  // namespace data
