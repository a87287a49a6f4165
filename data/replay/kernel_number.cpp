#include "data/replay/kernel_number.h"

namespace data {

using engine::SpanKind;

namespace {

bool isDram(SpanKind kind) {
    return kind == SpanKind::dramRead || kind == SpanKind::dramWrite || kind == SpanKind::dramUpdate;
}

}  // namespace

bool isOfCompanion(const engine::Span& span) { return engine::kernelOf(span) != engine::kOwnKernel; }

KernelNumber kernelNumberOf(const engine::Span& span) {
    if (const std::uint8_t kernel = engine::kernelOf(span); kernel != engine::kOwnKernel)
        return static_cast<KernelNumber>(kCollectiveKernel + kernel);
    const bool communicates =
        isDram(span.kind) && span.first == static_cast<std::uint32_t>(engine::Stream::communication);
    return span.kind == SpanKind::collectiveWorkgroup || communicates ? kCollectiveKernel : kGemmKernel;
}

std::uint32_t ownChunkOf(const engine::Span& span) {
    switch (span.kind) {
    case SpanKind::gemmWave:  // the second number of these kinds is no chunk
    case SpanKind::workgroup:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::load:
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return engine::kNone;
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::trigger:
    case SpanKind::dmaTransfer:
    case SpanKind::linkPacket:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave:
    case SpanKind::copy: break;
    }
    return isOfCompanion(span) ? engine::kNone : span.second;
}

std::uint32_t companionChunkOn(const engine::Trace& trace, std::uint32_t gpu, const engine::Span& span) {
    const std::size_t edges = trace.companionOutput.chunkTile.size();
    switch (span.kind) {
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket: break;
    default: return engine::kNone;
    }
    if (!trace.mirrored || span.second == engine::kNone || edges < 2)
        return span.second;
    return static_cast<std::uint32_t>((span.second + gpu) % (edges - 1));
}

}  // namespace data
