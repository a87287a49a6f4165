// Runs with a companion's collective beside the experiment's own work: mirrored runs, threads, copies that the host
// starts.

#include "engine/collective/address_maps.h"
#include "engine/overlap/dma_engine.h"
#include "engine/run/simulation.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <optional>

using namespace engine;

namespace {

struct Outcome {
    std::vector<GpuResult> gpus;
    std::int64_t events = 0;
    bool mirrored = false;
    bool drained = true;

    Duration total() const { return gpus.front().time.total; }
    bool allAlike() const {
        return std::all_of(gpus.begin(), gpus.end(), [&](const GpuResult& gpu) { return gpu == gpus.front(); });
    }
};

Outcome simulated(const Experiment& experiment, int threads = 1, const SimulationOptions& options = {}) {
    const Plan plan(experiment);
    Simulation simulation(experiment, plan, options);
    simulation.run(threads, {}, {});
    Outcome outcome;
    for (const GpuFacts& gpu : simulation.facts().gpus) {
        outcome.gpus.push_back(gpu.result);
        outcome.drained = outcome.drained && gpu.drained && gpu.surplusUpdates == 0;
    }
    outcome.events = simulation.events();
    outcome.mirrored = simulation.mirrored();
    return outcome;
}

/// Returns a GEMM without a collective on each of four GPUs, which takes about as long as the companion's 4 MiB.
Experiment gemmBeside(CompanionOperation operation, CollectiveCarrier by,
                      CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring) {
    Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, 4);
    experiment.workload.sublayer = SubLayer::gemm;
    experiment.matrix = {1024, 1024, 1024};
    experiment.companion.operation = operation;
    experiment.companion.by = by;
    experiment.companion.bytes = {4 << 20};
    experiment.companion.window = Bytes{64 << 10};
    experiment.collective.algorithm = algorithm;
    experiment.topology.kind = TopologyKind::fullyConnected;
    return experiment;
}

/// The DMA engine of GPU 0 of four with the copies of `kind`. Each copy has this many blocks, and the host takes 1000
/// ps to start one.
class HostBench final : public PacketSink {
public:
    explicit HostBench(CollectiveKind kind, Duration issue = {1000}, std::int64_t blocks = 1,
                       std::uint8_t kernel = kOwnKernel + 1)
        : layout(Bytes{4 * blocks * 256}, Bytes{256}, 4, Bytes{256}, 2), work{layout, 1, {}, issue, kernel, 0},
          map(byDmaMap(kind, CollectiveAlgorithm::direct, {4, 0})), experiment(settings(blocks)),
          memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          network(experiment.link, Bytes{256}, loop.queue(), *this, nullptr), sender(network),
          dma(experiment, work, map,
              {loop.port(Phase::trigger, [this](std::uint32_t block) { dma.onStarted(block); }),
               loop.port(Phase::trigger, [this](std::uint32_t chunk) { dma.onHandedOver(chunk); })},
              memory, sender, 0, 0, nullptr) {}

    void deliver(const Packet& packet) override {
        ++packets;
        destinations.push_back(packet.destination);
    }

    std::int64_t commandsBy(TimePoint time) {
        loop.runUntil(time);
        return dma.stats().commands;
    }

    std::int64_t packets = 0;
    std::vector<int> destinations;
    tests::EventLoop loop;
    OutputLayout layout;
    CollectiveWork work;
    AddressMap map;
    Experiment experiment;
    MemoryController memory;
    NetworkPort network;
    UpdateSender sender;
    DmaEngine dma;

private:
    static Experiment settings(std::int64_t blocks) {
        Experiment each;
        each.parallel.tp = 4;
        each.detail.granule = {256};
        each.detail.channels = 1;
        each.dma.startupLatency = {};
        each.dma.blockTiles = 1;
        if (blocks > 1)  // the engine reads a block's granules one after the other
            each.dma.window = Bytes{256};
        return each;
    }
};

}  // namespace

class TestCompanionCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNthCopyOfAnAllToAllIsReadyAfterNTimesTheIssueAndNotEarlier() {
        HostBench bench(CollectiveKind::allToAll);
        bench.dma.begin();
        for (std::int64_t n = 1; n <= 3; ++n) {
            QCOMPARE(bench.commandsBy({n * 1000 - 1}), n - 1);
            QCOMPARE(bench.commandsBy({n * 1000}), n);
        }
        bench.loop.run();
        QVERIFY(bench.dma.finished());
    }

    void anAllGatherThatIsReadOnceStartsAfterACopyForEachPeer() {
        HostBench bench(CollectiveKind::allGather);
        bench.dma.begin();
        QCOMPARE(bench.commandsBy({2999}), std::int64_t{0});
        QCOMPARE(bench.commandsBy({3000}), std::int64_t{1});
        bench.loop.run();
        QCOMPARE(bench.packets, std::int64_t{3});
    }

    void withoutTheHostsTimeAllAreReadyAtOnce() {
        HostBench bench(CollectiveKind::allToAll, {});
        bench.dma.begin();
        QCOMPARE(bench.commandsBy({}), std::int64_t{3});
    }

    void copiesForDifferentGpusAreTakenInTurnOfACompanionAndOneAfterTheOtherOfTheOwnWork() {
        const auto order = [](Duration issue, std::uint8_t kernel) {
            HostBench bench(CollectiveKind::allToAll, issue, 2, kernel);
            bench.dma.begin();
            bench.loop.run();
            return bench.destinations;
        };
        QCOMPARE(order({}, kOwnKernel + 1), (std::vector<int>{1, 2, 3, 1, 2, 3}));
        // The first copy is started before the others, so the engine has already taken both its blocks.
        QCOMPARE(order({1}, kOwnKernel + 1), (std::vector<int>{1, 1, 2, 3, 2, 3}));
        QCOMPARE(order({}, kOwnKernel), (std::vector<int>{1, 1, 2, 2, 3, 3}));
    }

    void anExchangeAloneKeepsAllLinksBusyWhileAWindowHoldsABlock() {
        // 1 MiB for each GPU, over each link. One engine reads a block to its end. While it reads a block that is
        // larger than the window, the other links get no data.
        const auto timeOf = [](CollectiveCarrier by, std::int64_t window) {
            Experiment experiment = gemmBeside(CompanionOperation::allToAll, by, CollectiveAlgorithm::direct);
            experiment.link.bandwidth = {20'000'000'000};
            experiment.companion.window = Bytes{window};
            return simulated(experiment, 1, {.gemm = false, .collectives = false}).total();
        };
        const Experiment experiment = gemmBeside(CompanionOperation::allToAll, CollectiveCarrier::dma);
        const std::int64_t block = experiment.dma.blockTiles * experiment.gemm.tileM * experiment.gemm.tileN * 2;
        const Duration links{(std::int64_t{1} << 20) * 50};
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma}) {
            QVERIFY(timeOf(by, block) >= links);
            QVERIFY(timeOf(by, block) * 20 <= links * 21);
        }
        QVERIFY(timeOf(CollectiveCarrier::kernel, block / 8) * 20 <= links * 21);
        QVERIFY(timeOf(CollectiveCarrier::dma, block / 8) > links * 2);
    }

    void moreEnginesThanCopiesKeepAllLinksBusyWhateverTheBlock() {
        Experiment experiment =
            gemmBeside(CompanionOperation::allToAll, CollectiveCarrier::dma, CollectiveAlgorithm::direct);
        experiment.link.bandwidth = {20'000'000'000};
        const SimulationOptions alone{.gemm = false, .collectives = false};
        const Duration one = simulated(experiment, 1, alone).total();
        experiment.dma.engines = 3;
        QVERIFY(simulated(experiment, 1, alone).total() * 2 < one);
    }

    void whatTheTrackerTriggersCostsTheHostNothing() {
        // The host starts only the copy of the own chunk of a ring's all-gather, whatever else runs.
        Experiment experiment = gemmBeside(CompanionOperation::allGather, CollectiveCarrier::dma);
        const SimulationOptions alone{.gemm = false, .collectives = false};
        const Duration without = simulated(experiment, 1, alone).total();
        experiment.companion.issue = {1'000'000};
        QCOMPARE(simulated(experiment, 1, alone).total(), without + Duration{1'000'000});
    }

    void oneGpuDoesWhatEachOfAllDoes_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("by");
        QTest::addColumn<int>("algorithm");
        using enum CompanionOperation;
        for (const auto& [operation, word] : {std::pair{allGather, "all-gather"},
                                              {reduceScatter, "reduce-scatter"},
                                              {allReduce, "all-reduce"},
                                              {allToAll, "all-to-all"}})
            for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma})
                for (const CollectiveAlgorithm algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct})
                    QTest::addRow("%s by %s, %s", word, by == CollectiveCarrier::dma ? "dma" : "kernel",
                                  algorithm == CollectiveAlgorithm::ring ? "ring" : "direct")
                        << static_cast<int>(operation) << static_cast<int>(by) << static_cast<int>(algorithm);
    }
    void oneGpuDoesWhatEachOfAllDoes() {
        QFETCH(int, operation);
        QFETCH(int, by);
        QFETCH(int, algorithm);
        for (const Reduction reduction : {Reduction::nmc, Reduction::cu}) {
            Experiment experiment =
                gemmBeside(static_cast<CompanionOperation>(operation), static_cast<CollectiveCarrier>(by),
                           static_cast<CollectiveAlgorithm>(algorithm));
            experiment.collective.reduction = reduction;
            experiment.companion.issue = {300'000};
            if (reduction == Reduction::cu && experiment.companion.by == CollectiveCarrier::dma)
                continue;
            QVERIFY(!whyNotMirrored(experiment));
            const Outcome one = simulated(experiment);
            QVERIFY(one.mirrored);
            QVERIFY(one.drained);
            experiment.detail.mode = DetailMode::full;
            const Outcome all = simulated(experiment);
            QCOMPARE(all.gpus.size(), std::size_t{4});
            QVERIFY(all.drained);
            QVERIFY(all.allAlike());
            QCOMPARE(all.total(), one.total());
            QCOMPARE(all.gpus.front().companion->time, one.gpus.front().companion->time);
            QVERIFY(all.gpus.front() == one.gpus.front());
            const Outcome threads = simulated(experiment, 8);
            QVERIFY(threads.gpus == all.gpus);
            QCOMPARE(threads.events, all.events);
        }
    }

    void oneGpuDoesWhatEachOfAllDoesUnderEveryRule() {
        for (const DispatchRule rule :
             {DispatchRule::inOrder, DispatchRule::companionFirst, DispatchRule::roundRobin, DispatchRule::reserved})
            for (const CollectiveAlgorithm algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct}) {
                Experiment experiment = gemmBeside(CompanionOperation::allReduce, CollectiveCarrier::kernel, algorithm);
                experiment.dispatch.rule = rule;
                const Outcome one = simulated(experiment);
                QVERIFY(one.mirrored);
                experiment.detail.mode = DetailMode::full;
                const Outcome all = simulated(experiment);
                QVERIFY(all.allAlike());
                QVERIFY(all.gpus.front() == one.gpus.front());
            }
    }

    void aRingBesideAnOwnRingMirrorsAndADirectOneDoesNot() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca, 4);
        experiment.companion.operation = CompanionOperation::allGather;
        experiment.companion.bytes = {1 << 20};
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma}) {
            experiment.companion.by = by;
            experiment.detail.mode = DetailMode::automatic;
            QVERIFY(!whyNotMirrored(experiment));
            const Outcome one = simulated(experiment);
            QVERIFY(one.mirrored);
            experiment.detail.mode = DetailMode::full;
            const Outcome all = simulated(experiment);
            QVERIFY(all.allAlike());
            QVERIFY(all.gpus.front() == one.gpus.front());
        }
        experiment.detail.mode = DetailMode::automatic;
        experiment.companion.operation = CompanionOperation::allToAll;
        experiment.topology.kind = TopologyKind::fullyConnected;
        QVERIFY(whyNotMirrored(experiment));
        QVERIFY(!simulated(experiment).mirrored);
    }

    void whatOneGpuCannotStandForIsReported() {
        const Experiment alike = gemmBeside(CompanionOperation::allGather, CollectiveCarrier::kernel);
        const auto refused = [&](auto change) {
            Experiment experiment = alike;
            change(experiment);
            const bool why = whyNotMirrored(experiment).has_value();
            return why && !mirrors(experiment, Plan(experiment));
        };
        QVERIFY(mirrors(alike, Plan(alike)));
        QVERIFY(refused([](Experiment& e) { e.companion.bytes = {(4 << 20) + 2}; }));
        QVERIFY(refused([](Experiment& e) { e.memory.model = DramModel::banks; }));
        QVERIFY(refused([](Experiment& e) { e.topology.kind = TopologyKind::switched; }));
        QVERIFY(refused([](Experiment& e) {
            e.topology.kind = TopologyKind::ring;
            e.collective.algorithm = CollectiveAlgorithm::direct;
        }));
        QVERIFY(refused([](Experiment& e) { e.collective.algorithm = CollectiveAlgorithm::halvingDoubling; }));
        QVERIFY(refused([](Experiment& e) { e.variation.gpu = 1, e.variation.clockFactor = 0.5; }));
        // A companion GEMM sends nothing, so the topology does not matter.
        Experiment gemm = alike;
        gemm.companion.operation = CompanionOperation::gemm;
        gemm.topology.kind = TopologyKind::switched;
        QVERIFY(!whyNotMirrored(gemm));
        Experiment without = alike;
        without.companion = {};
        without.topology.kind = TopologyKind::switched;
        QVERIFY(!whyNotMirrored(without));
    }

    void aWindowThatIsLargeEnoughChangesNothing() {
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma}) {
            Experiment experiment = gemmBeside(CompanionOperation::allGather, by, CollectiveAlgorithm::direct);
            experiment.companion.window = Bytes{4 << 20};
            const Outcome large = simulated(experiment);
            experiment.companion.window.reset();
            const Outcome unlimited = simulated(experiment);
            QVERIFY(large.gpus == unlimited.gpus);
            QCOMPARE(large.events, unlimited.events);
            experiment.companion.window = Bytes{4 << 10};
            QVERIFY(simulated(experiment).gpus.front().companion->time > unlimited.gpus.front().companion->time);
        }
    }

    void theEnginesOfACompanionShareItsWindow() {
        // With a window of one granule, one granule is under way, however many engines there are.
        Experiment experiment = gemmBeside(CompanionOperation::allGather, CollectiveCarrier::dma);
        experiment.companion.window = Bytes{4 << 10};
        const Outcome one = simulated(experiment);
        experiment.dma.engines = 4;
        const Outcome four = simulated(experiment);
        QVERIFY(four.drained);
        QVERIFY(four.gpus.front().companion->time * 2 > one.gpus.front().companion->time);
    }

    void aKernelThatHadRoomForSomeOfItsWorkgroupsLeavesTheNextAllOfTheirs() {
        // Two own kernels of 80 workgroups use the 16 reserved CUs, one after the other.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, 4);
        experiment.companion.operation = CompanionOperation::allGather;
        experiment.companion.bytes = {1 << 20};
        experiment.companion.by = CollectiveCarrier::dma;
        experiment.dispatch.rule = DispatchRule::reserved;
        experiment.dispatch.reserved = 16;
        const Outcome reserved = simulated(experiment);
        QVERIFY(reserved.drained);
        experiment.collective.cuCount = 16;
        QVERIFY(simulated(experiment).gpus == reserved.gpus);
    }

    void boundedRoomForHeldUpdatesHoldsForBothParts() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3, 4);
        experiment.companion.operation = CompanionOperation::reduceScatter;
        experiment.companion.bytes = {1 << 20};
        experiment.companion.by = CollectiveCarrier::dma;
        experiment.companion.window.reset();
        experiment.tracker.entries = 2;
        for (const std::int64_t bytes : {0, 64 << 10}) {
            experiment.tracker.heldBytes = Bytes{bytes};
            experiment.detail.mode = DetailMode::automatic;
            const Outcome one = simulated(experiment);
            QVERIFY(one.mirrored);
            QVERIFY(one.drained);
            experiment.detail.mode = DetailMode::full;
            const Outcome all = simulated(experiment);
            QVERIFY(all.allAlike());
            QVERIFY(all.gpus.front() == one.gpus.front());
        }
    }

    void whatACompanionMovesIsItsOwn() {
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma}) {
            const Outcome beside = simulated(gemmBeside(CompanionOperation::allGather, by));
            const GpuResult& gpu = beside.gpus.front();
            const Bytes others{(4 << 20) / 4 * 3};
            QCOMPARE(gpu.companion->dramRead, others);
            QCOMPARE(gpu.companion->dramWritten, others);
            QCOMPARE(gpu.companion->sent, others);
            QCOMPARE(gpu.link->allGather, Bytes{});
            QCOMPARE(gpu.dram->agRead, Bytes{});
            QCOMPARE(gpu.dma->commands, std::int64_t{0});
            QCOMPARE(gpu.dram->gemmWrite, Bytes{2 * 1024 * 1024});
            QCOMPARE(gpu.dram->total, gpu.dram->gemmRead + gpu.dram->gemmWrite + others * 2);
            QCOMPARE(gpu.companion->own, gpu.time.gemm);
            QCOMPARE(gpu.time.total, std::max(gpu.companion->own, gpu.companion->time));
            QCOMPARE(gpu.time.exposedCommunication, Duration{});
        }
    }

    void aCompanionAloneTakesWhatItsCollectiveTakesAlone() {
        // Without a window, and as a collective on all its CUs.
        Experiment experiment = gemmBeside(CompanionOperation::allGather, CollectiveCarrier::kernel);
        experiment.companion.window.reset();
        const Outcome alone = simulated(experiment, 1, {.gemm = false, .collectives = false});
        QVERIFY(alone.mirrored);
        Experiment own = experiment;
        own.companion = {};
        own.workload.sublayer = SubLayer::allGather;
        own.workload.bytes = experiment.companion.bytes;
        own.collective.cuCount = experiment.companion.workgroups;
        QCOMPARE(alone.total(), simulated(own).total());
    }

    void oneThreadGivesWhatEightGiveWhereAllGpusDiffer() {
        Experiment experiment = gemmBeside(CompanionOperation::allToAll, CollectiveCarrier::kernel);
        experiment.topology.kind = TopologyKind::switched;
        experiment.variation.gpu = 1;
        experiment.variation.startSkew = {2'000'000};
        const Outcome first = simulated(experiment);
        QVERIFY(!first.mirrored);
        QVERIFY(first.drained);
        const Outcome threads = simulated(experiment, 8);
        QVERIFY(threads.gpus == first.gpus);
        QCOMPARE(threads.events, first.events);
    }

    void besideABankModelTheBufferHasRowsOfItsOwn() {
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma}) {
            Experiment experiment = gemmBeside(CompanionOperation::allToAll, by);
            experiment.memory.model = DramModel::banks;
            const Outcome run = simulated(experiment);
            QVERIFY(!run.mirrored);
            QVERIFY(run.drained);
            QVERIFY(run.gpus.front().companion->time.ps > 0);
        }
    }
};

RINGSIDE_TEST(TestCompanionCollectives)
#include "tst_companion_collectives.moc"
