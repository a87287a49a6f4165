// Collectives alone, for which a closed form is known.

#include "engine/kernel/rate.h"
#include "tests/engine/free_links.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>

using namespace engine;
using tests::collectiveOnFreeMemory;
using tests::kLatencyPs;
using tests::kPacketPs;
using tests::kServicePs;

namespace {

constexpr std::int64_t kChunkGranule = 4096;

Experiment direct(SubLayer collective, PolicyPreset policy, std::int64_t gpus, std::int64_t granulesOfChunk) {
    Experiment experiment = collectiveOnFreeMemory(collective, policy, gpus, granulesOfChunk);
    experiment.topology.kind = TopologyKind::fullyConnected;
    experiment.collective.algorithm = CollectiveAlgorithm::direct;
    return experiment;
}

}  // namespace

class TestCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAllGatherTakesItsStepsToThePicosecond() {
        // Each of N-1 steps reads the first granule, sends the chunk, waits for the latency and writes the last
        // granule.
        for (const std::int64_t gpus : {2, 4, 8}) {
            for (const std::int64_t granules : {1, 16, 64}) {
                const auto result = tests::runAlone(
                    collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, gpus, granules));
                const std::int64_t step = kServicePs + granules * kPacketPs + kLatencyPs + kServicePs;
                QCOMPARE(result.last.time.total, Duration{(gpus - 1) * step});
                QCOMPARE(result.last.time.allGather, result.last.time.total);
                QCOMPARE(result.last.time.gemm, Duration{});
            }
        }
    }

    void aReduceScatterTakesItsStepsAndTheFinalReduce() {
        // (N-1)(c/B + latency) and a little memory time: from step 2 on a granule waits for two reads instead of one,
        // and the final reduce reads 2 chunks and writes one over 8 channels.
        for (const std::int64_t gpus : {2, 4, 8}) {
            for (const std::int64_t granules : {16, 64}) {
                const auto result = tests::runAlone(
                    collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::sequential, gpus, granules));
                const std::int64_t links = (gpus - 1) * (granules * kPacketPs + kLatencyPs);
                const std::int64_t memory = gpus * 4 * kServicePs + 3 * kServicePs * granules / 8;
                QVERIFY(result.last.time.total.ps > links);
                QVERIFY2(result.last.time.total.ps <= links + memory,
                         qPrintable(QString::number(result.last.time.total.ps - links)));
            }
        }
    }

    void anAllReduceIsAReduceScatterAndAnAllGather() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
            const auto scatter = tests::runAlone(collectiveOnFreeMemory(SubLayer::reduceScatter, policy, 4, 32));
            const auto gather = tests::runAlone(collectiveOnFreeMemory(SubLayer::allGather, policy, 4, 32));
            const auto both = tests::runAlone(collectiveOnFreeMemory(SubLayer::allReduce, policy, 4, 32));
            QCOMPARE(both.last.time.reduceScatter, scatter.last.time.total);
            QCOMPARE(both.last.time.allGather, gather.last.time.total);
            QCOMPARE(both.last.time.total, both.last.time.reduceScatter + both.last.time.allGather);
        }
    }

    void withNmcAndDmaBlocksFlowOnWhileTheChunkStillArrives() {
        // The bound is (N-1) c/B plus one latency. Each of the N-2 hops in between waits only for one block of four
        // tiles (here 64 KiB slabs) instead of the whole chunk.
        const std::int64_t gpus = 8;
        const std::int64_t granules = 1024;  // 4 MiB: 64 slabs, 16 blocks
        const auto result =
            tests::runAlone(collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::t3, gpus, granules));
        const std::int64_t links = (gpus - 1) * granules * kPacketPs + kLatencyPs;
        const std::int64_t barriers = (gpus - 1) * (granules * kPacketPs + kLatencyPs);
        QVERIFY(result.last.time.total.ps > links);
        QVERIFY(result.last.time.total.ps < barriers);
        // The link does not stall after the first block of each chunk has passed.
        QVERIFY(result.last.time.total.ps < links + links / 100);
    }

    void countsOfTheCollectivesAlone() {
        const std::int64_t n = 8;
        const Bytes c{64 * kChunkGranule};
        const auto onCus =
            tests::runAlone(collectiveOnFreeMemory(SubLayer::allReduce, PolicyPreset::sequential, n, 64)).last;
        QCOMPARE(onCus.dram->rsRead, c * (2 * n - 1));
        QCOMPARE(onCus.dram->rsWrite, c * n);
        QCOMPARE(onCus.dram->agRead, c * (n - 1));
        QCOMPARE(onCus.dram->agWrite, c * (n - 1));
        QCOMPARE(onCus.dram->gemmRead, 0_B);
        // With NMC each of N-1 steps reads one chunk and updates one; no final reduce.
        const auto nmc = tests::runAlone(collectiveOnFreeMemory(SubLayer::allReduce, PolicyPreset::t3, n, 64)).last;
        QCOMPARE(nmc.dram->rsRead, c * (n - 1));
        QCOMPARE(nmc.dram->rsWrite, c * (n - 1));
        QCOMPARE(nmc.dram->agRead, c * (n - 1));
        QCOMPARE(nmc.dram->agWrite, c * (n - 1));
    }

    void aCollectiveAloneHasNoIsolatedPartsAndNoSpeedUp() {
        const auto result = engine::run(collectiveOnFreeMemory(SubLayer::allReduce, PolicyPreset::t3, 4, 16));
        QVERIFY(!result.isolated);
        QVERIFY(!result.speedupOverSequential);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
    }

    void cusThatCannotKeepUpSetThePace() {
        // One CU at 13.3 GB/s: a chunk of 256 granules takes 256 * 4096 / 13.3 = 78,842 ns in each step; the link takes
        // a third.
        Experiment experiment = collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 256);
        experiment.collective.cuBandwidth = Bandwidth{13'300'000'000};
        experiment.collective.cuCount = 1;
        const auto total = tests::runAlone(experiment).last.time.total;
        const double paced = 3.0 * 256 * 4096 / 13.3e9 * 1e12;
        QVERIFY(static_cast<double>(total.ps) > 0.98 * paced);
        QVERIFY(static_cast<double>(total.ps) < 1.05 * paced);
    }

    void theirPaceDoesNotDependOnTheGranule() {
        // One CU at 10 MB/s sends seven chunks of 32 KiB and adds one: 256 KiB take 26,214 us.
        for (const std::int64_t granule : {256, 4096, 16384, 32768}) {
            Experiment experiment = collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::sequential, 8, 8);
            experiment.workload.bytes = {256 * 1024};
            experiment.collective.cuBandwidth = Bandwidth{10'000'000};
            experiment.collective.cuCount = 1;
            experiment.detail.granule = {granule};
            const double us = static_cast<double>(tests::runAlone(experiment).last.time.total.ps) * 1e-6;
            QVERIFY2(std::abs(us / 26214.4 - 1) < 0.01, std::to_string(us).c_str());
        }
    }

    void everyReadAndEveryWritePaysTheLatencyOfTheMemory_data() {
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("latencies");
        // Each of N-1 steps reads and writes. On CUs the final sum reads and writes once more.
        QTest::newRow("kernel") << static_cast<int>(PolicyPreset::sequential) << 16;
        QTest::newRow("tracker and DMA") << static_cast<int>(PolicyPreset::t3) << 14;
    }

    void everyReadAndEveryWritePaysTheLatencyOfTheMemory() {
        QFETCH(int, policy);
        QFETCH(int, latencies);
        Experiment experiment =
            collectiveOnFreeMemory(SubLayer::reduceScatter, static_cast<PolicyPreset>(policy), 8, 16);
        experiment.dma.startupLatency = {};
        experiment.tracker.triggerLatency = {};
        const Duration without = tests::runAlone(experiment).last.time.total;
        experiment.memory.latency = 100_us;
        const Duration with = tests::runAlone(experiment).last.time.total;
        // Where operands from two channels meet, a latency hides the service of one of them.
        QVERIFY(std::abs((with - without - experiment.memory.latency * latencies).ps) <= 2 * kServicePs);
    }

    void aKernelEndsWhenAllThatItSendsHasLeft() {
        // GPU 3 sends to GPU 0 at 1 GB/s: its own all-gather, and with it the GEMM behind it, waits for that.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, 4);
        experiment.collective.operation = CollectiveOperation::allGather;
        experiment.topology.kind = TopologyKind::custom;
        experiment.topology.links = "0-1 1-2 2-3 3-0@1GB/s";
        const RunResult result = tests::runAlone(experiment);
        QCOMPARE(result.invariants.failed, std::vector<std::string>{});
        for (const GpuResult& gpu : result.perGpu) {
            QCOMPARE(gpu.time.gemm + gpu.time.allGather, gpu.time.total);
            QVERIFY(gpu.time.allGather >= timeAtRate(gpu.link->allGather.count, 150'000'000'000));
        }
        const auto slow =
            std::max_element(result.perGpu.begin(), result.perGpu.end(), [](const GpuResult& a, const GpuResult& b) {
                return a.time.allGather < b.time.allGather;
            });
        QVERIFY(slow->time.allGather >= timeAtRate(slow->link->allGather.count, 1'000'000'000));
    }

    void tilesOfHalfAGigabyteAreCountedToTheLastUpdate() {
        // Ten GPUs, one tile of 512 MiB each: nine updates of it are 4.5 GiB, more than 32 bits hold.
        Experiment experiment = direct(SubLayer::reduceScatter, PolicyPreset::t3, 10, 1);
        constexpr std::int64_t kTile = std::int64_t{512} << 20;
        experiment.gemm.tileM = 16384;
        experiment.gemm.tileN = 16384;
        experiment.detail.granule = 64_KiB;
        experiment.workload.bytes = {10 * kTile};
        experiment.tracker.wfPerWg = 1;
        experiment.memory.bandwidth = 100_GBps;
        const RunResult result = tests::runAlone(experiment);
        QCOMPARE(result.invariants.failed, std::vector<std::string>{});
        QVERIFY(result.last.time.reduceScatter >= timeAtRate(9 * kTile, 100'000'000'000));
    }

    void directCollectivesOnAFullyConnectedNodeTakeOneChunkAndOneLatency() {
        // All N-1 links of a GPU carry one chunk each at the same time: c/B + latency, and some memory time.
        for (const SubLayer collective : {SubLayer::allGather, SubLayer::allToAll, SubLayer::reduceScatter}) {
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
                const std::int64_t granules = 4096;
                Experiment experiment = direct(collective, policy, 8, granules);
                const double total = static_cast<double>(tests::runAlone(experiment).last.time.total.ps);
                const double limit = static_cast<double>(granules * kPacketPs + kLatencyPs);
                QVERIFY2(std::abs(total / limit - 1) < 0.002, qPrintable(QString::number(total / limit, 'f', 6)));
            }
        }
    }

    void aPairwiseExchangeTakesItsSteps() {
        Experiment experiment = direct(SubLayer::allToAll, PolicyPreset::sequential, 8, 1024);
        experiment.collective.algorithm = CollectiveAlgorithm::ring;
        const double total = static_cast<double>(tests::runAlone(experiment).last.time.total.ps);
        const double limit = 7.0 * (1024 * kPacketPs + kLatencyPs);
        QVERIFY2(std::abs(total / limit - 1) < 0.002, qPrintable(QString::number(total / limit, 'f', 6)));
    }

    void linksOnTheWayAreContendedFor() {
        // On a bidirectional ring of 8, a direct all-gather crosses each link once for each pair of GPUs whose route
        // contains
        // it: 4+3+2+1 chunks in one direction and 3+2+1 in the other, because ties go one way. The busier direction
        // decides, so the time is that of 10 chunks, not one.
        Experiment experiment = direct(SubLayer::allGather, PolicyPreset::sequential, 8, 1024);
        experiment.topology.kind = TopologyKind::ring;
        const double total = static_cast<double>(tests::runAlone(experiment).last.time.total.ps);
        const double busiest = 10.0 * 1024 * kPacketPs;
        QVERIFY2(total >= busiest, qPrintable(QString::number(total / busiest)));
        QVERIFY2(total < 1.1 * busiest, qPrintable(QString::number(total / busiest)));
    }

    void aSharedEgressTakesAsLongAsAllChunksOnOneLink() {
        Experiment experiment = direct(SubLayer::allGather, PolicyPreset::sequential, 8, 1024);
        experiment.topology.egress = TopologyEgress::shared;
        const double total = static_cast<double>(tests::runAlone(experiment).last.time.total.ps);
        const double limit = 7.0 * 1024 * kPacketPs + kLatencyPs;
        QVERIFY2(std::abs(total / limit - 1) < 0.002, qPrintable(QString::number(total / limit, 'f', 6)));
    }

    void aSwitchCostsASecondLatencyAndItsLinksCarryEverything() {
        // 7 chunks go up over one link and 7 come down. This takes c (N-1)/B, two latencies, and one more packet,
        // because the switch stores and forwards.
        Experiment experiment = direct(SubLayer::allToAll, PolicyPreset::sequential, 8, 1024);
        experiment.topology.kind = TopologyKind::switched;
        const double total = static_cast<double>(tests::runAlone(experiment).last.time.total.ps);
        const double limit = 7.0 * 1024 * kPacketPs + 2 * kLatencyPs;
        QVERIFY2(total >= limit && total < 1.02 * limit, qPrintable(QString::number(total / limit, 'f', 6)));
    }

    void aHierarchicalReduceScatterCrossesTheSlowLinksWithOneChunk() {
        // Within a node, each GPU sends two chunks to each other GPU at the same time. Then one chunk goes over the
        // link between nodes, which is 8 times slower.
        Experiment experiment = direct(SubLayer::reduceScatter, PolicyPreset::sequential, 8, 1024);
        experiment.topology.kind = TopologyKind::twoNodes;
        experiment.topology.nodeBandwidth = 16_GBps;
        experiment.topology.nodeLatency = 2_us;
        experiment.collective.algorithm = CollectiveAlgorithm::hierarchical;
        const auto result = tests::runAlone(experiment);
        const double chunk = 1024.0 * kPacketPs;
        const double limit = 2 * chunk + kLatencyPs + 8 * chunk + 2'000'000;
        QVERIFY2(std::abs(static_cast<double>(result.last.time.total.ps) / limit - 1) < 0.002,
                 qPrintable(QString::number(static_cast<double>(result.last.time.total.ps) / limit, 'f', 6)));
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        // With the direct algorithm the slow links carry four chunks each way: one for each GPU of the other node.
        experiment.collective.algorithm = CollectiveAlgorithm::direct;
        QVERIFY(tests::runAlone(experiment).last.time.total > result.last.time.total);
    }

    void halvingAndDoublingPaysALatencyForEachOfLog2NSteps() {
        // Each step takes as long as on a ring, but the number of chunks doubles in each step of the all-gather.
        for (const std::int64_t gpus : {2, 4, 8}) {
            Experiment experiment = direct(SubLayer::allGather, PolicyPreset::sequential, gpus, 16);
            experiment.collective.algorithm = CollectiveAlgorithm::halvingDoubling;
            std::int64_t expected = 0;
            for (std::int64_t chunks = 1; chunks < gpus; chunks *= 2)
                expected += kServicePs + chunks * 16 * kPacketPs + kLatencyPs + kServicePs;
            QCOMPARE(tests::runAlone(experiment).last.time.total, Duration{expected});
        }
    }

    void aDoubleTreeTakesOneStepForEachChunkOfATreeAndEachLevel() {
        // Four chunks pass three levels one behind the other, so the last GPU has its last chunk after 6 steps. On
        // separate links each step takes as long as one chunk.
        Experiment experiment = direct(SubLayer::allReduce, PolicyPreset::sequential, 8, 64);
        experiment.collective.algorithm = CollectiveAlgorithm::doubleTree;
        experiment.collective.reduction = Reduction::nmc;
        const auto result = tests::runAlone(experiment);
        const std::int64_t step = kServicePs + 64 * kPacketPs + kLatencyPs + kServicePs;
        for (const Duration time : {result.last.time.reduceScatter, result.last.time.allGather}) {
            QVERIFY2(time >= Duration{6 * step - step / 20}, qPrintable(QString::number(time.ps)));
            QVERIFY2(time <= Duration{6 * step + step / 20}, qPrintable(QString::number(time.ps)));
        }
        QVERIFY(result.invariants.failed.empty());
    }

    void countsOfEveryAlgorithmFollowFromItsClosedForm() {
        for (const SubLayer collective :
             {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce, SubLayer::allToAll}) {
            for (const auto algorithm :
                 {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct, CollectiveAlgorithm::hierarchical,
                  CollectiveAlgorithm::halvingDoubling, CollectiveAlgorithm::doubleTree}) {
                if (collective == SubLayer::allToAll && algorithm > CollectiveAlgorithm::direct)
                    continue;
                if (collective != SubLayer::allReduce && algorithm == CollectiveAlgorithm::doubleTree)
                    continue;
                for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
                    for (const std::int64_t gpus : {2, 4, 8}) {
                        Experiment experiment = direct(collective, policy, gpus, 16);
                        experiment.workload.bytes.count += 6;  // unequal chunks
                        experiment.topology.kind = TopologyKind::twoNodes;
                        experiment.collective.algorithm = algorithm;
                        const auto result = tests::runAlone(experiment);
                        QVERIFY2(result.invariants.failed.empty(),
                                 result.invariants.failed.empty() ? "" : result.invariants.failed.front().c_str());
                    }
                }
            }
        }
    }

    void unequalChunksOfAFewBytesStillEndReduced() {
        // 10 B on 4 GPUs: chunks of 2, 2, 2 and 4 B.
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = collectiveOnFreeMemory(SubLayer::allReduce, policy, 4, 1);
            experiment.workload.bytes = {10};
            QVERIFY(validate(experiment).empty());
            const auto result = tests::runAlone(experiment);
            QCOMPARE(result.shape.chunkBytes, (std::vector<Bytes>{2_B, 2_B, 2_B, 4_B}));
            QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        }
    }
};

RINGSIDE_TEST(TestCollectives)
#include "tst_collectives.moc"
