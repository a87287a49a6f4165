#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <optional>
#include <vector>

namespace data {

/// A trigger, the DMA transfer of its block, and the last tile of the block as the receiving GPU tracks it.
struct TraceFlow {
    engine::SpanPlace trigger, transfer;
    std::optional<engine::SpanPlace> landed;  ///< the span of that tracked tile; empty if the receiver tracks none
};

/// Returns all flows of a trace, in the order of their triggers within each lane. A block with several receivers has
/// one flow for each of them. Receivers follow from the ring or, without a ring, from the experiment's address maps. In
/// a mirrored trace the receiver's tile is the corresponding tile of the recorded GPU. If no receiver is known or
/// tracks the tile, the flow ends with its transfer.
std::vector<TraceFlow> flowsOf(const engine::Trace& trace, const engine::Experiment& experiment);

}  // namespace data
