#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace engine {

/// Everything that shapes arbitration on one channel, in bytes of that channel.
struct ArbiterConfig {
    ArbitrationPolicy policy = ArbitrationPolicy::roundRobin;
    std::int64_t communicationTurnBytes = 0;  ///< share x turn
    std::int64_t computeTurnBytes = 0;        ///< turn
    Duration starvationLimit;
    bool carriesDebt = false;  ///< a turn is shorter than a request: bytes beyond a turn count in the turns after it
};

/// What the two streams of a channel look like at the moment of a pick.
struct ArbiterView {
    bool computeWaiting = false;
    bool communicationWaiting = false;
    bool queueIsShort = true;        ///< less than MCA's threshold is in the DRAM queue before the pick
    TimePoint communicationArrival;  ///< of the communication stream's head; meaningful when it waits
    std::int64_t computeBytes = 0;   ///< of the head of each stream
    std::int64_t communicationBytes = 0;
};

/// Chooses which stream of one channel hands its head to the DRAM queue.
/// Round robin: up to share x turn bytes of communication, then one turn of compute; an empty stream is skipped. Where a
/// turn is shorter than a request this is deficit round robin: while both streams wait, the bytes that they have been
/// served stay at share to 1 within one request.
/// MCA (T3, section 4.5): compute first; communication only when no compute waits and the DRAM queue is short, or when its head has been unserved for the starvation limit since it arrived or since
/// communication was last served, whichever is later: then it gets one request.
/// Compute first: MCA without threshold and without starvation limit.
class Arbiter {
public:
    explicit Arbiter(const ArbiterConfig& config) : m_config(config) {}

    /// Nothing when neither stream may be served now. The choice counts as served.
    std::optional<Stream> pick(const ArbiterView& view, TimePoint now);

private:
    Stream pickInTurn(const ArbiterView& view);
    Stream pickByDebt(const ArbiterView& view);

    ArbiterConfig m_config;
    Stream m_turn = Stream::communication;
    std::int64_t m_turnBytes = 0;   // served in the turn so far
    std::int64_t m_lead = 0;        // of communication over its share, in bytes x bytes of a turn
    TimePoint m_lastCommunication;  // of the last communication pick
};

// In the header because it runs once for every request.
inline std::optional<Stream> Arbiter::pick(const ArbiterView& view, TimePoint now) {
    if (!view.computeWaiting && !view.communicationWaiting)
        return std::nullopt;
    if (m_config.policy == ArbitrationPolicy::roundRobin)
        return m_config.carriesDebt ? pickByDebt(view) : pickInTurn(view);

    const bool starving = view.communicationWaiting && m_config.policy == ArbitrationPolicy::mca &&
                          now >= std::max(view.communicationArrival, m_lastCommunication) + m_config.starvationLimit;
    if (view.computeWaiting && !starving)
        return Stream::compute;
    if (!starving && !view.queueIsShort)
        return std::nullopt;
    m_lastCommunication = now;
    return Stream::communication;
}

}  // namespace engine
