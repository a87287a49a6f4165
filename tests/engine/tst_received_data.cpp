// Tests what a collective kernel does with data that arrive: buffers (collective.staging) and pieces
// (collective.piece).

#include "engine/api/topology.h"
#include "engine/collective/received_pieces.h"
#include "engine/run/baseline_key.h"
#include "tests/engine/free_links.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cstdlib>

using namespace engine;
using tests::collectiveOnFreeMemory;
using tests::kLatencyPs;
using tests::kPacketPs;
using tests::kServicePs;
using tests::soundTotal;

namespace {

Experiment overAllLinks(Experiment experiment) {
    experiment.topology.kind = TopologyKind::fullyConnected;
    experiment.collective.algorithm = CollectiveAlgorithm::direct;
    return experiment;
}

Experiment withBuffers(Experiment experiment) {
    experiment.collective.staging = 3;
    return experiment;
}

std::string onlyProblem(const Experiment& experiment) {
    const Problems problems = validate(experiment);
    return problems.size() == 1 ? problems.front().path + ": " + problems.front().text : std::string();
}

}  // namespace

class TestReceivedData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGranuleThatGoesThroughABufferIsWrittenReadAndWritten() {
        // Each step reads the first granule, sends the chunk, and writes, reads and writes the last granule.
        for (const std::int64_t gpus : {2, 4, 8}) {
            for (const std::int64_t granules : {1, 16}) {
                const Experiment plain =
                    collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, gpus, granules);
                const std::int64_t step = granules * kPacketPs + kLatencyPs;
                QCOMPARE(soundTotal(plain), Duration{(gpus - 1) * (step + 2 * kServicePs)});
                QCOMPARE(soundTotal(withBuffers(plain)), Duration{(gpus - 1) * (step + 4 * kServicePs)});
            }
        }
    }

    void eachPassOfABufferPaysTheLatencyOfTheMemory() {
        Experiment experiment =
            withBuffers(collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 16));
        const Duration without = soundTotal(experiment);
        experiment.memory.latency = 100_us;
        QCOMPARE(soundTotal(experiment) - without, experiment.memory.latency * 4 * 3);
    }

    void theBytesOfBuffersFollowFromWhatArrives() {
        const Bytes c{16 * 4096};
        const auto ring =
            tests::runAlone(withBuffers(collectiveOnFreeMemory(SubLayer::allReduce, PolicyPreset::sequential, 8, 16)))
                .last;
        QCOMPARE(ring.dram->agRead, c * (7 + 7));
        QCOMPARE(ring.dram->agWrite, c * (2 * 7));
        // Contributions wait beside the output in any case.
        QCOMPARE(ring.dram->rsRead, c * 15);
        QCOMPARE(ring.dram->rsWrite, c * 8);
        const auto all =
            tests::runAlone(
                overAllLinks(withBuffers(collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 8, 16))))
                .last;
        QCOMPARE(all.dram->agRead, c * (7 + 7));
        QCOMPARE(all.dram->agWrite, c * (2 * 7));
        const auto exchange =
            tests::runAlone(
                overAllLinks(withBuffers(collectiveOnFreeMemory(SubLayer::allToAll, PolicyPreset::sequential, 8, 16))))
                .last;
        QCOMPARE(exchange.dram->a2aRead, c * (7 + 7));
        QCOMPARE(exchange.dram->a2aWrite, c * (2 * 7));
    }

    void dmaCopiesNothingAndReadsOnceForEachReceiver() {
        const Bytes c{16 * 4096};
        Experiment experiment =
            overAllLinks(collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 8, 16));
        applyPolicyPreset(experiment, PolicyPreset::t3);
        const auto once = tests::runAlone(experiment);
        const auto each = tests::runAlone(withBuffers(experiment));
        QCOMPARE(once.last.dram->agRead, c);
        QCOMPARE(each.last.dram->agRead, c * 7);
        QCOMPARE(each.last.dram->agWrite, once.last.dram->agWrite);
        QCOMPARE(each.last.link->allGather, once.last.link->allGather);
        QCOMPARE(each.invariants.failed, std::vector<std::string>{});
        // A window holds what is read for all receivers.
        experiment.dma.window = 4_KiB;
        QCOMPARE(tests::runAlone(withBuffers(experiment)).invariants.failed, std::vector<std::string>{});
    }

    void updatesGoStraightToMemory() {
        Experiment experiment = collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::sequential, 4, 16);
        experiment.collective.reduction = Reduction::nmc;
        const RunResult plain = tests::runAlone(experiment);
        experiment.collective.piece = 16_KiB;
        const RunResult buffers = tests::runAlone(withBuffers(experiment));
        QVERIFY(buffers.last == plain.last);
        QCOMPARE(buffers.events, plain.events);
    }

    void aStepEndsWhenItsLastPieceHasBeenHandled_data() {
        QTest::addColumn<qint64>("granulesOfPiece");
        QTest::addColumn<qint64>("extra");  // granules that each step waits longer
        QTest::newRow("one request") << qint64{1} << qint64{1};
        QTest::newRow("a third, with a rest") << qint64{5} << qint64{5};
        QTest::newRow("one request less than the chunk") << qint64{15} << qint64{15};
        QTest::newRow("the chunk") << qint64{16} << qint64{16};
        QTest::newRow("one request more than the chunk") << qint64{17} << qint64{16};
        QTest::newRow("four chunks") << qint64{64} << qint64{16};
    }

    void aStepEndsWhenItsLastPieceHasBeenHandled() {
        QFETCH(qint64, granulesOfPiece);
        QFETCH(qint64, extra);
        for (const bool buffers : {false, true}) {
            Experiment experiment = collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 16);
            experiment.collective.staging = buffers ? 3 : 1;
            const Duration off = soundTotal(experiment);
            experiment.collective.piece = Bytes{granulesOfPiece * 4096};
            QCOMPARE(soundTotal(experiment) - off, Duration{3 * extra * kPacketPs});
        }
    }

    void aPieceSmallerThanARequestIsARequest() {
        Experiment experiment = collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 16);
        experiment.collective.piece = 4_KiB;
        const Duration whole = soundTotal(experiment);
        experiment.collective.piece = 64_B;
        QCOMPARE(soundTotal(experiment), whole);
    }

    void contributionsComeInPiecesToo() {
        Experiment experiment = collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::sequential, 4, 16);
        const Duration off = soundTotal(experiment);
        experiment.collective.piece = 16_KiB;
        const Duration extra = soundTotal(experiment) - off;
        QVERIFY2(std::abs(extra.ps - 3 * 4 * kPacketPs) <= 100 * kServicePs, qPrintable(QString::number(extra.ps)));
    }

    void aSumThatStaysIsAddedUpWhileItsPiecesCome() {
        // Memory of 128 GB/s takes as long for a granule as a link. Without pieces the last step reads two chunks and
        // writes one after everything has come; with pieces only what belongs to the last one is left.
        Experiment experiment = collectiveOnFreeMemory(SubLayer::reduceScatter, PolicyPreset::sequential, 2, 64);
        experiment.memory.bandwidth = {4 * 128'000'000'000};
        const RunResult whole = tests::runAlone(experiment);
        experiment.collective.piece = 16_KiB;
        const RunResult pieces = tests::runAlone(experiment);
        QVERIFY(pieces.invariants.failed.empty());
        QVERIFY2(pieces.last.time.total.ps < whole.last.time.total.ps - 32 * kPacketPs,
                 qPrintable(QString::number((whole.last.time.total - pieces.last.time.total).ps)));
        QCOMPARE(pieces.last.dram->rsRead, whole.last.dram->rsRead);
        QCOMPARE(pieces.last.dram->rsWrite, whole.last.dram->rsWrite);
        // A piece as large as the chunk leaves nothing to add before.
        experiment.collective.piece = 256_KiB;
        QVERIFY(tests::runAlone(experiment).last.time.total > whole.last.time.total);
    }

    void piecesOfSeveralGpusByOneLinkWaitForEachOther() {
        // Through a switch the pieces of 7 GPUs end at about the same time. Over links of their own they wait for none.
        Experiment experiment =
            overAllLinks(collectiveOnFreeMemory(SubLayer::allToAll, PolicyPreset::sequential, 8, 16));
        experiment.collective.staging = 3;
        experiment.detail.channels = 1;  // memory keeps the order in which the chunks take turns
        const auto extra = [](Experiment e) {
            const Duration off = soundTotal(e);
            e.collective.piece = 64_KiB;
            return static_cast<double>((soundTotal(e) - off).ps) / (16 * kPacketPs);
        };
        QVERIFY(std::abs(extra(experiment) - 1) < 0.01);
        experiment.topology.kind = TopologyKind::switched;
        const double shared = extra(experiment);
        QVERIFY2(shared > 6.5 && shared <= 7, qPrintable(QString::number(shared)));
    }

    void aPieceIsHandledWhenItsLastByteHasLanded() {
        // One byte in a picosecond; pieces of 100 bytes of 250 that come in tens.
        ReceivedPieces pieces(Bytes{100}, {{1'000'000'000'000}, {1'000'000'000'000}}, 1, 3);
        for (std::size_t source = 0; source < 3; ++source)
            pieces.expect(0, source, source == 0 ? 250 : 100);
        for (std::uint32_t i = 0; i < 9; ++i)
            QVERIFY(pieces.landed(0, 0, 0, {i, 10, TimePoint{1000 + i}}).empty());
        // Granules land in any order: the latest landing of the piece counts.
        const auto first = pieces.landed(0, 0, 0, {9, 10, TimePoint{500}});
        QCOMPARE(first.size(), std::size_t{10});
        QCOMPARE(first.front().when, TimePoint{1018});
        QCOMPARE(first.back().when, TimePoint{1108});
        QCOMPARE(first.back().id, 9u);
        // A piece of another GPU waits behind it, unless it came by another link.
        const auto sameLink = pieces.landed(0, 1, 0, {20, 100, TimePoint{1050}});
        QCOMPARE(sameLink.front().when, TimePoint{1208});
        const auto otherLink = pieces.landed(0, 2, 1, {30, 100, TimePoint{1050}});
        QCOMPARE(otherLink.front().when, TimePoint{1150});
        // The second piece of 100 bytes, and a rest of 50 that is a piece because no more comes.
        QCOMPARE(pieces.landed(0, 0, 0, {40, 100, TimePoint{5000}}).size(), std::size_t{1});
        QVERIFY(pieces.landed(0, 0, 0, {41, 49, TimePoint{5000}}).empty());
        QCOMPARE(pieces.landed(0, 0, 0, {42, 1, TimePoint{5000}}).size(), std::size_t{2});
    }

    void aWaitForAPieceIsTheKernelsCause() {
        Experiment experiment = collectiveOnFreeMemory(SubLayer::allReduce, PolicyPreset::sequential, 4, 64);
        experiment.topology.kind = TopologyKind::switched;
        experiment.collective.staging = 3;
        experiment.collective.piece = 64_KiB;
        RunOptions options;
        options.attribution = true;
        const RunResult result = engine::run(experiment, options);
        QVERIFY(result.attribution.has_value());
        const Duration kernel = result.attribution->causes[Cause::collectiveKernel];
        const Duration tracker = result.attribution->causes[Cause::trackerDma];
        const Duration dependency = result.attribution->causes[Cause::dependency];
        // Six steps wait for 16 granules each.
        QVERIFY2(kernel.ps >= 6 * 16 * kPacketPs * 9 / 10, qPrintable(QString::number(kernel.ps)));
        QVERIFY2(kernel.ps <= 6 * 16 * kPacketPs * 11 / 10, qPrintable(QString::number(kernel.ps)));
        QCOMPARE(tracker, Duration{});
        QCOMPARE(dependency, Duration{});
    }

    void everyInvariantHolds_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("by");
        for (const auto operation :
             {CompanionOperation::allGather, CompanionOperation::allReduce, CompanionOperation::allToAll})
            for (const auto by : {CollectiveCarrier::kernel, CollectiveCarrier::dma})
                QTest::addRow("%d %d", static_cast<int>(operation), static_cast<int>(by))
                    << static_cast<int>(operation) << static_cast<int>(by);
    }

    void everyInvariantHolds() {
        QFETCH(int, operation);
        QFETCH(int, by);
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            Experiment experiment = withBuffers(overAllLinks(tests::smallExperiment(policy)));
            experiment.collective.piece = 16_KiB;
            experiment.companion.operation = static_cast<CompanionOperation>(operation);
            experiment.companion.by = static_cast<CollectiveCarrier>(by);
            experiment.companion.bytes = 256_KiB;
            if (experiment.companion.by == CollectiveCarrier::dma)
                experiment.collective.reduction = Reduction::nmc;
            for (const Check& check : verify(experiment, {}))
                QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
        }
    }

    void onlyOneOrThreePassesAreAllowed() {
        Experiment experiment = collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 16);
        for (const std::int64_t passes : {0, 2, 4}) {
            experiment.collective.staging = passes;
            const std::string problem = onlyProblem(experiment);
            QVERIFY2(problem.starts_with("collective.staging: "), problem.c_str());
            QVERIFY2(problem.find("allowed") != std::string::npos, problem.c_str());
        }
        for (const std::int64_t passes : {1, 3}) {
            experiment.collective.staging = passes;
            QVERIFY(validate(experiment).empty());
        }
        experiment.collective.piece = 0_B;
        QVERIFY2(onlyProblem(experiment).starts_with("collective.piece: "), onlyProblem(experiment).c_str());
    }

    void aBaselineWithUpdatesReadsNeitherBuffersNorPieces() {
        const Experiment base = tests::smallExperiment(PolicyPreset::t3Mca);
        Experiment other = withBuffers(base);
        other.collective.piece = 16_KiB;
        QVERIFY(isolatedScatterKey(other, true) == isolatedScatterKey(base, true));
        QVERIFY(engine::run(isolatedScatterOf(other)).last == engine::run(isolatedScatterOf(base)).last);
        QVERIFY(sequentialKey(other, true) != sequentialKey(base, true));
        QVERIFY(engine::run(sequentialOf(other)).last.time != engine::run(sequentialOf(base)).last.time);
    }

    void packetsMoveAtTheEfficiencyOfTheLinks() {
        Experiment half = collectiveOnFreeMemory(SubLayer::allGather, PolicyPreset::sequential, 4, 16);
        half.link.efficiency = 0.5;
        Experiment slow = half;
        slow.link.efficiency = 1;
        slow.link.bandwidth = {64'000'000'000};
        QCOMPARE(soundTotal(half), soundTotal(slow));
        QCOMPARE(tests::runAlone(half).bounds.link, tests::runAlone(slow).bounds.link);
        // A link that states its own bandwidth has it in full.
        half.topology.kind = TopologyKind::custom;
        half.topology.links = "0-1@128GB/s 1-2@128GB/s 2-3 3-0";
        const Topology topology = topologyOf(half);
        QCOMPARE(topology.links.front().bandwidth, Bandwidth{128'000'000'000});
        QCOMPARE(topology.links.back().bandwidth, Bandwidth{64'000'000'000});
        for (const double share : {0.0, 1.01}) {
            half.link.efficiency = share;
            QVERIFY(onlyProblem(half).starts_with("link.efficiency: "));
        }
    }
};

RINGSIDE_TEST(TestReceivedData)
#include "tst_received_data.moc"
