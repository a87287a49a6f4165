// Whole runs in which a GPU's room for updates that the tracker does not admit is bounded (tracker.held_bytes).

#include "engine/api/attribution.h"
#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/engine/unlike_networks.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace engine;

namespace {

using Change = std::function<void(Experiment&)>;

Experiment t3(std::int64_t tp, const Change& change = {}) {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3, tp);
    experiment.detail.mode = DetailMode::full;
    if (change)
        change(experiment);
    return experiment;
}

Experiment bounded(Experiment experiment, std::int64_t bytes, std::int64_t entries) {
    experiment.tracker.heldBytes = Bytes{bytes};
    experiment.tracker.entries = entries;
    return experiment;
}

Experiment unlimited(Experiment experiment) {
    experiment.tracker.heldBytes.reset();
    return experiment;
}

struct Network {
    std::string name;
    Experiment experiment;
};

Change kind(TopologyKind kind, CollectiveAlgorithm algorithm) {
    return [=](Experiment& e) {
        e.topology.kind = kind;
        e.collective.algorithm = algorithm;
    };
}

/// Returns every combination of topology and collective that tracker and DMA support.
std::vector<Network> networks() {
    using enum TopologyKind;
    using Algorithm = CollectiveAlgorithm;
    std::vector<Network> all;
    const auto add = [&](const char* name, std::int64_t tp, const Change& change) {
        all.push_back({name, t3(tp, change)});
    };
    add("ring of 2", 2, {});
    add("ring of 8", 8, {});
    add("one GPU for all", 8, [](Experiment& e) { e.detail.mode = DetailMode::mirrored; });
    add("direct", 4, kind(fullyConnected, Algorithm::direct));
    add("direct on a ring, through GPUs", 8, kind(TopologyKind::ring, Algorithm::direct));
    add("halving and doubling", 8, kind(switched, Algorithm::halvingDoubling));
    add("halving and doubling on a ring", 4, kind(TopologyKind::ring, Algorithm::halvingDoubling));
    add("double tree", 8, kind(switched, Algorithm::doubleTree));
    add("double tree on a torus", 8, kind(torus, Algorithm::doubleTree));
    add("hierarchical", 8, kind(twoNodes, Algorithm::hierarchical));
    add("ring on two nodes", 4, kind(twoNodes, Algorithm::ring));
    add("ring on a switch", 4, kind(switched, Algorithm::ring));
    add("ring on a torus", 8, kind(torus, Algorithm::ring));
    add("ring, fully connected", 4, kind(fullyConnected, Algorithm::ring));
    add("shared egress", 4, [](Experiment& e) {
        kind(fullyConnected, Algorithm::direct)(e);
        e.topology.egress = TopologyEgress::shared;
    });
    add("one-way links", 4, [](Experiment& e) {
        e.topology.kind = custom;
        e.topology.links = "0>1 1>2 2>3@20GB/s,2us 3>0 0-2";
    });
    add("one-way links, direct", 4, [](Experiment& e) {
        kind(custom, Algorithm::direct)(e);
        e.topology.links = "0>1 1>2 2>3@20GB/s,2us 3>0";
    });
    add("all-reduce by DMA", 4, [](Experiment& e) { e.collective.operation = CollectiveOperation::allReduce; });
    add("all-to-all", 4, [](Experiment& e) {
        kind(switched, Algorithm::direct)(e);
        e.collective.operation = CollectiveOperation::allToAll;
    });
    for (const CollectiveAlgorithm algorithm : {Algorithm::ring, Algorithm::halvingDoubling})
        add("an all-gather that feeds the GEMM", 4, [=](Experiment& e) {
            e.collective.algorithm = algorithm;
            e.collective.operation = CollectiveOperation::allGather;
        });
    for (const SubLayer alone : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce})
        add("a collective alone", 4, [=](Experiment& e) {
            e.workload.sublayer = alone;
            e.workload.bytes = 1_MiB;
        });
    for (const Duration late : {1_us, 300_us})
        add("a GPU that begins late", 4, [=](Experiment& e) {
            e.variation.gpu = 2;
            e.variation.startSkew = late;
        });
    add("a slow link", 4, [](Experiment& e) {
        e.variation.gpu = 1;
        e.variation.linkFactor = 0.2;
    });
    add("jitter", 4, [](Experiment& e) { e.variation.jitter = 2_us; });
    add("no latency", 4, [](Experiment& e) { e.link.latency = {}; });
    add("no latency and no time on the wire", 4, [](Experiment& e) {
        e.link.latency = {};
        e.link.bandwidth = {100'000'000'000'000};
    });
    add("ragged chunks", 5, [](Experiment& e) {
        e.workload.hidden = 500;
        e.workload.sequence = 2750;
        e.workload.batch = 1;
    });
    return all;
}

std::int64_t stallsOf(const RunResult& result) {
    std::int64_t stalls = result.last.tracker->arrivalStalls;
    for (const GpuResult& gpu : result.perGpu)
        stalls = std::max(stalls, gpu.tracker->arrivalStalls);
    return stalls;
}

/// Compares the counts of two results, but not their times.
bool sameCounts(const GpuResult& a, const GpuResult& b) {
    return a.dram->gemmWrite == b.dram->gemmWrite && a.dram->rsRead == b.dram->rsRead &&
           a.dram->rsWrite == b.dram->rsWrite && a.dram->agRead == b.dram->agRead &&
           a.dram->agWrite == b.dram->agWrite && a.dram->a2aWrite == b.dram->a2aWrite && a.link == b.link &&
           a.tracker->updates == b.tracker->updates && a.tracker->triggers == b.tracker->triggers &&
           a.dma->commands == b.dma->commands && a.dma->bytes == b.dma->bytes;
}

/// Returns a description of the defects of a run under a bound; empty if there are none.
std::string defectsOf(const Experiment& experiment) {
    const RunResult run = tests::runAlone(experiment);
    const RunResult free = tests::runAlone(unlimited(experiment));
    std::string defects;
    for (const std::string& failed : run.invariants.failed)
        defects += failed + "; ";
    const auto check = [&](const GpuResult& gpu, const GpuResult& other) {
        if (gpu.tracker->heldPeak > *experiment.tracker.heldBytes)
            defects += "more is held than there is room; ";
        if (!sameCounts(gpu, other))
            defects += "other counts than without a bound; ";
    };
    if (run.perGpu.empty())
        check(run.last, free.last);
    for (std::size_t gpu = 0; gpu < run.perGpu.size(); ++gpu)
        check(run.perGpu[gpu], free.perGpu[gpu]);
    const RunResult threads = tests::runAlone(experiment, 2);
    if (threads.last != run.last || threads.perGpu != run.perGpu || threads.events != run.events)
        defects += "other results on two threads; ";
    return defects;
}

}  // namespace

class TestHeldUpdates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNetworkEndsWithOneEntryAndAlmostNoRoom_data() {
        QTest::addColumn<int>("network");
        const std::vector<Network> all = networks();
        for (int i = 0; i < std::ssize(all); ++i)
            QTest::addRow("%d: %s", i, all[static_cast<std::size_t>(i)].name.c_str()) << i;
    }

    void everyNetworkEndsWithOneEntryAndAlmostNoRoom() {
        QFETCH(int, network);
        const Network tried = networks()[static_cast<std::size_t>(network)];
        QVERIFY2(validate(tried.experiment).empty(), tried.name.c_str());
        const std::int64_t granule = tried.experiment.detail.granule.count;
        // Among the sizes are one that just fits a granule and one that just does not.
        for (const std::int64_t bytes : {std::int64_t{1}, granule - 1, granule, 3 * granule})
            for (const std::int64_t entries : {1, 3}) {
                const std::string defects = defectsOf(bounded(tried.experiment, bytes, entries));
                QVERIFY2(defects.empty(),
                         (std::to_string(bytes) + " B, " + std::to_string(entries) + " entries: " + defects).c_str());
            }
    }

    // A tracker with few entries waits for tiles in the order of its map, and no tile needs a later one.
    void anAllGatherByDmaEndsWithAnyNumberOfEntries() {
        for (const auto algorithm :
             {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct, CollectiveAlgorithm::halvingDoubling}) {
            for (const std::int64_t tp : {8, 16}) {
                for (const std::int64_t entries : {1, 3, 4, 16, 34}) {
                    Experiment experiment = t3(tp, kind(TopologyKind::switched, algorithm));
                    experiment.workload.sublayer = SubLayer::allGather;
                    experiment.workload.bytes = 256_KiB;
                    experiment.gemm.tileM = experiment.gemm.tileN = 32;
                    experiment.tracker.entries = entries;
                    QCOMPARE(tests::runAlone(experiment).invariants.failed.size(), std::size_t{0});
                    QCOMPARE(tests::runAlone(bounded(experiment, 1, entries)).invariants.failed.size(), std::size_t{0});
                }
            }
        }
    }

    void linksThatDifferInEverythingEndToo() {
        tests::UnlikeNetworks networks(7);
        int runs = 0;
        for (int i = 0; i < 12; ++i)
            for (const CollectiveAlgorithm algorithm :
                 {CollectiveAlgorithm::ring, CollectiveAlgorithm::halvingDoubling, CollectiveAlgorithm::doubleTree}) {
                Experiment experiment = t3(4, kind(TopologyKind::custom, algorithm));
                experiment.topology.links = networks.links(4);
                if (!validate(experiment).empty())
                    continue;
                ++runs;
                const std::string defects = defectsOf(bounded(experiment, 1, 1));
                QVERIFY2(defects.empty(), (experiment.topology.links + ": " + defects).c_str());
            }
        QVERIFY(runs > 10);
    }

    void everyInvariantHoldsWithHardlyAnyRoom_data() {
        QTest::addColumn<int>("algorithm");
        for (const auto algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::halvingDoubling,
                                     CollectiveAlgorithm::doubleTree, CollectiveAlgorithm::direct})
            QTest::addRow("%d", static_cast<int>(algorithm)) << static_cast<int>(algorithm);
    }

    void everyInvariantHoldsWithHardlyAnyRoom() {
        QFETCH(int, algorithm);
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::smallExperiment(policy, 4);
            experiment.collective.algorithm = static_cast<CollectiveAlgorithm>(algorithm);
            for (const std::int64_t entries : {1, 4})
                for (const Check& check : verify(bounded(experiment, 4096, entries)))
                    QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
        }
    }

    void aBufferThatNeverFillsAroundARingChangesNoTime() {
        for (const DetailMode mode : {DetailMode::mirrored, DetailMode::full})
            for (const std::int64_t tp : {2, 4, 8})
                for (const std::int64_t entries : {1, 4, 256})
                    for (const Duration latency : {Duration{0}, Duration{500'000}, Duration{10'000'000}}) {
                        Experiment experiment = tests::smallExperiment(PolicyPreset::t3, tp);
                        experiment.detail.mode = mode;
                        experiment.link.latency = latency;
                        const Experiment large = bounded(experiment, std::int64_t{1} << 40, entries);
                        const RunResult run = tests::runAlone(large);
                        QVERIFY(run.last == tests::runAlone(unlimited(large)).last);
                        QCOMPARE(stallsOf(run), std::int64_t{0});
                    }
    }

    void theBufferDecidesFromTheByteOnAtWhichItFills() {
        Experiment experiment = bounded(tests::smallExperiment(PolicyPreset::t3, 4), std::int64_t{1} << 40, 1);
        const RunResult free = tests::runAlone(unlimited(experiment));
        const std::int64_t peak = free.last.tracker->heldPeak.count;
        QVERIFY(peak > 0);
        experiment.tracker.heldBytes = Bytes{peak};
        QVERIFY(tests::runAlone(experiment).last == free.last);
        experiment.tracker.heldBytes = Bytes{peak - 1};
        const RunResult full = tests::runAlone(experiment);
        QVERIFY(stallsOf(full) > 0);
        QVERIFY(full.last.tracker->heldPeak.count < peak);
    }

    void oneGpuStandsForAllWhereItDoesWithoutABound() {
        for (const std::int64_t tp : {2, 4, 8})
            for (const std::int64_t bytes : {1, 4096, 20000})
                for (const std::int64_t entries : {1, 2, 5})
                    for (const Duration latency : {Duration{0}, Duration{500'000}}) {
                        Experiment experiment = bounded(tests::smallExperiment(PolicyPreset::t3, tp), bytes, entries);
                        experiment.link.latency = latency;
                        experiment.detail.mode = DetailMode::mirrored;
                        const RunResult mirrored = tests::runAlone(experiment);
                        experiment.detail.mode = DetailMode::full;
                        for (const GpuResult& gpu : tests::runAlone(experiment).perGpu)
                            QVERIFY(gpu == mirrored.last);
                    }
    }

    void timesDoNotFollowFromTheDetailOfSimulation() {
        for (const std::int64_t entries : {1, 16}) {
            const auto total = [&](DetailLevel level) {
                const RunResult run =
                    tests::runAlone(bounded(tests::tNlgFc2(PolicyPreset::t3, level), 64 << 10, entries));
                return static_cast<double>(run.last.time.total.ps);
            };
            const double standard = total(DetailLevel::standard);
            QVERIFY(std::abs(total(DetailLevel::interactive) / standard - 1) < 0.01);
            QVERIFY(std::abs(total(DetailLevel::fine) / standard - 1) < 0.01);
        }
    }

    void aSmallTrackerCostsMoreThanWithRoomForAllThatItDoesNotAdmit() {
        const Experiment experiment = bounded(tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive), 64 << 10, 1);
        QVERIFY(tests::runAlone(experiment).last.time.total > tests::runAlone(unlimited(experiment)).last.time.total);
    }

    void withoutWaysARunStillSaysWhoWaits() {
        Experiment experiment = bounded(tests::smallExperiment(PolicyPreset::t3, 4), 1, 4);
        experiment.tracker.ways = 0;
        try {
            tests::runAlone(experiment);
            QFAIL("the tracker has no ways, but the run has ended");
        } catch (const Deadlock& deadlock) {
            const std::string text = deadlock.what();
            QVERIFY2(text.find("no ways (tracker.ways = 0") != std::string::npos, text.c_str());
            QVERIFY2(text.find("updates have arrived and wait for room (tracker.held_bytes)") != std::string::npos,
                     text.c_str());
            QVERIFY2(text.find("updates wait for credits before they can be sent") != std::string::npos, text.c_str());
        }
    }

    void policiesThatTrackNothingAreAsBefore() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::cuSplit}) {
            Experiment experiment = tests::smallExperiment(policy, 4);
            for (const DetailMode mode : {DetailMode::mirrored, DetailMode::full}) {
                experiment.detail.mode = mode;
                QVERIFY(tests::runAlone(bounded(experiment, 1, experiment.tracker.entries)).last ==
                        tests::runAlone(experiment).last);
            }
        }
    }

    void theTraceShowsWhatIsHeld() {
        Experiment experiment = bounded(tests::smallExperiment(PolicyPreset::t3, 4), 20000, 1);
        RunOptions options;
        options.baselines = false;
        options.recordTrace = true;
        for (const bool limited : {true, false}) {
            if (!limited)
                experiment.tracker.heldBytes.reset();
            const RunResult result = engine::run(experiment, options);
            const auto& counters = result.trace->counters;
            const auto held = std::find_if(counters.begin(), counters.end(), [](const CounterSeries& series) {
                return series.kind == CounterKind::heldBytes;
            });
            QVERIFY(held != counters.end());
            std::int64_t most = 0;
            for (const CounterSample& sample : held->samples)
                most = std::max(most, sample.value);
            QVERIFY(most > 0 && most <= result.last.tracker->heldPeak.count);
            QCOMPARE(held->samples.back().value, std::int64_t{0});
        }
    }

    void theTimeInWhichUpdatesWaitForCreditsIsTheTrackers() {
        for (const bool mirrored : {true, false}) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca, 8);
            experiment.detail.mode = mirrored ? DetailMode::mirrored : DetailMode::full;
            RunOptions options;
            options.baselines = false;
            options.attribution = true;
            const RunResult free = engine::run(experiment, options);
            const RunResult held = engine::run(bounded(experiment, 1, 1), options);
            QCOMPARE(held.attribution->causes.total(), held.last.time.total);
            QVERIFY(held.attribution->causes[Cause::trackerDma] > free.attribution->causes[Cause::trackerDma]);
            // The time without an explanation is below 0.5 %.
            QVERIFY(held.attribution->causes[Cause::dependency] * 200 < held.last.time.total);
        }
    }

    void everyNetworksTimeHasCauses() {
        for (const Network& network : networks()) {
            RunOptions options;
            options.baselines = false;
            options.attribution = true;
            const RunResult result = engine::run(bounded(network.experiment, 1, 1), options);
            const std::int64_t unexplained = result.attribution->causes[Cause::dependency].ps;
            const std::string text = network.name + ": " + std::to_string(unexplained) + " ps";
            QVERIFY2(unexplained * 200 <= result.last.time.total.ps, text.c_str());
        }
    }
};

RINGSIDE_TEST(TestHeldUpdates)
#include "tst_held_updates.moc"
