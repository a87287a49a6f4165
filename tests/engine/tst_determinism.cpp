#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;

namespace {

/// Compares two results, except for wall-clock time and thread count.
bool sameRun(const RunResult& a, const RunResult& b) {
    return a.shape == b.shape && a.last == b.last && a.isolated == b.isolated &&
           a.speedupOverSequential == b.speedupOverSequential && a.bounds == b.bounds && a.perGpu == b.perGpu &&
           a.invariants == b.invariants && a.notices == b.notices && a.mirrored == b.mirrored && a.events == b.events;
}

constexpr PolicyPreset kPoliciesOfDeterminism[] = {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca,
                                                   PolicyPreset::chunked, PolicyPreset::signals};

}  // namespace

class TestDeterminism : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameExperimentGivesTheSameResultTwice() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca,
                                          PolicyPreset::idealOverlap, PolicyPreset::idealOverlapNmc}) {
            const Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
            QVERIFY(sameRun(engine::run(experiment), engine::run(experiment)));
        }
    }

    void anotherSeedIsAnotherJitterAndTheSameCounts() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive);
        const RunResult one = tests::runAlone(experiment);
        experiment.seed = 2;
        const RunResult two = tests::runAlone(experiment);
        QVERIFY(one.last.time.gemm != two.last.time.gemm);
        QCOMPARE(one.last.dram->rsRead, two.last.dram->rsRead);
    }

    void threadsDoNotChangeAFullRing() {
        for (const PolicyPreset policy : kPoliciesOfDeterminism) {
            Experiment experiment = tests::smallExperiment(policy);
            experiment.detail.mode = DetailMode::full;
            const RunResult one = tests::runAlone(experiment, 1);
            QCOMPARE(one.perGpu.size(), std::size_t{4});
            for (const int threads : {2, 3, 8})
                QVERIFY(sameRun(one, tests::runAlone(experiment, threads)));
        }
    }

    void threadsDoNotChangeARingWithoutLatency() {
        // Without latency, and with a link on which a packet takes 0 ps, there is no lookahead, so one queue advances
        // all GPUs.
        for (const PolicyPreset policy : kPoliciesOfDeterminism) {
            Experiment experiment = tests::smallExperiment(policy);
            experiment.detail.mode = DetailMode::full;
            experiment.link.latency = {};
            experiment.link.bandwidth = {100'000'000'000'000};
            const RunResult one = tests::runAlone(experiment, 1);
            QVERIFY(sameRun(one, tests::runAlone(experiment, 2)));
            QCOMPARE(one.invariants.failed.size(), std::size_t{0});
        }
    }

    void oneMirroredGpuDoesWhatEachGpuOfTheFullRingDoes() {
        for (const PolicyPreset policy : kPoliciesOfDeterminism) {
            for (const std::int64_t tp : {2, 4, 8}) {
                Experiment experiment = tests::smallExperiment(policy, tp);
                experiment.detail.mode = DetailMode::mirrored;
                const RunResult mirrored = tests::runAlone(experiment);
                QVERIFY(mirrored.mirrored);
                experiment.detail.mode = DetailMode::full;
                const RunResult full = tests::runAlone(experiment);
                QCOMPARE(full.perGpu.size(), static_cast<std::size_t>(tp));
                for (const GpuResult& gpu : full.perGpu)
                    QVERIFY(gpu == mirrored.last);
            }
        }
    }

    void mirroredIsFullForAPublishedCaseToo() {
        for (const PolicyPreset policy : kPoliciesOfDeterminism) {
            Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
            experiment.detail.mode = DetailMode::mirrored;
            const RunResult mirrored = tests::runAlone(experiment);
            experiment.detail.mode = DetailMode::full;
            const RunResult full = tests::runAlone(experiment, 2);
            for (const GpuResult& gpu : full.perGpu)
                QVERIFY(gpu == mirrored.last);
        }
    }

    void collectivesAloneAreTheSameMirroredAndInFull() {
        for (const SubLayer collective : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce}) {
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
                Experiment experiment = tests::smallExperiment(policy);
                experiment.workload.sublayer = collective;
                experiment.workload.bytes = 1_MiB;
                experiment.detail.mode = DetailMode::mirrored;
                const RunResult mirrored = tests::runAlone(experiment);
                experiment.detail.mode = DetailMode::full;
                for (const GpuResult& gpu : tests::runAlone(experiment, 2).perGpu)
                    QVERIFY(gpu == mirrored.last);
            }
        }
    }

    void channelsAndGranulesNeverChangeBytes() {
        for (const PolicyPreset policy : kPoliciesOfDeterminism) {
            const RunResult standard = tests::runAlone(tests::smallExperiment(policy));
            for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::fine}) {
                Experiment experiment = tests::smallExperiment(policy);
                applyDetailLevel(experiment, level);
                const DramResult dram = *tests::runAlone(experiment).last.dram;
                QCOMPARE(dram.gemmWrite, standard.last.dram->gemmWrite);
                QCOMPARE(dram.rsRead, standard.last.dram->rsRead);
                QCOMPARE(dram.rsWrite, standard.last.dram->rsWrite);
                QCOMPARE(dram.agRead, standard.last.dram->agRead);
                QCOMPARE(dram.agWrite, standard.last.dram->agWrite);
            }
        }
    }
};

RINGSIDE_TEST(TestDeterminism)
#include "tst_determinism.moc"
