#include "ui/shared/trace_index.h"

#include <algorithm>

namespace ui {
namespace {

using engine::LaneKind;
using engine::Span;

// Deals the spans of a lane for which `belongs` holds.
template <class Belongs>
void pack(const engine::Lane& lane, std::uint32_t laneIndex, PackedLane& packed, const Belongs& belongs) {
    std::vector<engine::TimePoint> ends;  // of each track's last span
    const std::size_t first = packed.tracks.size();
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
        const Span& span = lane.spans[i];
        if (!belongs(span))
            continue;
        const auto free =
            std::find_if(ends.begin(), ends.end(), [&](engine::TimePoint end) { return end <= span.start; });
        const auto track = static_cast<std::size_t>(free - ends.begin());
        if (free == ends.end()) {
            ends.emplace_back();
            packed.tracks.push_back({&lane, laneIndex, std::vector<std::uint32_t>{}});
        }
        packed.tracks[first + track].picked->push_back(static_cast<std::uint32_t>(i));
        ends[track] = span.end;
    }
}

void pack(const engine::Lane& lane, std::uint32_t laneIndex, PackedLane& packed) {
    pack(lane, laneIndex, packed, [](const Span&) { return true; });
}

void addMoments(const PackedLane& lane, std::vector<std::int64_t>& moments) {
    for (const Track& track : lane.tracks) {
        const SpanList spans = track.spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            moments.push_back(spans[i].start.ps);
            moments.push_back(spans[i].end.ps);
        }
    }
}

void addChannel(const engine::Lane& lane, TraceIndex::Gpu& gpu) {
    BusyCurve& compute = gpu.dramCompute.addResource();
    BusyCurve& communication = gpu.dramCommunication.addResource();
    for (const Span& span : lane.spans) {
        const bool computes = span.first == static_cast<std::uint32_t>(engine::Stream::compute);
        (computes ? compute : communication).add(span.start, span.end);
    }
}

void addLane(const engine::Lane& lane, std::uint32_t laneIndex, TraceIndex::Gpu& gpu) {
    switch (lane.kind) {
    case LaneKind::gemmWaves: pack(lane, laneIndex, gpu.waves); break;
    case LaneKind::reduceScatter: pack(lane, laneIndex, gpu.reduceScatter); break;
    case LaneKind::allGather: pack(lane, laneIndex, gpu.allGather); break;
    case LaneKind::dma: pack(lane, laneIndex, gpu.dma); break;
    case LaneKind::dramChannel:
        gpu.dramChannels.push_back({&lane, laneIndex, std::nullopt});
        addChannel(lane, gpu);
        break;
    case LaneKind::linkOut: {
        gpu.linkOut.push_back({&lane, laneIndex, std::nullopt});
        BusyCurve& curve = gpu.link.addResource();
        for (const Span& span : lane.spans)
            curve.add(span.start, span.end);
        break;
    }
    case LaneKind::tracker:
        pack(lane, laneIndex, gpu.triggers, [](const Span& span) { return span.kind == engine::SpanKind::trigger; });
        break;
    case LaneKind::workgroupSlot:
    case LaneKind::loads:
    case LaneKind::stores:
    case LaneKind::linkIn:
    case LaneKind::landings: break;
    }
}

void countWaves(TraceIndex::Gpu& gpu) {
    for (const Track& track : gpu.waves.tracks) {
        const SpanList spans = track.spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            gpu.firstWave = gpu.waveCount == 0 ? spans[i].first : std::min(gpu.firstWave, spans[i].first);
            ++gpu.waveCount;
        }
    }
}

}  // namespace

TraceIndex::TraceIndex(std::shared_ptr<const engine::Trace> trace) : m_trace(std::move(trace)) {
    m_gpus.resize(m_trace->mirrored ? 1 : std::max(1u, m_trace->gpus));
    for (std::size_t i = 0; i < m_trace->lanes.size(); ++i) {
        const engine::Lane& lane = m_trace->lanes[i];
        if (lane.gpu < m_gpus.size())
            addLane(lane, static_cast<std::uint32_t>(i), m_gpus[lane.gpu]);
    }
    for (const engine::CounterSeries& series : m_trace->counters) {
        if (series.gpu >= m_gpus.size())
            continue;
        Gpu& gpu = m_gpus[series.gpu];
        if (series.kind == engine::CounterKind::trackerEntries)
            gpu.trackerEntries = &series;
        if (series.kind == engine::CounterKind::runningWorkgroups) {
            gpu.runningWorkgroups = &series;
            for (const auto& sample : series.samples)
                gpu.mostWorkgroups = std::max(gpu.mostWorkgroups, sample.value);
        }
    }
    for (Gpu& gpu : m_gpus) {
        countWaves(gpu);
        for (const Track& track : gpu.dma.tracks) {
            BusyCurve& curve = gpu.dmaUnderWay.addResource();
            const SpanList spans = track.spans();
            for (std::size_t i = 0; i < spans.size(); ++i)
                curve.add(spans[i].start, spans[i].end);
        }
        for (const PackedLane* lane : {&gpu.waves, &gpu.reduceScatter, &gpu.allGather, &gpu.dma, &gpu.triggers}) {
            addMoments(*lane, m_moments);
        }
    }
    std::sort(m_moments.begin(), m_moments.end());
    m_moments.erase(std::unique(m_moments.begin(), m_moments.end()), m_moments.end());
}

std::int64_t valueAt(const engine::CounterSeries& series, std::int64_t ps) {
    const auto after = std::upper_bound(series.samples.begin(), series.samples.end(), ps,
                                        [](std::int64_t time, const auto& sample) { return time < sample.time.ps; });
    return after == series.samples.begin() ? 0 : std::prev(after)->value;
}

}  // namespace ui
