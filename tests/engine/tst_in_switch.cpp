// Tests collectives in the switch: the packets that it adds and copies, and the collectives as a whole.

#include "engine/network/network_switch.h"
#include "engine/run/baseline_key.h"
#include "tests/engine/free_links.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

using namespace engine;
using tests::kLatencyPs;
using tests::kPacketPs;
using tests::kServicePs;
using tests::soundTotal;

namespace {

/// Returns a collective in a switch, on free memory.
Experiment inSwitch(SubLayer collective, std::int64_t gpus, std::int64_t granulesOfChunk) {
    Experiment experiment = tests::collectiveOnFreeMemory(collective, PolicyPreset::sequential, gpus, granulesOfChunk);
    experiment.topology.kind = TopologyKind::switched;
    experiment.collective.algorithm = CollectiveAlgorithm::inSwitch;
    return experiment;
}

std::string switchProblems(const Experiment& experiment) {
    std::string text;
    for (const Problem& problem : validate(experiment))
        text += problem.path + ": " + problem.text + "\n";
    return text;
}

/// A switch between four GPUs with links of 1 B/ps that have no latency. It records what leaves.
class SwitchBench final : public PacketSink {
public:
    explicit SwitchBench(const SwitchConfig& config = {}) : topology(topologyOf(settings(config))) {
        node.emplace(settings(config), topology, 4, std::vector<PacketSink*>(4, this));
    }

    static Experiment settings(const SwitchConfig& config) {
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, 4);
        experiment.topology.kind = TopologyKind::switched;
        experiment.link.bandwidth = {1'000'000'000'000};
        experiment.link.latency = {};
        experiment.switches = config;
        return experiment;
    }

    /// Hands in a packet of 100 bytes of GPU `from` that arrives at `when`.
    void come(std::int64_t when, std::uint8_t from, std::uint8_t to, std::uint8_t summands, bool toAll,
              std::uint32_t granule = 0, std::uint8_t stage = 0) {
        Packet packet;
        packet.arrival = TimePoint{when};
        packet.bytes = 100;
        packet.granule = granule;
        packet.stage = stage;
        packet.source = from;
        packet.destination = to;
        packet.port = portOf(from);
        packet.summands = summands;
        packet.toAll = toAll;
        node->inbox().deliver(packet);
    }

    void run() { node->advance(kNever, 1'000'000); }

    void deliver(const Packet& packet) override { left.push_back(packet); }

    std::uint8_t portOf(std::uint32_t gpu) const {
        const std::vector<std::uint32_t> entering = topology.linksTo(4);
        for (std::uint8_t port = 0; port < entering.size(); ++port)
            if (topology.links[entering[port]].from == gpu)
                return port;
        return 0xff;
    }

    Topology topology;
    std::optional<NetworkSwitch> node;
    std::vector<Packet> left;
};

}  // namespace

class TestInSwitch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSumLeavesWhenItsLastPacketHasCome() {
        SwitchBench bench;
        bench.come(1000, 0, 3, 3, false);
        bench.come(5000, 1, 3, 3, false);
        bench.run();
        QVERIFY(bench.left.empty());
        bench.come(7000, 2, 3, 3, false);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{1});
        QCOMPARE(bench.left.front().arrival, TimePoint{7100});
        QCOMPARE(int{bench.left.front().destination}, 3);
        QCOMPARE(int{bench.left.front().source}, 2);
    }

    void granulesAndStagesHaveSumsOfTheirOwn() {
        SwitchBench bench;
        bench.come(1000, 0, 3, 2, false, 7);
        bench.come(1000, 1, 3, 2, false, 8);
        bench.come(2000, 2, 3, 2, false, 7, 1);
        bench.run();
        QVERIFY(bench.left.empty());
        bench.come(3000, 1, 3, 2, false, 7);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{1});
        QCOMPARE(bench.left.front().granule, 7u);
        QCOMPARE(int{bench.left.front().stage}, 0);
        // The same granule may be added up again afterwards.
        bench.come(9000, 0, 3, 2, false, 7);
        bench.come(9500, 1, 3, 2, false, 7);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{2});
    }

    void aPacketForAllGoesToAllOthersAndASumOfAllToEveryone() {
        SwitchBench bench;
        bench.come(1000, 2, 0, 1, true);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{3});
        for (const Packet& packet : bench.left)
            QVERIFY(packet.destination != 2 && packet.source == 2 && packet.arrival == TimePoint{1100});
        bench.left.clear();
        for (std::uint8_t gpu = 0; gpu < 4; ++gpu)
            bench.come(2000 + gpu, gpu, static_cast<std::uint8_t>((gpu + 1) % 4), 4, true);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{4});
        for (std::size_t gpu = 0; gpu < 4; ++gpu)
            QVERIFY(bench.left[gpu].destination == gpu && bench.left[gpu].arrival == TimePoint{2103});
    }

    void aSumWaitsForAPortThatIsBusy() {
        SwitchBench bench;
        // Two packets that are not added go to GPU 3 just before the sum is ready; GPU 2 is free.
        bench.come(990, 0, 3, 0, false, 1);
        bench.come(995, 1, 3, 0, false, 2);
        bench.come(1000, 0, 3, 2, true, 3);
        bench.come(1000, 1, 3, 2, true, 3);
        bench.run();
        std::vector<std::int64_t> arrivals(4);
        for (const Packet& packet : bench.left)
            if (packet.granule == 3)
                arrivals[packet.destination] = packet.arrival.ps;
        QCOMPARE(arrivals, (std::vector<std::int64_t>{1100, 1100, 1100, 1290}));
        // One picosecond after the port is free nothing waits.
        bench.come(1291, 0, 3, 1, false, 4);
        bench.run();
        QCOMPARE(bench.left.back().arrival, TimePoint{1391});
    }

    void eachPortAddsItsPacketsOneAfterTheOther() {
        // 100 bytes take 200 ps. The packets of one port wait for each other; those of two ports do not.
        SwitchBench bench({.reduceBandwidth = Bandwidth{500'000'000'000}});
        for (std::uint8_t gpu = 0; gpu < 2; ++gpu) {
            bench.come(1000, gpu, 3, 2, false, 1);
            bench.come(1100, gpu, 3, 2, false, 2);
        }
        bench.come(1400, 0, 3, 2, false, 3);
        bench.come(1401, 1, 3, 2, false, 3);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{3});
        QCOMPARE(bench.left[0].arrival, TimePoint{1300});
        QCOMPARE(bench.left[1].arrival, TimePoint{1500});
        QCOMPARE(bench.left[2].arrival, TimePoint{1701});
        // A packet that is only copied passes none of the adders.
        bench.come(1702, 0, 3, 1, false, 4);
        bench.run();
        QCOMPARE(bench.left.back().arrival, TimePoint{1802});
    }

    void theLatencyOfASumComesOnTop() {
        SwitchBench bench({.reduceLatency = {30}});
        bench.come(1000, 0, 3, 2, false);
        bench.come(2000, 1, 3, 2, false);
        bench.come(2000, 2, 1, 0, false, 5);
        bench.run();
        QCOMPARE(bench.left.size(), std::size_t{2});
        QCOMPARE(bench.left[0].arrival, TimePoint{2100});
        QCOMPARE(bench.left[1].arrival, TimePoint{2130});
    }

    void theTimesAreTheClosedForms() {
        // A granule goes up, and down again behind those before it. In an all-reduce N chunks go up and N down at the
        // same time, otherwise N-1.
        for (const std::int64_t gpus : {2, 3, 8}) {
            for (const std::int64_t granules : {1, 16}) {
                const std::int64_t once = kPacketPs + 2 * kLatencyPs + 2 * kServicePs;
                Experiment scatter = inSwitch(SubLayer::reduceScatter, gpus, granules);
                scatter.collective.reduction = Reduction::nmc;
                QCOMPARE(soundTotal(scatter), Duration{(gpus - 1) * granules * kPacketPs + once});
                QCOMPARE(soundTotal(inSwitch(SubLayer::allGather, gpus, granules)),
                         Duration{(gpus - 1) * granules * kPacketPs + once});
                QCOMPARE(soundTotal(inSwitch(SubLayer::allReduce, gpus, granules)),
                         Duration{gpus * granules * kPacketPs + once});
            }
        }
    }

    void anAllReduceIsOnePassThatCountsAsTheReduceScatter() {
        const Bytes c{64 * 4096};
        const RunResult result = tests::runAlone(inSwitch(SubLayer::allReduce, 8, 64));
        QCOMPARE(result.last.time.reduceScatter, result.last.time.total);
        QCOMPARE(result.last.time.allGather, Duration{});
        QCOMPARE(result.last.dram->rsRead, c * 8);
        QCOMPARE(result.last.dram->rsWrite, c * 8);
        QCOMPARE(result.last.link->reduceScatter, c * 8);
        QCOMPARE(result.last.link->allGather, Bytes{});
        // Around a ring each byte crosses nearly two links.
        Experiment ring = inSwitch(SubLayer::allReduce, 8, 64);
        ring.collective.algorithm = CollectiveAlgorithm::ring;
        const double gain = static_cast<double>(soundTotal(ring).ps) / static_cast<double>(result.last.time.total.ps);
        QVERIFY2(gain > 1.75, qPrintable(QString::number(gain)));
    }

    void aSwitchThatAddsMoreSlowlyThanItsLinksDecides() {
        Experiment experiment = inSwitch(SubLayer::allReduce, 8, 16);
        const Duration free = soundTotal(experiment);
        experiment.switches.reduceBandwidth = experiment.link.bandwidth;
        QCOMPARE(soundTotal(experiment) - free, Duration{kPacketPs});
        experiment.switches.reduceBandwidth = Bandwidth{experiment.link.bandwidth.bytesPerSecond / 2};
        QCOMPARE(soundTotal(experiment) - free, Duration{(8 * 16 + 1) * kPacketPs});
        experiment.switches.reduceLatency = 3_us;
        QCOMPARE(soundTotal(experiment) - free, Duration{(8 * 16 + 1) * kPacketPs + 3'000'000});
        // An all-gather adds nothing.
        Experiment gather = inSwitch(SubLayer::allGather, 8, 16);
        const Duration copied = soundTotal(gather);
        gather.switches = experiment.switches;
        QCOMPARE(soundTotal(gather), copied);
    }

    void aSumWaitsForTheSlowestGpu() {
        Experiment experiment = inSwitch(SubLayer::allReduce, 4, 16);
        const Duration alike = soundTotal(experiment);
        experiment.variation.gpu = 2;
        experiment.variation.startSkew = 50_us;
        QCOMPARE(soundTotal(experiment) - alike, Duration{50'000'000});
    }

    void anIdealOverlapHidesTheWholeAllReduce() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::idealOverlapNmc, 4);
        experiment.topology.kind = TopologyKind::switched;
        experiment.collective.algorithm = CollectiveAlgorithm::inSwitch;
        experiment.collective.staging = 3;
        experiment.collective.piece = 32_KiB;
        const RunResult ideal = engine::run(experiment);
        const TimeResult sequential = engine::run(sequentialOf(experiment)).last.time;
        // The switch adds, so that adding near memory changes nothing.
        QCOMPARE(ideal.last.time.reduceScatter, sequential.reduceScatter);
        QCOMPARE(ideal.last.time.total, std::max(sequential.gemm, sequential.reduceScatter));
        QCOMPARE(ideal.invariants.failed, std::vector<std::string>{});
        experiment.workload.sublayer = SubLayer::allReduce;
        for (const Check& check : verify(experiment, {}))
            QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
    }

    void everyInvariantHolds_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("gpus");
        for (const auto operation :
             {CollectiveOperation::allReduce, CollectiveOperation::reduceScatter, CollectiveOperation::allGather})
            for (const auto policy : {PolicyPreset::sequential, PolicyPreset::cuSplit, PolicyPreset::idealOverlapNmc})
                for (const int gpus : {2, 4}) {
                    if (policy == PolicyPreset::cuSplit && operation != CollectiveOperation::allReduce)
                        continue;
                    QTest::addRow("%d %d %d", static_cast<int>(operation), static_cast<int>(policy), gpus)
                        << static_cast<int>(operation) << static_cast<int>(policy) << gpus;
                }
    }

    void everyInvariantHolds() {
        QFETCH(int, operation);
        QFETCH(int, policy);
        QFETCH(int, gpus);
        for (const bool real : {false, true}) {
            Experiment experiment = tests::smallExperiment(static_cast<PolicyPreset>(policy), gpus);
            experiment.topology.kind = TopologyKind::switched;
            experiment.collective.algorithm = CollectiveAlgorithm::inSwitch;
            experiment.collective.operation = static_cast<CollectiveOperation>(operation);
            experiment.companion.operation = CompanionOperation::allReduce;
            experiment.companion.bytes = 100_KiB;  // unequal chunks
            experiment.workload.sequence = 1000;
            if (policy == static_cast<int>(PolicyPreset::cuSplit)) {
                experiment.companion = {};
                experiment.cu.count = 40;
            }
            if (real) {
                experiment.collective.staging = 3;
                experiment.collective.piece = 32_KiB;
                experiment.switches = {Bandwidth{100'000'000'000}, 100_ns};
                experiment.link.efficiency = 0.8;
            }
            if (policy == static_cast<int>(PolicyPreset::idealOverlapNmc))
                experiment.companion = {};
            QCOMPARE(switchProblems(experiment), std::string());
            for (const Check& check : verify(experiment, {}))
                QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
        }
    }

    void everyPicosecondHasACause() {
        for (const SubLayer collective : {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce}) {
            RunOptions options;
            options.attribution = true;
            const RunResult result = engine::run(inSwitch(collective, 4, 16), options);
            QVERIFY(result.attribution.has_value());
            QCOMPARE(result.attribution->causes.total(), result.last.time.total);
            QCOMPARE(result.attribution->causes[Cause::dependency], Duration{});
            const double link = static_cast<double>(result.attribution->causes[Cause::link].ps);
            QVERIFY(link > 0.98 * static_cast<double>(result.last.time.total.ps));
        }
    }

    void itIsRefusedWithAReasonWhereNoSwitchCanAdd() {
        Experiment experiment = inSwitch(SubLayer::allReduce, 4, 16);
        QCOMPARE(switchProblems(experiment), std::string());
        for (const TopologyKind kind : {TopologyKind::ring, TopologyKind::fullyConnected, TopologyKind::torus,
                                        TopologyKind::twoNodes, TopologyKind::custom}) {
            Experiment other = experiment;
            other.topology.kind = kind;
            if (kind == TopologyKind::custom)
                other.topology.links = "s0-0 s0-1 s0-2 s0-3";
            const std::string problems = switchProblems(other);
            QVERIFY2(problems.find("collective.algorithm: needs one switch that joins all GPUs") != std::string::npos,
                     problems.c_str());
        }
        const std::string exchange = switchProblems(inSwitch(SubLayer::allToAll, 4, 16));
        QVERIFY2(exchange.find("an all-to-all has no sums") != std::string::npos, exchange.c_str());
        for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment fused = tests::smallExperiment(policy);
            fused.topology.kind = TopologyKind::switched;
            fused.collective.algorithm = CollectiveAlgorithm::inSwitch;
            const std::string problems = switchProblems(fused);
            QVERIFY2(problems.find("collective.algorithm: a switch adds packets that come at the same time") !=
                         std::string::npos,
                     problems.c_str());
        }
        Experiment companion = tests::smallExperiment(PolicyPreset::sequential);
        companion.topology.kind = TopologyKind::switched;
        companion.collective.algorithm = CollectiveAlgorithm::inSwitch;
        companion.companion.operation = CompanionOperation::allGather;
        companion.companion.bytes = 256_KiB;
        QCOMPARE(switchProblems(companion), std::string());
        companion.companion.by = CollectiveCarrier::dma;
        QVERIFY(switchProblems(companion).find("for the companion (all-gather)") != std::string::npos);
    }

    void onlyTheSwitchThatAddsReadsItsParameters() {
        Experiment experiment = inSwitch(SubLayer::allReduce, 4, 16);
        experiment.switches.reduceLatency = 1_us;
        const auto isUnread = [](const RunResult& result) {
            return std::any_of(result.notices.begin(), result.notices.end(),
                               [](const Notice& notice) { return notice.path == "switch.reduce_latency"; });
        };
        QVERIFY(!isUnread(tests::runAlone(experiment)));
        experiment.collective.algorithm = CollectiveAlgorithm::ring;
        QVERIFY(isUnread(tests::runAlone(experiment)));
    }

    void onlyBaselinesInTheSwitchReadItsParameters() {
        Experiment base = tests::smallExperiment(PolicyPreset::sequential);
        base.topology.kind = TopologyKind::switched;
        Experiment other = base;
        other.switches = {Bandwidth{1'000'000'000}, 5_us};
        QVERIFY(sequentialKey(other, false) == sequentialKey(base, false));
        QVERIFY(engine::run(sequentialOf(other)).last == engine::run(sequentialOf(base)).last);
        base.collective.algorithm = other.collective.algorithm = CollectiveAlgorithm::inSwitch;
        QVERIFY(sequentialKey(other, false) != sequentialKey(base, false));
        QVERIFY(isolatedScatterKey(other, false) != isolatedScatterKey(base, false));
        QVERIFY(engine::run(sequentialOf(other)).last.time != engine::run(sequentialOf(base)).last.time);
    }
};

RINGSIDE_TEST(TestInSwitch)
#include "tst_in_switch.moc"
