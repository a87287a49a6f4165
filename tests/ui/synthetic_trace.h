#pragma once

#include "data/replay/shown_run.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <memory>
#include <random>

namespace tests {

/// Returns a trace of two milliseconds on one recorded GPU with about `spans` spans on the lanes of a real run: loads
/// of 160 slots, eight channels, both directions of the link, stores and tracked tiles.
inline std::shared_ptr<const engine::Trace> syntheticTrace(std::size_t spans) {
    using engine::LaneKind;
    using engine::SpanKind;
    constexpr std::int64_t kEnd = 2'000'000'000;
    std::mt19937_64 random(20);
    auto trace = std::make_shared<engine::Trace>();
    trace->gpus = trace->chunks = 8;
    trace->end = trace->allGatherEnd = {kEnd};
    trace->gemmEnd = {kEnd * 3 / 4};
    trace->reduceScatterStart = {kEnd / 10};
    trace->reduceScatterEnd = trace->allGatherStart = {kEnd * 3 / 4};
    const auto lane = [&](LaneKind kind, std::uint32_t index, SpanKind spanKind, std::size_t count, double busy,
                          std::uint32_t firsts) {
        engine::Lane filled{kind, 0, index, true, {}};
        const std::int64_t pitch = kEnd / static_cast<std::int64_t>(std::max<std::size_t>(count, 1));
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t start = static_cast<std::int64_t>(i) * pitch;
            const auto length = static_cast<std::int64_t>(static_cast<double>(pitch) * busy *
                                                          (0.5 + 0.5 * static_cast<double>(random() % 1000) / 1000));
            filled.spans.push_back({.start = {start},
                                    .end = {start + std::max<std::int64_t>(1, length)},
                                    .first = static_cast<std::uint32_t>(random() % firsts),
                                    .second = static_cast<std::uint32_t>(i * 8 / count),
                                    .bytes = 4096,
                                    .kind = spanKind});
        }
        trace->lanes.push_back(std::move(filled));
    };
    lane(LaneKind::gemmWaves, 0, SpanKind::gemmWave, 7, 1, 7);
    for (std::uint32_t slot = 0; slot < 160; ++slot)
        lane(LaneKind::workgroupSlot, slot, SpanKind::workgroup, spans / 50 / 160 + 1, 1, 1'000);
    for (std::uint32_t slot = 0; slot < 160; ++slot)
        lane(LaneKind::loads, slot, SpanKind::load, spans * 3 / 10 / 160 + 1, 0.5, 1'000);
    lane(LaneKind::stores, 0, SpanKind::store, spans / 100 + 1, 1, 1'000);
    lane(LaneKind::tracker, 0, SpanKind::trackedTile, spans / 100 + 1, 1, 1'000);
    lane(LaneKind::dma, 0, SpanKind::dmaTransfer, 200, 0.8, 200);
    lane(LaneKind::linkOut, 0, SpanKind::linkPacket, spans / 10, 0.7, 1'000);
    lane(LaneKind::linkIn, 0, SpanKind::linkPacket, spans / 10, 0.7, 1'000);
    for (std::uint32_t channel = 0; channel < 8; ++channel)
        lane(LaneKind::dramChannel, channel, SpanKind::dramRead, spans * 46 / 100 / 8, 0.6, 2);
    lane(LaneKind::reduceScatter, 0, SpanKind::reduceScatterStep, 7, 1, 7);
    lane(LaneKind::allGather, 0, SpanKind::allGatherStep, 7, 1, 7);
    for (const engine::CounterKind kind :
         {engine::CounterKind::computeBacklog, engine::CounterKind::communicationBacklog,
          engine::CounterKind::trackerEntries, engine::CounterKind::dmaQueue, engine::CounterKind::runningWorkgroups}) {
        engine::CounterSeries series{kind, 0, {}};
        for (std::int64_t at = 0; at < kEnd; at += kEnd / 8'000)
            series.samples.push_back({{at}, static_cast<std::int64_t>(random() % 256)});
        trace->counters.push_back(std::move(series));
    }
    return trace;
}

inline std::shared_ptr<const data::ShownRun> syntheticRun(std::size_t spans) {
    auto run = std::make_shared<data::ShownRun>();
    run->run.name = "synthetic";
    run->run.result.last.time.total = {2'000'000'000};
    run->run.result.trace = syntheticTrace(spans);
    run->index.emplace(run->run.result.trace);
    return run;
}

}  // namespace tests
