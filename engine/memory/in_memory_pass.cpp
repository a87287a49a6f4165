#include "engine/memory/in_memory_pass.h"

#include <algorithm>

namespace engine {

InMemoryPass::InMemoryPass(const Experiment& experiment, EventPort pieceEnded, MemoryController& memory)
    : m_pieceEnded(pieceEnded), m_memory(memory),
      m_flow(memory.addFlow(
          {.stream = Stream::communication, .op = MemoryOp::pass, .client = this, .kernel = kOwnKernel + 1})),
      m_bytes(experiment.companion.bytes.count), m_underWay(memory.channels()) {
    const PassTiming timing(experiment);
    m_piece = timing.piece();
    for (std::uint32_t channel = 0; channel < memory.channels(); ++channel)
        m_left.push_back(timing.bytesOf(channel));
}

void InMemoryPass::begin() {
    for (std::uint32_t channel = 0; channel < m_left.size(); ++channel)
        enqueuePiece(channel);
}

bool InMemoryPass::onPieceEnded(std::uint32_t channel) {
    m_done += m_underWay[channel];
    return !enqueuePiece(channel) && m_done == m_bytes;
}

double InMemoryPass::doneShare() const { return static_cast<double>(m_done) / static_cast<double>(m_bytes); }

void InMemoryPass::served(FlowId, std::uint32_t channel, std::uint32_t, TimePoint finish) {
    m_pieceEnded.schedule(finish, channel);
}

// Returns false if no bytes of the channel are left.
bool InMemoryPass::enqueuePiece(std::uint32_t channel) {
    const std::int64_t bytes = std::min(m_left[channel], m_piece);
    m_left[channel] -= bytes;
    m_underWay[channel] = bytes;
    if (bytes > 0)
        m_memory.enqueue(channel, m_flow, channel, static_cast<std::uint32_t>(bytes));
    return bytes > 0;
}

}  // namespace engine
