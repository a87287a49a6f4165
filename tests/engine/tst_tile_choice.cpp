#include "engine/api/expected_work.h"
#include "engine/api/gemm.h"
#include "engine/api/runner.h"
#include "engine/api/tile_choice.h"
#include "engine/run/tile_trials.h"
#include "engine/workload/tile_choice.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace engine;

// Tests tiles.choice=best: which tiles are tried, how two waves predict the whole GEMM, and that a run uses the chosen
// tile.

namespace {

/// A GEMM alone on a small GPU that chooses its tile.
Experiment choosing(std::int64_t m, std::int64_t n, std::int64_t k = 512) {
    Experiment e = tests::gemmOnSmallGpu(m, n, k);
    e.tiles.choice = TileChoice::best;
    return e;
}

std::vector<Tile> tilesOf(const std::vector<TileTrial>& trials) {
    std::vector<Tile> tiles;
    for (const TileTrial& trial : trials)
        tiles.push_back(trial.tile);
    return tiles;
}

/// Returns the time of the whole GEMM with one tile, by a full simulation.
Duration wholeTime(const Experiment& e, const Tile& tile) { return tests::runAlone(withTile(e, tile)).last.time.gemm; }

std::string problemsText(const Experiment& e) {
    std::string text;
    for (const Problem& problem : validate(e))
        text += describe(problem) + "\n";
    return text;
}

std::string noticeAt(const RunResult& result, const std::string& path) {
    for (const Notice& notice : result.notices)
        if (notice.path == path)
            return notice.text;
    return {};
}

}  // namespace

class TestTileChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theListStandsByArea() {
        QCOMPARE(libraryTiles().size(), std::size_t{7});
        const auto area = [](const Tile& tile) { return tile.m * tile.n; };
        for (std::size_t i = 1; i < libraryTiles().size(); ++i)
            QVERIFY(area(libraryTiles()[i - 1]) >= area(libraryTiles()[i]));
    }

    void aTileFitsWhenItIsNoLargerThanTheOutput() {
        QCOMPARE(fittingTiles({256, 256, 64}).size(), std::size_t{7});
        QCOMPARE(fittingTiles({255, 256, 64}),
                 (std::vector<Tile>{{128, 256}, {128, 128}, {64, 256}, {128, 64}, {64, 64}}));
        QCOMPARE(fittingTiles({64, 64, 64}), (std::vector<Tile>{{64, 64}}));
        QVERIFY(fittingTiles({63, 4096, 64}).empty());
        QVERIFY(fittingTiles({4096, 63, 64}).empty());
    }

    void anOutputThatNoTileFitsIsRefused() {
        QCOMPARE(problemsText(choosing(64, 64)), std::string());
        const std::string refused = problemsText(choosing(63, 4096));
        QVERIFY2(refused.starts_with("tiles.choice: best: no tile of the list fits an output of 63 x 4096"),
                 refused.c_str());
        Experiment fixed = choosing(63, 4096);
        fixed.tiles.choice = TileChoice::fixed;
        QCOMPARE(problemsText(fixed), std::string());
    }

    void aTileThatTheRestOfTheExperimentRefusesIsNoCandidate() {
        // 512 x 512 are 8 tiles of 256 x 128 and 64 of 64 x 64, and each of 32 GPUs needs one.
        Experiment e = tests::smallExperiment(PolicyPreset::sequential, 32);
        e.workload.sequence = 512;
        e.workload.batch = 1;
        e.tiles.choice = TileChoice::best;
        QCOMPARE(problemsText(e), std::string());
        QCOMPARE(candidateTiles(e), (std::vector<Tile>{{128, 64}, {64, 64}}));
        e.parallel.tp = 64;
        QCOMPARE(candidateTiles(e), (std::vector<Tile>{{64, 64}}));
        e.workload.sequence = 504;
        e.parallel.tp = 64;
        QVERIFY(!candidateTiles(e).empty());
        e.workload.sequence = 448;
        const std::string refused = problemsText(e);
        QVERIFY2(refused.starts_with("parallel.tp: 64: the output has only"), refused.c_str());
    }

    void whatIsNoMoreThanTwoWavesIsSimulatedAsItIs() {
        // 8 tiles of 256 x 128, and one workgroup on each of 8 CUs has room for two.
        const Experiment e = choosing(1024, 256);
        for (const TileTrial& trial : tileTrialsOf(e))
            if (waveCountOf(withTile(e, trial.tile)).waves <= 2)
                QCOMPARE(trial.time, wholeTime(e, trial.tile));
        QVERIFY(waveCountOf(withTile(e, {256, 128})).waves <= 2);
    }

    void twoWavesPredictTheTimeOfTheWholeGemm() {
        for (const Experiment& e : {choosing(1024, 4096), choosing(4096, 1000), choosing(1500, 1500, 1000)}) {
            Duration best{kNever.ps};
            const std::vector<TileTrial> trials = tileTrialsOf(e);
            QCOMPARE(trials.size(), std::size_t{7});
            for (const TileTrial& trial : trials) {
                const Duration whole = wholeTime(e, trial.tile);
                best = std::min(best, whole);
                const double ratio = static_cast<double>(trial.time.ps) / static_cast<double>(whole.ps);
                QVERIFY2(ratio > 0.9 && ratio < 1.1,
                         qPrintable(QStringLiteral("%1 x %2: %3").arg(trial.tile.m).arg(trial.tile.n).arg(ratio)));
            }
            const Duration chosen = wholeTime(e, trials.front().tile);
            QVERIFY2(static_cast<double>(chosen.ps) <= 1.05 * static_cast<double>(best.ps),
                     qPrintable(QString::number(chosen.ps) + " " + QString::number(best.ps)));
        }
    }

    void trialsStandByTimeAndEqualOnesByArea() {
        const std::vector<TileTrial> trials = tileTrialsOf(choosing(1024, 4096));
        QVERIFY(std::is_sorted(trials.begin(), trials.end(),
                               [](const TileTrial& a, const TileTrial& b) { return a.time < b.time; }));
        // Nothing but the first loads and stores takes time: a square GEMM is the same for a tile and for its
        // transposed one.
        Experiment e = choosing(1024, 1024);
        e.memory.bandwidth = {1'000'000'000'000'000};
        e.llc.size = {std::int64_t{1} << 30};
        e.llc.latency = e.memory.latency = {};
        e.gemm.epilogue = {};
        e.matrix.m = 256;
        e.matrix.n = 256;
        const std::vector<Tile> order = tilesOf(tileTrialsOf(e));
        const auto place = [&](const Tile& tile) {
            return std::find(order.begin(), order.end(), tile) - order.begin();
        };
        QVERIFY(place({256, 128}) < place({128, 256}) || tileTrialsOf(e).front().tile == (Tile{128, 256}));
    }

    void gemmsOfAClassShareTheirFirstWaves() {
        const auto alone = [](std::int64_t m, std::int64_t n) {
            Experiment e = withTile(choosing(m, n), {128, 128});
            e.tiles.padding = TilePadding::full;
            return e;
        };
        // Along the longer side only the beginning is touched.
        QCOMPARE(firstWavesOf(alone(1024, 8192)).touched, firstWavesOf(alone(1024, 16384)).touched);
        QCOMPARE(simulateWaves(alone(1024, 8192)), simulateWaves(alone(1024, 16384)));
        QCOMPARE(simulateWaves(alone(8192, 1024)), simulateWaves(alone(12345, 1024)));
        QVERIFY(!(firstWavesOf(alone(1024, 8192)).touched == firstWavesOf(alone(1152, 8192)).touched));
        // A batch is more of the same, but its GEMMs are walked through one by one.
        Experiment few = alone(256, 256), many = few;
        few.matrix.batch = 40;
        many.matrix.batch = 400;
        QCOMPARE(firstWavesOf(few).touched, firstWavesOf(many).touched);
        QCOMPARE(simulateWaves(few), simulateWaves(many));
    }

    void aSawToothSimulatesEachTileOnce() {
        const std::size_t before = simulatedWaves();
        for (std::int64_t n = 3001; n < 4000; n += 111)
            tileTrialsOf(choosing(700, n, 96));
        // The shorter side decides the class, and the longer one is touched in part.
        QCOMPARE(simulatedWaves() - before, std::size_t{7});
        tileTrialsOf(choosing(700, 3333, 128));
        QCOMPARE(simulatedWaves() - before, std::size_t{14});
    }

    void whatIsKeptChangesNoAnswer() {
        const Experiment e = choosing(900, 1700, 160);
        const std::vector<TileTrial> first = tileTrialsOf(e);
        QCOMPARE(tileTrialsOf(e), first);
        for (const TileTrial& trial : first) {
            Experiment alone = withTile(choosing((900 + trial.tile.m - 1) / trial.tile.m * trial.tile.m,
                                                 (1700 + trial.tile.n - 1) / trial.tile.n * trial.tile.n, 160),
                                        trial.tile);
            QCOMPARE(estimatedTime(alone, simulateWaves(alone)), trial.time);
        }
    }

    void aClassIsTheSameForTheBankModel() {
        const auto alone = [](std::int64_t n) {
            Experiment e = withTile(choosing(512, n, 256), {128, 128});
            e.memory.model = DramModel::banks;
            return e;
        };
        QCOMPARE(simulateWaves(alone(4096)), simulateWaves(alone(5000)));
    }

    void aRunHasTheTileThatItChose() {
        const Experiment e = choosing(1024, 2000);
        const RunResult chosen = run(e);
        const Tile tile = tileTrialsOf(e).front().tile;
        QCOMPARE(withChosenTile(e), withTile(e, tile));
        QCOMPARE(chosen.gemm->tileM, tile.m);
        QCOMPARE(chosen.gemm->tileN, tile.n);
        QCOMPARE(chosen.gemm->tilesTried, std::int64_t{7});
        const RunResult set = run(withTile(e, tile));
        QCOMPARE(chosen.last, set.last);
        QCOMPARE(chosen.shape, set.shape);
        QCOMPARE(chosen.bounds, set.bounds);
        QCOMPARE(set.gemm->tilesTried, std::int64_t{0});
        const std::string notice = noticeAt(chosen, "tiles.choice");
        const std::string begins = std::to_string(tile.m) + " x " + std::to_string(tile.n) + " chosen of 7 tiles";
        QVERIFY2(notice.starts_with(begins), notice.c_str());
    }

    void aSubLayerOfAModelChoosesAsWell() {
        Experiment e = tests::smallExperiment(PolicyPreset::t3);
        applyDetailLevel(e, DetailLevel::interactive);
        e.tiles.choice = TileChoice::best;
        const RunResult chosen = run(e);
        const RunResult set = run(withChosenTile(e));
        QCOMPARE(chosen.last, set.last);
        QCOMPARE(chosen.isolated, set.isolated);
        QCOMPARE(chosen.sequentialTotal, set.sequentialTotal);
        for (const Check& check : verify(e))
            QVERIFY2(check.held, check.name.c_str());
    }

    void aGemmOfAModelChoosesItsOwn() {
        const Experiment e = choosing(64, 64);
        for (const GemmSize& size : {GemmSize{1024, 2048, 512}, GemmSize{128, 4096, 512}}) {
            Experiment alone = e;
            alone.matrix = {size.m, size.n, size.k};
            alone.tiles.padding = TilePadding::real;
            QCOMPARE(runGemm(e, size).time, runGemm(withChosenTile(alone), size).time);
        }
        QVERIFY_EXCEPTION_THROWN(runGemm(e, {32, 2048, 512}), InvalidExperiment);
    }

    void aGemmShorterThanAKStepChoosesInAModel() {
        const Experiment e = choosing(64, 64);
        QVERIFY(runGemm(e, {256, 256, 16}).time.ps > 0);
    }

    void reservedCusAreLeftOutOfTheTrials() {
        Experiment e = choosing(512, 1000);
        e.companion.operation = CompanionOperation::allGather;
        e.companion.workgroups = 2;
        e.dispatch.rule = DispatchRule::reserved;
        e.dispatch.reserved = 2;
        Experiment fewer = choosing(512, 1000);
        fewer.cu.count = 6;
        QCOMPARE(tileTrialsOf(e), tileTrialsOf(fewer));
    }

    void nothingIsChosenForACollectiveAlone() {
        Experiment e = choosing(64, 64);
        e.workload = {};
        e.workload.sublayer = SubLayer::allGather;
        e.workload.bytes = 1_MiB;
        e.parallel.tp = 2;
        QCOMPARE(withChosenTile(e), e);
        const RunResult result = run(e);
        QVERIFY(!result.gemm);
        QVERIFY(noticeAt(result, "tiles.choice").starts_with("not read: "));
    }

    void aTileThatIsSetIsNotReadWhereTheRunChooses() {
        Experiment e = choosing(256, 512);
        e.gemm.tileM = 32;
        QVERIFY(noticeAt(run(e), "gemm.tile_m").starts_with("not read: "));
        e.tiles.choice = TileChoice::fixed;
        QVERIFY(noticeAt(run(e), "gemm.tile_m").empty());
    }

    void aStopEndsTheTrials() {
        std::stop_source stop;
        stop.request_stop();
        // A shape that no other test asks for: what is kept needs no simulation that could be stopped.
        QVERIFY_EXCEPTION_THROWN(tileTrialsOf(choosing(2048, 7777, 4096), stop.get_token()), RunStopped);
    }

    void expectedWorkIsKnownWithoutChoosing() {
        const Experiment e = choosing(1024, 4096);
        QCOMPARE(expectedEvents(e), expectedEvents(withTile(e, {256, 128})));
        QVERIFY(expectedEvents(e) > 0);
        QCOMPARE(expectedEvents(choosing(32, 4096)), 0.0);
    }
};

RINGSIDE_TEST(TestTileChoice)
#include "tst_tile_choice.moc"
