// Tests the GEMM with a memory that takes almost no time: waves, K-steps, the CUs' tensor pipes, epilogue and jitter.

#include "tests/engine/experiments.h"
#include "tests/engine/free_memory.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;
using namespace tests;

namespace {

std::int64_t gemm(const Experiment& experiment) { return tests::runAlone(experiment).last.time.gemm.ps; }

void checkNear(std::int64_t found, std::int64_t expected) {
    QVERIFY2(found >= expected && found <= expected + kMemory,
             qPrintable(QString("%1 ps, expected %2 and at most %3 more").arg(found).arg(expected).arg(kMemory)));
}

}  // namespace

class TestGemmKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTileTakesItsOperationsAndAnEpilogue() {
        // 32 CUs, one tile each.
        checkNear(gemm(freeMemory(32, 1)), kTile + kEpilogue);
        checkNear(gemm(freeMemory(80, 2)), kTile + kEpilogue);
    }

    void aCuHasAsManyWorkgroupsAsItsRegistersHold() {
        // 128 KiB of accumulators and 24 KiB of operands.
        Experiment experiment;
        experiment.gemm.prefetch = 64;  // with auto, local memory limits them, too
        const auto resident = [&](Bytes registers) {
            experiment.cu.registers = registers;
            return residentWorkgroups(experiment);
        };
        QCOMPARE(resident(256_KiB), std::int64_t{1});
        QCOMPARE(resident({2 * 152 * 1024 - 1}), std::int64_t{1});
        QCOMPARE(resident(304_KiB), std::int64_t{2});
        QCOMPARE(resident(64_KiB), std::int64_t{1});          // at least one
        experiment.gemm.tileM = experiment.gemm.tileN = 128;  // 64 and 16 KiB
        QCOMPARE(resident(256_KiB), std::int64_t{3});
        experiment.gemm.tileM = experiment.gemm.tileN = 8;
        QCOMPARE(resident(1024_KiB), std::int64_t{64});  // at most 64
        experiment.cu.residency = Residency::slots;
        experiment.cu.slots = 5;
        QCOMPARE(resident(256_KiB), std::int64_t{5});
    }

    void registersOfTwoWorkgroupsAreTwoSlots() {
        Experiment byRegisters = freeMemory(16, 7);
        byRegisters.cu.residency = Residency::registers;
        byRegisters.cu.registers = 304_KiB;
        QCOMPARE(gemm(byRegisters), gemm(freeMemory(16, 2)));
        byRegisters.cu.registers = 303_KiB;
        QCOMPARE(gemm(byRegisters), gemm(freeMemory(16, 1)));
    }

    void oneCuLessMakesASecondWave() {
        checkNear(gemm(freeMemory(31, 1)), 2 * (kTile + kEpilogue));
        checkNear(gemm(freeMemory(16, 1)), 2 * (kTile + kEpilogue));
        checkNear(gemm(freeMemory(15, 1)), 3 * (kTile + kEpilogue));
    }

    void workgroupsOfOneCuShareItsTensorPipe() {
        // 16 CUs with two slots each: two tiles take turns in one pipe and end within a K-step of each other.
        checkNear(gemm(freeMemory(16, 2)), 2 * kTile + kEpilogue);
    }

    void aSecondAccumulatorHidesTheEpilogueBehindTheNextTile() {
        // 8 CUs with one slot and four tiles each: only the last epilogue adds to the time.
        Experiment experiment = freeMemory(8, 1);
        experiment.gemm.accumulators = 2;
        checkNear(gemm(experiment), 4 * kTile + kEpilogue);
        // An epilogue as long as a tile is hidden as well.
        experiment.gemm.epilogue = {kTile};
        checkNear(gemm(experiment), 4 * kTile + kTile);
    }

    void atMostOneTileOfASlotIsBeingStored() {
        // An epilogue of one and a half tiles: a slot waits for the tile before, and stores follow each other.
        Experiment experiment = freeMemory(8, 1);
        experiment.gemm.accumulators = 2;
        experiment.gemm.epilogue = {kTile + kTile / 2};
        checkNear(gemm(experiment), kTile + 4 * (kTile + kTile / 2));
        experiment.gemm.accumulators = 1;
        checkNear(gemm(experiment), 4 * (kTile + kTile + kTile / 2));
    }

    void kStepsAreComputedAtTheClockOfGemms() {
        Experiment experiment = freeMemory(32, 1);
        experiment.cu.matrixClock = 500_MHz;
        checkNear(gemm(experiment), 2 * kTile + kEpilogue);
        experiment.cu.clock = 2000_MHz;  // without effect on them
        checkNear(gemm(experiment), 2 * kTile + kEpilogue);
        experiment.cu.matrixClock = 1000_MHz;
        checkNear(gemm(experiment), kTile + kEpilogue);
    }

    void aCollectiveAloneKeepsItsTimeWhateverTheClockOfGemmsIs() {
        Experiment experiment = smallExperiment(PolicyPreset::sequential);
        experiment.workload = {};
        experiment.workload.sublayer = SubLayer::allReduce;
        const RunResult before = tests::runAlone(experiment);
        experiment.cu.matrixClock = 700_MHz;
        const RunResult after = tests::runAlone(experiment);
        QCOMPARE(after.last.time.total, before.last.time.total);
        QCOMPARE(after.events, before.events);
    }

    void aCollectiveBesideAGemmIsAsMuchSlowerAsTheClock() {
        // The kernel of an all-reduce has two CUs, so that their pace is its limit, and the GEMM lasts longer than it.
        Experiment experiment = smallExperiment(PolicyPreset::sequential);
        experiment.workload.sublayer = SubLayer::gemm;
        experiment.matrix = {8192, 8192, 8192};
        applyDetailLevel(experiment, DetailLevel::interactive);
        experiment.companion.operation = CompanionOperation::allGather;
        experiment.companion.bytes = 8_MiB;
        experiment.companion.workgroups = 2;
        experiment.dispatch.rule = DispatchRule::companionFirst;
        const auto companion = [&](Frequency clock) {
            experiment.cu.matrixClock = clock;
            return static_cast<double>(tests::runAlone(experiment).last.companion->time.ps);
        };
        const double ratio = companion(700_MHz) / companion(1400_MHz);
        QVERIFY2(std::abs(ratio - 2) < 0.02, std::to_string(ratio).c_str());
    }

    void oneWorkgroupsEpilogueHidesBehindTheOthersWork() {
        // 8 CUs with four tiles each. With one slot, every epilogue adds to the time. With two, the pipe works during
        // the epilogue of the other slot, and only the rest adds to the time.
        checkNear(gemm(freeMemory(8, 1)), 4 * (kTile + kEpilogue));
        const std::int64_t twoSlots = gemm(freeMemory(8, 2));
        QVERIFY(twoSlots >= 4 * kTile + kEpilogue);
        QVERIFY(twoSlots < 4 * kTile + 2 * kEpilogue + kMemory + kTile / 16);
    }

    void aRaggedTileComputesOnlyWhatExists() {
        // One more row of elements adds 4 partial tiles of 1 x 128, each 1/256 of a tile's work, on 4 more CUs.
        Experiment experiment = freeMemory(36, 1);
        experiment.workload.sequence = 2049;
        experiment.workload.batch = 1;
        experiment.detail.mode = DetailMode::full;
        checkNear(gemm(experiment), kTile + kEpilogue);
        // With one CU for all tiles, the partial tiles add 4 * (32,768,000 / 256 + 1,000,000).
        experiment.cu.count = 1;
        checkNear(gemm(experiment) - 32 * (kTile + kEpilogue), 4 * (kTile / 256 + kEpilogue));
    }

    void jitterDelaysAStartByAtMostItself() {
        Experiment experiment = freeMemory(32, 1);
        const std::int64_t without = gemm(experiment);
        experiment.cu.startJitter = 5_us;
        for (const std::int64_t seed : {1, 2, 3}) {
            experiment.seed = seed;
            const std::int64_t with = gemm(experiment);
            // Of 32 workgroups, the latest is almost certainly in the upper half.
            QVERIFY(with > without + 2'500'000 && with <= without + 5'000'000 + kMemory);
        }
    }

    void aComputeBoundFusedRunIsTheGemmAlone() {
        // Free memory and a fast link: near-memory updates and arbitration cost the GEMM nothing.
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = freeMemory(8, 2, policy);
            experiment.link.bandwidth = {10'000'000'000'000};
            const std::int64_t alone = gemm(freeMemory(8, 2));
            const std::int64_t fused = gemm(experiment);
            QVERIFY(std::abs(fused - alone) < 2 * kMemory);
        }
    }

    void withFreeMemoryBothArbitrationsConverge() {
        const auto total = [](PolicyPreset policy) {
            return static_cast<double>(tests::runAlone(freeMemory(8, 2, policy)).last.time.total.ps);
        };
        const double ratio = total(PolicyPreset::t3) / total(PolicyPreset::t3Mca);
        QVERIFY(ratio > 0.995 && ratio < 1.005);
    }

    void aLinkBoundFusedRunTakesTheFirstWaveTheRingAndOneLatency() {
        // On 32 CUs all tiles are stored at 33.8 us. Then (N-1) chunks of 512 KiB go over links of 5 GB/s, 104.9 us
        // each, without a gap, since DMA has the next block ready while the block before is on the link. At the end the
        // latency of the last packet is added. The GEMM ends when its stores have left; those of the first chunk go
        // over the link.
        Experiment experiment = freeMemory(32, 1, PolicyPreset::t3);
        experiment.link.bandwidth = 5_GBps;
        const TimeResult time = tests::runAlone(experiment).last.time;
        const std::int64_t chunk = 104'857'600;
        checkNear(time.gemm.ps, kTile + kEpilogue + chunk);
        checkNear(time.total.ps - time.allGather.ps, kTile + kEpilogue + 3 * chunk + 500'000);
    }
};

RINGSIDE_TEST(TestGemmKernel)
#include "tst_gemm_kernel.moc"
