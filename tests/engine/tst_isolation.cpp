// Tests that parts do not depend on each other: the baseline GEMM on links, DMA, arbitration, updates or the tracker.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <functional>

using namespace engine;

class TestIsolation : public QObject {
    Q_OBJECT

private:
    using Change = std::function<void(Experiment&)>;

    static GpuResult sequential(const Change& change = {}) {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive);
        if (change)
            change(experiment);
        return tests::runAlone(experiment).last;
    }

    static void checkGemmUnchanged(const Change& change) {
        static const GpuResult before = sequential();
        const GpuResult after = sequential(change);
        QCOMPARE(after.time.gemm, before.time.gemm);
        QCOMPARE(after.dram->gemmRead, before.dram->gemmRead);
        QCOMPARE(after.dram->gemmWrite, before.dram->gemmWrite);
        QVERIFY(after.llc == before.llc);
    }

private Q_SLOTS:
    void theBaselineGemmDoesNotFeelTheLink() {
        checkGemmUnchanged([](Experiment& e) { e.link.bandwidth = 20_GBps; });
        checkGemmUnchanged([](Experiment& e) { e.link.latency = 5_us; });
        checkGemmUnchanged([](Experiment& e) { e.link.header = 64_B; });
    }

    void theBaselineGemmDoesNotFeelTheDmaEngine() {
        checkGemmUnchanged([](Experiment& e) { e.dma.blockTiles = 1; });
        checkGemmUnchanged([](Experiment& e) { e.dma.engines = 4; });
        checkGemmUnchanged([](Experiment& e) { e.dma.window = 64_KiB; });
        checkGemmUnchanged([](Experiment& e) { e.dma.startupLatency = 10_us; });
    }

    void theBaselineGemmDoesNotFeelTheArbiter() {
        checkGemmUnchanged([](Experiment& e) { e.arbitration.share = 16; });
        checkGemmUnchanged([](Experiment& e) { e.arbitration.turn = 64_KiB; });
        checkGemmUnchanged([](Experiment& e) { e.arbitration.policy = ArbitrationPolicy::mca; });
        checkGemmUnchanged([](Experiment& e) { e.arbitration.policy = ArbitrationPolicy::computeFirst; });
        checkGemmUnchanged([](Experiment& e) { e.arbitration.starvationLimit = 1_ns; });
    }

    void theBaselineGemmDoesNotFeelUpdatesOrTheTracker() {
        checkGemmUnchanged([](Experiment& e) { e.memory.updateCost = 2.0; });
        checkGemmUnchanged([](Experiment& e) { e.tracker.entries = 1; });
        checkGemmUnchanged([](Experiment& e) { e.tracker.triggerLatency = 1_us; });
    }

    void theBaselineGemmFeelsItsOwnMachine() {
        // The time is not a constant, for which the tests above would also pass.
        const Duration before = sequential().time.gemm;
        QVERIFY(sequential([](Experiment& e) { e.cu.count = 60; }).time.gemm > before);
        QVERIFY(sequential([](Experiment& e) { e.memory.bandwidth = 300_GBps; }).time.gemm > before);
        QVERIFY(sequential([](Experiment& e) { e.llc.size = 1_MiB; }).dram->gemmRead > sequential().dram->gemmRead);
    }

    void anInfiniteCacheReadsTheOperandsOnceUnderEveryPolicy() {
        // A is 8192 x 2128, B is 2128 x 4256, two bytes each.
        const Bytes operands{2 * (8192LL * 2128 + 2128LL * 4256)};
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
            experiment.llc.size = {std::int64_t{4} << 30};
            const RunResult result = tests::runAlone(experiment);
            QCOMPARE(result.last.dram->gemmRead, operands);
            QCOMPARE(result.last.llc->miss, operands);
        }
    }

    void aPaddedTailOfKIsNeverRead() {
        // K = 532 is 16 steps of 32 and one of 20; padding it to 544 would read 2.3 % more.
        Experiment experiment = tests::experimentOf({"t-nlg/op/tp8", SubLayer::op, 4256, 8, 8, 1},
                                                    PolicyPreset::sequential, DetailLevel::interactive);
        experiment.llc.size = {std::int64_t{4} << 30};
        QCOMPARE(tests::runAlone(experiment).last.dram->gemmRead, Bytes{2 * (8192LL * 532 + 532LL * 4256)});
    }
};

RINGSIDE_TEST(TestIsolation)
#include "tst_isolation.moc"
