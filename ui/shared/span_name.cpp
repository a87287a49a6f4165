#include "ui/shared/span_name.h"

#include "ui/shared/collective_words.h"

#include <QCoreApplication>

namespace ui {
namespace {

using engine::SpanKind;

QString tr(const char* text) { return QCoreApplication::translate("SpanName", text); }

QString stepName(const Flow& flow, SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    if (span.kind == SpanKind::allGatherStep)
        return tr("all-gather of chunk %1").arg(chunkOf(flow, ref));
    const bool reduces = span.first == flow.places().gpus();
    return (reduces ? tr("final reduce of chunk %1") : tr("%1 of chunk %2").arg(scatterWord(flow.run().run.experiment)))
        .arg(chunkOf(flow, ref));
}

}  // namespace

std::uint32_t chunkOf(const Flow& flow, SpanRef ref) {
    return flow.places().chunkOn(ref.gpu, flow.places().chunkOf(flow.span(ref)));
}

std::uint32_t tileOf(const Flow& flow, SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    return isOfTile(span.kind) ? flow.places().tileOn(ref.gpu, span.first) : engine::kNone;
}

std::uint32_t waveNumber(const Flow& flow, SpanRef ref) {
    return flow.span(ref).first - flow.run().index->gpu(ref.gpu).firstWave + 1;
}

QString spanName(const Flow& flow, SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    switch (span.kind) {
    case SpanKind::gemmWave: return tr("GEMM wave %1").arg(waveNumber(flow, ref));
    case SpanKind::workgroup: return tr("workgroup of tile %1").arg(tileOf(flow, ref));
    case SpanKind::load: return tr("loads of tile %1, K-step %2").arg(tileOf(flow, ref)).arg(span.second + 1);
    case SpanKind::store: return tr("stores of tile %1").arg(tileOf(flow, ref));
    case SpanKind::trackedTile: return tr("tracked tile %1").arg(tileOf(flow, ref));
    case SpanKind::trigger: return tr("trigger of block %1").arg(span.first);
    case SpanKind::dmaTransfer: return tr("DMA transfer of block %1").arg(span.first);
    case SpanKind::linkPacket:
        return (flow.lane(ref).kind == engine::LaneKind::linkIn ? tr("packet of tile %1 arriving")
                                                                : tr("packet of tile %1 sent"))
            .arg(tileOf(flow, ref));
    case SpanKind::dramRead: return tr("DRAM read");
    case SpanKind::dramWrite: return tr("DRAM write");
    case SpanKind::dramUpdate: return tr("DRAM update");
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return stepName(flow, ref);
    case SpanKind::storeLanded: return tr("stores of tile %1 landing").arg(tileOf(flow, ref));
    case SpanKind::arrivalLanded: return tr("arrival for tile %1 landing").arg(tileOf(flow, ref));
    case SpanKind::sumLanded: return tr("sum of tile %1 landing").arg(tileOf(flow, ref));
    }
    return {};
}

QString spanTitle(const Flow& flow, SpanRef ref) {
    const QString name = tr("GPU %1: %2").arg(ref.gpu).arg(spanName(flow, ref));
    const SpanKind kind = flow.span(ref).kind;
    const std::uint32_t chunk = chunkOf(flow, ref);
    const bool said = kind == SpanKind::reduceScatterStep || kind == SpanKind::allGatherStep;
    return said || chunk == engine::kNone ? name : tr("%1, chunk %2").arg(name).arg(chunk);
}

}  // namespace ui
