// Tests one GPU or link that differs: it changes its own times, the total and the times of every neighbour that waits.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <functional>
#include <set>

using namespace engine;
using namespace engine::literals;

namespace {

using VariationChange = std::function<void(VariationConfig&)>;

/// T-NLG's FC-2 on 8 GPUs, all of them simulated; `change` sets what differs, on GPU 3.
Experiment ring(PolicyPreset policy, const VariationChange& change = {}) {
    Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
    if (change) {
        experiment.variation.gpu = 3;
        change(experiment.variation);
    } else {
        experiment.detail.mode = DetailMode::full;
    }
    return experiment;
}

constexpr std::uint32_t kOdd = 3;
constexpr std::uint32_t kReceiver = 2;  // GPU i sends to GPU i-1

}  // namespace

class TestVariation : public QObject {
    Q_OBJECT

private:
    static void checkAllWait(const RunResult& plain, const RunResult& varied) {
        QCOMPARE(varied.perGpu.size(), std::size_t{8});
        QCOMPARE(varied.invariants.failed.size(), std::size_t{0});
        QVERIFY(varied.last.time.total > plain.last.time.total);
        // Around the ring everybody needs what has passed GPU 3: nobody ends as early as before.
        for (std::size_t gpu = 0; gpu < 8; ++gpu)
            QVERIFY2(varied.perGpu[gpu].time.total > plain.perGpu[gpu].time.total, std::to_string(gpu).c_str());
    }

private Q_SLOTS:
    void withoutVariationAllGpusAreAlike() {
        const RunResult plain = tests::runAlone(ring(PolicyPreset::t3));
        for (const GpuResult& gpu : plain.perGpu)
            QVERIFY(gpu == plain.perGpu[0]);
    }

    void aSlowLinkShowsInTheReceiverAndInAllThatWaitForIt() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            const RunResult plain = tests::runAlone(ring(policy));
            const RunResult varied = tests::runAlone(ring(policy, [](VariationConfig& v) { v.linkFactor = 0.25; }));
            checkAllWait(plain, varied);
            QVERIFY(varied.perGpu[kReceiver].time.reduceScatter > plain.perGpu[kReceiver].time.reduceScatter);
            QVERIFY(varied.perGpu[kOdd].link == plain.perGpu[kOdd].link);
            // The slow link alone takes 7 chunks of 8.7 MB twice at 37.5 GB/s: no run can be faster.
            const std::int64_t bytes = 2 * 7 * plain.shape.chunkBytes[0].count;
            QVERIFY(varied.last.time.total.ps > bytes / 375 * 10'000);
        }
    }

    void aSlowLinkDoesNotSlowAnySequentialGemm() {
        const RunResult plain = tests::runAlone(ring(PolicyPreset::sequential));
        const RunResult varied =
            tests::runAlone(ring(PolicyPreset::sequential, [](VariationConfig& v) { v.linkFactor = 0.25; }));
        for (std::size_t gpu = 0; gpu < 8; ++gpu)
            QCOMPARE(varied.perGpu[gpu].time.gemm, plain.perGpu[gpu].time.gemm);
    }

    void aSlowClockLengthensItsOwnGemmAndEverybodysTotal() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            const RunResult plain = tests::runAlone(ring(policy));
            const RunResult varied = tests::runAlone(ring(policy, [](VariationConfig& v) { v.clockFactor = 0.5; }));
            checkAllWait(plain, varied);
            QVERIFY(varied.perGpu[kOdd].time.gemm.ps > plain.perGpu[kOdd].time.gemm.ps * 3 / 2);
            if (policy == PolicyPreset::sequential)
                QCOMPARE(varied.perGpu[0].time.gemm, plain.perGpu[0].time.gemm);
        }
    }

    void aLateStartDelaysItselfByTheSkewAndTheOthersByNoMore() {
        const Duration skew = 300_us;
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            const RunResult plain = tests::runAlone(ring(policy));
            const RunResult varied = tests::runAlone(ring(policy, [&](VariationConfig& v) { v.startSkew = skew; }));
            checkAllWait(plain, varied);
            // Its GEMM takes about what it took: towards the end it meets what the neighbour sends already.
            if (policy == PolicyPreset::sequential)
                QVERIFY(varied.perGpu[kOdd].time.gemm.ps * 100 < plain.perGpu[kOdd].time.gemm.ps * 101);
            QVERIFY(varied.last.time.total <= plain.last.time.total + skew + 10_us);
        }
    }

    void aGpuThatBeginsAfterAllItReceivesHasArrivedStillSendsItsShare() {
        // 5 ms late, long after the others have sent what they can.
        for (const SubLayer collective : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce}) {
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
                for (const std::int64_t tp : {2, 4}) {
                    Experiment experiment = tests::smallExperiment(policy, tp);
                    experiment.workload.sublayer = collective;
                    experiment.workload.bytes = 1_MiB;
                    experiment.variation.gpu = 0;
                    experiment.variation.startSkew = 5'000_us;
                    const RunResult result = tests::runAlone(experiment);
                    QVERIFY2(result.invariants.failed.empty(),
                             result.invariants.failed.empty() ? "" : result.invariants.failed.front().c_str());
                    QVERIFY(result.last.time.total > 5'000_us);
                }
            }
        }
    }

    void jitterForEachGpuMakesThemDiffer() {
        Experiment experiment = ring(PolicyPreset::t3);
        experiment.variation.jitter = 5_us;
        const RunResult varied = tests::runAlone(experiment);
        std::set<std::int64_t> totals;
        for (const GpuResult& gpu : varied.perGpu)
            totals.insert(gpu.time.gemm.ps);
        QVERIFY(totals.size() > 4);
        QCOMPARE(varied.invariants.failed.size(), std::size_t{0});
    }

    void theResultDoesNotDependOnTheNumberOfThreads() {
        Experiment experiment = ring(PolicyPreset::t3Mca, [](VariationConfig& v) {
            v.linkFactor = 0.5;
            v.startSkew = 20_us;
            v.backgroundTraffic = 100_GBps;
            v.jitter = 2_us;
        });
        const RunResult one = tests::runAlone(experiment, 1);
        for (const int threads : {2, 8}) {
            const RunResult many = tests::runAlone(experiment, threads);
            QVERIFY(many.last == one.last && many.perGpu == one.perGpu && many.events == one.events);
        }
    }

    void anythingThatDiffersIsSimulatedInFull() {
        for (const VariationChange& change : {VariationChange([](VariationConfig& v) { v.linkFactor = 0.9; }),
                                              VariationChange([](VariationConfig& v) { v.clockFactor = 0.9; }),
                                              VariationChange([](VariationConfig& v) { v.startSkew = 1_us; }),
                                              VariationChange([](VariationConfig& v) { v.backgroundTraffic = 1_GBps; }),
                                              VariationChange([](VariationConfig& v) { v.jitter = 1_us; })}) {
            const RunResult result = tests::runAlone(ring(PolicyPreset::t3, change));
            QVERIFY(!result.mirrored);
            QCOMPARE(result.perGpu.size(), std::size_t{8});
        }
        QVERIFY(tests::runAlone(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive)).mirrored);
    }

    void oneGpuCannotStandForOthersThatDiffer() {
        Experiment experiment = ring(PolicyPreset::t3, [](VariationConfig& v) { v.linkFactor = 0.5; });
        experiment.detail.mode = DetailMode::mirrored;
        const Problems problems = validate(experiment);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().path, std::string("detail.mode"));
    }

    void theGpuThatDiffersHasToBeNamedAndToExist() {
        const auto problemPath = [](const Experiment& experiment) {
            const Problems problems = validate(experiment);
            return problems.size() == 1 ? problems.front().path : std::to_string(problems.size()) + " problems";
        };
        Experiment experiment = ring(PolicyPreset::t3, [](VariationConfig& v) { v.linkFactor = 0.5; });
        experiment.variation.gpu = 7;
        QVERIFY(validate(experiment).empty());
        experiment.variation.gpu = 8;
        QCOMPARE(problemPath(experiment), std::string("variation.gpu"));
        experiment.variation.gpu.reset();
        QCOMPARE(problemPath(experiment), std::string("variation.gpu"));
    }
};

RINGSIDE_TEST(TestVariation)
#include "tst_variation.moc"
