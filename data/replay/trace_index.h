#pragma once

#include "data/replay/busy_curve.h"
#include "data/replay/busy_grid.h"
#include "data/replay/kernel_number.h"
#include "data/replay/span_list.h"
#include "engine/api/trace_lanes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace data {

/// Spans of one lane of the trace that do not overlap: all of the lane's spans or some of them.
struct Track {
    const engine::Lane* lane = nullptr;
    std::uint32_t laneIndex = 0;  ///< into Trace::lanes
    std::optional<std::vector<std::uint32_t>> picked;

    SpanList spans() const { return picked ? SpanList(lane->spans, *picked) : SpanList(lane->spans); }
};

/// A lane whose spans are distributed over as few tracks as possible, so that no spans overlap within a track.
struct PackedLane {
    std::vector<Track> tracks;
    bool empty() const { return tracks.empty(); }
};

/// The lanes of one kind on one GPU, with the busy time of their tracks.
struct DenseLanes : PackedLane {
    BusyGrid busy;
};

/// Busy time of one memory channel, or of all of them, by stream.
struct StreamGrids {
    BusyGrid compute, communication;
};

/// Busy time of resources that kernels share, by kernel. Kernels without busy time are left out.
struct KernelGrid {
    KernelNumber kernel = kGemmKernel;
    BusyGrid busy;
};
using KernelGrids = std::vector<KernelGrid>;

/// A trace arranged for views: lanes by GPU and kind, utilisation at any zoom. It is built once by the thread that ran
/// the simulation, and is immutable afterwards.
class TraceIndex {
public:
    struct Gpu {
        PackedLane waves, reduceScatter, allGather, triggers;
        DenseLanes slots, loads, stores, trackedTiles, dma, linkOut, linkIn;
        DenseLanes dramChannels;               ///< with the busy time of both streams
        DenseLanes companion;                  ///< steps, transfers and waves
        std::vector<StreamGrids> dramStreams;  ///< by channel
        StreamGrids dramTotal;
        // Only for runs with a companion, and `slotKernels` if a collective kernel takes the GEMM's output while it is
        // produced. All packets of the own work count for kGemmKernel, even those of its collective.
        KernelGrids slotKernels, loadKernels, linkOutKernels, linkInKernels, dramKernels;
        std::vector<KernelGrids> channelKernels;  ///< of DRAM, by channel
        Utilisation link;
        Utilisation dramCompute, dramCommunication;
        std::array<const engine::CounterSeries*, engine::kCounterKinds> counters{};
        std::array<std::int64_t, engine::kCounterKinds> most{};  ///< largest value of each counter
        std::int64_t waveCount = 0;
        std::uint32_t firstWave = 0;  ///< number of the first wave, so that people can always count from 1

        const engine::CounterSeries* counter(engine::CounterKind kind) const {
            return counters[static_cast<std::size_t>(kind)];
        }
        std::int64_t mostOf(engine::CounterKind kind) const { return most[static_cast<std::size_t>(kind)]; }
    };

    explicit TraceIndex(std::shared_ptr<const engine::Trace> trace);

    const engine::Trace& trace() const { return *m_trace; }
    const engine::TraceLanes& lanes() const { return m_lanes; }
    std::uint32_t gpus() const { return m_trace->gpus; }
    /// Returns the lanes of GPU `gpu`; those of the recorded GPU if the trace is mirrored.
    const Gpu& gpu(std::uint32_t gpu) const { return m_gpus[m_trace->recorded(gpu)]; }
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t chunk) const { return m_trace->chunkOn(gpu, chunk); }

private:
    std::shared_ptr<const engine::Trace> m_trace;
    engine::TraceLanes m_lanes;
    std::vector<Gpu> m_gpus;
};

/// Returns the sample that is valid at `ps`; 0 before the first one.
std::int64_t valueAt(const engine::CounterSeries& series, std::int64_t ps);

}  // namespace data
