#pragma once

#include "engine/api/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What a span or an instant stands for. `first` and `second` of the span mean what is written here.
enum class SpanKind : std::uint8_t {
    gemmWave,     ///< half of its workgroups begun to last one stored; first: wave; second: workgroups in it
    workgroup,    ///< first: tile; second: dispatch position
    load,         ///< one K-step's loads, issue to data; first: tile; second: K-step
    store,        ///< a tile's stores, issue to landed or sent; first: tile; second: chunk
    trackedTile,  ///< first update admitted to last landed; first: tile; second: chunk
    trigger,      ///< instant: a DMA block's condition holds; first: block; second: chunk
    dmaTransfer,  ///< an engine takes the command to last packet sent; first: block; second: chunk
    linkPacket,   ///< first: tile (or granule of a collective kernel); second: chunk
    dramRead,     ///< DRAM service; first: Stream; second: chunk or kNone
    dramWrite,
    dramUpdate,
    reduceScatterStep,  ///< first: step (from 1; N is the final reduce) or, under T3, position of the chunk in this GPU's order; second: chunk
    allGatherStep,  ///< first: step from 1 or, by DMA, position of the chunk in this GPU's order; second: chunk
    storeLanded,  ///< instant: a granule of this GPU's own result is in memory; first: tile; second: granule of the tile
    arrivalLanded,  ///< instant: the same of what the neighbour sent; of both collectives
    sumLanded,      ///< instant: the same of the final reduce on CUs
    collectiveWorkgroup,  ///< of a collective kernel, which has the whole CU: in each of its slots; recorded beside a companion only
    companionStep,  ///< a step of a companion's collective kernel; first: step from 1; second: chunk of the companion
    companionTransfer,  ///< DMA transfer of the companion; first: block; second: chunk of the companion
    companionPacket,    ///< link packet of the companion; first: tile; second: chunk of the companion
    companionWave,      ///< GEMM wave of a copy of the companion, named by `peer`
};
inline constexpr std::size_t kSpanKinds = static_cast<std::size_t>(SpanKind::companionWave) + 1;
/// Of Span::peer: the experiment's own work. From 1 on: the companion's copies; 1 is a companion's collective.
inline constexpr std::uint8_t kOwnKernel = 0;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class Stream : std::uint8_t { compute, communication };

/// One thing that took from `start` to `end`; an instant has both equal.
/// Tile and chunk numbers are those of the recorded GPU; see Trace::chunkOn for the others when mirrored.
struct Span {
    TimePoint start;
    TimePoint end;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t bytes = 0;
    SpanKind kind{};
    std::uint8_t peer =
        0;  ///< of packets: the GPU it is for where it leaves, the one it is from where it arrives; of workgroups, loads, waves, steps, transfers and DRAM services: whose kernel it is (kOwnKernel)
    std::uint16_t part = 0;  ///< linkPacket: the last 16 bits of its granule's number; dramWrite: kWrittenIdle or 0
};
/// Of Span::part: written back while the channel had nothing else to do; the request never waited in a stream.
inline constexpr std::uint16_t kWrittenIdle = 1;

enum class LaneKind : std::uint8_t {
    gemmWaves,
    workgroupSlot,
    loads,
    stores,
    tracker,
    dma,
    linkOut,
    linkIn,
    dramChannel,
    reduceScatter,
    allGather,
    landings,  ///< of one DRAM channel; cached output has none, it reaches memory line by line
    companion,  ///< steps of a companion's collective kernel, waves of its GEMMs (by copy, from 0), transfers by DMA (by engine)
};
inline constexpr std::size_t kLaneKinds = static_cast<std::size_t>(LaneKind::companion) + 1;

/// Returns whose kernel a span is of: kOwnKernel, or from 1 on the companion's.
std::uint8_t kernelOf(const Span& span);

/// A row of the timeline: spans of one resource on one GPU, sorted by start, then end.
/// In an exclusive lane no two spans overlap, because the resource does one thing at a time.
struct Lane {
    LaneKind kind{};
    std::uint32_t gpu = 0;
    std::uint32_t index = 0;  ///< CU slot, channel, engine; 0 where there is one
    bool exclusive = true;
    std::vector<Span> spans;
    std::vector<TimePoint> askedAt;  ///< of a DRAM channel, by span: when the request entered its stream
    /// Of a DRAM channel, by span: picoseconds from the arbiter's pick, which moves the request to the DRAM queue, to the start
    /// of its service, at most 2^32-1.
    std::vector<std::uint32_t> queuedFor;
    std::vector<TimePoint> readAt;  ///< of a DMA engine, by span: when the last read of its block had come back
};

enum class CounterKind : std::uint8_t {
    computeBacklog,        ///< bytes waiting in the compute streams
    communicationBacklog,  ///< bytes waiting in the communication streams
    trackerEntries,        ///< workgroups held
    dmaQueue,              ///< ready commands waiting for an engine
    runningWorkgroups,
    heldBytes,     ///< of arriving updates that wait for a set of the tracker
    cacheHits,     ///< bytes that loads have found in the last-level cache, from the beginning
    cacheMisses,   ///< bytes that they have not found there, likewise
    cacheWaiting,  ///< hits that wait in the slices behind misses and stores
};
inline constexpr std::size_t kCounterKinds = static_cast<std::size_t>(CounterKind::cacheWaiting) + 1;

struct CounterSample {
    TimePoint time;
    std::int64_t value = 0;
};

/// A step function: each value holds until the next sample. Sorted by time; of changes within 100 ns the last is kept.
struct CounterSeries {
    CounterKind kind{};
    std::uint32_t gpu = 0;
    std::vector<CounterSample> samples;
};

/// How the output lies in memory, the same on every GPU.
struct TiledOutput {
    std::uint32_t rows = 0;                ///< of tiles; 0 for a collective alone, whose buffer is no matrix
    std::uint32_t columns = 0;             ///< likewise
    bool rowsAreOuter = true;              ///< tiles are numbered along a row; else down a column
    std::uint32_t granule = 0;             ///< bytes; the last of a tile may be short
    std::vector<std::uint32_t> chunkTile;  ///< first tile of each chunk, and the number of tiles at the end
    std::vector<std::uint32_t> tileBytes;  ///< by tile
    std::vector<std::uint32_t> walkPlace;  ///< by tile: its place in the walk of the workgroups; empty: its number

    std::uint32_t tiles() const { return static_cast<std::uint32_t>(tileBytes.size()); }
};

/// When the parts of one GPU's work began and ended; the moment of its beginning for parts it does not have.
struct PhaseTimes {
    TimePoint start, gemmEnd, reduceScatterStart, reduceScatterEnd, allGatherStart, allGatherEnd;
    TimePoint ownEnd, companionEnd;  ///< the last of the own stages; of the companion's, `start` without one
};

/// When one GPU's K-steps were done: by tile, then K-step. Never, where one was not.
struct ComputedSteps {
    std::uint32_t steps = 0;  ///< of a tile
    std::vector<TimePoint> done;
};

/// The immutable event log of one run. Playback, stepping back and drawing read it; they never run the engine.
/// When mirrored it holds GPU 0 only: every other GPU does the same at the same times on chunks moved by its index.
struct Trace {
    std::uint32_t gpus = 1;  ///< GPUs in the ring
    bool mirrored = true;
    std::uint32_t chunks = 1;
    TimePoint end;                                                                          ///< last event
    TimePoint gemmEnd, reduceScatterStart, reduceScatterEnd, allGatherStart, allGatherEnd;  ///< of GPU 0
    TiledOutput output;
    std::vector<PhaseTimes> phases;  ///< by recorded GPU
    std::vector<Lane> lanes;         ///< by GPU, then kind, then index
    std::vector<CounterSeries> counters;
    std::vector<ComputedSteps> computed;           ///< by recorded GPU
    std::uint32_t companionCopies = 0;             ///< kernels of the companion; 0 without one
    TiledOutput companionOutput;                   ///< of the companion, or of one of its alike copies
    std::vector<ComputedSteps> companionComputed;  ///< by recorded GPU, then copy; empty for a collective
    /// By recorded GPU: bytes of one channel's DRAM queue below which MCA serves communication, as it is once the GEMM's
    /// first stage has ended. Empty: no limit, or another rule.
    std::vector<std::optional<Bytes>> arbiterLimits;

    /// The chunk that GPU `gpu` works on where the recorded GPU works on `chunk`; only for mirrored traces.
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t chunk) const {
        return chunk == kNone ? kNone : (chunk + gpu) % chunks;
    }
    std::size_t spanCount() const;
};

std::string_view name(SpanKind kind);     ///< "workgroup", "DMA transfer"
std::string_view name(LaneKind kind);     ///< "GEMM waves", "DRAM channel"
std::string_view name(CounterKind kind);  ///< "compute backlog"

/// Returns whether a counter sums up from the beginning and never falls; the others say how much there is.
bool isSum(CounterKind kind);

}  // namespace engine
