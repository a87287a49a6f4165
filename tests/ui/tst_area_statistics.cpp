#include "tests/test_program.h"
#include "ui/inspector/area_statistics.h"

#include "sample_run.h"
#include "sample_trace.h"

#include <QTest>

#include <algorithm>
#include <random>

using data::Area;
using data::TimeRange;
using engine::SpanKind;
using engine::Stream;
using ui::AreaStatistics;
using ui::ClassSums;
using ui::StatisticsIndex;

namespace {

data::Area areaOf(std::int64_t start, std::int64_t end, std::uint32_t firstGpu = 0, std::uint32_t lastGpu = 0) {
    return {{start, end}, firstGpu, lastGpu};
}

}  // namespace

class TestAreaStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theUnionOfIntervalsIsSortedAndDisjoint() {
        const auto joined = ui::unionOf({{50, 60}, {0, 10}, {10, 20}, {15, 18}, {30, 30}});
        const std::vector<data::TimeRange> expected{{0, 20}, {50, 60}};
        QVERIFY(joined == expected);
    }

    void timeAtOnceAloneAndIdleOfTheSampleAreAsWorkedOutByHand() {
        // Compute is busy from 0 to 600k, communication from 100k to 1M, both from 100k to 600k. No time is idle.
        const StatisticsIndex index(tests::sampleRun());
        const auto all = index.of(areaOf(0, 1'000'000)).overlap;
        QCOMPARE(all.compute, 600'000);
        QCOMPARE(all.communication, 900'000);
        QCOMPARE(all.atOnce(), 500'000);
        QCOMPARE(all.communicationAlone(), 400'000);
        QCOMPARE(all.idle(), 0);
        const auto part = index.of(areaOf(50'000, 150'000)).overlap;
        QCOMPARE(part.compute, 100'000);
        QCOMPARE(part.communication, 50'000);
        QCOMPARE(part.atOnce(), 50'000);
    }

    void whatLiesBeyondTheEndOfTheRunIsNotIdleTime() {
        const StatisticsIndex index(tests::sampleRun());
        const AreaStatistics whole = index.of(areaOf(0, 1'000'000)), beyond = index.of(areaOf(0, 3'000'000));
        QVERIFY(beyond.overlap == whole.overlap);
        QVERIFY(beyond.range == (data::TimeRange{0, 1'000'000}));
        QCOMPARE(*beyond.busy.linkOut, *whole.busy.linkOut);
        QCOMPARE(index.of(areaOf(2'000'000, 3'000'000)).range.span(), 0);
    }

    void computeAloneAndIdleAddUpInEveryArea() {
        for (const char* policy : {"policy=t3", "policy=sequential"}) {
            const auto run = tests::simulated("t-nlg/fc-2/tp4", {policy});
            const StatisticsIndex index(run);
            const std::int64_t end = run->index->trace().end.ps;
            std::mt19937 random(7);
            std::uniform_int_distribution<std::int64_t> moment(0, end);
            for (int i = 0; i < 200; ++i) {
                const auto [from, to] = std::minmax({moment(random), moment(random)});
                if (from == to)
                    continue;
                const auto reported = index.of(areaOf(from, to, 1, 2)).overlap;
                QCOMPARE(reported.compute + reported.communicationAlone() + reported.idle(), reported.all);
                QCOMPARE(reported.all, (to - from) * 2);
                QVERIFY(reported.atOnce() >= 0 && reported.communicationAlone() >= 0 && reported.idle() >= 0);
            }
        }
    }

    void neighbouringAreasAddUpToBothTogether() {
        const auto run = tests::simulated("t-nlg/fc-2/tp4", {"policy=t3", "detail.level=standard"});
        const StatisticsIndex index(run);
        const std::int64_t end = run->index->trace().end.ps;
        for (const std::int64_t cut : {end / 7, end / 3, end - 5}) {
            AreaStatistics left = index.of(areaOf(0, cut));
            const AreaStatistics right = index.of(areaOf(cut, end));
            const AreaStatistics whole = index.of(areaOf(0, end));
            for (std::size_t i = 0; i < whole.sums.size(); ++i) {
                left.sums[i].add(right.sums[i]);
                QVERIFY(left.sums[i] == whole.sums[i]);
            }
            QCOMPARE(left.overlap.compute + right.overlap.compute, whole.overlap.compute);
            QCOMPARE(left.overlap.active + right.overlap.active, whole.overlap.active);
        }
    }

    void sumsOfALaneAreThoseOfALookAtEverySpan() {
        engine::Lane lane;
        std::mt19937 random(11);
        std::int64_t at = 0;
        for (int i = 0; i < 1000; ++i) {
            engine::Span span = tests::span(i % 3 == 0 ? SpanKind::dramUpdate : SpanKind::dramRead, at,
                                            at + 1 + static_cast<std::int64_t>(random() % 90), random() % 2, 0);
            span.bytes = random() % 4096;
            lane.spans.push_back(span);
            at = span.end.ps + static_cast<std::int64_t>(random() % 30);
        }
        const ui::LaneSums sums(lane);
        for (int i = 0; i < 300; ++i) {
            const auto [from, to] =
                std::minmax({static_cast<std::int64_t>(random() % at), static_cast<std::int64_t>(random() % at)});
            ClassSums reported{}, expected{};
            sums.addTo({from, to}, reported);
            for (const engine::Span& span : lane.spans) {
                if (span.start.ps >= from && span.start.ps < to) {
                    const std::int64_t lasts = (span.end - span.start).ps;
                    expected[ui::classOf(span.kind, static_cast<Stream>(span.first))].add(
                        {1, lasts, lasts, span.bytes});
                }
            }
            QVERIFY(reported == expected);
        }
    }

    void theStatisticsOfTheWholeRunHaveTheBytesOfItsResult() {
        for (const char* policy : {"policy=t3-mca", "policy=sequential"}) {
            const auto run = tests::simulated("t-nlg/fc-2/tp4", {policy});
            const StatisticsIndex index(run);
            const AreaStatistics reported = index.of(areaOf(0, run->index->trace().end.ps + 1, 0, 3));
            const engine::GpuResult& gpu = run->run.result.last;
            QCOMPARE(reported.dramBytes(), gpu.dram->total.count * 4);
            QCOMPARE(reported.linkBytes(), (gpu.link->reduceScatter.count + gpu.link->allGather.count) * 4);
        }
    }

    void aMirroredRingIsCountedAsOftenAsItHasGpusInTheArea() {
        const auto run = tests::simulated("t-nlg/fc-2/tp4", {"policy=t3"});
        const StatisticsIndex index(run);
        const std::int64_t end = run->index->trace().end.ps;
        const AreaStatistics one = index.of(areaOf(0, end, 2, 2));
        const AreaStatistics three = index.of(areaOf(0, end, 1, 3));
        QCOMPARE(one.gpus, 1u);
        QCOMPARE(three.gpus, 3u);
        QCOMPARE(three.dramBytes(), one.dramBytes() * 3);
        QCOMPARE(three.overlap.atOnce(), one.overlap.atOnce() * 3);
        QCOMPARE(*three.busy.dramCompute, *one.busy.dramCompute);
    }

    void aKernelThatWaitsForTheFirstPieceDoesNotCommunicate() {
        const auto run = tests::simulated("t-nlg/fc-2/tp4", {"policy=chunked"});
        const engine::Trace& trace = *run->run.result.trace;
        const StatisticsIndex index(run);
        const std::int64_t first = trace.pieces.front().front().landed.ps;
        QCOMPARE(first, trace.reduceScatterStart.ps);
        QCOMPARE(index.of(areaOf(0, first)).overlap.communication, std::int64_t{0});
        QVERIFY(index.of(areaOf(first, 2 * first)).overlap.communication > 0);
    }

    void whatTheRunDoesNotHaveHasNoShare() {
        const StatisticsIndex index(tests::simulated("t-nlg/fc-2/tp4", {"policy=sequential"}));
        const AreaStatistics reported = index.of(areaOf(0, 1'000'000));
        QVERIFY(!reported.busy.dma.has_value());
        QVERIFY(reported.busy.linkOut.has_value());
    }
};

RINGSIDE_CORE_TEST(TestAreaStatistics)
#include "tst_area_statistics.moc"
