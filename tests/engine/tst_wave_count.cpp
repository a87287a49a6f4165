#include "engine/api/gemm.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <cmath>
#include <vector>

using namespace engine;

// Tests how tiles fill a GPU: published arithmetic, and the waves of a simulated GEMM.

namespace {

/// A GEMM alone with tiles of 256 x 128 and one workgroup on each CU.
Experiment onCus(std::int64_t cus, const MatrixConfig& matrix) {
    Experiment e;
    e.workload.sublayer = SubLayer::gemm;
    e.matrix = matrix;
    e.cu.count = cus;
    e.cu.residency = Residency::slots;
    e.cu.slots = 1;
    applyPolicyPreset(e, PolicyPreset::sequential);
    applyDetailLevel(e, DetailLevel::interactive);
    return e;
}

double toThreeDigits(double value) { return std::round(value * 1000) / 1000; }

Duration gemmTime(const Experiment& e) { return tests::runAlone(e).last.time.gemm; }

/// Returns the workgroups of each wave in the trace.
std::vector<std::uint32_t> tracedWaves(const Experiment& e) {
    RunOptions options;
    options.recordTrace = true;
    const RunResult result = run(e, options);
    std::vector<std::uint32_t> waves;
    for (const Lane& lane : result.trace->lanes)
        for (const Span& span : lane.spans)
            if (span.kind == SpanKind::gemmWave)
                waves.push_back(span.second);
    return waves;
}

}  // namespace

class TestWaveCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedShapesHaveTheirPublishedWaves() {
        const WaveCount small = waveCountOf(onCus(108, {2304, 4096, 4096}));
        QCOMPARE(small.tiles, std::int64_t{288});
        QCOMPARE(small.slots, std::int64_t{108});
        QCOMPARE(small.waves, std::int64_t{3});
        QCOMPARE(toThreeDigits(small.waveEfficiency), 0.889);
        QCOMPARE(small.lastWave(), std::int64_t{72});
        const WaveCount large = waveCountOf(onCus(108, {8192, 12288, 4096}));
        QCOMPARE(large.tiles, std::int64_t{3072});
        QCOMPARE(large.waves, std::int64_t{29});
        QCOMPARE(toThreeDigits(large.waveEfficiency), 0.981);
    }

    void oneTileMoreThanThereAreSlotsIsAWaveMore() {
        const Experiment full = onCus(108, {256, 108 * 128, 64}), more = onCus(108, {256, 109 * 128, 64});
        QCOMPARE(waveCountOf(full).waves, std::int64_t{1});
        QCOMPARE(waveCountOf(full).lastWave(), std::int64_t{108});
        QCOMPARE(waveCountOf(full).waveEfficiency, 1.0);
        QCOMPARE(waveCountOf(more).waves, std::int64_t{2});
        QCOMPARE(waveCountOf(more).lastWave(), std::int64_t{1});
        QCOMPARE(tracedWaves(full), (std::vector<std::uint32_t>{108}));
        QCOMPARE(tracedWaves(more), (std::vector<std::uint32_t>{108, 1}));
    }

    void aResultHasTheWavesOfItsTiles() {
        const Experiment e = onCus(108, {2304, 4096, 64});
        const RunResult result = tests::runAlone(e);
        QVERIFY(result.gemm.has_value());
        QCOMPARE(result.gemm->tiles, result.shape.tiles);
        QCOMPARE(result.gemm->waves, waveCountOf(e).waves);
        QCOMPARE(result.gemm->waveEfficiency, waveCountOf(e).waveEfficiency);
        QCOMPARE(result.gemm->tilesTried, std::int64_t{0});
    }

    void severalWorkgroupsOnACuMakeWavesLarger() {
        Experiment e = onCus(108, {2304, 4096, 4096});
        e.cu.slots = 2;
        QCOMPARE(waveCountOf(e).slots, std::int64_t{216});
        QCOMPARE(waveCountOf(e).waves, std::int64_t{2});
        QCOMPARE(waveCountOf(e).lastWave(), std::int64_t{72});
    }

    void reservedCusTakeNoTiles() {
        Experiment e = onCus(108, {256, 108 * 128, 4096});
        e.companion.operation = CompanionOperation::allGather;
        e.dispatch.rule = DispatchRule::reserved;
        e.dispatch.reserved = 8;
        QCOMPARE(validate(e), Problems{});
        QCOMPARE(waveCountOf(e).slots, std::int64_t{100});
        QCOMPARE(waveCountOf(e).waves, std::int64_t{2});
        QCOMPARE(waveCountOf(e).lastWave(), std::int64_t{8});
    }

    void aRaggedTileCountsAsAWholeOne() {
        const WaveCount ragged = waveCountOf(onCus(108, {257, 129, 4096}));
        QCOMPARE(ragged.tiles, std::int64_t{4});
        QCOMPARE(ragged.tileEfficiency, 257.0 * 129 / (4 * 256 * 128));
        QCOMPARE(waveCountOf(onCus(108, {512, 256, 4096})).tileEfficiency, 1.0);
    }

    void aBatchHasTheTilesOfAllItsGemms() {
        const WaveCount one = waveCountOf(onCus(108, {300, 200, 64}));
        const WaveCount batch = waveCountOf(onCus(108, {300, 200, 64, 30}));
        QCOMPARE(batch.tiles, 30 * one.tiles);
        QCOMPARE(batch.waves, std::int64_t{2});
        QCOMPARE(batch.tileEfficiency, one.tileEfficiency);
        QCOMPARE(tests::runAlone(onCus(108, {300, 200, 64, 30})).gemm->tiles, 30 * one.tiles);
    }

    void theSawToothHasThePeriodOfTheTilesWidth() {
        for (std::int64_t n = 128; n <= 128 * 40; n += 128) {
            const WaveCount whole = waveCountOf(onCus(108, {1024, n, 64}));
            QCOMPARE(whole.tileEfficiency, 1.0);
            QCOMPARE(whole.tiles, 4 * n / 128);
            const WaveCount next = waveCountOf(onCus(108, {1024, n + 1, 64}));
            QCOMPARE(next.tiles, whole.tiles + 4);
            QVERIFY(next.tileEfficiency < 1);
            QCOMPARE(waveCountOf(onCus(108, {1024, n + 128, 64})).tiles, next.tiles);
        }
    }

    void aTileMoreThanAWaveHoldsTakesAboutAWaveMore() {
        const Duration one = gemmTime(onCus(8, {512, 512, 2048}));
        const Duration two = gemmTime(onCus(8, {512, 513, 2048}));
        const Duration full = gemmTime(onCus(8, {512, 1024, 2048}));
        QVERIFY2(10 * two.ps > 18 * one.ps, qPrintable(QString::number(two.ps) + " " + QString::number(one.ps)));
        QVERIFY2(10 * two.ps > 9 * full.ps, qPrintable(QString::number(two.ps) + " " + QString::number(full.ps)));
    }

    void theTimeFallsByAtMostAHundredthWhenASideGrowsWithinATile() {
        for (std::int64_t MatrixConfig::*side : {&MatrixConfig::m, &MatrixConfig::n}) {
            const std::int64_t tile = side == &MatrixConfig::m ? 256 : 128;
            Duration before;
            for (const std::int64_t grown :
                 {2 * tile + 1, 2 * tile + tile / 4, 2 * tile + tile / 2, 3 * tile - 1, 3 * tile}) {
                MatrixConfig matrix{1024, 1024, 1024};
                matrix.*side = grown;
                const Duration time = gemmTime(onCus(8, matrix));
                QVERIFY2(static_cast<double>(time.ps) >= 0.99 * static_cast<double>(before.ps),
                         qPrintable(QString::number(grown)));
                before = time;
            }
        }
    }

    void aTileThatIsPaidInFullTakesLongerThanWhatExistsOfIt() {
        Experiment e = onCus(8, {257, 129, 4096});
        const Duration asDefault = gemmTime(e);
        e.tiles.padding = TilePadding::full;
        QCOMPARE(gemmTime(e), asDefault);
        // One of the four tiles is whole, and takes as long whatever the others do; but they load at other moments.
        e.tiles.padding = TilePadding::real;
        QVERIFY(100 * std::abs(gemmTime(e).ps - asDefault.ps) < asDefault.ps);
        e.matrix = {130, 70, 4096};  // a single tile, a quarter of which exists
        const Duration real = gemmTime(e);
        e.tiles.padding = TilePadding::full;
        QVERIFY(2 * real < gemmTime(e));
    }
};

RINGSIDE_TEST(TestWaveCount)
#include "tst_wave_count.moc"
