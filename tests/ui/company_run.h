#pragma once

#include "tests/ui/sample_trace.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tests {

inline engine::Span ofKernel(engine::Span span, std::uint8_t kernel) {
    span.peer = kernel;
    return span;
}

inline std::shared_ptr<data::ShownRun> companyRun(engine::Trace trace, engine::CompanionOperation operation,
                                                  std::int64_t copies) {
    auto run = std::make_shared<data::ShownRun>();
    run->run.name = "company";
    run->run.experiment.workload.sublayer = engine::SubLayer::gemm;
    run->run.experiment.companion.operation = operation;
    run->run.experiment.companion.copies = copies;
    trace.mirrored = true;
    trace.gemmEnd = {600'000};
    trace.end = {800'000};
    trace.chunks = 1;
    trace.companionCopies = static_cast<std::uint32_t>(copies);
    trace.phases = {{.start = {0}, .gemmEnd = {600'000}, .ownEnd = {600'000}, .companionEnd = {800'000}}};
    run->run.result.last.time = {.total = {800'000}, .gemm = {600'000}};
    run->run.result.companion = engine::CompanionResult{.operation = operation,
                                                        .copies = copies,
                                                        .own = {600'000},
                                                        .time = {800'000},
                                                        .ownAlone = engine::Duration{500'000},
                                                        .alone = engine::Duration{550'000},
                                                        .serial = engine::Duration{1'050'000},
                                                        .ownSlowdown = 1.2,
                                                        .slowdown = 1.4545,
                                                        .speedupOverSerial = 1.3125,
                                                        .idealSpeedup = 1.909,
                                                        .fractionOfIdeal = 0.344};
    run->run.result.trace = std::make_shared<const engine::Trace>(std::move(trace));
    run->index.emplace(run->run.result.trace);
    return run;
}

/// Returns a run of four mirrored GPUs with a GEMM (until 600k) beside an all-gather of four chunks (until 800k). It
/// has two workgroup slots, one for each kernel (the all-gather has room from `room` on), one DRAM channel that serves
/// the GEMM until 400k and the all-gather until 500k, one packet of each, and a step of an own reduce-scatter.
inline std::shared_ptr<data::ShownRun> besideAllGather(std::int64_t room = 0) {
    using engine::LaneKind;
    using engine::SpanKind;
    engine::Trace trace;
    trace.gpus = 4;
    trace.companionOutput.chunkTile = {0, 1, 2, 3, 4};
    trace.lanes = {
        {LaneKind::gemmWaves, 0, 0, false, {span(SpanKind::gemmWave, 0, 600'000, 0, 1)}},
        {LaneKind::workgroupSlot, 0, 0, true, {span(SpanKind::workgroup, 0, 600'000, 5, 0)}},
        {LaneKind::workgroupSlot, 0, 1, true, {ofKernel(span(SpanKind::collectiveWorkgroup, room, 800'000, 3, 0), 1)}},
        {LaneKind::linkOut,
         0,
         0,
         true,
         {span(SpanKind::linkPacket, 0, 100'000, 7, 0),
          ofKernel(span(SpanKind::companionPacket, 100'000, 300'000, 9, 2), 3)}},
        {LaneKind::dramChannel,
         0,
         0,
         true,
         {span(SpanKind::dramRead, 0, 400'000, 0, engine::kNone),
          ofKernel(span(SpanKind::dramRead, 400'000, 500'000, 1, 2), 1)}},
        {LaneKind::reduceScatter, 0, 0, true, {span(SpanKind::reduceScatterStep, 500'000, 600'000, 1, 1)}},
        {LaneKind::companion,
         0,
         0,
         true,
         {ofKernel(span(SpanKind::companionStep, room, 400'000, 1, 2), 1),
          ofKernel(span(SpanKind::companionStep, 400'000, 800'000, 2, 3), 1)}},
    };
    return companyRun(std::move(trace), engine::CompanionOperation::allGather, 1);
}

/// Returns the same GEMM beside two copies of it, each with two waves that overlap by 10k.
inline std::shared_ptr<data::ShownRun> besideCopies() {
    using engine::LaneKind;
    using engine::SpanKind;
    engine::Trace trace;
    trace.gpus = 1;
    trace.lanes = {
        {LaneKind::gemmWaves, 0, 0, false, {span(SpanKind::gemmWave, 0, 600'000, 0, 1)}},
        {LaneKind::workgroupSlot,
         0,
         0,
         true,
         {span(SpanKind::workgroup, 0, 200'000, 4, 0), ofKernel(span(SpanKind::workgroup, 200'000, 500'000, 5, 0), 2)}},
        {LaneKind::workgroupSlot, 0, 1, true, {ofKernel(span(SpanKind::workgroup, 0, 400'000, 5, 0), 1)}},
        {LaneKind::companion,
         0,
         0,
         false,
         {ofKernel(span(SpanKind::companionWave, 0, 210'000, 0, 1), 1),
          ofKernel(span(SpanKind::companionWave, 200'000, 400'000, 1, 1), 1)}},
        {LaneKind::companion,
         0,
         1,
         false,
         {ofKernel(span(SpanKind::companionWave, 200'000, 510'000, 0, 1), 2),
          ofKernel(span(SpanKind::companionWave, 500'000, 800'000, 1, 1), 2)}},
    };
    return companyRun(std::move(trace), engine::CompanionOperation::gemm, 2);
}

}  // namespace tests
