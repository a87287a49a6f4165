#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <map>
#include <set>

using namespace engine;

namespace {

RunResult traced(const Experiment& experiment) {
    RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return engine::run(experiment, options);
}

constexpr PolicyPreset kSimulated[] = {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca};

}  // namespace

class TestTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTraceIsThereOnlyWhenItWasAskedFor() {
        const Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        QVERIFY(!tests::runAlone(experiment).trace);
        QVERIFY(traced(experiment).trace != nullptr);
    }

    void recordingChangesNothing() {
        for (const PolicyPreset policy : kSimulated) {
            const Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
            const RunResult with = traced(experiment);
            const RunResult without = tests::runAlone(experiment);
            QVERIFY(with.last == without.last);
            QCOMPARE(with.events, without.events);
        }
    }

    void spansOfAnExclusiveLaneNeverOverlap() {
        for (const PolicyPreset policy : kSimulated) {
            const auto trace = traced(tests::tNlgFc2(policy, DetailLevel::interactive)).trace;
            std::set<LaneKind> exclusive;
            for (const Lane& lane : trace->lanes) {
                if (!lane.exclusive)
                    continue;
                exclusive.insert(lane.kind);
                for (std::size_t i = 1; i < lane.spans.size(); ++i)
                    QVERIFY(lane.spans[i - 1].end <= lane.spans[i].start);
            }
            // The things that can do one thing at a time.
            QVERIFY(exclusive.contains(LaneKind::workgroupSlot));
            QVERIFY(exclusive.contains(LaneKind::dramChannel));
            QVERIFY(exclusive.contains(LaneKind::linkOut));
        }
    }

    void spansAreSortedAndLieWithinTheRun() {
        const auto result = traced(tests::tNlgFc2(PolicyPreset::t3Mca, DetailLevel::interactive));
        QCOMPARE(result.trace->end, TimePoint{result.last.time.total.ps});
        for (const Lane& lane : result.trace->lanes) {
            for (std::size_t i = 0; i < lane.spans.size(); ++i) {
                const Span& span = lane.spans[i];
                QVERIFY(span.start.ps >= 0 && span.start <= span.end && span.end <= result.trace->end);
                if (i > 0)
                    QVERIFY(lane.spans[i - 1].start <= span.start);
            }
        }
    }

    void everyTileIsOneWorkgroup() {
        for (const PolicyPreset policy : kSimulated) {
            const auto result = traced(tests::tNlgFc2(policy, DetailLevel::interactive));
            std::set<std::uint32_t> tiles;
            std::int64_t spans = 0;
            for (const Lane& lane : result.trace->lanes)
                for (const Span& span : lane.spans)
                    if (lane.kind == LaneKind::workgroupSlot) {
                        tiles.insert(span.first);
                        ++spans;
                    }
            QCOMPARE(spans, result.shape.tiles);
            QCOMPARE(static_cast<std::int64_t>(tiles.size()), result.shape.tiles);
        }
    }

    void theLanesAddUpToTheCounters() {
        for (const PolicyPreset policy : kSimulated) {
            const auto result = traced(tests::tNlgFc2(policy, DetailLevel::interactive));
            std::map<SpanKind, std::int64_t> bytes;
            std::map<SpanKind, std::int64_t> count;
            for (const Lane& lane : result.trace->lanes)
                for (const Span& span : lane.spans) {
                    if (lane.kind == LaneKind::linkIn)
                        continue;  // the same packets, seen from the other end
                    bytes[span.kind] += span.bytes;
                    ++count[span.kind];
                }
            const GpuResult& gpu = result.last;
            QCOMPARE(bytes[SpanKind::dramRead] + bytes[SpanKind::dramWrite] + bytes[SpanKind::dramUpdate],
                     gpu.dram->total.count);
            QCOMPARE(bytes[SpanKind::dramRead], (gpu.dram->gemmRead + gpu.dram->rsRead + gpu.dram->agRead).count);
            QCOMPARE(bytes[SpanKind::linkPacket], (gpu.link->reduceScatter + gpu.link->allGather).count);
            QCOMPARE(count[SpanKind::dmaTransfer], gpu.dma->commands);
            QCOMPARE(count[SpanKind::trigger], gpu.tracker->triggers);
        }
    }

    void everyGranuleLandsAsOftenAsItIsWritten() {
        // T3: all but the first chunk land once from this GPU and once from the neighbour; then all but the own chunk are
        // gathered. After the GEMM of the baseline, whose output reaches memory line by line: all but the first chunk
        // arrive, the own one is summed.
        for (const PolicyPreset policy : kSimulated) {
            const auto trace = traced(tests::smallExperiment(policy)).trace;
            const TiledOutput& output = trace->output;
            QCOMPARE(output.rows * output.columns, output.tiles());
            QCOMPARE(output.chunkTile.size(), std::size_t{trace->chunks} + 1);
            std::map<std::pair<std::uint32_t, SpanKind>, std::int64_t> landed;
            for (const Lane& lane : trace->lanes)
                for (const Span& span : lane.spans)
                    if (lane.kind == LaneKind::landings) {
                        QVERIFY(span.start == span.end);
                        QVERIFY(span.second * output.granule + span.bytes <= output.tileBytes[span.first]);
                        landed[{span.first, span.kind}] += span.bytes;
                    }
            const bool fused = policy != PolicyPreset::sequential;
            for (std::uint32_t tile = 0; tile < output.tiles(); ++tile) {
                const bool first = tile < output.chunkTile[1];
                const bool own = tile >= output.chunkTile[trace->chunks - 1];
                const std::int64_t bytes = output.tileBytes[tile];
                QCOMPARE((landed[{tile, SpanKind::storeLanded}]), fused && !first ? bytes : 0);
                QCOMPARE((landed[{tile, SpanKind::arrivalLanded}]), (first || own ? 1 : 2) * bytes);
                QCOMPARE((landed[{tile, SpanKind::sumLanded}]), !fused && own ? bytes : 0);
            }
        }
    }

    void aTransferBeginsNoEarlierThanItsTrigger() {
        const auto trace = traced(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive)).trace;
        std::map<std::uint32_t, TimePoint> triggered;
        for (const Lane& lane : trace->lanes)
            for (const Span& span : lane.spans)
                if (span.kind == SpanKind::trigger)
                    triggered[span.first] = span.start;
        for (const Lane& lane : trace->lanes)
            for (const Span& span : lane.spans)
                if (span.kind == SpanKind::dmaTransfer)  // the start-up is 100 ns, and the window unlimited
                    QCOMPARE(span.start.ps - triggered.at(span.first).ps, std::int64_t{100'000});
    }

    void countersAreSortedAndLengthsEndAtZero() {
        const auto trace = traced(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive)).trace;
        QVERIFY(!trace->counters.empty());
        for (const CounterSeries& series : trace->counters) {
            for (std::size_t i = 1; i < series.samples.size(); ++i)
                QVERIFY(series.samples[i - 1].time < series.samples[i].time);
            for (const CounterSample& sample : series.samples)
                QVERIFY(sample.value >= 0);
            if (!series.samples.empty() && !isSum(series.kind))
                QCOMPARE(series.samples.back().value, std::int64_t{0});
        }
    }

    void sumsNeverFallAndEndAtTheResult() {
        const auto result = traced(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive));
        int sums = 0;
        for (const CounterSeries& series : result.trace->counters) {
            if (!isSum(series.kind))
                continue;
            ++sums;
            for (std::size_t i = 1; i < series.samples.size(); ++i)
                QVERIFY(series.samples[i - 1].value < series.samples[i].value);
            const Bytes whole = series.kind == CounterKind::cacheHits ? result.last.llc->hit : result.last.llc->miss;
            QCOMPARE(series.samples.back().value, whole.count);
        }
        QCOMPARE(sums, 2);
    }

    void theTrackersCounterPeaksWhereTheResultSays() {
        const auto result = traced(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive));
        std::int64_t peak = 0;
        for (const CounterSeries& series : result.trace->counters)
            if (series.kind == CounterKind::trackerEntries)
                for (const CounterSample& sample : series.samples)
                    peak = std::max(peak, sample.value);
        QCOMPARE(peak, result.last.tracker->peakEntries);
    }

    void aMirroredTraceNamesTheChunksOfTheOtherGpus() {
        const auto trace = traced(tests::smallExperiment(PolicyPreset::t3)).trace;
        QVERIFY(trace->mirrored);
        QCOMPARE(trace->gpus, 4u);
        // GPU 3 works on chunk (2 + 3) mod 4 where GPU 0 works on chunk 2.
        QCOMPARE(trace->chunkOn(3, 2), 1u);
        QCOMPARE(trace->chunkOn(3, kNone), kNone);
    }

    void aFullTraceHasLanesOfEveryGpu() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.detail.mode = DetailMode::full;
        const auto trace = traced(experiment).trace;
        QVERIFY(!trace->mirrored);
        std::set<std::uint32_t> gpus;
        for (const Lane& lane : trace->lanes)
            gpus.insert(lane.gpu);
        QCOMPARE(gpus.size(), std::size_t{4});
    }

    void everyKindHasAName() {
        for (std::size_t kind = 0; kind < kSpanKinds; ++kind)
            QVERIFY(!name(static_cast<SpanKind>(kind)).empty());
        for (std::size_t kind = 0; kind < kLaneKinds; ++kind)
            QVERIFY(!name(static_cast<LaneKind>(kind)).empty());
        for (std::size_t kind = 0; kind < kCounterKinds; ++kind)
            QVERIFY(!name(static_cast<CounterKind>(kind)).empty());
    }
};

RINGSIDE_TEST(TestTrace)
#include "tst_trace.moc"
