#include "engine/api/expected_work.h"
#include "engine/api/runner.h"
#include "engine/api/tile_choice.h"
#include "engine/run/tile_trials.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/tile_choice.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace engine;

// Tests tiles.choice=shared: each tile runs beside the companion's GEMMs, and the one with which all end first is used.

namespace {

/// A GEMM on a small GPU beside copies of itself.
Experiment sharing(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t copies) {
    Experiment e = tests::gemmOnSmallGpu(m, n, k);
    e.companion.operation = CompanionOperation::gemm;
    e.companion.copies = copies;
    e.dispatch.rule = DispatchRule::roundRobin;
    e.tiles.choice = TileChoice::shared;
    return e;
}

Duration totalOf(const Experiment& e) { return run(e, {.baselines = false}).last.time.total; }

bool canUse(const Experiment& e, const Tile& tile) {
    const std::vector<Tile> tiles = candidateTiles(e);
    return std::find(tiles.begin(), tiles.end(), tile) != tiles.end();
}

std::string refusalOf(const Experiment& e) {
    std::string text;
    for (const Problem& problem : validate(e))
        text += describe(problem) + "\n";
    return text;
}

}  // namespace

class TestSharedTile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itNeedsACompanionGemm() {
        QCOMPARE(refusalOf(sharing(256, 256, 64, 1)), std::string());
        for (const CompanionOperation operation : {CompanionOperation::none, CompanionOperation::allGather}) {
            Experiment e = sharing(256, 256, 64, 1);
            e.companion.operation = operation;
            e.companion.workgroups = 2;
            const std::string refused = refusalOf(e);
            QVERIFY2(refused.starts_with("tiles.choice: shared: the tile is chosen beside the companion's GEMMs") &&
                         refused.find("allowed: auto, fixed, best, or companion.operation=gemm") != std::string::npos,
                     refused.c_str());
            e.tiles.choice = TileChoice::best;
            QCOMPARE(refusalOf(e), std::string());
        }
    }

    void theTimeOfATrialIsTheTotalOfTheRunWithItsTile() {
        for (Experiment e : {sharing(1024, 600, 256, 1), sharing(512, 512, 512, 3)}) {
            e.policy.outputCaching = OutputCaching::bypass;
            const std::vector<TileTrial> trials = tileTrialsOf(e);
            QCOMPARE(trials.size(), std::size_t{7});
            for (const TileTrial& trial : trials)
                QCOMPARE(trial.time, totalOf(withTile(e, trial.tile)));
            QVERIFY(std::is_sorted(trials.begin(), trials.end(),
                                   [](const TileTrial& a, const TileTrial& b) { return a.time < b.time; }));
        }
    }

    void theRunHasTheFastestTileAndSaysSo() {
        const Experiment e = sharing(1024, 600, 256, 3);
        const RunResult chosen = run(e);
        const Tile tile = tileTrialsOf(e).front().tile;
        QCOMPARE(chosen.gemm->tileM, tile.m);
        QCOMPARE(chosen.gemm->tileN, tile.n);
        QCOMPARE(chosen.gemm->tilesTried, std::int64_t{7});
        const RunResult set = run(withTile(e, tile));
        QCOMPARE(chosen.last, set.last);
        QCOMPARE(*chosen.companion, *set.companion);
        const auto notice = std::find_if(chosen.notices.begin(), chosen.notices.end(),
                                         [](const Notice& each) { return each.path == "tiles.choice"; });
        QVERIFY(notice != chosen.notices.end());
        const std::string says = std::to_string(tile.m) + " x " + std::to_string(tile.n) +
                                 " chosen of 7 tiles, each simulated beside the companion; the next, ";
        QVERIFY2(notice->text.starts_with(says), notice->text.c_str());
    }

    void aCompanionTileThatIsSameFollowsAndOneThatIsSetDoesNot() {
        Experiment e = sharing(1024, 600, 256, 2);
        for (const TileTrial& trial : tileTrialsOf(e))
            QCOMPARE(companionTilingOf(withTile(e, trial.tile)).tileM, trial.tile.m);
        e.companion.tileM = 32;
        e.companion.tileN = 96;
        for (const TileTrial& trial : tileTrialsOf(e)) {
            QCOMPARE(companionTilingOf(withTile(e, trial.tile)).tileM, std::int64_t{32});
            QCOMPARE(trial.time, totalOf(withTile(e, trial.tile)));
        }
    }

    void theTileBesideOthersMayDifferFromTheBestAlone() {
        // 8 tiles of 128 x 128 fill 8 CUs once; beside copies of itself the GEMM needs no small tiles to fill them.
        Experiment e = sharing(512, 256, 512, 7);
        Experiment alone = e;
        alone.companion = {};
        alone.tiles.choice = TileChoice::best;
        const Tile best = tileTrialsOf(alone).front().tile, shared = tileTrialsOf(e).front().tile;
        QVERIFY2(!(best == shared), qPrintable(QString::number(best.m) + "x" + QString::number(best.n)));
        QVERIFY(totalOf(withTile(e, shared)) < totalOf(withTile(e, best)));
    }

    void aTileWithTooManyWorkgroupsOnACuCannotRunBesideACompanion() {
        constexpr std::int64_t kMostBesideGemm = 16;
        constexpr Tile kSmall{64, 64};
        Experiment e = sharing(512, 512, 64, 1);
        e.gemm.prefetch = 64;  // with auto, local memory limits the workgroups of a CU
        const auto withRoomFor = [&](std::int64_t workgroups) {
            Experiment with = e;
            for (with.cu.registers = 64_KiB; residentWorkgroups(withTile(with, kSmall)) < workgroups;)
                with.cu.registers.count += 1024;
            return with;
        };
        QVERIFY(canUse(withRoomFor(kMostBesideGemm), kSmall));
        const Experiment crowded = withRoomFor(kMostBesideGemm + 1);
        QVERIFY(!canUse(crowded, kSmall) && canUse(crowded, {128, 128}));
        QCOMPARE(refusalOf(crowded), std::string());
        Experiment alone = crowded;
        alone.companion = {};
        alone.tiles.choice = TileChoice::best;
        QVERIFY(canUse(alone, kSmall));
    }

    void theGemmOfASubLayerIsSimulatedWithoutItsCollective() {
        Experiment e = tests::smallExperiment(PolicyPreset::t3);
        applyDetailLevel(e, DetailLevel::interactive);
        e.companion.operation = CompanionOperation::gemm;
        e.tiles.choice = TileChoice::shared;
        QCOMPARE(refusalOf(e), std::string());
        const std::vector<TileTrial> trials = tileTrialsOf(e);
        Experiment faster = e;
        faster.link.bandwidth.bytesPerSecond *= 2;
        QCOMPARE(tileTrialsOf(faster), trials);
        const RunResult chosen = run(e), set = run(withTile(e, trials.front().tile));
        QCOMPARE(chosen.last, set.last);
        for (const Check& check : verify(e))
            QVERIFY2(check.held, check.name.c_str());
    }

    void expectedWorkCountsTheTrials() {
        const Experiment e = sharing(1024, 600, 256, 3);
        const double one = expectedEvents(withTile(e, candidateTiles(e).front()));
        QCOMPARE(expectedEvents(e), one * 8);
        ExpectedWork work;
        work.add(e);
        QVERIFY(work.events() > expectedEvents(e));
    }

    void aStopEndsTheTrials() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(tileTrialsOf(sharing(1024, 600, 256, 3), stop.get_token()), RunStopped);
    }
};

RINGSIDE_TEST(TestSharedTile)
#include "tst_shared_tile.moc"
