#include "engine/memory/arbiter.h"

namespace engine {

Stream Arbiter::pickInTurn(const ArbiterView& view) {
    const std::int64_t allowed =
        m_turn == Stream::communication ? m_config.communicationTurnBytes : m_config.computeTurnBytes;
    const bool waiting = m_turn == Stream::communication ? view.communicationWaiting : view.computeWaiting;
    if (m_turnBytes >= allowed || !waiting) {
        m_turn = m_turn == Stream::communication ? Stream::compute : Stream::communication;
        m_turnBytes = 0;
        // Skipping an empty stream leads back to the other one, with a fresh turn.
        if (m_turn == Stream::communication ? !view.communicationWaiting : !view.computeWaiting)
            m_turn = m_turn == Stream::communication ? Stream::compute : Stream::communication;
    }
    m_turnBytes += m_turn == Stream::communication ? view.communicationBytes : view.computeBytes;
    return m_turn;
}

}  // namespace engine
