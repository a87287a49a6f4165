#include "ui/timeline/span_text.h"

#include "ui/shared/format.h"
#include "ui/timeline/row_tracks.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("SpanText", text); }

QString page(const QString& title, const QStringList& lines) {
    return QStringLiteral("<p style='white-space:pre'><b>%1</b>%2</p>")
        .arg(title.toHtmlEscaped(),
             lines.isEmpty() ? QString() : QStringLiteral("<br>") + lines.join(QStringLiteral("<br>")));
}

QString extent(const engine::Span& span) {
    return tr("%1 to %2, takes %3")
        .arg(formatTime(span.start.ps), formatTime(span.end.ps), formatTime((span.end - span.start).ps));
}

QString titleOf(const engine::Span& span, std::uint32_t gpu, std::uint32_t chunk) {
    const QString where = chunk == engine::kNone ? QString() : tr(", chunk %1").arg(chunk);
    switch (span.kind) {
    case engine::SpanKind::reduceScatterStep:
        return tr("GPU %1: reduce-scatter step %2").arg(gpu).arg(span.first) + where;
    case engine::SpanKind::allGatherStep: return tr("GPU %1: all-gather step %2").arg(gpu).arg(span.first) + where;
    case engine::SpanKind::dmaTransfer: return tr("GPU %1: DMA transfer of block %2").arg(gpu).arg(span.first) + where;
    case engine::SpanKind::linkPacket: return tr("GPU %1: link packet").arg(gpu) + where;
    default: return tr("GPU %1").arg(gpu) + where;
    }
}

QString spanPage(const TimelineModel& model, const engine::Span& span, std::uint32_t gpu) {
    QStringList lines{extent(span)};
    if (span.bytes > 0)
        lines << formatBytes(span.bytes);
    return page(titleOf(span, gpu, model.index()->chunkOn(gpu, span.second)), lines);
}

QString wavePage(const TimelineModel& model, const Row& row, std::int64_t ps) {
    const TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    const engine::Span* wave = spanAt(model.waves(row.gpu).spans, ps);
    if (wave == nullptr)
        return {};
    QStringList lines{extent(*wave), tr("%1 workgroups in this wave").arg(wave->second)};
    if (gpu.runningWorkgroups != nullptr) {
        lines << tr("%1 of at most %2 running now").arg(valueAt(*gpu.runningWorkgroups, ps)).arg(gpu.mostWorkgroups);
    }
    return page(tr("GPU %1: GEMM wave %2 of %3").arg(row.gpu).arg(wave->first - gpu.firstWave + 1).arg(gpu.waveCount),
                lines);
}

QString linkPage(const TimelineModel& model, const Row& row, std::int64_t ps, std::int64_t reach) {
    const TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    const QString use =
        tr("busy %1 of %2")
            .arg(formatPercent(gpu.link.fraction(ps - reach / 2, ps + reach - reach / 2)), formatTime(reach, 3));
    for (const Track& lane : gpu.linkOut) {
        if (const engine::Span* packet = spanAt(lane.spans(), ps)) {
            return page(titleOf(*packet, row.gpu, model.index()->chunkOn(row.gpu, packet->second)),
                        {extent(*packet), formatBytes(packet->bytes), use});
        }
    }
    return page(tr("GPU %1: link to its neighbour").arg(row.gpu), {use});
}

QString dmaPage(const TimelineModel& model, const Row& row, std::int64_t ps) {
    const TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    QString text;
    int underWay = 0;
    for (const Track& track : gpu.dma.tracks) {
        const engine::Span* span = spanAt(track.spans(), ps);
        if (span == nullptr)
            continue;
        ++underWay;
        if (text.isEmpty())
            text = spanPage(model, *span, row.gpu);
    }
    if (underWay == 0)
        return {};
    return text + page(tr("%1 blocks under way, at most %2 in this run").arg(underWay).arg(gpu.dma.tracks.size()), {});
}

QString dramPage(const TimelineModel& model, const Row& row, std::int64_t ps, std::int64_t reach) {
    const TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    const std::int64_t from = ps - reach / 2;
    const double compute = gpu.dramCompute.fraction(from, from + reach);
    const double communication = gpu.dramCommunication.fraction(from, from + reach);
    return page(tr("GPU %1: DRAM").arg(row.gpu),
                {tr("compute stream %1").arg(formatPercent(compute)),
                 tr("communication stream %1").arg(formatPercent(communication)),
                 tr("idle %1").arg(formatPercent(std::max(0.0, 1 - compute - communication))),
                 tr("over %1 around %2").arg(formatTime(reach, 3), formatTime(ps))});
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
    switch (row.kind) {
    case RowKind::waves: return wavePage(model, row, ps);
    case RowKind::link: return linkPage(model, row, ps, reach);
    case RowKind::dram: return dramPage(model, row, ps, reach);
    case RowKind::dma: return dmaPage(model, row, ps);
    default: break;
    }
    // Drawn cut where the next begins; told in full.
    const std::optional<SpanRef> span = spanUnder(model, row, heightShare, ps, 0);
    return span ? spanPage(model, model.index()->trace().lanes[span->lane].spans[span->span], row.gpu) : QString();
}

}  // namespace ui
