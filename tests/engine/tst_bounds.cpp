// Lower bounds of the time of a run: they hold on links that differ, and are close to the time on equal links.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/engine/unlike_networks.h"
#include "tests/test_program.h"

#include "engine/kernel/rate.h"
#include "engine/record/bounds.h"
#include "engine/run/network_facts.h"

using namespace engine;
using namespace engine::literals;

namespace {

/// Returns an experiment whose memory and CUs take no time, so that only the links decide.
Experiment linksAlone(SubLayer collective, PolicyPreset policy, std::int64_t gpus = 4) {
    Experiment experiment = tests::smallExperiment(policy, gpus);
    experiment.workload.sublayer = collective;
    experiment.workload.bytes = 4_MiB;
    experiment.memory.bandwidth = {1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.latency = {};
    experiment.collective.cuBandwidth.reset();
    experiment.dma.startupLatency = {};
    experiment.tracker.triggerLatency = {};
    return experiment;
}

Experiment onLinks(Experiment experiment, const std::string& links) {
    experiment.topology.kind = TopologyKind::custom;
    experiment.topology.links = links;
    return experiment;
}

/// Returns the total over the bound, and checks the invariants of the run.
double overBound(const Experiment& experiment) {
    const RunResult result = tests::runAlone(experiment);
    for (const std::string& failure : result.invariants.failed)
        qWarning("%s", failure.c_str());
    return !result.invariants.failed.empty()
               ? 0
               : static_cast<double>(result.last.time.total.ps) / static_cast<double>(result.bounds.total.ps);
}

/// Returns a random experiment on a network with unequal links: a collective alone or a small GEMM with any operation,
/// under any policy and algorithm.
Experiment anyRun(tests::UnlikeNetworks& random) {
    const std::int64_t gpus = std::int64_t{random.below(7)} + 2;
    static constexpr PolicyPreset kPolicies[] = {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca};
    static constexpr CollectiveAlgorithm kAlgorithms[] = {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct};
    Experiment experiment = tests::smallExperiment(random.oneOf(kPolicies), gpus);
    applyDetailLevel(experiment, DetailLevel::interactive);
    experiment.collective.algorithm = random.oneOf(kAlgorithms);
    if (random.below(2) == 0) {
        static constexpr SubLayer kAlone[] = {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce,
                                              SubLayer::allToAll};
        experiment.workload.sublayer = random.oneOf(kAlone);
        experiment.workload.bytes = {2 * (32'000 + random.below(500'000))};
    } else {
        static constexpr CollectiveOperation kOperations[] = {
            CollectiveOperation::allReduce, CollectiveOperation::reduceScatter, CollectiveOperation::allToAll,
            CollectiveOperation::allGather};
        experiment.collective.operation = random.oneOf(kOperations);
        experiment.workload.hidden = 420;  // every number of GPUs divides it
        experiment.workload.sequence = 256 + random.below(512);
        experiment.workload.batch = 1;
        experiment.gemm.tileM = 64;
        experiment.gemm.tileN = 64;
    }
    if (random.below(2) == 0) {  // only the links decide, so that the bounds are close
        experiment.memory.bandwidth = {1'000'000'000'000'000};
        experiment.memory.latency = {};
        experiment.collective.cuBandwidth.reset();
        experiment.cu.clock = {1'000'000'000'000};
    }
    return onLinks(experiment, random.links(static_cast<std::uint32_t>(gpus)));
}

std::string describe(const Experiment& experiment) {
    return std::to_string(experiment.parallel.tp) + " GPUs, policy " +
           std::to_string(static_cast<int>(experiment.policy.preset)) + ", sub-layer " +
           std::to_string(static_cast<int>(experiment.workload.sublayer)) + ", operation " +
           std::to_string(static_cast<int>(experiment.collective.operation)) + ", algorithm " +
           std::to_string(static_cast<int>(experiment.collective.algorithm)) + ", links " + experiment.topology.links;
}

}  // namespace

class TestBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onUnlikeLinksEveryInvariantHolds() {
        int unlike = 0;
        for (std::uint32_t seed = 1; seed <= 600; ++seed) {
            tests::UnlikeNetworks random(seed);
            const Experiment experiment = anyRun(random);
            QVERIFY2(validate(experiment).empty(), describe(experiment).c_str());
            const RunResult result = tests::runAlone(experiment);
            unlike += !result.mirrored;
            QVERIFY2(result.invariants.failed.empty(),
                     (result.invariants.failed.empty() ? ""
                                                       : "seed " + std::to_string(seed) + ": " + describe(experiment) +
                                                             ": " + result.invariants.failed.front())
                         .c_str());
            QVERIFY(result.bounds.total.ps > 0 && result.last.time.total >= result.bounds.total);
        }
        QVERIFY2(unlike > 550, qPrintable(QString("only %1 runs have links or chunks that differ").arg(unlike)));
    }

    void aGpuIsNotChargedTheLatencyOfALinkThatItOnlySendsOn() {
        // The link between the nodes has 2 us. GPU 0 sends over it, but ends when the data of its neighbour arrive.
        for (const std::int64_t gpus : {4, 8, 16, 32, 64}) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, gpus);
            applyDetailLevel(experiment, DetailLevel::interactive);
            experiment.workload.sublayer = SubLayer::allReduce;
            experiment.topology.kind = TopologyKind::twoNodes;
            QVERIFY(overBound(experiment) >= 1);
        }
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.workload.sublayer = SubLayer::allReduce;
        QVERIFY(overBound(onLinks(experiment, "0-1@15GB/s 1-2@21GB/s 2-3 3-0@3GB/s,2us")) >= 1);
    }

    void aGpuWithAFasterLinkIsBoundByTheLinksOfTheOthers() {
        for (const double factor : {0.3, 3.0, 1000.0}) {
            Experiment experiment;
            experiment.workload.sublayer = SubLayer::reduceScatter;
            experiment.workload.bytes = 8_MiB;
            experiment.variation.gpu = 0;
            experiment.variation.linkFactor = factor;
            QVERIFY(overBound(experiment) >= 1);
        }
    }

    void alikeLinksTakeHardlyLongerThanTheirBound() {
        for (const SubLayer collective : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce})
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
                const double over = overBound(linksAlone(collective, policy));
                QVERIFY2(over >= 1 && over < 1.005, qPrintable(QString::number(over)));
            }
    }

    void onAlikeLinksTheBoundIsItsClosedForm() {
        const auto boundOf = [](const Experiment& experiment) { return tests::runAlone(experiment).bounds.total; };
        Experiment experiment = linksAlone(SubLayer::reduceScatter, PolicyPreset::sequential);
        const Duration chunk = timeAtRate(1 << 20, experiment.link.bandwidth.bytesPerSecond);
        const Duration latency = experiment.link.latency;
        QCOMPARE(boundOf(experiment), 3 * (chunk + latency));
        experiment.workload.sublayer = SubLayer::allReduce;
        QCOMPARE(boundOf(experiment), 6 * (chunk + latency));
        // The data are forwarded piece by piece: only the last piece passes all hops one after the other.
        experiment = linksAlone(SubLayer::reduceScatter, PolicyPreset::t3);
        const Duration wire = timeAtRate(3 << 20, experiment.link.bandwidth.bytesPerSecond);
        QCOMPARE(boundOf(experiment), wire + latency);
        experiment.link.latency = 1000_us;
        QCOMPARE(boundOf(experiment), chunk + 3 * 1000_us);
        // The data go directly to their owners, over three links at the same time.
        experiment = linksAlone(SubLayer::reduceScatter, PolicyPreset::sequential);
        experiment.topology.kind = TopologyKind::fullyConnected;
        experiment.collective.algorithm = CollectiveAlgorithm::direct;
        QCOMPARE(boundOf(experiment), chunk + latency);
        experiment.topology.egress = TopologyEgress::shared;
        QCOMPARE(boundOf(experiment), wire + latency);
    }

    void oneSlowLinkIsSeenByTheBound() {
        // All GPUs of a ring wait for the slow hop, so its transfers take nearly the whole run.
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
            const Experiment experiment =
                onLinks(linksAlone(SubLayer::reduceScatter, policy), "0-1 1-2 2-3 3-0@2GB/s,5us");
            const double over = overBound(experiment);
            QVERIFY2(over >= 1 && over < 1.05, qPrintable(QString::number(over)));
        }
    }

    void aFasterGpuDoesNotShortenWhatItReceives() {
        // GPU 1 computes ten times as fast, but the chunks of its neighbours arrive only when they have computed them.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.variation.gpu = 1;
        experiment.variation.clockFactor = 10;
        const RunResult result = tests::runAlone(experiment);
        QVERIFY(result.invariants.failed.empty());
        Experiment alike = experiment;
        alike.variation = {};
        QCOMPARE(result.bounds.total, tests::runAlone(alike).bounds.total);
        QCOMPARE(result.bounds.compute, tests::runAlone(alike).bounds.compute);
    }

    void whereGpusDifferAnIdealIsBoundByWhatOneOfThemSends() {
        const Experiment experiment = tests::smallExperiment(PolicyPreset::idealOverlap);
        NetworkFacts network = networkFactsOf(experiment, topologyOf(experiment));
        network.gpus.assign(4, {{1'000'000'000}, {1'000'000'000}, 1_us, 1_us});
        const Shape shape = shapeOf(experiment);
        const std::int64_t chunk = shape.chunkBytes.front().count;
        const Duration wire = timeAtRate(3 * chunk, 1'000'000'000);
        const Duration alike = boundsOfFormula(experiment, shape, network, 0, true).total;
        const Duration unlike = boundsOfFormula(experiment, shape, network, 0, false).total;
        QCOMPARE(alike, 6 * (timeAtRate(chunk, 1'000'000'000) + Duration(1_us)));
        QCOMPARE(unlike, 2 * wire);
    }
};

RINGSIDE_TEST(TestBounds)
#include "tst_bounds.moc"
