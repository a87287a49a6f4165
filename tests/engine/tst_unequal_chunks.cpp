// Compares the bytes that each GPU moves with counts by hand, for chunks that differ from one another and ragged tiles.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <numeric>

using namespace engine;

namespace {

/// 11 x 4 tiles, the last row and column ragged, on 5 GPUs: floor(44k/5) gives chunks of 8, 9, 9, 9, 9 tiles.
Experiment ragged(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy, 5);
    experiment.workload.hidden = 500;
    experiment.workload.sequence = 2750;
    experiment.workload.batch = 1;
    experiment.detail.mode = DetailMode::full;
    return experiment;
}

/// PALM's chunks are 4.5 columns of tiles.
Experiment palm(PolicyPreset policy) {
    return tests::experimentOf({"palm/op/tp32", SubLayer::op, 18432, 2, 32, 1}, policy, DetailLevel::interactive);
}

std::int64_t chunkAt(const Shape& shape, std::size_t gpu, std::ptrdiff_t offset) {
    const auto n = static_cast<std::ptrdiff_t>(shape.chunkBytes.size());
    const auto index = ((static_cast<std::ptrdiff_t>(gpu) + offset) % n + n) % n;
    return shape.chunkBytes[static_cast<std::size_t>(index)].count;
}

}  // namespace

class TestUnequalChunks : public QObject {
    Q_OBJECT

private:
    static void checkAllGather(const GpuResult& gpu, const Shape& shape, std::size_t i) {
        const std::int64_t s = shape.outputBytes.count;
        QCOMPARE(gpu.dram->agRead.count, s - chunkAt(shape, i, -2));
        QCOMPARE(gpu.dram->agWrite.count, s - chunkAt(shape, i, -1));
        QCOMPARE(gpu.link->allGather.count, s - chunkAt(shape, i, -2));
    }

private Q_SLOTS:
    void theChunksOfThisTestAreReallyUnequalAndRagged() {
        const Shape shape = shapeOf(ragged(PolicyPreset::sequential));
        QCOMPARE(shape.tiles, std::int64_t{44});
        QCOMPARE(shape.outputBytes.count, std::int64_t{2 * 2750 * 500});
        QCOMPARE(std::accumulate(shape.chunkBytes.begin(), shape.chunkBytes.end(), Bytes{}), shape.outputBytes);
        // Chunk 0: two whole rows of tiles, 2 * 256 rows of 500 elements of 2 B.
        QCOMPARE(shape.chunkBytes[0].count, std::int64_t{2 * 256 * 500 * 2});
        QVERIFY(shape.chunkBytes[1] != shape.chunkBytes[0]);
        QVERIFY(shape.chunkBytes[4] != shape.chunkBytes[1]);
    }

    void everyGpuOfTheSequentialRingCountsItsOwnChunks() {
        RunOptions options;
        options.baselines = false;
        const RunResult result = engine::run(ragged(PolicyPreset::sequential), options);
        QVERIFY(!result.mirrored);
        QCOMPARE(result.perGpu.size(), std::size_t{5});
        const std::int64_t s = result.shape.outputBytes.count;
        std::int64_t reads = 0;
        std::int64_t writes = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            const GpuResult& gpu = result.perGpu[i];
            QCOMPARE(gpu.dram->gemmWrite.count, s);
            QCOMPARE(gpu.dram->rsRead.count, 2 * s - chunkAt(result.shape, i, 0));
            QCOMPARE(gpu.dram->rsWrite.count, s - chunkAt(result.shape, i, 0) + chunkAt(result.shape, i, -1));
            QCOMPARE(gpu.link->reduceScatter.count, s - chunkAt(result.shape, i, -1));
            checkAllGather(gpu, result.shape, i);
            reads += gpu.dram->rsRead.count;
            writes += gpu.dram->rsWrite.count;
        }
        // Over all GPUs: (2N-1)S read, N*S written.
        QCOMPARE(reads, 9 * s);
        QCOMPARE(writes, 5 * s);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
    }

    void everyGpuOfTheFusedRingCountsItsOwnChunks() {
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca}) {
            const RunResult result = tests::runAlone(ragged(policy));
            const std::int64_t s = result.shape.outputBytes.count;
            std::int64_t reads = 0;
            std::int64_t updates = 0;
            for (std::size_t i = 0; i < 5; ++i) {
                const GpuResult& gpu = result.perGpu[i];
                QCOMPARE(gpu.dram->gemmWrite.count, s - chunkAt(result.shape, i, 0));
                QCOMPARE(gpu.dram->rsWrite.count, s - chunkAt(result.shape, i, 0));
                QCOMPARE(gpu.dram->rsRead.count, s - chunkAt(result.shape, i, 0) - chunkAt(result.shape, i, -1));
                QCOMPARE(gpu.link->reduceScatter.count, s - chunkAt(result.shape, i, -1));
                checkAllGather(gpu, result.shape, i);
                reads += gpu.dram->rsRead.count;
                updates += gpu.dram->rsWrite.count;
            }
            // Over all GPUs: (N-2)S read, (N-1)S updated.
            QCOMPARE(reads, 3 * s);
            QCOMPARE(updates, 4 * s);
            QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        }
    }

    void palmsChunksOfHalfColumnsAreSimulatedInFull() {
        Experiment experiment = palm(PolicyPreset::t3Mca);
        experiment.detail.mode = DetailMode::full;
        const RunResult result = tests::runAlone(experiment);
        QCOMPARE(result.perGpu.size(), std::size_t{32});
        const std::int64_t c = result.shape.chunkBytes[0].count;
        for (const GpuResult& gpu : result.perGpu)
            QCOMPARE(gpu.dram->rsRead.count, 30 * c);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
    }

    void palmMirroredAtInteractiveLevelSaysThatItIsAnApproximation() {
        const RunResult result = tests::runAlone(palm(PolicyPreset::t3Mca));
        QVERIFY(result.mirrored);
        const bool said = std::any_of(result.notices.begin(), result.notices.end(),
                                      [](const Notice& notice) { return notice.path == "detail.mode"; });
        QVERIFY(said);
    }

    void twoGpusHaveNothingToPassOn() {
        // N = 2: the first chunk is sent by stores, the other is the own one; DMA has no command.
        const RunResult result = tests::runAlone(tests::smallExperiment(PolicyPreset::t3, 2));
        QCOMPARE(result.last.dma->commands, std::int64_t{0});
        QCOMPARE(result.last.dram->rsRead, 0_B);
        QCOMPARE(result.last.dram->rsWrite, result.shape.chunkBytes[0]);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
    }
};

RINGSIDE_TEST(TestUnequalChunks)
#include "tst_unequal_chunks.moc"
