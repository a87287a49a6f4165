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

// Each byte of communication counts one turn of compute, each byte of compute one turn of communication: the lead is zero
// when both have had their shares. Each request moves it by less than what one request is worth. The products stay small
// because a turn is shorter than a granule.
Stream Arbiter::pickByDebt(const ArbiterView& view) {
    if (!view.computeWaiting || !view.communicationWaiting) {
        m_lead = 0;
        return view.computeWaiting ? Stream::compute : Stream::communication;
    }
    if (m_lead <= 0) {
        m_lead += view.communicationBytes * m_config.computeTurnBytes;
        return Stream::communication;
    }
    m_lead -= view.computeBytes * m_config.communicationTurnBytes;
    return Stream::compute;
}

}  // namespace engine
