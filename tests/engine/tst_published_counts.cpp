// Counts by hand the bytes that a run moves, whatever its timing, and compares them with the simulation.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <numeric>

using namespace engine;

class TestPublishedCounts : public QObject {
    Q_OBJECT

private:
    static const tests::PublishedCase& current() {
        static const std::vector<tests::PublishedCase> cases = tests::publishedCases();
        const std::string name = QTest::currentDataTag();
        return *std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.name == name; });
    }

    static void addCases() {
        QTest::addColumn<int>("index");
        const auto cases = tests::publishedCases();
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
    }

    // A * B once: A is M x K, B is K x H, two bytes an element.
    static Bytes operands(const tests::PublishedCase& c) {
        const std::int64_t m = 1024 * c.batch;
        const std::int64_t k = c.kMultiple * c.hidden / c.tp;
        return {2 * (m * k + k * c.hidden)};
    }

    static Bytes chunk(const tests::PublishedCase& c) { return {2 * 1024 * c.batch * c.hidden / c.tp}; }

    static void checkFused(PolicyPreset policy) {
        const auto& c = current();
        const RunResult result = tests::runAlone(tests::experimentOf(c, policy));
        const std::int64_t n = c.tp;
        const GpuResult& gpu = result.last;
        // The first chunk goes straight to the neighbour, so N-1 chunks are stored here as local updates, N-1 arrive,
        // and all but the first and the own one, N-2, are read by DMA.
        QCOMPARE(gpu.dram->gemmWrite, chunk(c) * (n - 1));
        QCOMPARE(gpu.dram->rsWrite, chunk(c) * (n - 1));
        QCOMPARE(gpu.dram->rsRead, chunk(c) * (n - 2));
        QCOMPARE(gpu.dram->agRead, chunk(c) * (n - 1));
        QCOMPARE(gpu.dram->agWrite, chunk(c) * (n - 1));
        QVERIFY(gpu.dram->gemmRead >= operands(c));
        QCOMPARE(gpu.dram->total, gpu.dram->gemmRead + chunk(c) * (5 * n - 6));
        // Sent: the first chunk by stores, N-2 by DMA; the all-gather sends N-1.
        QCOMPARE(gpu.link->reduceScatter, chunk(c) * (n - 1));
        QCOMPARE(gpu.link->allGather, chunk(c) * (n - 1));
        QCOMPARE(gpu.dma->bytes, chunk(c) * (n - 2));
        // Blocks of 4 tiles that never cross a chunk.
        const std::int64_t tilesOfChunk = result.shape.tiles / n;
        QCOMPARE(gpu.dma->commands, (n - 2) * ((tilesOfChunk + 3) / 4));
        QCOMPARE(gpu.tracker->triggers, gpu.dma->commands);
        // Tiles are whole granules in these cases; each byte outside the first chunk is updated twice.
        QCOMPARE(gpu.tracker->updates, 2 * (n - 1) * chunk(c).count / 4096);
        QVERIFY(gpu.tracker->peakEntries <= 256);
        QVERIFY(gpu.tracker->peakEntries > 0);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        QVERIFY(result.invariants.checked > 10);
    }

    static void checkBounds(const tests::PublishedCase& c, const RunResult& result, bool barriers) {
        // RS and AG on the link: (N-1)c/B; with a barrier in each step the latency counts N-1 times, else once.
        const auto seconds = [](double value) { return static_cast<std::int64_t>(value * 1e12) - 1; };
        const double n = static_cast<double>(c.tp);
        const double transfer = (n - 1) * static_cast<double>(chunk(c).count) / 150e9;
        const double flops =
            2.0 * 1024.0 * static_cast<double>(c.batch * c.hidden) * static_cast<double>(c.kMultiple * c.hidden / c.tp);
        const double compute = flops / (80 * 1024 * 1.4e9);
        const double scatter = transfer + 500e-9 * (barriers ? n - 1 : 1);
        const double gather = transfer + 500e-9 * (n - 1);
        const std::int64_t total = result.last.time.total.ps;
        QVERIFY(total >= seconds((barriers ? compute + scatter : std::max(compute, scatter)) + gather));
        QVERIFY(result.last.time.gemm.ps >= seconds(compute));
        QVERIFY(total >= seconds(static_cast<double>(result.last.dram->total.count) / 1e12));
    }

private Q_SLOTS:
    void sequentialMovesWhatItMustAndNothingElse_data() { addCases(); }
    void sequentialMovesWhatItMustAndNothingElse() {
        const auto& c = current();
        const RunResult result = tests::runAlone(tests::experimentOf(c, PolicyPreset::sequential));
        const std::int64_t n = c.tp;
        const GpuResult& gpu = result.last;
        // The GEMM writes all N chunks. The reduce-scatter reads one in its first step, two in each of the N-2 others
        // and two in the final reduce, 2N-1; it writes N-1 that arrive and the reduced one, N.
        QCOMPARE(gpu.dram->gemmWrite, chunk(c) * n);
        QCOMPARE(gpu.dram->rsRead, chunk(c) * (2 * n - 1));
        QCOMPARE(gpu.dram->rsWrite, chunk(c) * n);
        QCOMPARE(gpu.dram->agRead, chunk(c) * (n - 1));
        QCOMPARE(gpu.dram->agWrite, chunk(c) * (n - 1));
        QVERIFY(gpu.dram->gemmRead >= operands(c));
        QCOMPARE(gpu.link->reduceScatter, chunk(c) * (n - 1));
        QCOMPARE(gpu.link->allGather, chunk(c) * (n - 1));
        QCOMPARE(gpu.dma->commands, std::int64_t{0});
        QCOMPARE(gpu.tracker->updates, std::int64_t{0});
        // One after the other, exactly.
        const TimeResult& time = gpu.time;
        QCOMPARE(time.total, time.gemm + time.reduceScatter + time.allGather);
        QCOMPARE(time.overlapped, Duration{});
        QCOMPARE(time.exposedCommunication, time.reduceScatter + time.allGather);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        checkBounds(c, result, true);
    }

    void t3ReadsTwoChunksLessThanTheRingAndWritesEachOutputTwice_data() { addCases(); }
    void t3ReadsTwoChunksLessThanTheRingAndWritesEachOutputTwice() { checkFused(PolicyPreset::t3); }

    void t3McaMovesWhatT3Moves_data() { addCases(); }
    void t3McaMovesWhatT3Moves() { checkFused(PolicyPreset::t3Mca); }

    void noPolicyBeatsItsBounds_data() { addCases(); }
    void noPolicyBeatsItsBounds() {
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca})
            checkBounds(current(), tests::runAlone(tests::experimentOf(current(), policy)), false);
    }

    void theIdealsAreFormulasOverIsolatedTimes_data() { addCases(); }
    void theIdealsAreFormulasOverIsolatedTimes() {
        const RunResult sequential =
            tests::runAlone(tests::experimentOf(current(), PolicyPreset::sequential, DetailLevel::interactive));
        const TimeResult& parts = sequential.last.time;
        const RunResult ideal =
            engine::run(tests::experimentOf(current(), PolicyPreset::idealOverlap, DetailLevel::interactive));
        QCOMPARE(ideal.last.time.gemm, parts.gemm);
        QCOMPARE(ideal.last.time.reduceScatter, parts.reduceScatter);
        QCOMPARE(ideal.last.time.total, std::max(parts.gemm, parts.reduceScatter) + parts.allGather);
        QCOMPARE(ideal.last.time.overlapped, std::min(parts.gemm, parts.reduceScatter));
        QVERIFY(!ideal.last.dram && !ideal.last.tracker && !ideal.last.dma && !ideal.last.link && !ideal.last.llc);

        const RunResult nmc =
            engine::run(tests::experimentOf(current(), PolicyPreset::idealOverlapNmc, DetailLevel::interactive));
        QCOMPARE(nmc.last.time.reduceScatter, nmc.isolated->reduceScatterNmc);
        QVERIFY(nmc.last.time.reduceScatter < parts.reduceScatter);
        QCOMPARE(nmc.last.time.total, std::max(parts.gemm, nmc.isolated->reduceScatterNmc) + parts.allGather);
        // Its speed-up is still over G + R + A with the CUs' R.
        QCOMPARE(*nmc.speedupOverSequential,
                 static_cast<double>(parts.total.ps) / static_cast<double>(nmc.last.time.total.ps));
    }
};

RINGSIDE_TEST(TestPublishedCounts)
#include "tst_published_counts.moc"
