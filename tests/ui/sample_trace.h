#pragma once

#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"
#include "engine/api/trace.h"

#include <memory>

namespace tests {

inline engine::Span span(engine::SpanKind kind, std::int64_t start, std::int64_t end, std::uint32_t first,
                         std::uint32_t second) {
    return {.start = {start}, .end = {end}, .first = first, .second = second, .bytes = 4096, .kind = kind};
}

/// Returns the trace of a run of four mirrored GPUs and one million picoseconds, small enough for computing by hand:
/// two waves (0-300k, 300k-600k), reduce-scatter of chunks 0, 1, 2 (100k-300k, 250k-500k, 500k-600k), all-gather of
/// chunk 3 (600k-1M), one DMA transfer of chunk 1 (300k-450k), and two DRAM channels, one of which is busy with compute
/// until 400k.
inline std::shared_ptr<const engine::Trace> sampleTrace() {
    using engine::LaneKind;
    using engine::SpanKind;
    auto trace = std::make_shared<engine::Trace>();
    trace->gpus = 4;
    trace->chunks = 4;
    trace->end = trace->allGatherEnd = {1'000'000};
    trace->gemmEnd = {600'000};
    trace->reduceScatterStart = {100'000};
    trace->reduceScatterEnd = trace->allGatherStart = {600'000};
    trace->lanes = {
        {LaneKind::gemmWaves,
         0,
         0,
         false,
         {span(SpanKind::gemmWave, 0, 310'000, 0, 8), span(SpanKind::gemmWave, 300'000, 600'000, 1, 8)}},
        {LaneKind::dma, 0, 0, false, {span(SpanKind::dmaTransfer, 300'000, 450'000, 0, 1)}},
        {LaneKind::linkOut, 0, 0, true, {span(SpanKind::linkPacket, 300'000, 350'000, 5, 1)}},
        {LaneKind::dramChannel, 0, 0, true, {span(SpanKind::dramRead, 0, 400'000, 0, engine::kNone)}},
        {LaneKind::dramChannel, 0, 1, true, {span(SpanKind::dramUpdate, 300'000, 350'000, 1, 1)}},
        {LaneKind::reduceScatter,
         0,
         0,
         false,
         {span(SpanKind::reduceScatterStep, 100'000, 300'000, 0, 0),
          span(SpanKind::reduceScatterStep, 250'000, 500'000, 1, 1),
          span(SpanKind::reduceScatterStep, 500'000, 600'000, 2, 2)}},
        {LaneKind::allGather, 0, 0, true, {span(SpanKind::allGatherStep, 600'000, 1'000'000, 1, 3)}},
    };
    trace->counters = {{engine::CounterKind::runningWorkgroups, 0, {{{0}, 8}, {{500'000}, 4}, {{600'000}, 0}}}};
    return trace;
}

inline std::shared_ptr<const data::ShownRun> sampleRun() {
    auto run = std::make_shared<data::ShownRun>();
    run->run.name = "sample t3-mca";
    run->run.result.last.time = {.total = {1'000'000},
                                 .gemm = {600'000},
                                 .reduceScatter = {500'000},
                                 .allGather = {400'000},
                                 .overlapped = {500'000},
                                 .exposedCommunication = {400'000}};
    run->run.result.trace = sampleTrace();
    run->index.emplace(run->run.result.trace);
    return run;
}

/// Returns the bound for the same times: max(600k, 500k) + 400k.
inline std::shared_ptr<const data::ShownRun> sampleBound() {
    auto run = std::make_shared<data::ShownRun>();
    run->run.name = "sample ideal-overlap";
    run->run.result.last.time = {.total = {1'000'000},
                                 .gemm = {600'000},
                                 .reduceScatter = {500'000},
                                 .allGather = {400'000},
                                 .overlapped = {500'000},
                                 .exposedCommunication = {400'000}};
    return run;
}

}  // namespace tests
