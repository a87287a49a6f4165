#pragma once

#include "engine/api/experiment.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/memory_controller.h"

#include <cstdint>
#include <vector>

namespace engine {

/// A pass inside memory: processors at the banks work on `companion.bytes`, which lie in equal parts in all channels.
/// No CU, no bus and no link takes part. Each channel gets its part in pieces, one after the other, as requests of the
/// communication stream: between two pieces the memory controller chooses again, so that MCA holds the pass back.
class InMemoryPass final : public MemoryClient {
public:
    /// `pieceEnded` is scheduled per channel, in the completion phase.
    InMemoryPass(const Experiment& experiment, EventPort pieceEnded, MemoryController& memory);

    void begin();
    /// Hands over the next piece of a channel. Returns true if the pass has ended with the piece before.
    bool onPieceEnded(std::uint32_t channel);

    /// Returns the share of the bytes whose pieces have ended.
    double doneShare() const;

    void served(FlowId flow, std::uint32_t channel, std::uint32_t bytes, TimePoint finish) override;

private:
    bool enqueuePiece(std::uint32_t channel);

    EventPort m_pieceEnded;
    MemoryController& m_memory;
    FlowId m_flow;
    std::int64_t m_piece = 0;
    std::int64_t m_bytes;  // of all channels together
    std::int64_t m_done = 0;
    std::vector<std::int64_t> m_left;      // by channel: bytes of pieces that have not been handed over
    std::vector<std::int64_t> m_underWay;  // by channel: bytes of the piece that has been handed over
};

}  // namespace engine
