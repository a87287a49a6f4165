#pragma once

#include "engine/api/units.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// The kind of a span or an instant. The comments state the meaning of Span::first and Span::second.
enum class SpanKind : std::uint8_t {
    /// From the time when half of its workgroups have begun to its last store; first: wave; second: workgroups in it.
    gemmWave,
    workgroup,    ///< first: tile; second: dispatch position
    load,         ///< one K-step's loads, from issue to data; first: tile; second: K-step
    store,        ///< a tile's stores, from issue until landed or sent; first: tile; second: chunk
    trackedTile,  ///< from a tile's first admitted update to its last landed one; first: tile; second: chunk
    trigger,      ///< instant: the tracker makes a DMA command ready; first: block; second: chunk
    dmaTransfer,  ///< from an engine taking the command to its last packet being sent; first: block; second: chunk
    linkPacket,   ///< first: tile (or granule of a collective kernel); second: chunk
    dramRead,     ///< DRAM service; first: Stream; second: chunk or kNone
    dramWrite,
    dramUpdate,
    /// First: step (from 1; N is the final reduce) or, under T3, position of the chunk in this GPU's order; second:
    /// chunk.
    reduceScatterStep,
    allGatherStep,  ///< first: step from 1 or, by DMA, position of the chunk in this GPU's order; second: chunk
    /// Instant: a granule of this GPU's own result is in memory; first: tile; second: granule of the tile.
    storeLanded,
    arrivalLanded,  ///< instant: a granule that another GPU sent is in memory, in either collective
    sumLanded,      ///< instant: a granule of the final reduce on CUs is in memory
    /// A workgroup of a collective kernel. It occupies the whole CU and is in the lane of each of the CU's slots;
    /// recorded only beside a companion.
    collectiveWorkgroup,
    companionStep,  ///< a step of a companion's collective kernel; first: step from 1; second: chunk of the companion
    companionTransfer,  ///< a DMA transfer of the companion; first: block; second: chunk of the companion
    companionPacket,    ///< a link packet of the companion; first: tile; second: chunk of the companion
    companionWave,      ///< a GEMM wave of a copy of the companion; Span::peer is the number of the copy
    /// A copy of the own collective (collective.by=dma), while it has an engine; first: its first tile; second: chunk;
    /// Span::peer is the GPU to which it goes.
    copy,
    dramPass,  ///< a piece of a pass inside memory in a DRAM channel; Span::peer is the companion's kernel
};
inline constexpr std::size_t kSpanKinds = static_cast<std::size_t>(SpanKind::dramPass) + 1;
/// Value of Span::peer for the experiment's own work. Values from 1 on are the companion's copies; a companion's
/// collective is 1.
inline constexpr std::uint8_t kOwnKernel = 0;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class Stream : std::uint8_t { compute, communication };

/// One thing that lasted from `start` to `end`; for an instant the two are equal. Tile and chunk numbers are those of
/// the recorded GPU; Trace::chunkOn gives those of the other GPUs of a mirrored run.
struct Span {
    TimePoint start;
    TimePoint end;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t bytes = 0;
    SpanKind kind{};
    /// Packets: the GPU to which a packet goes, on the link that it leaves by; the GPU from which it comes, on the link
    /// that it arrives by. Workgroups, loads, waves, steps, transfers and DRAM services: the kernel to which the span
    /// belongs (kOwnKernel, or from 1 on the companion's).
    std::uint8_t peer = 0;
    std::uint16_t part = 0;  ///< linkPacket: the last 16 bits of its granule's number; dramWrite: kWrittenIdle or 0
};
/// Value of Span::part: written back while the channel had no other work, so that the request never waited in a stream.
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
    landings,  ///< landings of one DRAM channel; cached output has none, because it reaches memory line by line
    /// Steps of a companion's collective kernel, waves of its GEMMs (index: copy, from 0), or its DMA transfers (index:
    /// engine).
    companion,
};
inline constexpr std::size_t kLaneKinds = static_cast<std::size_t>(LaneKind::companion) + 1;

/// Returns the kernel to which a span belongs: kOwnKernel, or a number from 1 on for one of the companion.
std::uint8_t kernelOf(const Span& span);

/// Where the bank model served a request, in the banks of one channel.
struct ServedPlace {
    std::uint8_t bank = 0;        ///< number of the bank in each of the groups
    std::uint8_t firstGroup = 0;  ///< bank group of the first burst
    std::uint8_t groups = 0;      ///< consecutive bank groups that have a burst; the group after the last is the first
    std::uint8_t rowsOpened = 0;
    bool operator==(const ServedPlace&) const = default;
};

/// A row of the timeline: the spans of one resource on one GPU, sorted by start, then end. In an exclusive lane no two
/// spans overlap, because the resource does one thing at a time.
struct Lane {
    LaneKind kind{};
    std::uint32_t gpu = 0;
    std::uint32_t index = 0;  ///< number of the CU slot, channel or engine; 0 if there is only one
    bool exclusive = true;
    std::vector<Span> spans;
    std::vector<TimePoint> askedAt;  ///< DRAM channel, by span: when the request entered its stream
    /// DRAM channel, by span: picoseconds from the time at which the arbiter picks the request, which moves it to the
    /// DRAM queue, to the start of its service; at most 2^32-1.
    std::vector<std::uint32_t> queuedFor;
    std::vector<ServedPlace> places;  ///< DRAM channel of the bank model, by span; else empty
    /// DRAM channel, by span, on request: the granule of memory, counted over all channels; kNone for a pass.
    std::vector<std::uint32_t> granules;
    std::vector<TimePoint> readAt;  ///< DMA engine, by span: when the data of the last read of its block had arrived
};

/// The place of a span in a trace.
struct SpanPlace {
    std::uint32_t lane = kNone;  ///< index into Trace::lanes
    std::uint32_t span = kNone;  ///< index into Lane::spans
    bool operator==(const SpanPlace&) const = default;
};

enum class CounterKind : std::uint8_t {
    computeBacklog,        ///< bytes waiting in the compute streams
    communicationBacklog,  ///< bytes waiting in the communication streams
    trackerEntries,        ///< workgroups held
    dmaQueue,              ///< ready commands waiting for an engine
    runningWorkgroups,
    heldBytes,     ///< bytes of arriving updates that wait for a set of the tracker
    cacheHits,     ///< bytes of loads that hit the last-level cache, since the beginning
    cacheMisses,   ///< bytes of loads that missed the last-level cache, since the beginning
    cacheWaiting,  ///< hits that wait in the cache's slices behind misses and stores
};
inline constexpr std::size_t kCounterKinds = static_cast<std::size_t>(CounterKind::cacheWaiting) + 1;

struct CounterSample {
    TimePoint time;
    std::int64_t value = 0;
};

/// A step function: each value holds until the next sample. Samples are sorted by time; of changes within 100 ns the
/// last is kept.
struct CounterSeries {
    CounterKind kind{};
    std::uint32_t gpu = 0;
    std::vector<CounterSample> samples;
};

/// The layout of the output in memory, which is the same on every GPU.
struct TiledOutput {
    std::uint32_t rows = 0;                ///< rows of tiles; 0 for a collective alone, whose buffer is no matrix
    std::uint32_t columns = 0;             ///< columns of tiles; 0 for a collective alone
    bool rowsAreOuter = true;              ///< true: tiles are numbered along a row; false: down a column
    std::uint32_t granule = 0;             ///< bytes of a granule; the last one of a tile may be shorter
    std::vector<std::uint32_t> chunkTile;  ///< first tile of each chunk, and the number of tiles at the end
    std::vector<std::uint32_t> tileBytes;  ///< by tile
    /// By tile: its position in the order in which workgroups take tiles; empty: the tile's number.
    std::vector<std::uint32_t> walkPlace;

    std::uint32_t tiles() const { return static_cast<std::uint32_t>(tileBytes.size()); }
};

/// When the parts of one GPU's work began and ended. A part that the GPU does not have begins and ends at time 0, but a
/// missing all-gather begins and ends when the own work has ended.
struct PhaseTimes {
    /// `start` is the start of the GEMM: 0 without a GEMM, even if a start skew delays the GPU's first stage.
    TimePoint start, gemmEnd, reduceScatterStart, reduceScatterEnd, allGatherStart, allGatherEnd;
    /// When the own work, and the companion, has ended and all that it sends and writes has left and landed. Without a
    /// companion `companionEnd` is `start`.
    TimePoint ownEnd, companionEnd;
};

/// When one GPU's K-steps were done, by tile, then K-step; kNever for a K-step that was not done.
struct ComputedSteps {
    std::uint32_t steps = 0;  ///< K-steps of a tile
    std::vector<TimePoint> done;
    /// By tile: when its stores were taken, if its workgroup may leave its slot before (gemm.accumulators); else empty.
    std::vector<TimePoint> stored;
    /// As `done`: when all data of a K-step had come to the LLC, on their way to the CU; empty if llc.bandwidth is
    /// unlimited.
    std::vector<TimePoint> cached;
};

/// A piece of the GEMM, launched as a kernel of its own (policy.start=by-piece).
struct PieceTimes {
    TimePoint launched;
    TimePoint landed;              ///< its end: its output is in memory
    std::uint32_t workgroups = 0;  ///< which follow those of the piece before in the order of dispatch
    bool operator==(const PieceTimes&) const = default;
};

/// Returns the piece that has the workgroup at a position in the order of dispatch; the last one if none has it.
/// Precondition: there are pieces.
std::size_t pieceOf(const std::vector<PieceTimes>& pieces, std::uint32_t position);

/// The immutable event log of one run. Playback, stepping back and drawing read it and never run the engine. A mirrored
/// trace holds GPU 0 only: every other GPU does the same at the same times on chunks whose numbers are shifted by its
/// index.
struct Trace {
    std::uint32_t gpus = 1;  ///< GPUs in the ring
    bool mirrored = true;
    std::uint32_t chunks = 1;
    TimePoint end;                                                                          ///< last event
    TimePoint gemmEnd, reduceScatterStart, reduceScatterEnd, allGatherStart, allGatherEnd;  ///< of GPU 0
    TiledOutput output;
    std::vector<PhaseTimes> phases;  ///< by recorded GPU
    std::vector<Lane> lanes;         ///< sorted by GPU, then kind, then index
    std::vector<CounterSeries> counters;
    std::vector<ComputedSteps> computed;           ///< by recorded GPU
    std::vector<std::vector<PieceTimes>> pieces;   ///< by recorded GPU, then piece; empty without pieces
    std::uint32_t companionCopies = 0;             ///< kernels of the companion; 0 without one
    TiledOutput companionOutput;                   ///< output of the companion; its copies are alike
    std::vector<ComputedSteps> companionComputed;  ///< by recorded GPU, then copy; empty for a collective
    /// By recorded GPU: MCA serves communication while one channel's DRAM queue holds fewer bytes than this. It is the
    /// limit after the GEMM's first stage has ended. Empty: no limit, or another rule.
    std::vector<std::optional<Bytes>> arbiterLimits;

    const Span& span(SpanPlace place) const { return lanes[place.lane].spans[place.span]; }
    /// Returns the recorded GPU that stands for GPU `gpu`.
    std::uint32_t recorded(std::uint32_t gpu) const { return mirrored ? 0 : gpu; }
    std::uint32_t recordedGpus() const { return mirrored ? 1 : std::max(1u, gpus); }
    /// Returns the chunk on which GPU `gpu` works when the GPU that stands for it works on `chunk`.
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t chunk) const {
        return !mirrored || chunk == kNone ? chunk : (chunk + gpu) % chunks;
    }
    std::size_t spanCount() const;
};

std::string_view name(SpanKind kind);     ///< "workgroup", "DMA transfer"
std::string_view name(LaneKind kind);     ///< "GEMM waves", "DRAM channel"
std::string_view name(CounterKind kind);  ///< "compute backlog"

/// Returns whether a counter accumulates from the beginning and never falls. Other counters show a current amount.
bool isSum(CounterKind kind);

}  // namespace engine
