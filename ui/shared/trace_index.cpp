#include "ui/shared/trace_index.h"

#include <algorithm>

namespace ui {
namespace {

using engine::LaneKind;
using engine::Span;

void pack(const engine::Lane& lane, PackedLane& packed) {
    for (const Span& span : lane.spans) {
        const auto free = std::find_if(packed.tracks.begin(), packed.tracks.end(),
                                       [&](const auto& track) { return track.back().end <= span.start; });
        if (free != packed.tracks.end()) {
            free->push_back(span);
        } else {
            packed.tracks.push_back({span});
        }
    }
}

void addMoments(const PackedLane& lane, std::vector<std::int64_t>& moments) {
    for (const auto& track : lane.tracks) {
        for (const Span& span : track) {
            moments.push_back(span.start.ps);
            moments.push_back(span.end.ps);
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

void addLane(const engine::Lane& lane, TraceIndex::Gpu& gpu) {
    switch (lane.kind) {
    case LaneKind::gemmWaves: pack(lane, gpu.waves); break;
    case LaneKind::reduceScatter: pack(lane, gpu.reduceScatter); break;
    case LaneKind::allGather: pack(lane, gpu.allGather); break;
    case LaneKind::dma: pack(lane, gpu.dma); break;
    case LaneKind::dramChannel: addChannel(lane, gpu); break;
    case LaneKind::linkOut: {
        gpu.linkOut.push_back(&lane);
        BusyCurve& curve = gpu.link.addResource();
        for (const Span& span : lane.spans)
            curve.add(span.start, span.end);
        break;
    }
    case LaneKind::tracker: {
        engine::Lane triggers{.kind = lane.kind, .gpu = lane.gpu, .index = lane.index, .exclusive = true, .spans = {}};
        for (const Span& span : lane.spans) {
            if (span.kind == engine::SpanKind::trigger)
                triggers.spans.push_back(span);
        }
        pack(triggers, gpu.triggers);
        break;
    }
    case LaneKind::workgroupSlot:
    case LaneKind::loads:
    case LaneKind::stores:
    case LaneKind::linkIn: break;
    }
}

void countWaves(TraceIndex::Gpu& gpu) {
    bool first = true;
    for (const auto& track : gpu.waves.tracks) {
        for (const Span& span : track) {
            gpu.firstWave = first ? span.first : std::min(gpu.firstWave, span.first);
            first = false;
            ++gpu.waveCount;
        }
    }
}

}  // namespace

TraceIndex::TraceIndex(std::shared_ptr<const engine::Trace> trace) : m_trace(std::move(trace)) {
    m_gpus.resize(m_trace->mirrored ? 1 : std::max(1u, m_trace->gpus));
    for (const engine::Lane& lane : m_trace->lanes) {
        if (lane.gpu < m_gpus.size())
            addLane(lane, m_gpus[lane.gpu]);
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
        for (const auto& track : gpu.dma.tracks) {
            BusyCurve& curve = gpu.dmaUnderWay.addResource();
            for (const Span& span : track)
                curve.add(span.start, span.end);
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

const Span* spanAt(const std::vector<Span>& spans, std::int64_t ps) {
    const auto after = std::upper_bound(spans.begin(), spans.end(), ps,
                                        [](std::int64_t time, const Span& span) { return time < span.start.ps; });
    if (after == spans.begin())
        return nullptr;
    const Span& span = *std::prev(after);
    return ps < span.end.ps ? &span : nullptr;
}

}  // namespace ui
