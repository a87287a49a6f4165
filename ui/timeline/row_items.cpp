#include "ui/timeline/row_items.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kGroupGap = 0.45;  // lines
constexpr double kTightGroupGap = 0.25;
constexpr std::size_t kManyRows = 24;
constexpr double kRowGap = 0.14;
constexpr double kPinnedGap = 0.2;
constexpr double kLeastStretch = 0.75;
constexpr double kScrolledStretch = 0.85;  // for rows that have to scroll anyway, and need not be as low as possible
constexpr double kMostStretch = 2.4;

using engine::CounterKind;
using engine::Span;
using engine::Stream;

constexpr double kDistinguishable = 3;   // device pixels that a span needs to be distinguished from the next
constexpr std::size_t kMostStacked = 8;  // tracks that a lane of the usual height can show one above the other

/// The data that every function that draws a row needs.
struct Canvas {
    const TimelineModel& model;
    const Row& row;
    Band band;
    const TimelineGeometry& geometry;
    const PixelColumns& columns;
    DrawList& list;

    const data::TraceIndex::Gpu& gpu() const { return model.index()->gpu(row.gpu); }
    std::uint32_t chunkOf(const Span& span) const {
        const data::TraceIndex& index = *model.index();
        return data::isOfCompanion(span) ? data::companionChunkOn(index.trace(), row.gpu, span)
                                         : index.chunkOn(row.gpu, span.second);
    }
    bool inCompany() const { return model.inCompany(); }
    /// Returns whether several kernels are recorded in the row.
    bool isShared() const { return inCompany() || (row.kind == RowKind::slots && !gpu().slotKernels.empty()); }
    /// Returns the function that selects a span's fill: in a row that kernels share, the fill of the span's kernel;
    /// else an empty function, for the fill of the row. Packets of the run's own work keep that fill.
    ShownKernel shownKernel() const;
    /// Returns the busy time of this row's resources by kernel; empty if the row has none.
    const data::KernelGrids& kernelGrids() const;
};

ShownKernel Canvas::shownKernel() const {
    if (!isShared())
        return {};
    switch (row.kind) {
    case RowKind::slots:
    case RowKind::loads:
    case RowKind::dramChannel:
    case RowKind::companion: return [](const Span& span) { return std::optional(data::kernelNumberOf(span)); };
    case RowKind::link:
    case RowKind::linkIn:
        return [](const Span& span) {
            return data::isOfCompanion(span) ? std::optional(data::kernelNumberOf(span)) : std::nullopt;
        };
    default: return {};
    }
}

const data::KernelGrids& Canvas::kernelGrids() const {
    static const data::KernelGrids kNone;
    const data::TraceIndex::Gpu& of = gpu();
    switch (row.kind) {
    case RowKind::waves: return inCompany() ? of.slotKernels : kNone;
    case RowKind::slots: return of.slotKernels;
    case RowKind::loads: return of.loadKernels;
    case RowKind::link: return of.linkOutKernels;
    case RowKind::linkIn: return of.linkInKernels;
    case RowKind::dram: return of.dramKernels;
    case RowKind::dramChannel: return row.index < of.channelKernels.size() ? of.channelKernels[row.index] : kNone;
    default: return kNone;
    }
}

std::vector<data::SpanList> spansOf(const std::vector<data::Track>& tracks) {
    std::vector<data::SpanList> spans;
    spans.reserve(tracks.size());
    for (const data::Track& track : tracks)
        spans.push_back(track.spans());
    return spans;
}

bool areDistinguishable(const Canvas& canvas, const std::vector<data::Track>& tracks) {
    const data::TimeRange& range = canvas.geometry.range;
    std::size_t visible = 0;
    for (const data::Track& track : tracks) {
        const data::SpanList spans = track.spans();
        const std::size_t first = spans.firstEndingAfter(range.start);
        visible += spans.firstEndingAfter(range.end, first) - first;
    }
    const double pixels = canvas.geometry.width / canvas.geometry.pixel * static_cast<double>(tracks.size());
    return static_cast<double>(visible) * kDistinguishable <= pixels;
}

Band part(const Band& band, std::size_t i, std::size_t of, double pixel, double gap) {
    const auto edge = [&](std::size_t at) {
        return std::round((band.top + band.height * static_cast<double>(at) / static_cast<double>(of)) / pixel) * pixel;
    };
    return {edge(i), std::max(pixel, edge(i + 1) - edge(i) - gap), band.role};
}

template <class ChunkOf>
void appendTracks(const Canvas& canvas, const std::vector<data::SpanList>& tracks, const ChunkOf& chunkOf) {
    const bool roomy = canvas.band.height / static_cast<double>(tracks.size()) >= 4;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const double gap = tracks.size() > 1 && roomy ? 1 : 0;
        appendSpans(tracks[i], canvas.geometry, part(canvas.band, i, tracks.size(), canvas.geometry.pixel, gap),
                    chunkOf, canvas.list.items, canvas.shownKernel());
    }
}

void appendChunks(const Canvas& canvas, const std::vector<data::Track>& tracks, Role role) {
    Canvas own = canvas;
    own.band.role = role;
    appendTracks(own, spansOf(tracks), [&](const Span& span) { return canvas.chunkOf(span); });
}

// Appends an area with one layer for each kernel, the run's own work at the bottom; its packets have the fill of their
// row. Returns false and appends nothing if the row has no busy times by kernel.
bool appendKernels(const Canvas& canvas, const std::vector<data::SpanList>& tracks) {
    const data::KernelGrids& grids = canvas.kernelGrids();
    if (grids.empty())
        return false;
    const bool sends = canvas.row.kind == RowKind::link || canvas.row.kind == RowKind::linkIn;
    std::vector<AreaSource> sources;
    for (const data::KernelGrid& grid : grids)
        sources.push_back({&grid.busy, tracks, std::nullopt, canvas.band.role, grid.kernel,
                           sends && grid.kernel == data::kGemmKernel ? std::nullopt : std::optional(grid.kernel)});
    canvas.list.areas.push_back(
        areaOf(sources, static_cast<double>(tracks.size()), canvas.columns, canvas.band, canvas.geometry.pixel));
    return true;
}

// Appends the share of busy tracks as an area. `most` is the number of tracks that could be busy at once.
void appendBusy(const Canvas& canvas, const data::DenseLanes& lanes, std::size_t most) {
    if (appendKernels(canvas, spansOf(lanes.tracks)))
        return;
    canvas.list.areas.push_back(areaOf({{&lanes.busy, spansOf(lanes.tracks), std::nullopt, canvas.band.role}},
                                       static_cast<double>(most), canvas.columns, canvas.band, canvas.geometry.pixel));
}

// Appends workgroups in their slots, some of which never hold one. Slots that the last wave leaves empty are hatched.
void appendSlots(const Canvas& canvas) {
    const std::vector<data::Track>& tracks = canvas.gpu().slots.tracks;
    const std::size_t count = canvas.model.slots(canvas.row.gpu);
    const data::LastWave& last = canvas.model.lastWave(canvas.row.gpu);
    if (!areDistinguishable(canvas, tracks)) {
        appendBusy(canvas, canvas.gpu().slots, count);
        canvas.list.areas.back().merged = true;
        Band gemm = canvas.band;  // without the slots of a collective kernel
        gemm.height *= static_cast<double>(last.slots) / static_cast<double>(count);
        return appendEmptyShare(last, canvas.geometry, gemm, canvas.list.gaps);
    }
    const double gap = count > 1 && canvas.band.height / static_cast<double>(count) >= 4 ? 1 : 0;
    const auto bandOf = [&](std::size_t place) { return part(canvas.band, place, count, canvas.geometry.pixel, gap); };
    const std::size_t first = canvas.list.items.size();
    for (std::size_t i = 0; i < tracks.size(); ++i)
        appendSpans(
            tracks[i].spans(), canvas.geometry, bandOf(canvas.model.slotPlace(canvas.row.gpu, i)),
            [](const Span& span) { return span.first; }, canvas.list.items, canvas.shownKernel());
    for (std::size_t i = first; i < canvas.list.items.size(); ++i)
        canvas.list.items[i].chunk = engine::kNone;  // the number that tints them is not a chunk
    for (const data::EmptySlot& slot : last.empty)
        appendEmptySlot(last, slot.from, canvas.geometry, bandOf(slot.slot), canvas.list.gaps);
}

void appendWaveRow(const Canvas& canvas) {
    const data::TraceIndex::Gpu& gpu = canvas.gpu();
    // With a companion, kernels share the slots: the row shows how many workgroups of each kernel run instead of waves.
    if (appendKernels(canvas, spansOf(gpu.slots.tracks)))
        return;
    const data::LastWave& last = canvas.model.lastWave(canvas.row.gpu);
    appendWaves(canvas.model.waves(canvas.row.gpu).spans, gpu.counter(CounterKind::runningWorkgroups),
                last.slots > 0 ? last.slots : gpu.mostOf(CounterKind::runningWorkgroups), canvas.geometry, canvas.band,
                canvas.list.items);
    appendEmptyShare(last, canvas.geometry, canvas.band, canvas.list.gaps);
}

// Appends a line at the end of each piece of the GEMM, unless the lines would hide what lies between them.
void appendPieceEnds(const Canvas& canvas) {
    constexpr double kLeastGap = 8;  // points
    std::vector<double> ends;
    for (const data::GemmPiece& piece : canvas.model.pieces(canvas.row.gpu)) {
        if (piece.time.end >= canvas.geometry.range.start && piece.time.end <= canvas.geometry.range.end)
            ends.push_back(canvas.geometry.columnOf(piece.time.end));
    }
    if (ends.empty())
        return;
    const auto [first, last] = std::ranges::minmax(ends);
    if (last - first < kLeastGap * static_cast<double>(ends.size() - 1))
        return;
    for (const double x : ends)
        canvas.list.pieceEnds.push_back({x, canvas.band.top, canvas.band.height});
}

// Appends blocks if there is room for them, else an area. `numberOf` returns a number that gives neighbouring blocks
// different tints.
template <class NumberOf>
void appendDense(const Canvas& canvas, const data::DenseLanes& lanes, std::size_t mostStacked,
                 const NumberOf& numberOf) {
    if (lanes.tracks.size() <= mostStacked && areDistinguishable(canvas, lanes.tracks)) {
        const std::size_t first = canvas.list.items.size();
        appendTracks(canvas, spansOf(lanes.tracks), numberOf);
        for (std::size_t i = first; i < canvas.list.items.size(); ++i) {
            if (canvas.row.kind == RowKind::loads)
                canvas.list.items[i].chunk = engine::kNone;  // the number that tints them is not a chunk
        }
        return;
    }
    appendBusy(canvas, lanes, lanes.tracks.size());
    canvas.list.areas.back().merged = true;
}

void appendStreams(const Canvas& canvas, const data::StreamGrids& grids, const std::vector<data::SpanList>& tracks,
                   bool merged) {
    if (!appendKernels(canvas, tracks))
        canvas.list.areas.push_back(areaOf({{&grids.compute, tracks, Stream::compute, Role::gemm},
                                            {&grids.communication, tracks, Stream::communication, Role::reduceScatter}},
                                           static_cast<double>(tracks.size()), canvas.columns, canvas.band,
                                           canvas.geometry.pixel));
    canvas.list.areas.back().merged = merged;
}

void appendChannel(const Canvas& canvas) {
    const data::Track& channel = canvas.gpu().dramChannels.tracks[canvas.row.index];
    if (!areDistinguishable(canvas, {channel})) {
        appendStreams(canvas, canvas.gpu().dramStreams[canvas.row.index], {channel.spans()}, true);
        return;
    }
    const std::size_t first = canvas.list.items.size();
    // Passes the stream as the chunk, because a DRAM service has none; the loop below resets chunk and tint.
    appendSpans(
        channel.spans(), canvas.geometry, canvas.band, [](const Span& span) { return span.first; }, canvas.list.items,
        canvas.shownKernel());
    for (std::size_t i = first; i < canvas.list.items.size(); ++i) {
        DrawItem& item = canvas.list.items[i];
        item.role = item.first == static_cast<std::uint32_t>(Stream::compute) ? Role::gemm : Role::reduceScatter;
        item.shaded = false;
        item.chunk = engine::kNone;
    }
}

void appendCounter(const Canvas& canvas, CounterKind kind, std::int64_t most, std::optional<Role> role) {
    const engine::CounterSeries* series = canvas.gpu().counter(kind);
    if (series != nullptr && most > 0)
        canvas.list.lines.push_back(lineOf(*series, most, canvas.columns, canvas.band, canvas.geometry.pixel, role));
}

void appendQueues(const Canvas& canvas) {
    const data::TraceIndex::Gpu& gpu = canvas.gpu();
    const std::int64_t most =
        std::max(gpu.mostOf(CounterKind::computeBacklog), gpu.mostOf(CounterKind::communicationBacklog));
    appendCounter(canvas, CounterKind::computeBacklog, most, Role::gemm);
    appendCounter(canvas, CounterKind::communicationBacklog, most, Role::reduceScatter);
}

void appendOccupancy(const Canvas& canvas, const data::DenseLanes& lanes, CounterKind counter) {
    appendBusy(canvas, lanes, lanes.tracks.size());
    appendCounter(canvas, counter, canvas.gpu().mostOf(counter), std::nullopt);
}

void appendBound(const Canvas& canvas) {
    const std::vector<Span> whole{canvas.model.boundSpan(canvas.row.kind)};
    appendSpans(
        whole, canvas.geometry, canvas.band, [](const Span&) { return engine::kNone; }, canvas.list.items);
}

void appendSteps(const Canvas& canvas) {
    appendSpans(
        canvas.model.steps(canvas.row.gpu).spans, canvas.geometry, canvas.band,
        [&](const Span& span) { return canvas.chunkOf(span); }, canvas.list.items);
    appendChunks(canvas, canvas.gpu().allGather.tracks, Role::allGather);
}

// Appends the strips of a companion's row. Neighbouring waves have different tints, as in the run's own work, although
// they belong to no chunk.
void appendCompanion(const Canvas& canvas) {
    std::vector<data::SpanList> tracks;
    for (const CompanionTrack& track : canvas.model.companion(canvas.row.gpu))
        tracks.push_back(track.spans);
    if (tracks.empty())
        return;
    const bool waves = tracks.front()[0].kind == engine::SpanKind::companionWave;
    const std::size_t first = canvas.list.items.size();
    appendTracks(canvas, tracks, [&](const Span& span) { return waves ? span.first : canvas.chunkOf(span); });
    for (std::size_t i = first; waves && i < canvas.list.items.size(); ++i)
        canvas.list.items[i].chunk = engine::kNone;
}

}  // namespace

RowLayout layoutRows(const std::vector<Row>& rows, double available, double lineHeight) {
    RowLayout layout;
    const double groupGap = rows.size() > kManyRows ? kTightGroupGap : kGroupGap;
    double weights = 0;
    double gaps = 0;
    for (const Row& row : rows) {
        weights += row.weight;
        gaps += row.opensGroup ? groupGap : kRowGap;
    }
    if (rows.empty())
        return layout;
    const double room = (available / lineHeight - gaps - groupGap) / weights;
    const double stretch = room < kLeastStretch ? kScrolledStretch : std::min(room, kMostStretch);
    double top = 0;
    for (const Row& row : rows) {
        if (!row.pinned)
            top = std::max(top, layout.pinnedHeight);
        top += std::round((row.opensGroup ? groupGap : kRowGap) * lineHeight);
        const double height = std::floor(row.weight * stretch * lineHeight);
        layout.boxes.push_back({top, height});
        top += height;
        if (row.pinned)
            layout.pinnedHeight = top + std::round(kPinnedGap * lineHeight);
    }
    layout.height = top + std::round(groupGap * lineHeight);
    return layout;
}

bool hasGround(const Row& row) {
    return !isBound(row.kind) && row.kind != RowKind::reduceScatter && row.kind != RowKind::allGather &&
           row.kind != RowKind::collective && row.kind != RowKind::companion;
}

void appendRow(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
               const PixelColumns& columns, DrawList& list) {
    const Canvas canvas{model, row, {box.top, box.height, traitsOf(row.kind).role}, geometry, columns, list};
    const auto byFirst = [](const Span& span) { return span.first; };
    const auto byChunk = [&](const Span& span) { return canvas.chunkOf(span); };
    if (model.isBound())
        return appendBound(canvas);
    const data::TraceIndex::Gpu& gpu = canvas.gpu();
    switch (row.kind) {
    case RowKind::waves:
        appendWaveRow(canvas);
        appendPieceEnds(canvas);
        break;
    case RowKind::slots:
        appendSlots(canvas);
        appendPieceEnds(canvas);
        break;
    case RowKind::loads: appendDense(canvas, gpu.loads, kMostStacked, byFirst); break;
    case RowKind::stores: appendDense(canvas, gpu.stores, kMostStacked, byChunk); break;
    case RowKind::reduceScatter: appendChunks(canvas, gpu.reduceScatter.tracks, Role::reduceScatter); break;
    case RowKind::allGather: appendChunks(canvas, gpu.allGather.tracks, Role::allGather); break;
    case RowKind::collective: appendSteps(canvas); break;
    case RowKind::companion: appendCompanion(canvas); break;
    case RowKind::tracker: appendOccupancy(canvas, gpu.trackedTiles, CounterKind::trackerEntries); break;
    case RowKind::dma: appendOccupancy(canvas, gpu.dma, CounterKind::dmaQueue); break;
    case RowKind::link: appendDense(canvas, gpu.linkOut, kMostStacked, byChunk); break;
    case RowKind::linkIn: appendDense(canvas, gpu.linkIn, kMostStacked, byChunk); break;
    case RowKind::dram: appendStreams(canvas, gpu.dramTotal, spansOf(gpu.dramChannels.tracks), false); break;
    case RowKind::dramChannel: appendChannel(canvas); break;
    case RowKind::queues: appendQueues(canvas); break;
    default: break;
    }
}

}  // namespace ui
