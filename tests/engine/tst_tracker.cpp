#include "tests/test_program.h"
#include "tests/engine/overlap_bench.h"
#include "tests/engine/print.h"

using namespace engine;
using tests::OverlapBench;

namespace {

Experiment withEntries(std::int64_t entries, std::int64_t ways = 1) {
    Experiment experiment = OverlapBench::settings();
    experiment.tracker.entries = entries;
    experiment.tracker.ways = ways;
    return experiment;
}

}  // namespace

class TestTracker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTileClosesWithItsLatestByteEvenIfAnotherWasAcceptedLater() {
        // Two channels of 2000 ps a granule. Channel 0 serves a stranger and both updates of granule 12 until 6000 ps,
        // channel 1 both of granule 13, accepted last, until 4000 ps.
        Experiment experiment = OverlapBench::settings();
        experiment.detail.channels = 2;
        OverlapBench bench(experiment);
        bench.arriveGranuleAt({0}, 14);
        bench.storeAt({0}, 6);
        bench.arriveAt({0}, 6);
        bench.loop.runUntil({5999});
        QCOMPARE(bench.tracker.unclosed(), 6u);
        bench.loop.runUntil({6000});
        QCOMPARE(bench.tracker.unclosed(), 5u);
    }

    void onlyTheFirstChunkIsNotTracked() {
        OverlapBench bench;
        QCOMPARE(bench.tracker.unclosed(), 6u);
    }

    void aTileClosesWhenItsLastByteHasLandedAndNotOnePicosecondEarlier() {
        // Two local updates land at 1000 and 2000 ps, two arriving ones, of 10,000 ps, at 11,000 and 12,000 ps.
        OverlapBench bench;
        bench.storeAt({0}, 6);
        bench.arriveAt({10'000}, 6);
        bench.loop.runUntil({11'999});
        QCOMPARE(bench.tracker.unclosed(), 6u);
        bench.loop.runUntil({12'000});
        QCOMPARE(bench.tracker.unclosed(), 5u);
        QCOMPARE(bench.tracker.lastClose(), TimePoint{12'000});
    }

    void aTileNeedsBothItsOwnUpdatesAndTheNeighbours() {
        OverlapBench local;
        local.storeAt({0}, 6);
        local.loop.run();
        QCOMPARE(local.tracker.unclosed(), 6u);
        OverlapBench arriving;
        arriving.arriveAt({0}, 6);
        arriving.loop.run();
        QCOMPARE(arriving.tracker.unclosed(), 6u);
    }

    void arrivingUpdatesMayComeFirst() {
        OverlapBench bench;
        bench.arriveAt({0}, 6);
        bench.storeAt({10'000}, 6);
        bench.loop.runUntil({11'999});
        QCOMPARE(bench.tracker.unclosed(), 6u);
        bench.loop.runUntil({12'000});
        QCOMPARE(bench.tracker.unclosed(), 5u);
    }

    void aWavefrontIsNotCompleteBecauseAnotherGotMoreUpdates() {
        // Three updates to the first half and one to the second are four in all, but the second half lacks one.
        OverlapBench bench;
        bench.storeAt({0}, 6);
        bench.arriveGranuleAt({0}, 12);
        bench.loop.run();
        QCOMPARE(bench.tracker.unclosed(), 6u);
        bench.arriveGranuleAt({20'000}, 13);
        bench.loop.run();
        QCOMPARE(bench.tracker.unclosed(), 5u);
    }

    void aTriggerComesOneTriggerLatencyAfterItsBlocksLastTile() {
        // Tiles 2 and 3 are one block. The last of 8 updates lands at 8000 ps; 20 ps later the command is ready, 100 ps
        // later an engine starts to read; the first granule is read by 9120 and leaves the link at 9376 ps.
        OverlapBench bench;
        for (const std::uint32_t tile : {2u, 3u}) {
            bench.storeAt({0}, tile);
            bench.arriveAt({0}, tile);
        }
        bench.loop.runUntil({7999});
        QCOMPARE(bench.tracker.stats().triggers, std::int64_t{0});
        bench.loop.runUntil({8000});
        QCOMPARE(bench.tracker.stats().triggers, std::int64_t{1});
        bench.loop.runUntil({8119});
        QCOMPARE(bench.dma.stats().commands, std::int64_t{0});
        bench.loop.runUntil({8120});
        QCOMPARE(bench.dma.stats().commands, std::int64_t{1});
        bench.loop.run();
        QCOMPARE(bench.sent.size(), std::size_t{4});
        QCOMPARE(bench.sent.front().arrival, TimePoint{9376});
    }

    void oneTileOfABlockTriggersNothing() {
        OverlapBench bench;
        bench.storeAt({0}, 2);
        bench.arriveAt({0}, 2);
        bench.loop.run();
        QCOMPARE(bench.tracker.unclosed(), 5u);
        QCOMPARE(bench.tracker.stats().triggers, std::int64_t{0});
    }

    void theOwnChunkStays() {
        OverlapBench bench;
        for (const std::uint32_t tile : {6u, 7u}) {
            bench.storeAt({0}, tile);
            bench.arriveAt({0}, tile);
        }
        bench.loop.run();
        QCOMPARE(bench.tracker.unclosed(), 4u);
        QCOMPARE(bench.sent.size(), std::size_t{0});
    }

    void aTakenSetHoldsALaterTileUntilTheOlderCloses() {
        // Two sets: tiles 2, 4 and 6 share set 0. Tile 4's store of 100 ps is held until tile 2 closes at 4000 ps.
        OverlapBench bench(withEntries(2));
        bench.storeAt({0}, 2);
        bench.arriveAt({0}, 2);
        bench.storeAt({100}, 4);
        bench.loop.runUntil({3999});
        QCOMPARE(bench.storesAdmitted.back(), false);
        QCOMPARE(bench.released.size(), std::size_t{0});
        bench.loop.runUntil({4000});
        QCOMPARE(bench.released.size(), std::size_t{1});
        QCOMPARE(bench.released.front().tile, 4u);
        QCOMPARE(bench.tracker.stats().capacityStalls, std::int64_t{1});
    }

    void anotherSetIsNotHeld() {
        // Tile 3 is in set 1, which is free.
        OverlapBench bench(withEntries(2));
        bench.storeAt({0}, 2);
        bench.storeAt({0}, 3);
        bench.loop.runUntil({10});
        QVERIFY(bench.storesAdmitted[0]);
        QVERIFY(bench.storesAdmitted[1]);
        QCOMPARE(bench.tracker.stats().peakEntries, std::int64_t{2});
    }

    void setsAreUsedInTileOrderEvenWhenTheLaterTileComesFirst() {
        // Tile 4 comes first and set 0 is empty, but tile 2 is older: taking the entry would lock tile 2 out.
        OverlapBench bench(withEntries(2));
        bench.storeAt({0}, 4);
        bench.loop.runUntil({100});
        QCOMPARE(bench.storesAdmitted.back(), false);
        bench.storeAt({200}, 2);
        bench.loop.runUntil({300});
        QCOMPARE(bench.storesAdmitted.back(), true);
    }

    void twoWaysAdmitTwoTilesOfASetAndNotAThird() {
        OverlapBench bench(withEntries(2, 2));
        for (const std::uint32_t tile : {2u, 4u, 6u})
            bench.storeAt({0}, tile);
        bench.loop.runUntil({10});
        QVERIFY(bench.storesAdmitted[0]);
        QVERIFY(bench.storesAdmitted[1]);
        QVERIFY(!bench.storesAdmitted[2]);
    }

    void aHeldTileAndSourceCountsOneStall() {
        // Both granules of the arrival and the store of tile 4 are held: two pairs of tile and source.
        OverlapBench bench(withEntries(2));
        bench.arriveAt({0}, 4);
        bench.storeAt({0}, 4);
        bench.loop.runUntil({10});
        QCOMPARE(bench.tracker.stats().capacityStalls, std::int64_t{2});
        QCOMPARE(bench.updates.heldPeak(), 512_B);
    }

    void whatIsHeldNeverBlocksWhatFollows() {
        // Tile 4's arrivals are held outside the streams; tile 2's, which came later, land at 1000 and 2000 ps.
        OverlapBench bench(withEntries(2));
        bench.arriveAt({0}, 4);
        bench.arriveAt({0}, 2);
        bench.loop.run();
        QCOMPARE(bench.memory.flow(bench.updates.arrivingFlow()).bytes, 512_B);
        QVERIFY(!bench.updates.holdsNothing());
    }

    void oneSingleEntryStillMakesProgress() {
        // Everything at once, in the worst order; each tile waits for the one before.
        OverlapBench bench(withEntries(1));
        for (std::uint32_t tile = 7; tile >= 2; --tile) {
            bench.arriveAt({0}, tile);
            bench.storeAt({0}, tile);
        }
        bench.loop.run();
        QCOMPARE(bench.tracker.unclosed(), 0u);
        QVERIFY(bench.updates.holdsNothing());
        QVERIFY(bench.dma.finished());
        QCOMPARE(bench.tracker.stats().peakEntries, std::int64_t{1});
        // All but the oldest tile were held, from both sides: 5 * 2.
        QCOMPARE(bench.tracker.stats().capacityStalls, std::int64_t{10});
        QCOMPARE(bench.tracker.stats().updates, std::int64_t{24});
        // Held in the receive buffer at once: tiles 7 to 3, 512 B each.
        QCOMPARE(bench.updates.heldPeak(), Bytes{5 * 512});
    }

    void manyEntriesChangeNothingOnceAllTilesFit() {
        TimePoint last;
        for (const std::int64_t entries : {8, 256}) {
            OverlapBench bench(withEntries(entries));
            for (std::uint32_t tile = 2; tile < 8; ++tile) {
                bench.storeAt({tile * 100}, tile);
                bench.arriveAt({tile * 300}, tile);
            }
            bench.loop.run();
            QCOMPARE(bench.tracker.unclosed(), 0u);
            QCOMPARE(bench.tracker.stats().capacityStalls, std::int64_t{0});
            if (entries == 8)
                last = bench.tracker.lastClose();
            QCOMPARE(bench.tracker.lastClose(), last);
        }
    }
};

RINGSIDE_TEST(TestTracker)
#include "tst_tracker.moc"
