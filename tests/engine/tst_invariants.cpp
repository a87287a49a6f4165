// Tests that the invariants hold for finished runs, and that they fail if a value of a run is changed.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include "engine/record/invariants.h"
#include "engine/run/simulation.h"

#include <functional>

using namespace engine;
using namespace engine::literals;

namespace {

struct Finished {
    Experiment experiment;
    Shape shape;
    RunFacts facts;

    std::vector<std::string> failures() const { return summarise(checkRun(experiment, shape, facts)).failed; }
};

Finished finished(const Experiment& experiment) {
    const Plan plan(experiment);
    Simulation simulation(experiment, plan, {});
    simulation.run(1, {}, {});
    return {experiment, shapeOf(experiment), simulation.facts()};
}

Experiment full(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy);
    experiment.detail.mode = DetailMode::full;
    return experiment;
}

/// Returns the checks that fail after `change` was applied to GPU 2.
std::string failuresAfter(Finished run, const std::function<void(GpuFacts&)>& change) {
    change(run.facts.gpus[2]);
    std::string text;
    for (const std::string& failure : run.failures())
        text += failure + "\n";
    return text;
}

bool fails(const Finished& run, const std::string& check, const std::function<void(GpuFacts&)>& change) {
    const std::string text = failuresAfter(run, change);
    if (text.find(check) != std::string::npos && text.find("GPU 2") != std::string::npos)
        return true;
    qWarning("not among the failed checks: %s\n%s", check.c_str(), text.c_str());
    return false;
}

}  // namespace

class TestInvariants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunAsItIsHoldsAll() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            QCOMPARE(finished(full(policy)).failures().size(), std::size_t{0});
            QCOMPARE(finished(tests::smallExperiment(policy)).failures().size(), std::size_t{0});
        }
    }

    void bytesThatAreMissingAreFound() {
        const Finished run = finished(full(PolicyPreset::t3));
        QVERIFY(fails(run, "bytes received", [](GpuFacts& gpu) { gpu.received.count -= 1; }));
        QVERIFY(fails(run, "reduce-scatter reads", [](GpuFacts& gpu) { gpu.result.dram->rsRead.count += 1; }));
        QVERIFY(fails(run, "all-gather writes", [](GpuFacts& gpu) { gpu.result.dram->agWrite.count -= 1; }));
        QVERIFY(fails(run, "reduce-scatter sends", [](GpuFacts& gpu) { gpu.result.link->reduceScatter.count -= 1; }));
        QVERIFY(fails(run, "local stores", [](GpuFacts& gpu) { gpu.result.dram->gemmWrite.count += 1; }));
        QVERIFY(fails(run, "the cache's misses", [](GpuFacts& gpu) { gpu.result.llc->miss.count += 1; }));
        QVERIFY(fails(run, "every DMA command", [](GpuFacts& gpu) { gpu.result.dma->commands += 1; }));
        QVERIFY(fails(run, "all queues are empty", [](GpuFacts& gpu) { gpu.drained = false; }));
        QVERIFY(fails(run, "no update lands in a tile", [](GpuFacts& gpu) { gpu.surplusUpdates = 1; }));
    }

    void anEventInThePastIsFound() {
        Finished run = finished(full(PolicyPreset::t3));
        run.facts.eventsInThePast = 1;
        const std::vector<std::string> failures = run.failures();
        QCOMPARE(failures.size(), std::size_t{1});
        QVERIFY(failures.front().find("no event is scheduled in the past") != std::string::npos);
    }

    void communicationThatGoesFirstIsFoundWhereComputeHasToGoFirst() {
        const auto against = [](GpuFacts& gpu) { gpu.picksAgainstRule = 1; };
        QVERIFY(fails(finished(full(PolicyPreset::t3Mca)), "starvation limit", against));
        QVERIFY(failuresAfter(finished(full(PolicyPreset::t3)), against).empty());  // turns about
    }

    void aTotalBelowABoundIsFoundOnePicosecondBelowIt() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            const Finished run = finished(full(policy));
            const Duration bound = boundsOfGpus(run.experiment, run.shape, run.facts.network)[2].total;
            const auto withTotal = [&](Duration total) {
                return failuresAfter(run, [&](GpuFacts& gpu) { gpu.result.time.total = total; });
            };
            const std::string text = "the total is not below the bound of compute and links";
            QVERIFY(withTotal(bound).find(text) == std::string::npos);
            QVERIFY(withTotal(bound - 1_ps).find(text) != std::string::npos);
        }
    }

    void aGemmThatBeatsItsCompulsoryReadsIsFoundOnePicosecondBelowThem() {
        // Operands of 2048 x 512 and 512 x 512 in fp16 are 2,621,440 B, which take as many nanoseconds at 1 GB/s.
        Experiment slow = full(PolicyPreset::t3);
        slow.memory.bandwidth = 1_GBps;
        const Finished run = finished(slow);
        const auto withGemm = [&](Duration gemm) {
            return failuresAfter(run, [&](GpuFacts& gpu) { gpu.result.time.gemm = gemm; });
        };
        const std::string text = "reading A and B once";
        QVERIFY(withGemm({2'621'440'000}).find(text) == std::string::npos);
        QVERIFY(withGemm({2'621'439'999}).find(text) != std::string::npos);
    }

    void aTotalBelowTheBusiestChannelsServiceIsFound() {
        const Finished run = finished(full(PolicyPreset::t3));
        const Duration total = run.facts.gpus[2].result.time.total;
        QVERIFY(fails(run, "busiest channel", [&](GpuFacts& gpu) { gpu.busiestChannel = total + 1_ps; }));
        QVERIFY(failuresAfter(run, [&](GpuFacts& gpu) { gpu.busiestChannel = total; }).empty());
    }

    void aRunThatEndsBeforeItsSlowestGpuCouldIsFound() {
        Finished run = finished(full(PolicyPreset::sequential));
        const Duration bound = boundsOf(run.experiment, run.shape, run.facts).total;
        const auto runFails = [&](Duration total) {
            for (GpuFacts& gpu : run.facts.gpus)
                gpu.result.time.total = total;
            const std::vector<std::string> failures = run.failures();
            return std::any_of(failures.begin(), failures.end(), [](const std::string& failure) {
                return failure.find("the bound of all GPUs together") != std::string::npos;
            });
        };
        QVERIFY(!runFails(bound));
        QVERIFY(runFails(bound - 1_ps));
    }

    void partsThatDoNotAddUpAreFound() {
        const Finished run = finished(full(PolicyPreset::sequential));
        QVERIFY(fails(run, "the parts add up", [](GpuFacts& gpu) { gpu.result.time.allGather += 1_ps; }));
        QVERIFY(
            fails(run, "exposed communication", [](GpuFacts& gpu) { gpu.result.time.exposedCommunication += 1_ps; }));
    }

    void readsInTheBackgroundAfterTheEndAreNoServiceOfTheRun() {
        // The background traffic takes nearly all that DRAM sustains, and has a backlog when the GPU ends.
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
            for (std::int64_t seed = 1; seed <= 5; ++seed) {
                Experiment experiment = tests::smallExperiment(policy, 2);
                applyDetailLevel(experiment, DetailLevel::interactive);
                experiment.collective.operation = CollectiveOperation::reduceScatter;
                experiment.seed = seed;
                experiment.variation.gpu = 1;
                experiment.variation.backgroundTraffic = 700_GBps;
                const Finished run = finished(experiment);
                for (const std::string& failure : run.failures())
                    QFAIL(failure.c_str());
                // The bound still contains the run's own requests: their bytes take as long as without the background
                // traffic.
                Experiment quiet = experiment;
                quiet.variation = {};
                QVERIFY(run.facts.gpus[1].busiestChannel >= finished(quiet).facts.gpus.front().busiestChannel);
            }
        }
    }
};

RINGSIDE_TEST(TestInvariants)
#include "tst_invariants.moc"
