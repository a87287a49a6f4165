// Tests topologies as graphs: routes, rings, and the problems of one that cannot be used.

#include "engine/api/topology.h"
#include "engine/network/topology_builder.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace engine;

namespace {

Experiment on(TopologyKind kind, std::int64_t gpus, CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring) {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3, gpus);
    experiment.topology.kind = kind;
    experiment.collective.algorithm = algorithm;
    return experiment;
}

Experiment custom(std::int64_t gpus, const char* links, CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring) {
    Experiment experiment = on(TopologyKind::custom, gpus, algorithm);
    experiment.topology.links = links;
    return experiment;
}

std::string textsOf(const Problems& problems) {
    std::string text;
    for (const Problem& problem : problems)
        text += problem.path + ": " + problem.value + ": " + problem.text + "\n";
    return text;
}

}  // namespace

class TestTopology : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasARouteBetweenAllPairsAndARingOfNeighbours() {
        for (const TopologyKind kind : {TopologyKind::ring, TopologyKind::fullyConnected, TopologyKind::switched,
                                        TopologyKind::torus, TopologyKind::twoNodes}) {
            for (const std::int64_t gpus : {2, 4, 6, 8, 16, 64}) {
                const Topology topology = topologyOf(on(kind, gpus));
                for (std::uint32_t from = 0; from < topology.gpus; ++from) {
                    for (std::uint32_t to = 0; to < topology.gpus; ++to) {
                        std::uint32_t node = from;
                        for (const std::uint32_t link : topology.route(from, to)) {
                            QCOMPARE(topology.links[link].from, node);
                            node = topology.links[link].to;
                        }
                        QCOMPARE(node, to);
                    }
                }
                QCOMPARE(topology.ring.size(), std::size_t{topology.gpus});
                for (const auto& hop : topology.ring)
                    QCOMPARE(hop.size(), std::size_t{kind == TopologyKind::switched ? 2u : 1u});
                QVERIFY(topology.sharedByRing.empty());
            }
        }
    }

    void aTorusOfAnyShapeHasARingThatVisitsEachCellOnce() {
        for (std::uint32_t rows = 1; rows <= 9; ++rows) {
            for (std::uint32_t columns = 1; columns <= 9; ++columns) {
                const auto cycle = torusCycle(rows, columns);
                QCOMPARE(std::set<std::uint32_t>(cycle.begin(), cycle.end()).size(), std::size_t{rows} * columns);
                const auto apart = [](std::uint32_t a, std::uint32_t b, std::uint32_t length) {
                    const std::uint32_t way = (a + length - b) % length;
                    return std::min(way, length - way);
                };
                for (std::size_t place = 0; place < cycle.size() && cycle.size() > 1; ++place) {
                    const std::uint32_t a = cycle[place], b = cycle[(place + 1) % cycle.size()];
                    QCOMPARE(apart(a / columns, b / columns, rows) + apart(a % columns, b % columns, columns), 1u);
                }
            }
        }
    }

    void aRouteOnATorusIsAsLongAsTheStepsInBothDirections() {
        // 64 GPUs: 8 x 8, at most 4 + 4 links.
        const Topology topology = topologyOf(on(TopologyKind::torus, 64, CollectiveAlgorithm::direct));
        const auto apart = [](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t way = (a + 8 - b) % 8;
            return std::min(way, 8 - way);
        };
        for (std::uint32_t from = 0; from < 64; ++from) {
            for (std::uint32_t to = 0; to < 64; ++to) {
                const TopologyNode &a = topology.nodes[from], &b = topology.nodes[to];
                QCOMPARE(topology.route(from, to).size(), std::size_t{apart(a.row, b.row)} + apart(a.column, b.column));
            }
        }
    }

    void egressIsTheSumOfTheLinksOrOneOfThem() {
        Experiment experiment = on(TopologyKind::fullyConnected, 8);
        QCOMPARE(egressOf(experiment, topologyOf(experiment), 3).bytesPerSecond, 7 * 150'000'000'000);
        experiment.topology.egress = TopologyEgress::shared;
        QCOMPARE(egressOf(experiment, topologyOf(experiment), 3).bytesPerSecond, 150'000'000'000);
        experiment = on(TopologyKind::twoNodes, 8);
        QCOMPARE(egressOf(experiment, topologyOf(experiment), 3).bytesPerSecond, 500'000'000'000);
    }

    void twoNodesAreJoinedByTheSlowerLinks() {
        const Topology topology = topologyOf(on(TopologyKind::twoNodes, 8));
        int between = 0;
        for (const TopologyLink& link : topology.links) {
            if (topology.nodes[link.from].group == topology.nodes[link.to].group)
                continue;
            ++between;
            QCOMPARE(link.to, 7 - link.from);
            QCOMPARE(link.bandwidth, 50_GBps);
            QCOMPARE(link.latency, 2_us);
        }
        QCOMPARE(between, 8);
    }

    void ownLinksMakeTheTopologyAndTheRingGivesTheNumbers() {
        // A square with one diagonal, written in an order that is no ring: 0-2-1-3-0 is.
        const Topology topology = topologyOf(custom(4, "0-2 2-1@75GB/s 1-3@75GB/s,2us 3-0 0-1"));
        QCOMPARE(topology.links.size(), std::size_t{10});
        for (std::uint32_t gpu = 0; gpu < 4; ++gpu)
            QCOMPARE(topology.ring[gpu].size(), std::size_t{1});
        const auto slow = std::count_if(topology.links.begin(), topology.links.end(),
                                        [](const TopologyLink& link) { return link.latency == 2_us; });
        QCOMPARE(slow, std::ptrdiff_t{2});
        std::set<std::string> names;
        for (const TopologyNode& node : topology.nodes)
            names.insert(node.name);
        QVERIFY((names == std::set<std::string>{"GPU 0", "GPU 1", "GPU 2", "GPU 3"}));
    }

    void aRingOverTwoSwitchesSharesTheLinkBetweenThem() {
        // Nothing leads around the one link between the switches, but only two hops of the ring take it, one each way.
        const Topology paired = topologyOf(custom(4, "0-s0 1-s0 2-s1 3-s1 s0-s1"));
        QVERIFY(paired.sharedByRing.empty());
        // Three GPUs on two switches each: 0 and 2 on the one, 1 and 3 on the other; the natural ring crosses four
        // times.
        const Topology crossed = topologyOf(custom(4, "0-s0 2-s0 1-s1 3-s1 s0-s1"));
        QCOMPARE(crossed.sharedByRing.size(), std::size_t{2});
    }

    void whatIsNotConnectedIsRefusedAndSaysWhichPair() {
        const std::string text = textsOf(topologyProblems(custom(4, "0-1 2-3")));
        QVERIFY2(text.find("not connected") != std::string::npos, text.c_str());
        QVERIFY2(text.find("from GPU") != std::string::npos, text.c_str());
        QVERIFY(textsOf(topologyProblems(custom(3, "0>1 1>2 2>0"))).empty());
        QVERIFY(!topologyProblems(custom(3, "0>1 1>2 0>2")).empty());
    }

    void aLineHasNoRingButADirectCollectiveRunsOnIt() {
        const std::string text = textsOf(topologyProblems(custom(4, "0-1 1-2 2-3")));
        QVERIFY2(text.find("no ring can be embedded") != std::string::npos, text.c_str());
        QVERIFY2(text.find("GPU 0 is joined to GPU 1 only") != std::string::npos, text.c_str());
        QVERIFY(topologyProblems(custom(4, "0-1 1-2 2-3", CollectiveAlgorithm::direct)).empty());
    }

    void everyMalformedEntryIsNamed() {
        const Problems problems =
            topologyProblems(custom(3, "0-1 1-7 1-1 x 0-1 2-0@0GB/s 1-2@fast 0-s99 2-1@75GB/s,soon"));
        QCOMPARE(problems.size(), std::size_t{8});
        for (const Problem& problem : problems)
            QCOMPARE(problem.path, std::string("topology.links"));
    }

    void aZeroWidthLinkIsRefusedWithWhatIsAllowed() {
        const std::string text = textsOf(topologyProblems(custom(3, "0-1 1-2 2-0@0GB/s")));
        QVERIFY2(text.find("2-0@0GB/s") != std::string::npos, text.c_str());
        QVERIFY2(text.find("100 MB/s") != std::string::npos, text.c_str());
    }

    void aResultSaysWhatOfAGpusLinksTheAlgorithmCanUse() {
        const auto networkOf = [](const Experiment& experiment) { return *tests::runAlone(experiment).network; };
        const NetworkResult ring = networkOf(on(TopologyKind::fullyConnected, 4));
        QCOMPARE(ring.linksOfGpu, std::int64_t{3});
        QCOMPARE(ring.linksUsed, std::int64_t{1});
        QCOMPARE(ring.egress, 450_GBps);
        QCOMPARE(ring.used, 150_GBps);
        const NetworkResult direct = networkOf(on(TopologyKind::fullyConnected, 4, CollectiveAlgorithm::direct));
        QCOMPARE(direct.linksUsed, std::int64_t{3});
        QCOMPARE(direct.used, 450_GBps);
        Experiment sharing = on(TopologyKind::fullyConnected, 4, CollectiveAlgorithm::direct);
        sharing.topology.egress = TopologyEgress::shared;
        QCOMPARE(networkOf(sharing).linksUsed, std::int64_t{3});
        QCOMPARE(networkOf(sharing).used, 150_GBps);
        // One way out of each GPU, whatever it is for.
        QCOMPARE(networkOf(on(TopologyKind::switched, 4)).linksUsed, std::int64_t{1});
    }

    void shapesThatDoNotFitTheDegreeAreRefused() {
        Experiment experiment = on(TopologyKind::torus, 8);
        experiment.topology.torusColumns = 3;
        QVERIFY(textsOf(topologyProblems(experiment)).find("does not divide the 8 GPUs") != std::string::npos);
        experiment.topology.torusColumns = 4;
        QVERIFY(topologyProblems(experiment).empty());
        QVERIFY(!topologyProblems(on(TopologyKind::twoNodes, 7)).empty());
    }
};

RINGSIDE_TEST(TestTopology)
#include "tst_topology.moc"
