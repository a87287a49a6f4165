#pragma once

#include "engine/api/trace.h"
#include "engine/record/contribution_ledger.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// Collects the spans and counters of one GPU while it runs, and reports to the ledgers of contributions, if there are
/// any, where each granule goes. Components hold a pointer that is null if no trace was requested, so that
/// recording then costs one predictable branch. Spans may be handed in before they start (service times are known when
/// DRAM accepts a request) and in any order; `finish` hands lanes over sorted.
class Recorder {
public:
    /// The approximate numbers of spans of a lane. They are only hints. Growing a lane from empty copies it a dozen
    /// times, which was half of the cost of a trace.
    struct Expected {
        std::size_t loads = 0;     ///< loads of one slot
        std::size_t link = 0;      ///< packets of one direction of a link
        std::size_t dram = 0;      ///< services of one DRAM channel
        bool places = false;       ///< services have a place in banks
        std::size_t landings = 0;  ///< landings of one DRAM channel
    };

    /// Makes a recorder. Without `keepsTrace` it serves the ledgers only.
    Recorder(std::uint32_t gpu, bool keepsTrace, const Ledgers& ledgers, Expected expected, bool keepsGranules = false)
        : m_gpu(gpu), m_keepsTrace(keepsTrace), m_keepsGranules(keepsTrace && keepsGranules), m_ledgers(ledgers),
          m_expected(expected) {}

    void span(LaneKind kind, std::uint32_t index, const Span& span) {
        if (!m_keepsTrace)
            return;
        Recorded& lane = laneOf(kind, index);
        if (lane.spans.empty() || !earlier(span, lane.spans.back()))
            lane.spans.push_back(span);
        else
            insert(lane, span);
        // A trace has ten megabytes in two hundred lanes, which are more streams than a processor prefetches by itself.
        // Without this prefetch every other span would wait for memory.
        __builtin_prefetch(lane.spans.data() + lane.spans.size() + kFetchedAhead, 1);
    }

    /// Records that DRAM serves a request that entered its stream at `asked` and its DRAM queue at `picked`. Call in
    /// the order of service.
    void served(std::uint32_t channel, const Span& span, TimePoint asked, TimePoint picked) {
        if (!m_keepsTrace)
            return;
        this->span(LaneKind::dramChannel, channel, span);
        Recorded& lane = m_lanes[static_cast<std::size_t>(LaneKind::dramChannel)][channel];
        lane.askedAt.push_back(asked);
        lane.queuedFor.push_back(static_cast<std::uint32_t>(std::min((span.start - picked).ps, kMostQueued)));
    }

    /// Records where the bank model served the request that the last call of `served` recorded for the channel.
    void servedAt(std::uint32_t channel, const ServedPlace& place) {
        if (m_keepsTrace)
            m_lanes[static_cast<std::size_t>(LaneKind::dramChannel)][channel].places.push_back(place);
    }

    /// Returns whether the granule of each request is recorded.
    bool keepsGranules() const { return m_keepsGranules; }
    /// Records the granule of the request that the last call of `served` recorded for the channel. Precondition:
    /// keepsGranules.
    void servedGranule(std::uint32_t channel, std::uint32_t granule) {
        m_lanes[static_cast<std::size_t>(LaneKind::dramChannel)][channel].granules.push_back(granule);
    }

    /// Records that a DMA engine has sent a block whose last read returned at `readAt`. Calls may come in any order.
    void transferred(std::uint32_t engine, const Span& span, TimePoint readAt) {
        if (m_keepsTrace)
            m_transfers.push_back({engine, span, readAt});
    }

    /// Records that MCA's threshold has been fixed; see Trace::arbiterLimits.
    void fixedLimit(std::optional<Bytes> limit) { m_arbiterLimit = limit; }

    /// Announces the GEMM of a kernel (Span::peer) to which later calls of `computed` refer.
    void expectSteps(std::uint32_t tiles, std::uint32_t steps, std::uint8_t kernel = kOwnKernel) {
        if (!m_keepsTrace)
            return;
        if (m_computed.size() <= kernel)
            m_computed.resize(kernel + std::size_t{1});
        m_computed[kernel] = {steps, std::vector<TimePoint>(std::size_t{tiles} * steps, kNever), {}, {}};
    }
    /// Records when all data of a K-step had come to the LLC.
    void cached(std::uint32_t tile, std::uint32_t step, TimePoint when, std::uint8_t kernel) {
        if (!m_keepsTrace)
            return;
        ComputedSteps& computed = m_computed[kernel];
        if (computed.cached.empty())
            computed.cached.assign(computed.done.size(), kNever);
        computed.cached[std::size_t{tile} * computed.steps + step] = when;
    }
    /// Records that the stores of a tile were taken at `when`, after its workgroup had left its slot.
    void storesTaken(std::uint32_t tile, TimePoint when, std::uint8_t kernel) {
        if (!m_keepsTrace)
            return;
        ComputedSteps& computed = m_computed[kernel];
        if (computed.stored.empty())
            computed.stored.assign(computed.done.size() / computed.steps, kNever);
        computed.stored[tile] = when;
    }
    void computed(std::uint32_t tile, std::uint32_t step, TimePoint when, std::uint8_t kernel = kOwnKernel) {
        if (!m_keepsTrace)
            return;
        ComputedSteps& computed = m_computed[kernel];
        computed.done[std::size_t{tile} * computed.steps + step] = when;
    }

    /// Records that a granule of the output is in memory from `when` on.
    void landing(SpanKind kind, std::uint32_t channel, std::uint32_t tile, std::uint32_t granuleOfTile,
                 std::uint32_t bytes, TimePoint when) {
        span(LaneKind::landings, channel, {when, when, tile, granuleOfTile, bytes, kind});
    }

    // Report to the ledger where data of a kernel's collective go; see ContributionLedger.
    void produced(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->produced(m_gpu, granule);
    }
    void sentDirect(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->sentDirect(m_gpu, granule);
    }
    void sent(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->sent(m_gpu, granule);
    }
    void arrived(std::uint32_t source, std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->arrived(m_gpu, source, granule);
    }
    void arrivedSum(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->arrivedSum(m_gpu, granule);
    }
    void arrivedUpdate(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->arrivedUpdate(m_gpu, granule);
    }
    void arrivedBeside(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->arrivedBeside(m_gpu, granule);
    }
    void arrivedCopy(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->arrivedCopy(m_gpu, granule);
    }
    void reduced(std::uint32_t granule, std::uint8_t kernel = kOwnKernel) {
        if (ContributionLedger* const ledger = m_ledgers.of(kernel))
            ledger->reduced(m_gpu, granule);
    }

    /// Records a counter's value. A window of kCounterResolution begins with the first sample after the previous window
    /// has passed, and keeps the last value that it gets. Backlogs change with every request: at full resolution they
    /// would cost more than all spans.
    void sample(CounterKind kind, TimePoint time, std::int64_t value) {
        if (!m_keepsTrace)
            return;
        Counter& counter = m_counters[static_cast<std::size_t>(kind)];
        if (time >= counter.closes)
            open(counter, time);
        counter.value = value;
    }

    /// Records that a sum reached `value` in the window that began at `from`. The caller keeps to kCounterResolution
    /// itself, which is cheaper if every load adds to the sum.
    void reached(CounterKind kind, TimePoint from, std::int64_t value) {
        std::vector<CounterSample>& samples = m_counters[static_cast<std::size_t>(kind)].samples;
        if (m_keepsTrace && (samples.empty() ? 0 : samples.back().value) != value)
            samples.push_back({from, value});
    }

    static constexpr Duration kCounterResolution = 100_ns;

    /// Moves everything into `trace`, lanes by kind and index. Lanes in which spans can overlap are marked.
    void finish(Trace& trace);

private:
    struct Recorded {
        std::vector<Span> spans;
        std::vector<TimePoint> askedAt, readAt;
        std::vector<std::uint32_t> queuedFor;
        std::vector<ServedPlace> places;
        std::vector<std::uint32_t> granules;
        bool inOrder = true;
    };
    struct Transfer {
        std::uint32_t engine;
        Span span;
        TimePoint readAt;
    };
    struct Counter {
        std::vector<CounterSample> samples;  // samples of the windows that have closed
        TimePoint opened;
        TimePoint closes = TimePoint{-1};  // no sample yet
        std::int64_t value = 0;
    };

    static bool earlier(const Span& a, const Span& b) {
        return a.start < b.start || (a.start == b.start && a.end < b.end);
    }

    Recorded& laneOf(LaneKind kind, std::uint32_t index) {
        std::vector<Recorded>& lanes = m_lanes[static_cast<std::size_t>(kind)];
        if (lanes.size() <= index)
            addLanes(kind, index);
        return lanes[index];
    }
    void addLanes(LaneKind kind, std::uint32_t last);
    void insert(Recorded& lane, const Span& span);
    void addTransfers();
    static void close(Counter& counter);
    static void open(Counter& counter, TimePoint time);
    std::size_t expectedSpans(LaneKind kind) const;

    static constexpr std::size_t kFetchedAhead = 2;
    static constexpr std::int64_t kMostQueued = 0xffffffff;

    std::uint32_t m_gpu;
    bool m_keepsTrace;
    bool m_keepsGranules;
    Ledgers m_ledgers;
    Expected m_expected;
    std::array<std::vector<Recorded>, kLaneKinds> m_lanes;
    std::array<Counter, kCounterKinds> m_counters;
    std::vector<Transfer> m_transfers;
    std::optional<Bytes> m_arbiterLimit;
    std::vector<ComputedSteps> m_computed = std::vector<ComputedSteps>(1);  // by kernel
};

}  // namespace engine
