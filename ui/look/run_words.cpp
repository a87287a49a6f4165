#include "ui/look/run_words.h"

#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"

#include <QCoreApplication>

namespace ui {
namespace {

using engine::SpanKind;

QString spanTr(const char* text) { return QCoreApplication::translate("SpanName", text); }

QString stepName(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    if (span.kind == SpanKind::allGatherStep)
        return spanTr("all-gather of chunk %1").arg(chunkOf(flow, ref));
    const bool reduces = span.first == flow.places().gpus();
    return (reduces ? spanTr("final reduce of chunk %1")
                    : spanTr("%1 of chunk %2").arg(scatterWord(flow.run().run.experiment)))
        .arg(chunkOf(flow, ref));
}

// Returns "of companion copy 2", to be appended to a name; empty for the run's own work.
QString ofKernel(const data::Flow& flow, const engine::Span& span) {
    return data::isOfCompanion(span)
               ? spanTr(" of %1").arg(kernelName(flow.run().run.experiment, data::kernelNumberOf(span)))
               : QString();
}

// Returns the number of a companion's wave. The waves are counted for each copy, which has a lane of its own.
std::uint32_t companionWaveNumber(const data::Flow& flow, data::SpanRef ref) {
    return flow.span(ref).first - flow.lane(ref).spans.front().first + 1;
}

}  // namespace

QString scatterWord(const engine::Experiment& experiment) {
    return engine::runPartsOf(experiment).allToAll ? QCoreApplication::translate("CollectiveWords", "all-to-all")
                                                   : QCoreApplication::translate("CollectiveWords", "reduce-scatter");
}

QString boundFormula(const engine::Experiment& experiment, const BoundTimeTexts& times) {
    const auto part = [](const QString& name, const QString& time) {
        return time.isEmpty() ? name : name + QChar(0x00a0) + time;
    };
    const QString gather = part(QCoreApplication::translate("CollectiveWords", "all-gather"), times.gather);
    const bool feeds = engine::consumesAllGather(experiment);
    const QString hidden = feeds ? gather : part(scatterWord(experiment), times.scatter);
    const QString formula = QStringLiteral("max(%1, %2)").arg(part(QStringLiteral("GEMM"), times.gemm), hidden);
    const bool gathersAfter = !feeds && experiment.collective.operation == engine::CollectiveOperation::allReduce;
    return gathersAfter ? formula + QStringLiteral(" + ") + gather : formula;
}

std::uint32_t chunkOf(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    if (data::isOfCompanion(span))
        return data::companionChunkOn(flow.run().index->trace(), ref.gpu, span);
    if (span.kind == SpanKind::collectiveWorkgroup)
        return engine::kNone;
    return flow.places().chunkOn(ref.gpu, flow.places().chunkOf(flow.span(ref)));
}

std::uint32_t tileOf(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    // Every GPU's companion GEMM computes the same tiles of a matrix of its own.
    if (data::isOfCompanion(span))
        return span.kind == SpanKind::workgroup || span.kind == SpanKind::load ? span.first : engine::kNone;
    return data::isOfTile(span) ? flow.places().tileOn(ref.gpu, span.first) : engine::kNone;
}

std::uint32_t waveNumber(const data::Flow& flow, data::SpanRef ref) {
    return flow.span(ref).first - flow.run().index->gpu(ref.gpu).firstWave + 1;
}

QString waveName(const data::TraceIndex::Gpu& gpu, const engine::Span& wave) {
    const QString name =
        wave.second == 1 ? spanTr("wave %1 of %2: 1 workgroup") : spanTr("wave %1 of %2: %3 workgroups");
    const QString numbered = name.arg(wave.first - gpu.firstWave + 1).arg(gpu.waveCount);
    return wave.second == 1 ? numbered : numbered.arg(formatCount(wave.second));
}

bool isLastWave(const data::TraceIndex::Gpu& gpu, const engine::Span& span) {
    return span.kind == SpanKind::gemmWave && span.first - gpu.firstWave + 1 == gpu.waveCount;
}

QString emptySlotsText(const data::LastWave& last) {
    const auto empty = static_cast<std::int64_t>(last.empty.size());
    return (empty == 1 ? spanTr("%1 of %2 slots stays empty in the last wave")
                       : spanTr("%1 of %2 slots stay empty in the last wave"))
        .arg(formatCount(empty), formatCount(last.slots));
}

QString pieceText(const std::vector<data::GemmPiece>& pieces, const engine::Span& span) {
    const data::GemmPiece* piece = data::pieceOf(pieces, span);
    return piece == nullptr ? QString() : spanTr("piece %1 of %2").arg(piece->number + 1).arg(pieces.size());
}

QString pieceSizeText(const data::GemmPiece& piece) {
    const QString workgroups =
        piece.workgroups() == 1 ? spanTr("1 workgroup") : spanTr("%1 workgroups").arg(formatCount(piece.workgroups()));
    return piece.waves == 1 ? spanTr("%1, 1 wave").arg(workgroups)
                            : spanTr("%1, %2 waves").arg(workgroups, formatCount(piece.waves));
}

QString spanName(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    switch (span.kind) {
    case SpanKind::gemmWave: return waveName(flow.run().index->gpu(ref.gpu), span);
    case SpanKind::workgroup: return spanTr("workgroup of tile %1").arg(tileOf(flow, ref)) + ofKernel(flow, span);
    case SpanKind::load:
        return spanTr("loads of tile %1, K-step %2").arg(tileOf(flow, ref)).arg(span.second + 1) + ofKernel(flow, span);
    case SpanKind::store: return spanTr("stores of tile %1").arg(tileOf(flow, ref));
    case SpanKind::trackedTile: return spanTr("tracked tile %1").arg(tileOf(flow, ref));
    case SpanKind::trigger: return spanTr("trigger of block %1").arg(span.first);
    case SpanKind::dmaTransfer: return spanTr("DMA transfer of block %1").arg(span.first);
    case SpanKind::linkPacket:
        return (flow.lane(ref).kind == engine::LaneKind::linkIn ? spanTr("packet of tile %1 arriving")
                                                                : spanTr("packet of tile %1 sent"))
            .arg(tileOf(flow, ref));
    case SpanKind::dramRead: return spanTr("DRAM read") + ofKernel(flow, span);
    case SpanKind::dramWrite: return spanTr("DRAM write") + ofKernel(flow, span);
    case SpanKind::dramUpdate: return spanTr("DRAM update") + ofKernel(flow, span);
    case SpanKind::dramPass: return spanTr("piece of the pass inside memory");
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return stepName(flow, ref);
    case SpanKind::storeLanded: return spanTr("stores of tile %1 landing").arg(tileOf(flow, ref));
    case SpanKind::arrivalLanded: return spanTr("arrival for tile %1 landing").arg(tileOf(flow, ref));
    case SpanKind::sumLanded: return spanTr("sum of tile %1 landing").arg(tileOf(flow, ref));
    case SpanKind::collectiveWorkgroup:
        return spanTr("workgroup %1 of the %2")
            .arg(span.first)
            .arg(kernelName(flow.run().run.experiment, data::kernelNumberOf(span)));
    case SpanKind::companionStep: return spanTr("step %1").arg(span.first) + ofKernel(flow, span);
    case SpanKind::companionTransfer: return spanTr("DMA transfer of block %1").arg(span.first) + ofKernel(flow, span);
    case SpanKind::companionPacket:
        return spanTr("packet") + ofKernel(flow, span) +
               (flow.lane(ref).kind == engine::LaneKind::linkIn ? spanTr(" arriving") : spanTr(" sent"));
    case SpanKind::companionWave:
        return spanTr("GEMM wave %1").arg(companionWaveNumber(flow, ref)) + ofKernel(flow, span);
    case SpanKind::copy: return spanTr("copy to GPU %1").arg(span.peer);
    }
    return {};
}

QString spanTitle(const data::Flow& flow, data::SpanRef ref) {
    const QString name = spanTr("GPU %1: %2").arg(ref.gpu).arg(spanName(flow, ref));
    const SpanKind kind = flow.span(ref).kind;
    const std::uint32_t chunk = chunkOf(flow, ref);
    const bool said = kind == SpanKind::reduceScatterStep || kind == SpanKind::allGatherStep;
    return said || chunk == engine::kNone ? name : spanTr("%1, chunk %2").arg(name).arg(chunk);
}

}  // namespace ui
