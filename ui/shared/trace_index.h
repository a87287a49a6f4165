#pragma once

#include "engine/api/trace.h"
#include "ui/shared/busy_curve.h"
#include "ui/shared/span_list.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// Spans of one lane of the trace of which no two overlap: all of it or those picked.
struct Track {
    const engine::Lane* lane = nullptr;
    std::uint32_t laneIndex = 0;  ///< into Trace::lanes
    std::optional<std::vector<std::uint32_t>> picked;

    SpanList spans() const { return picked ? SpanList(lane->spans, *picked) : SpanList(lane->spans); }
};

/// A lane, dealt to as few tracks as it takes for none to overlap within a track.
struct PackedLane {
    std::vector<Track> tracks;
    bool empty() const { return tracks.empty(); }
};

/// A trace sorted by what views ask for: lanes by GPU and kind, utilisation at any zoom, the moments worth
/// stepping to. Built once by the thread that ran the simulation, then only read.
class TraceIndex {
public:
    struct Gpu {
        PackedLane waves, reduceScatter, allGather, dma, triggers;
        std::vector<Track> linkOut, dramChannels;
        Utilisation link;
        Utilisation dramCompute, dramCommunication;
        Utilisation
            dmaUnderWay;  ///< one resource for each track of `dma`: its fraction is blocks under way / most at once
        const engine::CounterSeries* runningWorkgroups = nullptr;
        const engine::CounterSeries* trackerEntries = nullptr;
        std::int64_t mostWorkgroups = 0;
        std::int64_t waveCount = 0;
        std::uint32_t firstWave = 0;  ///< number of the first wave, so that people always count from 1
    };

    explicit TraceIndex(std::shared_ptr<const engine::Trace> trace);

    const engine::Trace& trace() const { return *m_trace; }
    std::uint32_t gpus() const { return m_trace->gpus; }
    /// What GPU `gpu` did; the recorded GPU's when the trace is mirrored.
    const Gpu& gpu(std::uint32_t gpu) const { return m_gpus[m_trace->mirrored ? 0 : gpu]; }
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t chunk) const {
        return m_trace->mirrored ? m_trace->chunkOn(gpu, chunk) : chunk;
    }
    /// Sorted, each once: starts and ends of waves, collective steps and DMA transfers, and triggers, of all GPUs.
    const std::vector<std::int64_t>& moments() const { return m_moments; }

private:
    std::shared_ptr<const engine::Trace> m_trace;
    std::vector<Gpu> m_gpus;
    std::vector<std::int64_t> m_moments;
};

/// The sample in force at `ps`; 0 before the first.
std::int64_t valueAt(const engine::CounterSeries& series, std::int64_t ps);

}  // namespace ui
