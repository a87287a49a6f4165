#include "engine/api/trace.h"

namespace engine {

std::size_t pieceOf(const std::vector<PieceTimes>& pieces, std::uint32_t position) {
    std::size_t piece = 0;
    for (std::uint32_t end = pieces.front().workgroups; end <= position && piece + 1 < pieces.size();)
        end += pieces[++piece].workgroups;
    return piece;
}

std::size_t Trace::spanCount() const {
    std::size_t count = 0;
    for (const Lane& lane : lanes)
        count += lane.spans.size();
    return count;
}

std::uint8_t kernelOf(const Span& span) {
    switch (span.kind) {
    case SpanKind::workgroup:
    case SpanKind::load:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionWave: return span.peer;
    case SpanKind::companionPacket: return kOwnKernel + 1;  // `peer` is a GPU
    case SpanKind::gemmWave:
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::trigger:
    case SpanKind::dmaTransfer:
    case SpanKind::linkPacket:
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded:
    case SpanKind::copy: break;  // `peer` is a GPU
    }
    return kOwnKernel;
}

std::string_view name(SpanKind kind) {
    switch (kind) {
    case SpanKind::gemmWave: return "GEMM wave";
    case SpanKind::workgroup: return "workgroup";
    case SpanKind::load: return "load";
    case SpanKind::store: return "store";
    case SpanKind::trackedTile: return "tracked tile";
    case SpanKind::trigger: return "trigger";
    case SpanKind::dmaTransfer: return "DMA transfer";
    case SpanKind::linkPacket: return "link packet";
    case SpanKind::dramRead: return "DRAM read";
    case SpanKind::dramWrite: return "DRAM write";
    case SpanKind::dramUpdate: return "DRAM update";
    case SpanKind::dramPass: return "pass inside memory";
    case SpanKind::reduceScatterStep: return "reduce-scatter step";
    case SpanKind::allGatherStep: return "all-gather step";
    case SpanKind::storeLanded: return "store landed";
    case SpanKind::arrivalLanded: return "arrival landed";
    case SpanKind::sumLanded: return "sum landed";
    case SpanKind::collectiveWorkgroup: return "collective workgroup";
    case SpanKind::companionStep: return "companion step";
    case SpanKind::companionTransfer: return "companion DMA transfer";
    case SpanKind::companionPacket: return "companion link packet";
    case SpanKind::companionWave: return "companion GEMM wave";
    case SpanKind::copy: return "copy by DMA";
    }
    return "";
}

std::string_view name(LaneKind kind) {
    switch (kind) {
    case LaneKind::gemmWaves: return "GEMM waves";
    case LaneKind::workgroupSlot: return "workgroup slot";
    case LaneKind::loads: return "loads";
    case LaneKind::stores: return "stores";
    case LaneKind::tracker: return "tracker";
    case LaneKind::dma: return "DMA engine";
    case LaneKind::linkOut: return "link out";
    case LaneKind::linkIn: return "link in";
    case LaneKind::dramChannel: return "DRAM channel";
    case LaneKind::reduceScatter: return "reduce-scatter";
    case LaneKind::allGather: return "all-gather";
    case LaneKind::landings: return "landings";
    case LaneKind::companion: return "companion";
    }
    return "";
}

std::string_view name(CounterKind kind) {
    switch (kind) {
    case CounterKind::computeBacklog: return "compute backlog";
    case CounterKind::communicationBacklog: return "communication backlog";
    case CounterKind::trackerEntries: return "tracker entries";
    case CounterKind::dmaQueue: return "DMA queue";
    case CounterKind::runningWorkgroups: return "running workgroups";
    case CounterKind::heldBytes: return "held updates";
    case CounterKind::cacheHits: return "cache hits";
    case CounterKind::cacheMisses: return "cache misses";
    case CounterKind::cacheWaiting: return "waiting cache hits";
    }
    return "";
}

bool isSum(CounterKind kind) { return kind == CounterKind::cacheHits || kind == CounterKind::cacheMisses; }

}  // namespace engine
