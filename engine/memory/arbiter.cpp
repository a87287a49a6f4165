#include "engine/memory/arbiter.h"

#include <algorithm>

namespace engine {

std::optional<Stream> Arbiter::pick(const ArbiterView& view, TimePoint now) {
    if (!view.computeWaiting && !view.communicationWaiting)
        return std::nullopt;
    if (m_config.policy == ArbitrationPolicy::roundRobin)
        return pickInTurn(view);

    const bool starving = view.communicationWaiting && m_config.policy == ArbitrationPolicy::mca &&
                          now >= std::max(view.communicationArrival, m_lastCommunication) + m_config.starvationLimit;
    if (view.computeWaiting && !starving)
        return Stream::compute;
    if (!starving && m_thresholdEntries && view.queueEntries >= *m_thresholdEntries)
        return std::nullopt;
    m_lastCommunication = now;
    return Stream::communication;
}

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
