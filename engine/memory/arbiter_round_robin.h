#pragma once

#include "engine/memory/arbitration_rule.h"

namespace engine {

/// Serves up to share x turn bytes of communication, then one turn of compute, and skips an empty stream. If a turn is
/// shorter than a request this is deficit round robin: while both streams wait, the bytes served from them stay at
/// share to 1 within one request.
class ArbiterRoundRobin : public ArbitrationRule {
public:
    explicit ArbiterRoundRobin(const Experiment& experiment)
        : m_computeTurnBytes(experiment.arbitration.turn.value_or(experiment.detail.granule).count),
          m_communicationTurnBytes(m_computeTurnBytes * experiment.arbitration.share),
          m_carriesDebt(m_computeTurnBytes < experiment.detail.granule.count) {}

    const MemoryRequest* pick(const ArbiterView& view, TimePoint) {
        return m_carriesDebt ? pickByDebt(view) : pickInTurn(view);
    }

private:
    const MemoryRequest* pickInTurn(const ArbiterView& view) {
        const std::int64_t allowed = m_isComputesTurn ? m_computeTurnBytes : m_communicationTurnBytes;
        const MemoryRequest* head = m_isComputesTurn ? view.compute : view.communication;
        if (m_turnBytes >= allowed || !head) {
            const MemoryRequest* other = m_isComputesTurn ? view.communication : view.compute;
            m_turnBytes = 0;
            // Skipping an empty stream leads back to the other one, with a fresh turn.
            if (other) {
                m_isComputesTurn = !m_isComputesTurn;
                head = other;
            }
        }
        m_turnBytes += head->bytes;
        return head;
    }

    // Chooses by the lead of communication over its share. Each byte of communication adds the bytes of one turn of
    // compute to the lead, and each byte of compute subtracts those of one turn of communication, so the lead is zero
    // when both have had their shares. The products stay small because a turn is shorter than a granule.
    const MemoryRequest* pickByDebt(const ArbiterView& view) {
        if (!view.compute || !view.communication) {
            m_lead = 0;
            return view.compute ? view.compute : view.communication;
        }
        if (m_lead <= 0) {
            m_lead += view.communication->bytes * m_computeTurnBytes;
            return view.communication;
        }
        m_lead -= view.compute->bytes * m_communicationTurnBytes;
        return view.compute;
    }

    std::int64_t m_computeTurnBytes;
    std::int64_t m_communicationTurnBytes;
    bool m_carriesDebt;  // a turn is shorter than a request: bytes beyond a turn count in the turns after it
    bool m_isComputesTurn = false;
    std::int64_t m_turnBytes = 0;  // served in the turn so far
    std::int64_t m_lead = 0;       // of communication over its share, in bytes x bytes of a turn
};

}  // namespace engine
