#include "data/replay/trace_index.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace data {
namespace {

using engine::LaneKind;
using engine::Span;

// Assigns each span of a lane for which `belongs` holds to the first track that is free.
template <class Belongs>
void pack(const engine::Lane& lane, std::uint32_t laneIndex, std::vector<Track>& tracks, const Belongs& belongs) {
    using Ending = std::pair<std::int64_t, std::size_t>;  // when, which track
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
    const std::size_t first = tracks.size();
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
        const Span& span = lane.spans[i];
        if (!belongs(span))
            continue;
        for (; !busy.empty() && busy.top().first <= span.start.ps; busy.pop())
            free.push(busy.top().second);
        if (free.empty()) {
            free.push(tracks.size() - first);
            tracks.push_back({&lane, laneIndex, std::vector<std::uint32_t>{}});
        }
        const std::size_t track = free.top();
        free.pop();
        tracks[first + track].picked->push_back(static_cast<std::uint32_t>(i));
        busy.emplace(span.end.ps, track);
    }
}

bool overlapsItself(const engine::Lane& lane) {
    if (lane.exclusive)
        return false;
    const auto overlapping = std::adjacent_find(lane.spans.begin(), lane.spans.end(),
                                                [](const Span& a, const Span& b) { return b.start < a.end; });
    return overlapping != lane.spans.end();
}

void pack(const engine::Lane& lane, std::uint32_t laneIndex, std::vector<Track>& tracks) {
    if (overlapsItself(lane)) {
        pack(lane, laneIndex, tracks, [](const Span&) { return true; });
    } else if (!lane.spans.empty()) {
        tracks.push_back({&lane, laneIndex, std::nullopt});
    }
}

std::size_t spansOf(const std::vector<Track>& tracks) {
    std::size_t count = 0;
    for (const Track& track : tracks)
        count += track.spans().size();
    return count;
}

BusyGrid gridOf(const std::vector<Track>& tracks, std::int64_t end) {
    BusyGrid grid(end, spansOf(tracks));
    for (const Track& track : tracks) {
        const SpanList spans = track.spans();
        for (std::size_t i = 0; i < spans.size(); ++i)
            grid.add(spans[i].start.ps, spans[i].end.ps);
    }
    grid.finish();
    return grid;
}

KernelGrids kernelGridsOf(const std::vector<Track>& tracks, const engine::Trace& trace) {
    const std::size_t count = spansOf(tracks);
    KernelGrids grids;
    for (std::size_t kernel = 0; kernel < kernelsOf(trace); ++kernel)
        grids.push_back({static_cast<KernelNumber>(kernel), BusyGrid(trace.end.ps, count)});
    for (const Track& track : tracks) {
        const SpanList spans = track.spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            if (const KernelNumber kernel = kernelNumberOf(spans[i]); kernel < grids.size())
                grids[kernel].busy.add(spans[i].start.ps, spans[i].end.ps);
        }
    }
    std::erase_if(grids, [](const KernelGrid& grid) { return grid.busy.empty(); });
    for (KernelGrid& grid : grids)
        grid.busy.finish();
    return grids;
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
    const auto is = [](engine::SpanKind kind) { return [kind](const Span& span) { return span.kind == kind; }; };
    switch (lane.kind) {
    case LaneKind::gemmWaves: pack(lane, laneIndex, gpu.waves.tracks); break;
    case LaneKind::reduceScatter: pack(lane, laneIndex, gpu.reduceScatter.tracks); break;
    case LaneKind::allGather: pack(lane, laneIndex, gpu.allGather.tracks); break;
    case LaneKind::dma: pack(lane, laneIndex, gpu.dma.tracks); break;
    case LaneKind::dramChannel:
        pack(lane, laneIndex, gpu.dramChannels.tracks);
        addChannel(lane, gpu);
        break;
    case LaneKind::linkOut: {
        pack(lane, laneIndex, gpu.linkOut.tracks);
        BusyCurve& curve = gpu.link.addResource();
        for (const Span& span : lane.spans)
            curve.add(span.start, span.end);
        break;
    }
    case LaneKind::linkIn: pack(lane, laneIndex, gpu.linkIn.tracks); break;
    case LaneKind::tracker:
        pack(lane, laneIndex, gpu.triggers.tracks, is(engine::SpanKind::trigger));
        pack(lane, laneIndex, gpu.trackedTiles.tracks, is(engine::SpanKind::trackedTile));
        break;
    case LaneKind::workgroupSlot: pack(lane, laneIndex, gpu.slots.tracks); break;
    case LaneKind::loads: pack(lane, laneIndex, gpu.loads.tracks); break;
    case LaneKind::stores: pack(lane, laneIndex, gpu.stores.tracks); break;
    case LaneKind::companion: pack(lane, laneIndex, gpu.companion.tracks); break;
    case LaneKind::landings: break;
    }
}

// Fills all grids of DRAM in one pass, because most spans of a trace are DRAM services.
void buildDramGrids(std::int64_t end, TraceIndex::Gpu& gpu) {
    const std::size_t all = spansOf(gpu.dramChannels.tracks);
    gpu.dramChannels.busy = BusyGrid(end, all);
    gpu.dramTotal = {BusyGrid(end, all), BusyGrid(end, all)};
    gpu.dramStreams.reserve(gpu.dramChannels.tracks.size());
    for (const Track& channel : gpu.dramChannels.tracks) {
        const SpanList spans = channel.spans();
        StreamGrids own{BusyGrid(end, spans.size()), BusyGrid(end, spans.size())};
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const Span& span = spans[i];
            const std::int64_t from = span.start.ps, to = span.end.ps;
            gpu.dramChannels.busy.add(from, to);
            const bool computes = span.first == static_cast<std::uint32_t>(engine::Stream::compute);
            (computes ? gpu.dramTotal.compute : gpu.dramTotal.communication).add(from, to);
            (computes ? own.compute : own.communication).add(from, to);
        }
        own.compute.finish();
        own.communication.finish();
        gpu.dramStreams.push_back(std::move(own));
    }
    for (BusyGrid* grid : {&gpu.dramChannels.busy, &gpu.dramTotal.compute, &gpu.dramTotal.communication})
        grid->finish();
}

void buildGrids(std::int64_t end, TraceIndex::Gpu& gpu) {
    for (DenseLanes* lanes :
         {&gpu.slots, &gpu.loads, &gpu.stores, &gpu.trackedTiles, &gpu.dma, &gpu.linkOut, &gpu.linkIn, &gpu.companion})
        lanes->busy = gridOf(lanes->tracks, end);
    buildDramGrids(end, gpu);
}

void buildKernelGrids(const engine::Trace& trace, TraceIndex::Gpu& gpu) {
    gpu.slotKernels = kernelGridsOf(gpu.slots.tracks, trace);
    gpu.loadKernels = kernelGridsOf(gpu.loads.tracks, trace);
    gpu.linkOutKernels = kernelGridsOf(gpu.linkOut.tracks, trace);
    gpu.linkInKernels = kernelGridsOf(gpu.linkIn.tracks, trace);
    gpu.dramKernels = kernelGridsOf(gpu.dramChannels.tracks, trace);
    for (const Track& channel : gpu.dramChannels.tracks)
        gpu.channelKernels.push_back(kernelGridsOf({channel}, trace));
}

/// Returns whether a collective kernel of the own work is among the workgroups in the slots.
bool hasCollectiveWorkgroups(const std::vector<Track>& slots) {
    return std::ranges::any_of(slots, [](const Track& track) {
        return std::ranges::any_of(track.lane->spans,
                                   [](const Span& span) { return span.kind == engine::SpanKind::collectiveWorkgroup; });
    });
}

void addCounter(const engine::CounterSeries& series, TraceIndex::Gpu& gpu) {
    const auto kind = static_cast<std::size_t>(series.kind);
    gpu.counters[kind] = &series;
    for (const auto& sample : series.samples)
        gpu.most[kind] = std::max(gpu.most[kind], sample.value);
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

TraceIndex::TraceIndex(std::shared_ptr<const engine::Trace> trace) : m_trace(std::move(trace)), m_lanes(*m_trace) {
    m_gpus.resize(m_trace->recordedGpus());
    for (std::size_t i = 0; i < m_trace->lanes.size(); ++i) {
        const engine::Lane& lane = m_trace->lanes[i];
        if (lane.gpu < m_gpus.size())
            addLane(lane, static_cast<std::uint32_t>(i), m_gpus[lane.gpu]);
    }
    for (const engine::CounterSeries& series : m_trace->counters) {
        if (series.gpu < m_gpus.size())
            addCounter(series, m_gpus[series.gpu]);
    }
    for (Gpu& gpu : m_gpus) {
        countWaves(gpu);
        buildGrids(m_trace->end.ps, gpu);
        if (m_trace->companionCopies > 0)
            buildKernelGrids(*m_trace, gpu);
        else if (hasCollectiveWorkgroups(gpu.slots.tracks))
            gpu.slotKernels = kernelGridsOf(gpu.slots.tracks, *m_trace);
    }
}

std::int64_t valueAt(const engine::CounterSeries& series, std::int64_t ps) {
    const auto after = std::upper_bound(series.samples.begin(), series.samples.end(), ps,
                                        [](std::int64_t time, const auto& sample) { return time < sample.time.ps; });
    return after == series.samples.begin() ? 0 : std::prev(after)->value;
}

}  // namespace data
