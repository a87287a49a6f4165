// Tests collectives and topologies other than the ring, with the GEMM before or after the collective.

#include "engine/api/chunk_route.h"
#include "engine/api/gemm.h"
#include "engine/api/topology.h"
#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace engine;

namespace {

Experiment with(PolicyPreset policy, TopologyKind kind, CollectiveAlgorithm algorithm,
                CollectiveOperation operation = CollectiveOperation::allReduce, std::int64_t gpus = 4) {
    Experiment experiment = tests::smallExperiment(policy, gpus);
    experiment.topology.kind = kind;
    experiment.collective.algorithm = algorithm;
    experiment.collective.operation = operation;
    return experiment;
}

std::string failuresOf(const Experiment& experiment) {
    std::string text;
    for (const Check& check : verify(experiment))
        if (!check.held)
            text += check.group + ": " + check.name + " (" + check.evidence + ")\n";
    return text;
}

}  // namespace

class TestFusedCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationThatCanRunHoldsAllInvariants_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("algorithm");
        QTest::addColumn<int>("operation");
        for (const auto kind : {TopologyKind::ring, TopologyKind::fullyConnected, TopologyKind::switched,
                                TopologyKind::torus, TopologyKind::twoNodes})
            for (const auto algorithm :
                 {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct, CollectiveAlgorithm::hierarchical,
                  CollectiveAlgorithm::halvingDoubling, CollectiveAlgorithm::doubleTree})
                for (const auto operation : {CollectiveOperation::allReduce, CollectiveOperation::reduceScatter,
                                             CollectiveOperation::allToAll, CollectiveOperation::allGather})
                    if (validate(with(PolicyPreset::t3, kind, algorithm, operation)).empty())
                        QTest::addRow("topology %d, algorithm %d, operation %d", static_cast<int>(kind),
                                      static_cast<int>(algorithm), static_cast<int>(operation))
                            << static_cast<int>(kind) << static_cast<int>(algorithm) << static_cast<int>(operation);
    }

    void everyCombinationThatCanRunHoldsAllInvariants() {
        QFETCH(int, kind);
        QFETCH(int, algorithm);
        QFETCH(int, operation);
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca, PolicyPreset::idealOverlap}) {
            const std::string failures =
                failuresOf(with(policy, static_cast<TopologyKind>(kind), static_cast<CollectiveAlgorithm>(algorithm),
                                static_cast<CollectiveOperation>(operation)));
            QVERIFY2(failures.empty(), failures.c_str());
        }
    }

    void aDirectReduceScatterHasNoDmaAndReadsNothing() {
        // GPU i has local updates of c and arriving updates of (N-1)c. Each of its own granules is updated N times.
        const Experiment experiment = tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive);
        Experiment direct = experiment;
        direct.topology.kind = TopologyKind::fullyConnected;
        direct.collective.algorithm = CollectiveAlgorithm::direct;
        const RunResult ring = tests::runAlone(experiment), result = tests::runAlone(direct);
        const Bytes c = result.shape.chunkBytes.front();
        QCOMPARE(result.last.dma->commands, std::int64_t{0});
        QCOMPARE(result.last.tracker->triggers, std::int64_t{0});
        QCOMPARE(result.last.tracker->peakEntries, std::int64_t{0});
        QCOMPARE(result.last.dram->rsRead, 0_B);
        QCOMPARE(result.last.dram->gemmWrite, c);
        QCOMPARE(result.last.dram->rsWrite, c * 7);
        QCOMPARE(result.last.tracker->updates, 8 * c.count / direct.detail.granule.count);
        // Each link carries one chunk instead of seven, also in the all-gather.
        QVERIFY(result.last.time.total < ring.last.time.total);
        QVERIFY(result.last.time.allGather < ring.last.time.allGather);
    }

    void theRingOnAnyTopologyWithItsOwnLinksIsTheRing() {
        const RunResult ring = tests::runAlone(tests::smallExperiment(PolicyPreset::t3, 8));
        for (const auto kind : {TopologyKind::fullyConnected, TopologyKind::torus}) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::t3, 8);
            experiment.topology.kind = kind;
            for (const DetailMode mode : {DetailMode::automatic, DetailMode::full}) {
                experiment.detail.mode = mode;
                QCOMPARE(tests::runAlone(experiment).last.time, ring.last.time);
            }
        }
    }

    void aGatheredInputIsReadOnlyWhenItsChunkIsThere() {
        for (const auto algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct}) {
            Experiment experiment =
                with(PolicyPreset::t3, TopologyKind::fullyConnected, algorithm, CollectiveOperation::allGather);
            experiment.link.bandwidth = 2_GBps;  // so that the GEMM has to wait
            experiment.detail.mode = DetailMode::full;
            RunOptions options;
            options.recordTrace = true;
            options.baselines = false;
            const RunResult result = engine::run(experiment, options);
            // The times on GPU 0 when each chunk had arrived, and when the first read for a tile of its rows was
            // issued.
            std::map<std::uint32_t, TimePoint> there, read;
            const auto chunkOf = [&](std::uint32_t tile) {
                const auto& first = result.trace->output.chunkTile;
                return static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), tile) - first.begin()) -
                       1;
            };
            for (const Lane& lane : result.trace->lanes) {
                if (lane.gpu != 0)
                    continue;
                for (const Span& span : lane.spans) {
                    if (span.kind == SpanKind::arrivalLanded)
                        there[chunkOf(span.first)] = std::max(there[chunkOf(span.first)], span.end);
                    if (span.kind == SpanKind::load) {
                        const auto [found, isNew] = read.emplace(chunkOf(span.first), span.start);
                        found->second = std::min(found->second, span.start);
                    }
                }
            }
            QCOMPARE(there.size(), std::size_t{3});
            QCOMPARE(read.size(), std::size_t{4});
            for (const auto& [chunk, when] : there)
                QVERIFY(read[chunk] >= when);
            QVERIFY(read[3] < there.begin()->second);  // GPU 0 need not wait for its own chunk
        }
    }

    void aSequentialAllGatherAndItsGemmAddUp() {
        const RunResult result = tests::runAlone(with(PolicyPreset::sequential, TopologyKind::ring,
                                                      CollectiveAlgorithm::ring, CollectiveOperation::allGather));
        const TimeResult& time = result.last.time;
        QCOMPARE(time.total, time.allGather + time.gemm);
        QCOMPARE(result.shape.k, std::int64_t{512});
        QCOMPARE(result.shape.n, std::int64_t{512});
        QCOMPARE(result.shape.outputBytes, (Bytes{2 * 2048 * 512}));
    }

    void anInputThatCostsNothingToGatherLeavesTheGemmAlone() {
        Experiment experiment = with(PolicyPreset::t3, TopologyKind::fullyConnected, CollectiveAlgorithm::direct,
                                     CollectiveOperation::allGather);
        experiment.link.bandwidth = {1'000'000'000'000'000};
        experiment.link.latency = {};
        experiment.memory.bandwidth = {1'000'000'000'000'000};
        experiment.memory.efficiency = 1;
        experiment.memory.latency = {};
        const RunResult result = tests::runAlone(experiment);
        const GemmOutcome alone = runGemm(experiment, {result.shape.m, result.shape.n, result.shape.k});
        QVERIFY2(std::abs(static_cast<double>(result.last.time.gemm.ps) / static_cast<double>(alone.time.ps) - 1) <
                     0.01,
                 qPrintable(QString("%1 and %2").arg(result.last.time.gemm.ps).arg(alone.time.ps)));
    }

    void aGemmAloneIsTheGemmOfTheSequentialSubLayer() {
        // Tiles are computed row after row. A group of rows ends with a chunk; a GEMM alone has one chunk.
        const auto rowAfterRow = [](PolicyPreset policy) {
            Experiment experiment = tests::smallExperiment(policy);
            experiment.gemm.group = 1;
            return experiment;
        };
        const RunResult sequential = tests::runAlone(rowAfterRow(PolicyPreset::sequential));
        const GemmOutcome alone =
            runGemm(rowAfterRow(PolicyPreset::t3), {sequential.shape.m, sequential.shape.n, sequential.shape.k});
        QCOMPARE(alone.time, sequential.last.time.gemm);
        QCOMPARE(alone.read, sequential.last.dram->gemmRead);
        QCOMPARE(alone.written, sequential.last.dram->gemmWrite);
    }

    void transposedGemmsWhoseKIsSplitTakeTheSameTime() {
        // Memory at 60 GB/s decides, and the cache holds everything: A and B are read once, whichever is the larger.
        Experiment machine;
        machine.llc.size = Bytes{std::int64_t{1} << 40};
        machine.memory.bandwidth = 60_GBps;
        applyDetailLevel(machine, DetailLevel::interactive);
        const GemmOutcome wide = runGemm(machine, {768, 3072, 16384, 2});
        const GemmOutcome high = runGemm(machine, {3072, 768, 16384, 2});
        QCOMPARE(wide.read, Bytes{2 * 16384 * (768 + 3072)});
        QCOMPARE(high.read, wide.read);
        QCOMPARE(high.written, wide.written);
        QVERIFY(std::abs(static_cast<double>(wide.time.ps) / static_cast<double>(high.time.ps) - 1) < 0.002);
    }

    void noGemmBeatsItsCompulsoryBytesNorItsOperations() {
        for (const std::int64_t gigabytes : {20, 200, 2000}) {
            Experiment machine;
            machine.memory.bandwidth = {gigabytes * 1'000'000'000};
            applyDetailLevel(machine, DetailLevel::interactive);
            for (const GemmSize& size :
                 {GemmSize{192, 3072, 4096, 6}, GemmSize{3072, 192, 4096, 6}, GemmSize{100, 100, 5000, 7},
                  GemmSize{1024, 1024, 1024}, GemmSize{1, 1, 100}}) {
                const GemmOutcome outcome = runGemm(machine, size);
                QVERIFY(outcome.read.count >= 2 * size.k * (size.m + size.n));
                QVERIFY(outcome.time >= outcome.bound);
            }
        }
    }

    void eachPartOfASplitKWritesAnOutputOfItsOwn() {
        Experiment machine;
        QCOMPARE(runGemm(machine, {500, 300, 4096, 3}).written, Bytes{3 * 2 * 500 * 300});
    }

    void aGemmOfNoSizeOrOfTooManyTilesIsRefused() {
        QVERIFY_THROWS_EXCEPTION(InvalidExperiment, runGemm(Experiment{}, {0, 128, 128}));
        QVERIFY_THROWS_EXCEPTION(InvalidExperiment, runGemm(Experiment{}, {1'000'000, 262'144, 4096}));
        QVERIFY(runGemm(Experiment{}, {1, 1, 1}).time.ps > 0);
        QVERIFY(runGemm(Experiment{}, {1, 1, 3, 3}).time.ps > 0);
        QVERIFY_THROWS_EXCEPTION(InvalidExperiment, runGemm(Experiment{}, {1, 1, 3, 4}));
        QVERIFY_THROWS_EXCEPTION(InvalidExperiment, runGemm(Experiment{}, {1, 1, 3, 0}));
    }

    void sixtyFourGpusOnATorusGiveTheSameOnAnyNumberOfThreads() {
        Experiment experiment = with(PolicyPreset::t3Mca, TopologyKind::torus, CollectiveAlgorithm::direct,
                                     CollectiveOperation::allReduce, 64);
        applyDetailLevel(experiment, DetailLevel::interactive);
        experiment.gemm.tileM = 128;
        experiment.gemm.tileN = 64;
        RunOptions options;
        options.baselines = false;
        const RunResult one = engine::run(experiment, options);
        options.threads = 2;
        const RunResult two = engine::run(experiment, options);
        QVERIFY(one.last == two.last);
        QVERIFY(one.perGpu == two.perGpu);
        QCOMPARE(one.events, two.events);
        QVERIFY(one.invariants.failed.empty());
    }

    void theMapThatIsShownIsTheOneThatRuns() {
        Experiment experiment = with(PolicyPreset::t3, TopologyKind::fullyConnected, CollectiveAlgorithm::direct);
        for (const ChunkRoute& route : routesOf(experiment, 1).foremost())
            QVERIFY(route.stores == (route.chunk == 0 ? StoreTarget::local : StoreTarget::remote));
        applyPolicyPreset(experiment, PolicyPreset::sequential);
        for (const ChunkRoute& route : routesOf(experiment, 1).foremost())
            QVERIFY(route.stores == StoreTarget::local && route.dma == DmaTrigger::never);
        experiment.collective.operation = CollectiveOperation::allGather;
        applyPolicyPreset(experiment, PolicyPreset::t3);
        const std::vector<ChunkRoute> gathered = routesOf(experiment, 1).gather;
        QCOMPARE(gathered.front().chunk, 0u);
        QVERIFY(gathered.front().dma == DmaTrigger::atStart);
        QCOMPARE(gathered.front().dmaTo.size(), std::size_t{3});
    }
};

RINGSIDE_TEST(TestFusedCollectives)
#include "tst_fused_collectives.moc"
