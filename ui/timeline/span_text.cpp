#include "ui/timeline/span_text.h"

#include "ui/look/format.h"
#include "ui/look/glossary.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"
#include "ui/look/timeline_geometry.h"
#include "ui/timeline/row_tracks.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ui {
namespace {

using engine::CounterKind;
using engine::SpanKind;

QString spanTr(const char* text) { return QCoreApplication::translate("SpanText", text); }

QString page(const QString& title, const QStringList& lines) {
    return QStringLiteral("<p style='white-space:pre'><b>%1</b>%2</p>")
        .arg(title.toHtmlEscaped(),
             lines.isEmpty() ? QString() : QStringLiteral("<br>") + lines.join(QStringLiteral("<br>")));
}

QString extent(const engine::Span& span) {
    if (span.start == span.end)
        return spanTr("at %1").arg(formatTime(span.start.ps));
    return spanTr("%1 to %2, takes %3")
        .arg(formatTime(span.start.ps), formatTime(span.end.ps), formatTime((span.end - span.start).ps));
}

QString streamOf(const engine::Span& span) {
    return span.first == static_cast<std::uint32_t>(engine::Stream::compute) ? spanTr("compute stream")
                                                                             : spanTr("communication stream");
}

// Returns "of companion copy 2", to be appended to a name; empty for the run's own work.
QString ofKernel(const TimelineModel& model, const engine::Span& span) {
    return data::isOfCompanion(span)
               ? spanTr(" of %1").arg(kernelName(model.run().run.experiment, data::kernelNumberOf(span)))
               : QString();
}

// Returns the name of a span, without its GPU, chunk and times.
QString nameOf(const TimelineModel& model, const engine::Span& span, const data::TraceIndex::Gpu& gpu) {
    switch (span.kind) {
    case SpanKind::gemmWave: return waveName(gpu, span);
    case SpanKind::workgroup: return spanTr("workgroup of tile %1").arg(span.first) + ofKernel(model, span);
    case SpanKind::load:
        return spanTr("loads of tile %1, K-step %2").arg(span.first).arg(span.second) + ofKernel(model, span);
    case SpanKind::store: return spanTr("stores of tile %1").arg(span.first);
    case SpanKind::trackedTile: return spanTr("tracker holds tile %1").arg(span.first);
    case SpanKind::trigger: return spanTr("trigger of block %1").arg(span.first);
    case SpanKind::dmaTransfer: return spanTr("DMA transfer of block %1").arg(span.first);
    case SpanKind::linkPacket: return spanTr("link packet");
    case SpanKind::dramRead: return spanTr("DRAM read%1, %2").arg(ofKernel(model, span), streamOf(span));
    case SpanKind::dramWrite: return spanTr("DRAM write%1, %2").arg(ofKernel(model, span), streamOf(span));
    case SpanKind::dramUpdate: return spanTr("DRAM update%1, %2").arg(ofKernel(model, span), streamOf(span));
    case SpanKind::dramPass: return spanTr("piece of the pass inside memory");
    case SpanKind::storeLanded: return spanTr("stores of tile %1 land").arg(span.first);
    case SpanKind::arrivalLanded: return spanTr("received bytes of tile %1 land").arg(span.first);
    case SpanKind::sumLanded: return spanTr("sums of tile %1 land").arg(span.first);
    case SpanKind::reduceScatterStep:
        return spanTr("%1 step %2").arg(scatterWord(model.run().run.experiment)).arg(span.first);
    case SpanKind::allGatherStep: return spanTr("all-gather step %1").arg(span.first);
    case SpanKind::collectiveWorkgroup:
        return spanTr("workgroup %1 of the %2")
            .arg(span.first)
            .arg(kernelName(model.run().run.experiment, data::kernelNumberOf(span)));
    case SpanKind::companionStep: return spanTr("step %1").arg(span.first) + ofKernel(model, span);
    case SpanKind::companionTransfer: return spanTr("DMA transfer of block %1").arg(span.first) + ofKernel(model, span);
    case SpanKind::companionPacket: return spanTr("link packet") + ofKernel(model, span);
    case SpanKind::companionWave: return spanTr("GEMM wave %1").arg(span.first) + ofKernel(model, span);
    case SpanKind::copy: return spanTr("copy to GPU %1").arg(span.peer);
    }
    return {};
}

QString chunkOf(const TimelineModel& model, const engine::Span& span, std::uint32_t gpu) {
    const std::uint32_t chunk = data::isOfCompanion(span) ? data::companionChunkOn(model.index()->trace(), gpu, span)
                                                          : model.index()->chunkOn(gpu, data::ownChunkOf(span));
    return chunk == engine::kNone ? QString() : spanTr(", chunk %1").arg(chunk);
}

QStringList factsOf(const engine::Span& span, const engine::Lane& lane) {
    QStringList lines{extent(span)};
    if (span.bytes > 0)
        lines << formatBytes(span.bytes);
    if (span.kind == SpanKind::companionWave)
        lines << spanTr("%1 workgroups in this wave").arg(span.second);
    if (span.kind == SpanKind::workgroup)
        lines << spanTr("slot %1, dispatched as number %2").arg(lane.index).arg(span.second + 1);
    if (lane.kind == engine::LaneKind::dramChannel)
        lines << spanTr("channel %1").arg(lane.index);
    return lines;
}

QString valueLine(const data::TraceIndex::Gpu& gpu, CounterKind kind, const char* text, std::int64_t ps,
                  bool bytes = false) {
    const engine::CounterSeries* series = gpu.counter(kind);
    if (series == nullptr)
        return {};
    const auto format = [bytes](std::int64_t value) { return bytes ? formatBytes(value) : formatCount(value); };
    return spanTr(text).arg(format(data::valueAt(*series, ps)), format(gpu.mostOf(kind)));
}

QString busyLine(const data::DenseLanes& lanes, data::TimeRange window) {
    const double all = static_cast<double>(std::max<std::int64_t>(1, window.span())) *
                       static_cast<double>(std::max<std::size_t>(1, lanes.tracks.size()));
    const double share =
        static_cast<double>(lanes.busy.busyUntil(window.end) - lanes.busy.busyUntil(window.start)) / all;
    return spanTr("busy %1 of %2").arg(formatPercent(std::clamp(share, 0.0, 1.0)), formatTime(window.span(), 3));
}

QString underWay(const std::vector<data::Track>& tracks, std::int64_t ps) {
    const auto busy = std::count_if(tracks.begin(), tracks.end(),
                                    [ps](const data::Track& track) { return track.spans().at(ps).has_value(); });
    return spanTr("%1 under way, at most %2 in this run").arg(busy).arg(tracks.size());
}

// Returns lines with the share of time for which a row's resources were busy with each kernel.
QStringList kernelLines(const TimelineModel& model, const data::KernelGrids& grids, std::size_t resources,
                        data::TimeRange window, std::int64_t ps) {
    const double all = static_cast<double>(std::max<std::int64_t>(1, window.span())) *
                       static_cast<double>(std::max<std::size_t>(1, resources));
    QStringList lines;
    double idle = 1;
    for (const data::KernelGrid& grid : grids) {
        const double share =
            static_cast<double>(grid.busy.busyUntil(window.end) - grid.busy.busyUntil(window.start)) / all;
        idle -= share;
        lines << spanTr("%1 %2").arg(kernelName(model.run().run.experiment, grid.kernel), formatPercent(share));
    }
    lines << spanTr("idle %1").arg(formatPercent(std::max(0.0, idle)))
          << spanTr("mean over %1 around %2").arg(formatTime(window.span(), 3), formatTime(ps));
    return lines;
}

QStringList dramLines(const data::TraceIndex::Gpu& gpu, std::int64_t ps, data::TimeRange window) {
    const double compute = gpu.dramCompute.fraction(window.start, window.end);
    const double communication = gpu.dramCommunication.fraction(window.start, window.end);
    return {spanTr("compute stream %1").arg(formatPercent(compute)),
            spanTr("communication stream %1").arg(formatPercent(communication)),
            spanTr("idle %1").arg(formatPercent(std::max(0.0, 1 - compute - communication))),
            spanTr("mean over %1 around %2").arg(formatTime(window.span(), 3), formatTime(ps))};
}

// Describes the row as a whole around a time.
QStringList rowLines(const TimelineModel& model, const data::TraceIndex::Gpu& gpu, const Row& row, std::int64_t ps,
                     data::TimeRange window) {
    if (row.kind == RowKind::dram && !gpu.dramKernels.empty())
        return kernelLines(model, gpu.dramKernels, gpu.dramChannels.tracks.size(), window, ps);
    if (row.kind == RowKind::slots && !gpu.slotKernels.empty())
        return kernelLines(model, gpu.slotKernels, gpu.slots.tracks.size(), window, ps);
    switch (row.kind) {
    case RowKind::waves:
        return {valueLine(gpu, CounterKind::runningWorkgroups, QT_TR_NOOP("%1 of at most %2 running now"), ps)};
    case RowKind::loads: return {underWay(gpu.loads.tracks, ps)};
    case RowKind::stores: return {underWay(gpu.stores.tracks, ps)};
    case RowKind::tracker:
        return {valueLine(gpu, CounterKind::trackerEntries, QT_TR_NOOP("%1 workgroups held, at most %2"), ps)};
    case RowKind::dma:
        return {underWay(gpu.dma.tracks, ps),
                valueLine(gpu, CounterKind::dmaQueue, QT_TR_NOOP("%1 commands waiting, at most %2"), ps)};
    case RowKind::link: return {busyLine(gpu.linkOut, window)};
    case RowKind::linkIn: return {busyLine(gpu.linkIn, window)};
    case RowKind::dram: return dramLines(gpu, ps, window);
    case RowKind::queues:
        return {valueLine(gpu, CounterKind::computeBacklog, QT_TR_NOOP("compute streams %1, at most %2"), ps, true),
                valueLine(gpu, CounterKind::communicationBacklog, QT_TR_NOOP("communication streams %1, at most %2"),
                          ps, true)};
    default: return {};
    }
}

// Describes the slots that the last wave leaves empty at a time; empty for other rows and times.
QString emptyLine(const TimelineModel& model, const Row& row, std::int64_t ps) {
    const data::LastWave& last = model.lastWave(row.gpu);
    const bool showsSlots = row.kind == RowKind::waves || row.kind == RowKind::slots;
    return showsSlots && last.emptyAt(ps) > 0 ? emptySlotsText(last) : QString();
}

// Returns the title of the empty slot under the pointer; an empty text if there is none.
QString emptySlotTitle(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps) {
    if (row.kind != RowKind::slots || heightShare < 0 || heightShare > 1)
        return {};
    const data::LastWave& last = model.lastWave(row.gpu);
    const auto slot = static_cast<std::uint32_t>(heightShare * static_cast<double>(model.slots(row.gpu)));
    const bool isEmpty =
        ps < last.time.end && std::any_of(last.empty.begin(), last.empty.end(),
                                          [&](const auto& empty) { return empty.slot == slot && empty.from <= ps; });
    return isEmpty ? spanTr("GPU %1: slot %2, empty").arg(row.gpu).arg(slot) : QString();
}

QString rowTitle(const data::TraceIndex::Gpu& gpu, const Row& row) {
    const data::PackedLane* lane = laneOf(gpu, row.kind);
    const std::size_t links = lane != nullptr ? lane->tracks.size() : 0;
    switch (row.kind) {
    case RowKind::link:
        return links > 1 ? spanTr("GPU %1: its %2 outgoing links, one above the other").arg(row.gpu).arg(links)
                         : spanTr("GPU %1: outgoing link").arg(row.gpu);
    case RowKind::linkIn:
        return links > 1 ? spanTr("GPU %1: its %2 incoming links, one above the other").arg(row.gpu).arg(links)
                         : spanTr("GPU %1: incoming link").arg(row.gpu);
    case RowKind::dram: return spanTr("GPU %1: DRAM").arg(row.gpu);
    case RowKind::dramChannel: return spanTr("GPU %1: DRAM channel %2").arg(row.gpu).arg(row.index);
    case RowKind::queues: return spanTr("GPU %1: bytes waiting for DRAM").arg(row.gpu);
    case RowKind::tracker: return spanTr("GPU %1: tracker").arg(row.gpu);
    case RowKind::dma: return spanTr("GPU %1: DMA engine").arg(row.gpu);
    case RowKind::loads: return spanTr("GPU %1: loads").arg(row.gpu);
    case RowKind::stores: return spanTr("GPU %1: stores").arg(row.gpu);
    case RowKind::slots: return gpu.slotKernels.empty() ? QString() : spanTr("GPU %1: workgroups").arg(row.gpu);
    default: return {};
    }
}

/// Returns the piece of the GEMM that ends within `reach` of a time, in a row that shows the ends; null if none does.
const data::GemmPiece* pieceEndingNear(const TimelineModel& model, const Row& row, std::int64_t ps,
                                       std::int64_t reach) {
    if (row.kind != RowKind::waves && row.kind != RowKind::slots)
        return nullptr;
    const data::GemmPiece* nearest = nullptr;
    const auto distance = [ps](const data::GemmPiece& piece) { return std::abs(piece.time.end - ps); };
    for (const data::GemmPiece& piece : model.pieces(row.gpu)) {
        if (distance(piece) <= reach && (nearest == nullptr || distance(piece) < distance(*nearest)))
            nearest = &piece;
    }
    return nearest;
}

QString describePieceEnd(const TimelineModel& model, std::uint32_t gpu, const data::GemmPiece& piece) {
    const bool isTaken = engine::overlapsInSoftware(model.run().run.experiment);
    return page(spanTr("GPU %1: piece %2 of %3 ends, %4")
                    .arg(gpu)
                    .arg(piece.number + 1)
                    .arg(model.pieces(gpu).size())
                    .arg(formatTime(piece.time.end)),
                {pieceSizeText(piece), spanTr("launched at %1").arg(formatTime(piece.time.start)),
                 isTaken ? spanTr("its output is in memory, and the collective may take it")
                         : spanTr("its output is in memory")});
}

// Returns whether to describe the span under the pointer. In an area it is one of many, so it is described only if a
// pixel holds about one span.
bool showsSpan(const Row& row, const engine::Span& span, std::int64_t reach) {
    const bool area = row.kind == RowKind::dram;
    return !area || (span.end - span.start).ps * 2 > reach;
}

// Returns how many spans of a dense row begin within a pixel's time; 0 for other rows.
std::int64_t begunWithin(const data::TraceIndex::Gpu& gpu, const Row& row, std::int64_t ps, std::int64_t reach) {
    constexpr std::array kDense{RowKind::loads,  RowKind::stores, RowKind::link,
                                RowKind::linkIn, RowKind::dram,   RowKind::tracker};
    if (std::find(kDense.begin(), kDense.end(), row.kind) == kDense.end())
        return 0;
    std::int64_t begun = 0;
    for (const data::Track& track : laneOf(gpu, row.kind)->tracks) {
        const data::SpanList spans = track.spans();
        const std::size_t first = spans.firstEndingAfter(ps - reach / 2);
        begun += static_cast<std::int64_t>(spans.firstEndingAfter(ps + reach - reach / 2, first) - first);
    }
    return begun;
}

}  // namespace

QString describeMoment(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                       std::int64_t reach) {
    reach = std::max<std::int64_t>(reach, 1);
    if (model.isBound()) {
        const engine::Span span = model.boundSpan(row.kind);
        return ps >= span.start.ps && ps < span.end.ps ? page(row.label, {extent(span)}) : QString();
    }
    if (model.index() == nullptr || ps < 0 || ps > model.end())
        return {};
    const data::TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    constexpr std::int64_t kNearLine = 3;  // pixels
    if (const data::GemmPiece* piece = pieceEndingNear(model, row, ps, kNearLine * reach))
        return describePieceEnd(model, row.gpu, *piece);
    // The span is drawn cut where the next one begins, but described in full.
    const std::optional<data::SpanRef> ref = spanUnder(model, row, heightShare, ps, 0);
    QString title = rowTitle(model.index()->gpu(row.gpu), row);
    QStringList lines;
    if (ref) {
        const engine::Lane& lane = model.index()->trace().lanes[ref->lane];
        const engine::Span& span = lane.spans[ref->span];
        if (showsSpan(row, span, reach)) {
            title = spanTr("GPU %1: %2").arg(row.gpu).arg(nameOf(model, span, gpu) + chunkOf(model, span, row.gpu));
            lines = factsOf(span, lane);
            lines << pieceText(model.pieces(row.gpu), span);
        }
    } else if (const QString empty = emptySlotTitle(model, row, heightShare, ps); !empty.isEmpty()) {
        title = empty;
    } else if (row.kind == RowKind::waves) {
        return {};
    }
    lines << emptyLine(model, row, ps);
    lines += rowLines(model, gpu, row, ps, windowAround(ps, reach, model.index()->trace().end.ps));
    lines.removeAll(QString());
    const std::int64_t begun = begunWithin(gpu, row, ps, reach);
    if (begun > 1)
        lines << spanTr("%1 spans in this pixel").arg(formatCount(begun));
    return title.isEmpty() ? QString() : page(title, lines);
}

QString explainRow(const Row& row) {
    const char* term = traitsOf(row.kind).term;
    const QString text =
        glossaryText(term != nullptr ? QString::fromLatin1(term) : QString(row.label).replace(u' ', u'-'));
    if (text.isEmpty())
        return {};
    return QStringLiteral("<p><b>%1</b><br>%2</p>").arg(row.label.toHtmlEscaped(), text.toHtmlEscaped());
}

QString spanInWords(const TimelineModel& model, data::SpanRef ref) {
    const std::vector<engine::Lane>& lanes = model.index()->trace().lanes;
    if (ref.lane >= lanes.size() || ref.span >= lanes[ref.lane].spans.size() || ref.gpu >= model.gpus())
        return {};
    const engine::Span& span = lanes[ref.lane].spans[ref.span];
    const data::TraceIndex::Gpu& gpu = model.index()->gpu(ref.gpu);
    QString name = nameOf(model, span, gpu) + chunkOf(model, span, ref.gpu);
    const data::LastWave& last = model.lastWave(ref.gpu);
    if (isLastWave(gpu, span) && last.hasEmptySlots())
        name += spanTr(", %1").arg(emptySlotsText(last));
    if (const QString piece = pieceText(model.pieces(ref.gpu), span); !piece.isEmpty())
        name += spanTr(", %1").arg(piece);
    return spanTr("GPU %1, %2, %3 to %4").arg(ref.gpu).arg(name, formatTime(span.start.ps), formatTime(span.end.ps));
}

}  // namespace ui
