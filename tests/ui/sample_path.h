#pragma once

#include "data/replay/flow.h"
#include "engine/api/attribution.h"
#include "tests/ui/sample_trace.h"

#include <memory>
#include <random>
#include <vector>

namespace tests {

inline engine::PathStep step(engine::Cause cause, std::int64_t start, std::int64_t end, engine::PathAct act,
                             std::uint32_t gpu = 0, engine::WorkPhase phase = engine::WorkPhase::gemm) {
    engine::PathStep step;
    step.cause = cause;
    step.start = {start};
    step.end = {end};
    step.act = act;
    step.gpu = gpu;
    step.phase = phase;
    return step;
}

/// Returns the step with the span of a lane that shows it.
inline engine::PathStep onLane(engine::PathStep step, std::uint32_t lane, std::uint32_t span, std::int64_t bytes = 0) {
    step.lane = lane;
    step.firstSpan = step.lastSpan = span;
    step.bytes = bytes;
    return step;
}

/// Returns the step with the spans that the channel served before: from span `first` up to span `last`.
inline engine::PathStep behind(engine::PathStep step, std::uint32_t lane, std::uint32_t first, std::uint32_t last,
                               std::int64_t bytes) {
    step = onLane(step, lane, first, bytes);
    step.lastSpan = last;
    return step;
}

/// Returns a path of random steps of any length and kind, one after the other.
inline std::shared_ptr<const engine::CriticalPath> randomPath(std::size_t steps, unsigned seed) {
    std::mt19937 random(seed);
    auto path = std::make_shared<engine::CriticalPath>();
    std::int64_t at = 0;
    for (std::size_t i = 0; i < steps; ++i) {
        const std::int64_t lasts = 1 + static_cast<std::int64_t>(random() % 5'000);
        path->steps.push_back(step(static_cast<engine::Cause>(random() % engine::kCauses), at, at + lasts,
                                   static_cast<engine::PathAct>(random() % 15), random() % 8,
                                   static_cast<engine::WorkPhase>(random() % engine::kWorkPhases)));
        at += lasts;
    }
    return path;
}

/// Returns the trace of a run with a known cause chain, of two recorded GPUs and one million picoseconds. GPU 1
/// computes tile 1 in two K-steps and stores it, its tracker triggers DMA block 1, and chunk 1 goes to GPU 0, where it
/// enters the memory queued behind a megabyte of reads of channel 6. An unknown event ends the run.
inline std::shared_ptr<const engine::Trace> chainTrace() {
    using engine::LaneKind;
    using engine::SpanKind;
    auto trace = std::make_shared<engine::Trace>();
    trace->gpus = 2;
    trace->mirrored = false;
    trace->chunks = 2;
    trace->end = {1'000'000};
    trace->phases.resize(2);
    trace->output.rows = 1;
    trace->output.columns = 2;
    trace->output.granule = 4096;
    trace->output.chunkTile = {0, 1, 2};
    trace->output.tileBytes = {4096, 4096};
    trace->lanes = {
        {LaneKind::workgroupSlot, 0, 0, true, {span(SpanKind::workgroup, 0, 100'000, 0, 0)}},
        {LaneKind::dramChannel,
         0,
         6,
         true,
         {span(SpanKind::dramRead, 700'000, 900'000, 0, engine::kNone),
          span(SpanKind::dramUpdate, 900'000, 900'100, 1, 1)}},
        {LaneKind::workgroupSlot, 1, 0, true, {span(SpanKind::workgroup, 20'000, 400'000, 1, 0)}},
        {LaneKind::loads,
         1,
         0,
         false,
         {span(SpanKind::load, 20'000, 100'000, 1, 0), span(SpanKind::load, 200'000, 250'000, 1, 1)}},
        {LaneKind::tracker, 1, 0, false, {span(SpanKind::trigger, 450'000, 450'000, 1, 1)}},
        {LaneKind::dma, 1, 0, false, {span(SpanKind::dmaTransfer, 470'000, 700'000, 1, 1)}},
        {LaneKind::linkOut, 1, 0, true, {span(SpanKind::linkPacket, 500'000, 650'000, 1, 1)}},
    };
    return trace;
}

inline std::shared_ptr<const engine::CriticalPath> chainPath() {
    using engine::Cause;
    using engine::PathAct;
    using engine::WorkPhase;
    const auto scatter = WorkPhase::reduceScatter;
    auto path = std::make_shared<engine::CriticalPath>();
    path->steps = {
        onLane(step(Cause::dispatch, 0, 20'000, PathAct::startsWorkgroup, 1), 2, 0),
        onLane(step(Cause::memory, 20'000, 100'000, PathAct::loads, 1), 3, 0),
        onLane(step(Cause::compute, 100'000, 200'000, PathAct::computes, 1), 2, 0),
        step(Cause::contention, 200'000, 220'000, PathAct::behindOther, 1),
        onLane(step(Cause::memory, 220'000, 250'000, PathAct::loads, 1), 3, 1),
        onLane(step(Cause::compute, 250'000, 400'000, PathAct::computes, 1), 2, 0),
        onLane(step(Cause::memory, 400'000, 450'000, PathAct::stores, 1), 2, 0),
        onLane(step(Cause::trackerDma, 450'000, 470'000, PathAct::triggers, 1, scatter), 4, 0),
        onLane(step(Cause::memory, 470'000, 500'000, PathAct::loads, 1, scatter), 5, 0),
        onLane(step(Cause::link, 500'000, 650'000, PathAct::sends, 1, scatter), 6, 0, 2'100'000),
        behind(step(Cause::contention, 650'000, 900'000, PathAct::behindOther, 0, scatter), 1, 0, 1, 1'000'000),
        step(Cause::dependency, 900'000, 1'000'000, PathAct::waits, 0, scatter),
    };
    return path;
}

inline std::shared_ptr<const data::ShownRun> runOf(std::shared_ptr<const engine::Trace> trace,
                                                   std::shared_ptr<const engine::CriticalPath> path) {
    auto run = std::make_shared<data::ShownRun>();
    run->run.result.trace = std::move(trace);
    run->run.result.path = std::move(path);
    run->run.experiment.parallel.tp = 0;  // no topology: the tests do not use the ends of links
    run->index.emplace(run->run.result.trace);
    return run;
}

inline std::shared_ptr<const data::Flow> flowOf(std::shared_ptr<const data::ShownRun> run) {
    return std::make_shared<const data::Flow>(std::move(run));
}

}  // namespace tests
