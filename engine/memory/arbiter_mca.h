#pragma once

#include "engine/memory/arbitration_rule.h"
#include "engine/memory/dram_timing.h"

#include <algorithm>
#include <array>
#include <optional>

namespace engine {

/// The rule of T3, section 4.5: compute first. Communication is served when no compute waits and the DRAM queue holds
/// less than the threshold. It also gets one request when its head has waited for the starvation limit, counted from
/// the head's arrival or from the last service of communication, whichever is later.
///
/// The content of the DRAM queue is measured by the time that its service still takes, which is known, and compared
/// with the time that plain accesses take for as many bytes as the threshold has.
class ArbiterMca : public ArbitrationRule {
public:
    static constexpr std::string_view kPromise =
        "communication was served before waiting compute only after the starvation limit";

    explicit ArbiterMca(const Experiment& experiment) : m_starvationLimit(experiment.arbitration.starvationLimit) {
        const DramTiming timing(experiment.memory, experiment.detail.channels, experiment.detail.granule);
        const auto limitOf = [&](Bytes bytes) {
            const std::int64_t channelBytes = thresholdBytes(experiment, bytes);
            return Limit{{channelBytes}, timing.plainTime(channelBytes)};
        };
        switch (experiment.arbitration.threshold.kind) {
        case ArbitrationThreshold::Kind::automatic:
            for (std::size_t level = 0; level < kLevels.size(); ++level)
                m_levels[level] = limitOf({experiment.memory.queue.count * kLevels[level].parts / 64});
            m_isAutomatic = true;
            m_threshold = m_levels.front();
            break;
        case ArbitrationThreshold::Kind::bytes: m_threshold = limitOf(experiment.arbitration.threshold.bytes); break;
        case ArbitrationThreshold::Kind::none: break;
        }
    }

    /// Returns one channel's part, in bytes, rounded up, of a limit of `bytes` over all channels.
    static std::int64_t thresholdBytes(const Experiment& experiment, Bytes bytes) {
        return (bytes.count + experiment.detail.channels - 1) / experiment.detail.channels;
    }

    const MemoryRequest* pick(const ArbiterView& view, TimePoint now) {
        const bool starving = view.communication && now >= starvesAt(view, m_lastCommunication);
        if (view.compute && !starving)
            return view.compute;
        if (!starving && now < shortFrom(view))
            return nullptr;
        m_lastCommunication = now;
        return view.communication;
    }

    bool breaksPromise(const MemoryRequest* choice, const ArbiterView& view, TimePoint now) {
        if (choice != view.communication)
            return false;
        const bool breaks = view.compute && now < starvesAt(view, m_lastSeen);
        m_lastSeen = now;
        return breaks;
    }

    TimePoint heldUntil(const ArbiterView& view) const {
        return std::min(starvesAt(view, m_lastCommunication), shortFrom(view));
    }

    /// Sets an automatic threshold from the GEMM's memory intensity in its first stage, by comparing whole numbers.
    void fixThreshold(Duration served, Duration elapsed) {
        if (!m_isAutomatic)
            return;
        m_threshold.reset();
        for (std::size_t level = 0; level < kLevels.size() && !m_threshold; ++level)
            if (served.ps * 10 > elapsed.ps * kLevels[level].tenths)
                m_threshold = m_levels[level];
    }

    std::optional<Bytes> limit() const { return m_threshold ? std::optional(m_threshold->bytes) : std::nullopt; }

private:
    struct Limit {
        Bytes bytes;    // of one channel
        Duration time;  // that plain accesses take for that many bytes
    };
    struct Level {
        std::int64_t tenths;  // the level applies if DRAM serves the GEMM for more than this share of the time
        std::int64_t parts;   // threshold, in 64ths of the DRAM queue
    };
    static constexpr std::array kLevels{Level{4, 5}, Level{2, 10}, Level{1, 30}};

    TimePoint starvesAt(const ArbiterView& view, TimePoint lastCommunication) const {
        return std::max(view.communication->arrival, lastCommunication) + m_starvationLimit;
    }
    TimePoint shortFrom(const ArbiterView& view) const {
        return m_threshold ? view.queueEnd - m_threshold->time + Duration{1} : TimePoint{};
    }

    Duration m_starvationLimit;
    std::optional<Limit> m_threshold;  // empty: no limit
    std::array<Limit, kLevels.size()> m_levels{};
    bool m_isAutomatic = false;
    TimePoint m_lastCommunication;  // of the last communication pick
    TimePoint m_lastSeen;           // the same, kept by the check of the promise
};

}  // namespace engine
