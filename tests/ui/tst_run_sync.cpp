#include "tests/test_program.h"
#include "tests/ui/sample_run.h"
#include "ui/compare/run_sync.h"

#include <QTest>

#include <algorithm>

using data::TimeKnot;
using ui::SyncMode;
using ui::SyncTimes;

namespace {

SyncTimes example() {
    SyncTimes times;
    times.scattered = {100, 300, 450};
    times.gathered = {600, 700, 1'000};
    times.gemmEnd = 400;
    times.scatterEnd = 450;
    times.gatherEnd = times.end = 1'000;
    return times;
}

SyncTimes slower() {
    SyncTimes times;
    times.scattered = {900, 1'000, 1'100};
    times.gathered = {1'300, 1'500, 1'700};
    times.gemmEnd = 800;
    times.scatterEnd = 1'100;
    times.gatherEnd = times.end = 1'700;
    return times;
}

}  // namespace

class TestRunSync : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void byTimeBothShowTheSameMoment() { QCOMPARE(ui::syncMap(example(), slower(), SyncMode::time), data::TimeMap()); }

    void theKthChunkOfOneStandsBesideTheKthOfTheOther() {
        const data::TimeMap map = ui::syncMap(example(), slower(), SyncMode::chunks);
        QCOMPARE(map(300), 1'000);
        QCOMPARE(map(600), 1'300);
        QCOMPARE(map(200), 950);  // half-way from the first chunk to the second in both runs
        QCOMPARE(map.reversed()(1'700), 1'000);
    }

    void phasesStandBesidePhases() {
        const data::TimeMap map = ui::syncMap(example(), slower(), SyncMode::phases);
        QCOMPARE(map.knots(), (std::vector<data::TimeKnot>{{0, 0}, {400, 800}, {450, 1'100}, {1'000, 1'700}}));
        QCOMPARE(map(200), 400);  // half the GEMM
    }

    void runsOfDifferentlyManyChunksMatchByShare() {
        SyncTimes twice = slower();
        twice.scattered = {900, 920, 940, 1'000, 1'050, 1'100};
        const data::TimeMap map = ui::syncMap(example(), twice, SyncMode::chunks);
        // A third of the chunks: one of three, two of six.
        QCOMPARE(map(100), 920);
        QCOMPARE(map(300), 1'000);
        // Two of five chunks lie between one and two of three.
        SyncTimes five = slower();
        five.scattered = {100, 200, 300, 400, 500};
        QCOMPARE(ui::syncMap(example(), five, SyncMode::chunks)(100), 166);
    }

    void withoutChunksInBothPhasesStandIn() {
        SyncTimes bound;
        bound.gemmEnd = bound.scatterEnd = 500;
        bound.gatherEnd = bound.end = 900;
        const data::TimeMap map = ui::syncMap(example(), bound, SyncMode::chunks);
        QCOMPARE(map(400), 500);
        QCOMPARE(map(1'000), 900);
    }

    void aRealPairIsSetSideBySideChunkByChunk() {
        const auto sequential = tests::simulated("t-nlg/fc-2/tp8", {"policy=sequential"});
        const auto mca = tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"});
        const SyncTimes a = ui::syncTimesWithChunks(*sequential), b = ui::syncTimesWithChunks(*mca);
        // Every chunk of the reduce-scatter, and all but the own one of the all-gather.
        for (const SyncTimes* times : {&a, &b}) {
            QCOMPARE(times->scattered.size(), std::size_t{8});
            QCOMPARE(times->gathered.size(), std::size_t{7});
        }
        QCOMPARE(a.end, sequential->run.result.last.time.total.ps);
        for (const SyncMode mode : {SyncMode::chunks, SyncMode::phases}) {
            const data::TimeMap map = ui::syncMap(a, b, mode);
            QCOMPARE(map(0), 0);
            QCOMPARE(map(a.end), b.end);
            // The times are the beginning, the phases and the end. T3-MCA's reduce-scatter ends with the GEMM, because
            // its last update is a store.
            QCOMPARE(b.scatterEnd, b.gemmEnd);
            QVERIFY(map.knots().size() >= (mode == SyncMode::chunks ? 16U : 3U));
        }
        // Under T3 chunks complete while the GEMM of the sequential run still goes on.
        QVERIFY(ui::syncMap(b, a, SyncMode::chunks)(b.scattered.front()) > b.scattered.front());
    }

    void aBoundHasPhasesOnly() {
        data::ShownRun bound;
        bound.run.result.last.time = {
            .total = {1'000}, .gemm = {600}, .reduceScatter = {500}, .allGather = {400}, .overlapped = {500}};
        const SyncTimes times = ui::syncTimesOf(bound);
        QVERIFY(times.scattered.empty());
        QVERIFY(times.gemmEnd > 0);
        QVERIFY(times.end > times.scatterEnd);
    }
};

RINGSIDE_CORE_TEST(TestRunSync)
#include "tst_run_sync.moc"
