#include "engine/record/recorder.h"

#include <algorithm>
#include <iterator>

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
    case LaneKind::landings:
    case LaneKind::companion: break;
    }
    return false;
}

}  // namespace

void Recorder::addLanes(LaneKind kind, std::uint32_t last) {
    std::vector<Recorded>& lanes = m_lanes[static_cast<std::size_t>(kind)];
    while (lanes.size() <= last) {
        lanes.emplace_back().spans.reserve(expectedSpans(kind));
        if (kind == LaneKind::dramChannel) {
            lanes.back().askedAt.reserve(expectedSpans(kind));
            lanes.back().queuedFor.reserve(expectedSpans(kind));
            lanes.back().places.reserve(m_expected.places ? expectedSpans(kind) : 0);
        }
    }
}

// Overlapping spans of a lane (two outstanding loads) come out of order by a place or two, and inserting one moves as
// many spans. A lane that is far out of order is sorted once, at the end.
void Recorder::insert(Recorded& lane, const Span& span) {
    constexpr std::ptrdiff_t kNear = 8;
    const auto from = lane.spans.end() - std::min<std::ptrdiff_t>(kNear, std::ssize(lane.spans));
    const auto place = std::upper_bound(from, lane.spans.end(), span, earlier);
    if (place == from && from != lane.spans.begin())
        lane.inOrder = false;
    lane.spans.insert(place, span);
}

// Adds the transfers sorted by their begin: blocks end in another order than they begin, and a lane keeps the times of
// its spans in a separate list.
void Recorder::addTransfers() {
    std::stable_sort(m_transfers.begin(), m_transfers.end(),
                     [](const Transfer& a, const Transfer& b) { return earlier(a.span, b.span); });
    for (const Transfer& transfer : m_transfers) {
        span(LaneKind::dma, transfer.engine, transfer.span);
        m_lanes[static_cast<std::size_t>(LaneKind::dma)][transfer.engine].readAt.push_back(transfer.readAt);
    }
    m_transfers.clear();
}

void Recorder::close(Counter& counter) {
    if (counter.opened > counter.closes)
        return;
    if (counter.samples.empty() || counter.samples.back().value != counter.value)
        counter.samples.push_back({counter.opened, counter.value});
}

void Recorder::open(Counter& counter, TimePoint time) {
    close(counter);
    counter.opened = time;
    counter.closes = time + kCounterResolution;
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

void Recorder::finish(Trace& trace) {
    addTransfers();
    for (std::size_t kind = 0; kind < kLaneKinds; ++kind) {
        for (Recorded& recorded : m_lanes[kind]) {
            if (!recorded.inOrder)
                std::stable_sort(recorded.spans.begin(), recorded.spans.end(), earlier);
            Lane lane;
            lane.kind = static_cast<LaneKind>(kind);
            lane.gpu = m_gpu;
            lane.index = static_cast<std::uint32_t>(&recorded - m_lanes[kind].data());
            lane.exclusive = isExclusive(lane.kind);
            lane.spans = std::move(recorded.spans);
            if (recorded.inOrder) {  // the times would no longer belong to spans that are sorted later
                lane.askedAt = std::move(recorded.askedAt);
                lane.queuedFor = std::move(recorded.queuedFor);
                lane.places = std::move(recorded.places);
                lane.granules = std::move(recorded.granules);
                lane.readAt = std::move(recorded.readAt);
            }
            trace.lanes.push_back(std::move(lane));
        }
        m_lanes[kind].clear();
    }
    for (std::size_t kind = 0; kind < kCounterKinds; ++kind) {
        close(m_counters[kind]);
        if (m_counters[kind].samples.empty())
            continue;
        CounterSeries series;
        series.kind = static_cast<CounterKind>(kind);
        series.gpu = m_gpu;
        series.samples = std::move(m_counters[kind].samples);
        trace.counters.push_back(std::move(series));
    }
    trace.arbiterLimits.push_back(m_arbiterLimit);
    trace.computed.push_back(std::move(m_computed.front()));
    std::move(std::next(m_computed.begin()), m_computed.end(), std::back_inserter(trace.companionComputed));
}

}  // namespace engine
