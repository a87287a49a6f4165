#include "tests/engine/overlap_bench.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace engine;
using tests::OverlapBench;

namespace {

// Blocks of the bench: 0 is tiles 2 and 3 (granules 4 to 7), 1 is tiles 4 and 5 (granules 8 to 11).
std::vector<std::uint32_t> granulesOf(const OverlapBench& bench) {
    std::vector<std::uint32_t> granules;
    for (const Packet& packet : bench.sent)
        granules.push_back(packet.granule);
    return granules;
}

void readyAt(OverlapBench& bench, TimePoint time, std::uint32_t block) {
    bench.loop.at(time, [&bench, block] { bench.dma.ready(block); });
}

}  // namespace

class TestDmaEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCommandReadsItsBlockAndSendsItInOrder() {
        OverlapBench bench;
        readyAt(bench, {0}, 0);
        bench.loop.run();
        QCOMPARE(granulesOf(bench), (std::vector<std::uint32_t>{4, 5, 6, 7}));
        QCOMPARE(bench.dma.stats().bytes, 1024_B);
        QCOMPARE(bench.memory.flow(bench.dma.readFlow()).bytes, 1024_B);
        QVERIFY(!bench.dma.finished());  // the other block's command is still in the table
    }

    void readingBeginsAfterTheStartUpAndNotBefore() {
        // The block is ready at 0. Then follow 100 ps of start-up, 1000 ps to read, and 256 ps on the link.
        OverlapBench bench;
        readyAt(bench, {0}, 0);
        bench.loop.runUntil({99});
        QCOMPARE(bench.dma.stats().commands, std::int64_t{0});
        bench.loop.runUntil({100});
        QCOMPARE(bench.dma.stats().commands, std::int64_t{1});
        bench.loop.runUntil({1099});
        QCOMPARE(bench.sent.size(), std::size_t{0});
        bench.loop.runUntil({1100});
        QCOMPARE(bench.sent.front().arrival, TimePoint{1356});
    }

    void commandsAreTakenInTheOrderInWhichTheyBecameReady() {
        OverlapBench bench;
        readyAt(bench, {0}, 1);
        readyAt(bench, {50}, 0);
        bench.loop.run();
        QCOMPARE(granulesOf(bench), (std::vector<std::uint32_t>{8, 9, 10, 11, 4, 5, 6, 7}));
        QVERIFY(bench.dma.finished());
    }

    void theNextCommandStartsUpWhileThisOneStreams() {
        // Eight granules of 1000 ps after one start-up of 100 ps: the last is read at 8100 ps, not at 8200.
        OverlapBench bench;
        readyAt(bench, {0}, 0);
        readyAt(bench, {0}, 1);
        bench.loop.run();
        QCOMPARE(bench.sent.back().arrival, TimePoint{8100 + 256});
    }

    void aWindowOfOneGranuleReadsOneAfterTheOther() {
        // With 700 ps of memory latency a granule takes 1700 ps, and four of them one by one take 6800 ps.
        Experiment experiment = OverlapBench::settings();
        experiment.memory.latency = {700};
        experiment.dma.window = 256_B;
        OverlapBench narrow(experiment);
        readyAt(narrow, {0}, 0);
        narrow.loop.run();
        QCOMPARE(narrow.sent.back().arrival, TimePoint{100 + 4 * 1700 + 256});
        // Without a window the latency counts once: 4 * 1000 + 700.
        experiment.dma.window.reset();
        OverlapBench wide(experiment);
        readyAt(wide, {0}, 0);
        wide.loop.run();
        QCOMPARE(wide.sent.back().arrival, TimePoint{100 + 4 * 1000 + 700 + 256});
    }

    void twoEnginesShareTheCommands() {
        // With windows of one granule and a latency of 1000 ps, two engines have two granules under way.
        Experiment experiment = OverlapBench::settings();
        experiment.memory.latency = {1000};
        experiment.dma.window = 256_B;
        TimePoint ends[2];
        for (const std::int64_t engines : {1, 2}) {
            experiment.dma.engines = engines;
            OverlapBench bench(experiment);
            readyAt(bench, {0}, 0);
            readyAt(bench, {0}, 1);
            bench.loop.run();
            QCOMPARE(bench.sent.size(), std::size_t{8});
            ends[engines - 1] = bench.sent.back().arrival;
        }
        // One engine takes 8 * 2000 ps. With two, one granule is read while the other is under way: 8 * 1000 ps and one
        // latency.
        QCOMPARE(ends[0], TimePoint{100 + 16'000 + 256});
        QCOMPARE(ends[1], TimePoint{100 + 9'000 + 256});
    }

    void withoutAWindowTheNumberOfEnginesChangesNothing() {
        // As with the default settings, one engine requests both blocks at once, as two engines would.
        Experiment experiment = OverlapBench::settings();
        experiment.memory.latency = {1000};
        for (const std::int64_t engines : {1, 2, 64}) {
            experiment.dma.engines = engines;
            OverlapBench bench(experiment);
            readyAt(bench, {0}, 0);
            readyAt(bench, {0}, 1);
            bench.loop.run();
            QCOMPARE(granulesOf(bench), (std::vector<std::uint32_t>{4, 5, 6, 7, 8, 9, 10, 11}));
            QCOMPARE(bench.sent.back().arrival, TimePoint{100 + 9'000 + 256});
        }
    }

    void thePeakCountsReadyCommandsThatWait() {
        OverlapBench bench;
        readyAt(bench, {0}, 0);
        readyAt(bench, {10}, 1);
        bench.loop.run();
        QCOMPARE(bench.dma.stats().peakQueue, std::int64_t{2});
    }

    void aBlockIsCompleteWithItsLastTileOnly() {
        OverlapBench bench;
        QVERIFY(!bench.dma.tileComplete(2));
        QCOMPARE(bench.dma.tileComplete(3), std::optional<std::uint32_t>(0));
        QVERIFY(!bench.dma.tileComplete(6));  // the own chunk has no command
        QVERIFY(!bench.dma.tileComplete(7));
    }
};

RINGSIDE_TEST(TestDmaEngine)
#include "tst_dma_engine.moc"
