#pragma once

#include "engine/api/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace engine {

class ContributionLedger;

/// Collects the spans and counters of one GPU while it runs, and tells a ledger of contributions, when there is one,
/// what became of each granule. Components hold a pointer that is null when no trace
/// was asked for, so that recording then costs one predictable branch.
/// Spans may be handed in before they start (service times are known when DRAM accepts a request) and in any order;
/// `finish` sorts them.
class Recorder {
public:
    /// About how many spans a lane will get. Only a hint; growing a lane from nothing copies it a dozen times, which
    /// was half of what a trace cost.
    struct Expected {
        std::size_t loads = 0;     ///< of one slot
        std::size_t link = 0;      ///< of one direction
        std::size_t dram = 0;      ///< of one channel
        std::size_t landings = 0;  ///< likewise
    };

    /// Without `keepsTrace` only the ledger is served. `ledger` may be null.
    Recorder(std::uint32_t gpu, bool keepsTrace, ContributionLedger* ledger, Expected expected)
        : m_gpu(gpu), m_keepsTrace(keepsTrace), m_ledger(ledger), m_expected(expected) {}

    void span(LaneKind lane, std::uint32_t index, const Span& span) {
        if (m_keepsTrace)
            laneOf(lane, index).spans.push_back(span);
    }

    /// A granule of the output is in memory from `when` on.
    void landing(SpanKind kind, std::uint32_t channel, std::uint32_t tile, std::uint32_t granuleOfTile,
                 std::uint32_t bytes, TimePoint when) {
        span(LaneKind::landings, channel, {when, when, tile, granuleOfTile, bytes, kind});
    }

    // Where data go; see ContributionLedger.
    void produced(std::uint32_t granule);
    void sentDirect(std::uint32_t granule);
    void sent(std::uint32_t granule);
    void arrivedUpdate(std::uint32_t granule);
    void arrivedBeside(std::uint32_t granule);
    void arrivedCopy(std::uint32_t granule);
    void reduced(std::uint32_t granule);

    /// Keeps the sample unless the value is the one already kept; what follows within kCounterResolution replaces it.
    /// Backlogs change with every request: at full resolution they would cost more than all spans.
    void sample(CounterKind kind, TimePoint time, std::int64_t value);

    /// Moves everything into `trace`, lanes by kind and index. Lanes in which spans can overlap are marked.
    void finish(Trace& trace);

private:
    Lane& laneOf(LaneKind kind, std::uint32_t index) {
        std::vector<Lane>& lanes = m_lanes[static_cast<std::size_t>(kind)];
        if (lanes.size() <= index)
            addLanes(kind, index);
        return lanes[index];
    }
    void addLanes(LaneKind kind, std::uint32_t last);
    std::size_t expectedSpans(LaneKind kind) const;

    static constexpr Duration kCounterResolution = 100_ns;
    static constexpr std::size_t kLaneKinds = static_cast<std::size_t>(LaneKind::landings) + 1;
    static constexpr std::size_t kCounterKinds = static_cast<std::size_t>(CounterKind::runningWorkgroups) + 1;

    std::uint32_t m_gpu;
    bool m_keepsTrace;
    ContributionLedger* m_ledger;
    Expected m_expected;
    std::array<std::vector<Lane>, kLaneKinds> m_lanes;
    std::array<std::vector<CounterSample>, kCounterKinds> m_counters;
};

// In the header because two backlogs change with every request.
inline void Recorder::sample(CounterKind kind, TimePoint time, std::int64_t value) {
    if (!m_keepsTrace)
        return;
    std::vector<CounterSample>& samples = m_counters[static_cast<std::size_t>(kind)];
    if (!samples.empty()) {
        if (samples.back().value == value)
            return;
        if (time - samples.back().time < kCounterResolution) {
            samples.back().value = value;
            return;
        }
    }
    samples.push_back({time, value});
}

}  // namespace engine
