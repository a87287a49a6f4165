#include "engine/record/recorder.h"

#include "engine/record/contribution_ledger.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace engine {

namespace {

// Slots, channels and links do one thing at a time; waves, outstanding loads and transfers overlap by design.
bool isExclusive(LaneKind kind) {
    switch (kind) {
    case LaneKind::workgroupSlot:
    case LaneKind::linkOut:
    case LaneKind::dramChannel: return true;
    case LaneKind::gemmWaves:
    case LaneKind::loads:
    case LaneKind::stores:
    case LaneKind::tracker:
    case LaneKind::dma:
    case LaneKind::linkIn:
    case LaneKind::reduceScatter:
    case LaneKind::allGather:
    case LaneKind::landings: break;
    }
    return false;
}

}  // namespace

void Recorder::addLanes(LaneKind kind, std::uint32_t last) {
    std::vector<Lane>& lanes = m_lanes[static_cast<std::size_t>(kind)];
    while (lanes.size() <= last) {
        Lane lane;
        lane.kind = kind;
        lane.gpu = m_gpu;
        lane.index = static_cast<std::uint32_t>(lanes.size());
        lane.exclusive = isExclusive(kind);
        lane.spans.reserve(expectedSpans(kind));
        lanes.push_back(std::move(lane));
    }
}

std::size_t Recorder::expectedSpans(LaneKind kind) const {
    switch (kind) {
    case LaneKind::loads: return m_expected.loads;
    case LaneKind::linkOut:
    case LaneKind::linkIn: return m_expected.link;
    case LaneKind::dramChannel: return m_expected.dram;
    case LaneKind::landings: return m_expected.landings;
    default: return 0;
    }
}

void Recorder::produced(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->produced(m_gpu, granule);
}

void Recorder::sentDirect(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->sentDirect(m_gpu, granule);
}

void Recorder::sent(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->sent(m_gpu, granule);
}

void Recorder::arrivedUpdate(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->arrivedUpdate(m_gpu, granule);
}

void Recorder::arrivedBeside(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->arrivedBeside(m_gpu, granule);
}

void Recorder::arrivedCopy(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->arrivedCopy(m_gpu, granule);
}

void Recorder::reduced(std::uint32_t granule) {
    if (m_ledger)
        m_ledger->reduced(m_gpu, granule);
}

void Recorder::finish(Trace& trace) {
    for (std::vector<Lane>& lanes : m_lanes) {
        for (Lane& lane : lanes) {
            const auto earlier = [](const Span& a, const Span& b) {
                return std::tie(a.start, a.end) < std::tie(b.start, b.end);
            };
            // Most lanes come in order: what one resource does one after the other.
            if (!std::is_sorted(lane.spans.begin(), lane.spans.end(), earlier))
                std::stable_sort(lane.spans.begin(), lane.spans.end(), earlier);
            trace.lanes.push_back(std::move(lane));
        }
        lanes.clear();
    }
    for (std::size_t kind = 0; kind < kCounterKinds; ++kind) {
        if (m_counters[kind].empty())
            continue;
        CounterSeries series;
        series.kind = static_cast<CounterKind>(kind);
        series.gpu = m_gpu;
        series.samples = std::move(m_counters[kind]);
        trace.counters.push_back(std::move(series));
    }
}

}  // namespace engine
