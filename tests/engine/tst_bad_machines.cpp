// Machines on which a run deadlocks or would take years. Each is rejected, or the run stops, and the message says what
// to change.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;
using namespace engine::literals;

class TestBadMachines : public QObject {
    Q_OBJECT

private:
    static std::string deadlockOf(const Experiment& experiment) {
        try {
            tests::runAlone(experiment);
        } catch (const Deadlock& deadlock) { return deadlock.what(); }
        return {};
    }

    static void checkSaid(const std::string& text, std::initializer_list<const char*> words) {
        for (const char* word : words)
            QVERIFY2(text.find(word) != std::string::npos, (std::string(word) + " is not in: " + text).c_str());
    }

    static void checkRefused(const Experiment& experiment, const std::string& path, const char* words) {
        const Problems problems = validate(experiment);
        QVERIFY2(problems.size() == 1, std::to_string(problems.size()).c_str());
        QCOMPARE(problems.front().path, path);
        QVERIFY2(problems.front().text.find(words) != std::string::npos, problems.front().text.c_str());
    }

private Q_SLOTS:
    void aTrackerWithoutWaysStopsTheRunAndSaysWhoWaitsForWhat() {
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca}) {
            for (const DetailMode mode : {DetailMode::automatic, DetailMode::full}) {
                Experiment experiment = tests::smallExperiment(policy);
                experiment.tracker.ways = 0;
                experiment.detail.mode = mode;
                QVERIFY(validate(experiment).empty());
                checkSaid(deadlockOf(experiment),
                          {"GPU 0", "the GEMM has stored", "the tracker has 24 tiles still to complete", "tile 8",
                           "held back", "tracker.ways = 0", "the DMA engine waits for the tracker"});
            }
        }
    }

    void aCollectiveAloneNeedsTheTrackerToo() {
        for (const SubLayer collective : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce}) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
            experiment.workload.sublayer = collective;
            experiment.workload.bytes = 4_MiB;
            experiment.tracker.ways = 0;
            checkSaid(deadlockOf(experiment),
                      {collective == SubLayer::allGather ? "all-gather" : "reduce-scatter", "tracker.ways = 0"});
        }
    }

    void oneWayIsEnoughAndSequentialNeedsNone() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.tracker.ways = 1;
        experiment.tracker.entries = 1;
        QCOMPARE(deadlockOf(experiment), std::string());
        experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.tracker.ways = 0;
        QCOMPARE(deadlockOf(experiment), std::string());
    }

    void trafficThatWouldHideADeadlockForeverIsRefused() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.tracker.ways = 0;
        experiment.variation.gpu = 1;
        experiment.variation.backgroundTraffic = 1_GBps;
        checkRefused(experiment, "tracker.ways", "would never end");
    }

    void aRingOfOneAndBandwidthOfNothingAreRefused() {
        Experiment one = tests::smallExperiment(PolicyPreset::t3);
        one.parallel.tp = 1;
        checkRefused(one, "parallel.tp", "allowed: 2 to 64");
        Experiment still = tests::smallExperiment(PolicyPreset::t3);
        still.link.bandwidth = {0};
        checkRefused(still, "link.bandwidth", "allowed: ");
        Experiment forgotten = tests::smallExperiment(PolicyPreset::t3);
        forgotten.memory.bandwidth = {0};
        checkRefused(forgotten, "memory.bandwidth", "allowed: ");
    }

    void linksThatWouldTakeDaysAreRefusedBeforeTheClockOverflows() {
        // 2 x 1 GiB at 100 MB/s x 0.001 take 21,475 s; 2 x 8 GiB 171,799 s, more than the 100,000 s allowed.
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.workload.sublayer = SubLayer::allReduce;
        experiment.link.bandwidth = {100'000'000};
        experiment.variation.gpu = 0;
        experiment.variation.linkFactor = 0.001;
        experiment.workload.bytes = {std::int64_t{1} << 30};
        QVERIFY(validate(experiment).empty());
        experiment.workload.bytes = {std::int64_t{1} << 33};
        checkRefused(experiment, "variation.link_factor", "busy for 171799 s");
    }

    void kernelsThatWouldTakeDaysAreRefusedBeforeTheClockOverflows() {
        // 2 x 64 GiB at 1 MB/s take 137,439 s on one CU, half of it on two.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.workload.sublayer = SubLayer::allReduce;
        experiment.workload.bytes = {std::int64_t{1} << 36};
        experiment.detail.granule = 64_KiB;
        experiment.collective.cuBandwidth = Bandwidth{1'000'000};
        experiment.collective.cuCount = 2;
        QVERIFY(validate(experiment).empty());
        experiment.collective.cuCount = 1;
        checkRefused(experiment, "collective.cu_bandwidth", "would take 137439 s");
    }

    void aGpuWhosePeakRateIsNoNumberIsRefused() {
        // 80 CUs at 1.4 GHz: 80,000,000 flop per cycle are 8960 Pflop/s, 81,000,000 are 9072. At most 9000 fit into 63
        // bits.
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.cu.flopsPerCycle = 80'000'000;
        QVERIFY(validate(experiment).empty());
        QCOMPARE(tests::runAlone(experiment).invariants.failed.size(), std::size_t{0});
        experiment.cu.flopsPerCycle = 81'000'000;
        checkRefused(experiment, "cu.flops_per_cycle", "would reach 9072 Pflop/s");
        experiment.cu.flopsPerCycle = 80'000'000;
        experiment.variation.gpu = 1;
        experiment.variation.clockFactor = 1.1;
        checkRefused(experiment, "cu.flops_per_cycle", "would reach 9856 Pflop/s");
    }

    void partsThatAnIdealBoundDoesNotReadAreNamed() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::idealOverlap);
        QVERIFY(tests::runAlone(experiment).notices.empty());
        experiment.policy.order = ProducerOrder::staggered;
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        const Notices notices = tests::runAlone(experiment).notices;
        QCOMPARE(notices.size(), std::size_t{2});
        QCOMPARE(notices[0].path, std::string("policy.order"));
        QCOMPARE(notices[1].path, std::string("arbitration.policy"));
    }
};

RINGSIDE_TEST(TestBadMachines)
#include "tst_bad_machines.moc"
