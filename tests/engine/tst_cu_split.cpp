// Tests the GEMM and independent collective kernels side by side, each on its own CUs.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;
using namespace engine::literals;

namespace {

Experiment split(CollectiveCus cus = 16, DetailLevel level = DetailLevel::interactive) {
    Experiment experiment = tests::tNlgFc2(PolicyPreset::cuSplit, level);
    experiment.collective.cuCount = cus;
    return experiment;
}

}  // namespace

class TestCuSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gemmAndCollectiveBeginTogetherAndOverlap() {
        const RunResult result = tests::runAlone(split());
        const TimeResult& time = result.last.time;
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        // The collective is the shorter one here, so all of its reduce-scatter lies within the GEMM.
        QCOMPARE(time.overlapped, time.reduceScatter);
        QVERIFY(time.total < time.gemm + time.reduceScatter + time.allGather);
        QVERIFY(time.total >= time.gemm);
        QVERIFY(time.total >= time.reduceScatter + time.allGather);
    }

    void theGemmHasTheCusThatTheCollectiveLeavesIt() {
        // Compute bound: 72 of 80 CUs against 40 of 80 is a factor of 1.8 at most, and more than 1.3.
        const Duration few = tests::runAlone(split(8)).last.time.gemm;
        const Duration many = tests::runAlone(split(40)).last.time.gemm;
        QVERIFY(many.ps * 10 > few.ps * 13);
        QVERIFY(many.ps * 10 < few.ps * 20);
    }

    void theCollectivesThroughputFollowsItsCusUntilTheLinkIsFull() {
        // 13.3 GB/s a CU: 4 CUs send 53 GB/s, a third of the link; 16 send 213 GB/s, more than the link's 150.
        const Duration four = tests::runAlone(split(4)).last.time.reduceScatter;
        const Duration sixteen = tests::runAlone(split(16)).last.time.reduceScatter;
        const Duration thirtyTwo = tests::runAlone(split(32)).last.time.reduceScatter;
        QVERIFY(four.ps * 10 > sixteen.ps * 20);
        QVERIFY(thirtyTwo.ps * 10 > sixteen.ps * 8 && thirtyTwo.ps * 10 < sixteen.ps * 12);
    }

    void bothNeedSomeCus() {
        const auto refusedAt = [](const Experiment& experiment) {
            const Problems problems = validate(experiment);
            return problems.size() == 1 ? problems.front().path : std::string();
        };
        QVERIFY(validate(split(1)).empty());
        QVERIFY(validate(split(79)).empty());
        QCOMPARE(refusedAt(split(80)), std::string("collective.cu_count"));
        QCOMPARE(refusedAt(split(CollectiveCus::all())), std::string("collective.cu_count"));
        Experiment sixteen = split(CollectiveCus{});
        sixteen.cu.count = 17;
        QVERIFY(validate(sixteen).empty());
        sixteen.cu.count = 16;
        QCOMPARE(refusedAt(sixteen), std::string("collective.cu_count"));
    }

    // By default the collective uses all CUs, which would leave none to the GEMM. This is allowed where kernels run one
    // after the other, as in the sequential run.
    void aKernelOfAllCusRunsWhereKernelsTakeTurns() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::cuSplit);
        experiment.collective.cuCount = CollectiveCus::all();
        for (const DispatchRule rule :
             {DispatchRule::inOrder, DispatchRule::companionFirst, DispatchRule::roundRobin}) {
            experiment.dispatch.rule = rule;
            for (const Check& check : verify(experiment))
                QVERIFY2(check.held, check.name.c_str());
        }
    }

    void withoutANumberTheCollectiveHasSixteenCusBesideTheGemmAndAllOfThemElse() {
        QVERIFY(tests::tNlgFc2(PolicyPreset::cuSplit).collective.cuCount == CollectiveCus{});
        QVERIFY(tests::runAlone(split(CollectiveCus{})).last == tests::runAlone(split(16)).last);
        Experiment experiment = tests::tNlgFc2(PolicyPreset::cuSplit);
        QCOMPARE(collectiveCus(experiment), std::int64_t{16});
        applyPolicyPreset(experiment, PolicyPreset::sequential);
        QVERIFY(experiment == tests::tNlgFc2(PolicyPreset::sequential));
        QCOMPARE(collectiveCus(experiment), std::int64_t{80});
    }

    void aNumberOfCusOutlivesEveryPreset() {
        for (const PolicyPreset from : {PolicyPreset::cuSplit, PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            for (const PolicyPreset to : {PolicyPreset::cuSplit, PolicyPreset::sequential, PolicyPreset::t3Mca}) {
                Experiment experiment = tests::tNlgFc2(from);
                experiment.collective.cuCount = 8;
                applyPolicyPreset(experiment, to);
                QCOMPARE(collectiveCus(experiment), std::int64_t{8});
            }
        }
    }

    void mirroredIsFull() {
        const RunResult mirrored = tests::runAlone(split());
        Experiment experiment = split();
        experiment.detail.mode = DetailMode::full;
        const RunResult full = tests::runAlone(experiment);
        for (const GpuResult& gpu : full.perGpu)
            QVERIFY(gpu == mirrored.last);
    }
};

RINGSIDE_TEST(TestCuSplit)
#include "tst_cu_split.moc"
