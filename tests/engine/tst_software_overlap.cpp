// Tests overlap in software: a GEMM in pieces, or one whose tiles signal, and a collective kernel that takes its output.

#include "engine/api/gemm.h"
#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/free_memory.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace engine;
using namespace engine::literals;

namespace {

Experiment overlapped(PolicyPreset policy) { return tests::smallExperiment(policy); }

RunResult overlapTraced(const Experiment& experiment) {
    RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return engine::run(experiment, options);
}

/// Returns the paths of an experiment's problems.
std::vector<std::string> pathsOfProblems(const Experiment& experiment) {
    std::vector<std::string> paths;
    for (const Problem& problem : validate(experiment))
        paths.push_back(problem.path);
    return paths;
}

using Paths = std::vector<std::string>;

/// Returns a GEMM whose pieces run one after the other on 4 CUs, beside a collective kernel without a limit of its own
/// on links on which a chunk of 512 KiB takes `chunkPs`.
Experiment exact(std::int64_t pieces, std::int64_t bytesPerSecond) {
    Experiment experiment = tests::freeMemory(8, 1, PolicyPreset::chunked);
    experiment.collective.cuCount = 4;
    experiment.collective.cuBandwidth.reset();
    experiment.collective.operation = CollectiveOperation::reduceScatter;
    experiment.policy.pieces = pieces;
    experiment.policy.queues = 1;
    experiment.link.bandwidth = {bytesPerSecond};
    experiment.link.efficiency = 1;
    experiment.link.latency = 500_ns;
    experiment.link.header = {};
    return experiment;
}

}  // namespace

class TestSoftwareOverlap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The kernel waits for the end of the GEMM, as it does under `sequential`.
    void aGemmOfOnePieceTakesAsLongAsSequential() {
        for (const bool tiny : {true, false}) {
            Experiment pieces = tiny ? overlapped(PolicyPreset::chunked)
                                     : tests::tNlgFc2(PolicyPreset::chunked, DetailLevel::interactive);
            pieces.policy.pieces = 1;
            pieces.collective.cuCount = CollectiveCus::all();
            pieces.gemm.group = 1;
            Experiment sequential = pieces;
            applyPolicyPreset(sequential, PolicyPreset::sequential);
            sequential.policy.order = ProducerOrder::staggered;
            sequential.collective.cuCount = CollectiveCus::all();
            const TimeResult one = tests::runAlone(pieces).last.time, other = tests::runAlone(sequential).last.time;
            QCOMPARE(one.total.ps, other.total.ps);
            QCOMPARE(one.gemm.ps, other.gemm.ps);
            QCOMPARE(one.reduceScatter.ps, other.reduceScatter.ps);
        }
    }

    void aPieceIsLaunchedWhenThePieceOfItsQueueHasEnded() {
        for (const std::int64_t queues : {1, 2, 3}) {
            Experiment experiment = overlapped(PolicyPreset::chunked);
            experiment.policy.pieces = 8;
            experiment.policy.queues = queues;
            experiment.launch.kernel = 2_us;
            const RunResult result = overlapTraced(experiment);
            QCOMPARE(result.invariants.failed.size(), std::size_t{0});
            const std::vector<PieceTimes>& pieces = result.trace->pieces.front();
            QCOMPARE(pieces.size(), std::size_t{8});
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                const auto before = static_cast<std::int64_t>(i) - queues;
                const TimePoint ready = before < 0 ? TimePoint{} : pieces[static_cast<std::size_t>(before)].landed;
                QCOMPARE(pieces[i].launched.ps, (ready + 2_us).ps);
                QVERIFY(pieces[i].landed > pieces[i].launched);
            }
            const auto last = std::ranges::max_element(pieces, {}, &PieceTimes::landed);
            QCOMPARE(last->landed, result.trace->gemmEnd);
        }
    }

    // Even where pieces end in another order than that in which they were launched.
    void noWorkgroupBeginsBeforeItsPieceIsLaunched() {
        for (const std::int64_t queues : {1, 2, 3, 4}) {
            for (const std::int64_t pieces : {8, 32, 64}) {
                Experiment experiment = tests::tNlgFc2(PolicyPreset::chunked, DetailLevel::interactive);
                experiment.policy.pieces = pieces;
                experiment.policy.queues = queues;
                experiment.cu.startJitter = 200_us;
                const RunResult result = overlapTraced(experiment);
                const std::vector<PieceTimes>& times = result.trace->pieces.front();
                std::vector<std::uint32_t> workgroups(times.size());
                for (const Lane& lane : result.trace->lanes) {
                    for (const Span& span : lane.spans) {
                        if (span.kind != SpanKind::workgroup)
                            continue;
                        const std::size_t piece = pieceOf(times, span.second);
                        QVERIFY2(span.start >= times[piece].launched,
                                 qPrintable(QStringLiteral("%1 pieces, %2 queues, piece %3: %4 before %5")
                                                .arg(pieces)
                                                .arg(queues)
                                                .arg(piece)
                                                .arg(span.start.ps)
                                                .arg(times[piece].launched.ps)));
                        ++workgroups[piece];
                    }
                }
                for (std::size_t piece = 0; piece < times.size(); ++piece)
                    QCOMPARE(workgroups[piece], times[piece].workgroups);
            }
        }
    }

    void noGranuleIsReadBeforeItsPartHasLandedAndItsSignalHasCome() {
        for (const PolicyPreset policy : {PolicyPreset::chunked, PolicyPreset::signals}) {
            for (const Duration latency : {Duration{}, 3_us}) {
                Experiment experiment = overlapped(policy);
                experiment.policy.signalLatency = latency;
                const RunResult result = overlapTraced(experiment);
                const Trace& trace = *result.trace;
                // When each tile was in memory: with its piece, or with its last granule.
                std::vector<TimePoint> landed(trace.output.tiles());
                for (const Lane& lane : trace.lanes) {
                    for (const Span& span : lane.spans) {
                        if (span.kind == SpanKind::storeLanded)
                            landed[span.first] = std::max(landed[span.first], span.end);
                        if (span.kind != SpanKind::workgroup || trace.pieces.empty())
                            continue;
                        const std::vector<PieceTimes>& pieces = trace.pieces.front();
                        landed[span.first] = pieces[pieceOf(pieces, span.second)].landed;
                    }
                }
                std::size_t packets = 0;
                for (const Lane& lane : trace.lanes) {
                    if (lane.kind != LaneKind::linkOut)
                        continue;
                    for (const Span& packet : lane.spans) {
                        if (packet.start >= trace.allGatherStart)
                            continue;
                        QVERIFY(packet.start >= landed[packet.first] + latency);
                        ++packets;
                    }
                }
                QVERIFY(packets > 0);
            }
        }
    }

    // With free memory, equal chunks and a kernel that is never slower than its link: the ring takes a chunk when the
    // GEMM has produced it and the neighbour's copy has come.
    void theRingEndsAsItsClosedFormSays() {
        constexpr std::int64_t kGpus = 4, kChunkBytes = 512 * 1024;
        for (const std::int64_t bandwidth : {4'096'000'000, 16'384'000'000, 131'072'000'000}) {
            const Experiment experiment = exact(kGpus, bandwidth);
            const RunResult result = overlapTraced(experiment);
            QCOMPARE(result.invariants.failed.size(), std::size_t{0});
            // A chunk has 8 tiles, which 4 CUs compute in two waves.
            const std::int64_t gemm = 2 * (tests::kTile + tests::kEpilogue);
            const std::int64_t hop = kChunkBytes * 1'000'000'000'000 / bandwidth + 500'000;
            const std::int64_t end = std::max(kGpus * gemm, gemm + (kGpus - 1) * hop);
            const std::int64_t ended = result.trace->reduceScatterEnd.ps;
            QVERIFY2(std::abs(ended - end) < kGpus * (tests::kMemory + 10'000),
                     qPrintable(QStringLiteral("%1, expected %2").arg(ended).arg(end)));
        }
    }

    void signalsLeaveTheGemmAsItIsOnTheCusThatItHas() {
        Experiment experiment = tests::freeMemory(8, 1, PolicyPreset::signals);
        experiment.collective.cuCount = 4;
        Experiment alone = tests::freeMemoryGemm(4, 1);
        alone.policy.outputCaching = OutputCaching::bypass;
        const std::int64_t with = tests::runAlone(experiment).last.time.gemm.ps;
        const std::int64_t without = tests::runAlone(alone).last.time.gemm.ps;
        QVERIFY2(std::abs(with - without) < tests::kMemory,
                 qPrintable(QStringLiteral("%1, %2").arg(with).arg(without)));
    }

    void aSignalTakesItsLatency() {
        Experiment experiment = tests::freeMemory(8, 1, PolicyPreset::signals);
        experiment.collective.operation = CollectiveOperation::reduceScatter;
        experiment.collective.cuCount = 4;
        const TimeResult without = tests::runAlone(experiment).last.time;
        experiment.policy.signalLatency = 5_us;
        const TimeResult with = tests::runAlone(experiment).last.time;
        QCOMPARE(with.gemm.ps, without.gemm.ps);
        QCOMPARE(with.total.ps, without.total.ps + 5'000'000);
    }

    void trafficIsThatOfSequential() {
        const DramResult sequential = *tests::runAlone(overlapped(PolicyPreset::sequential)).last.dram;
        for (const PolicyPreset policy : {PolicyPreset::chunked, PolicyPreset::signals}) {
            const DramResult dram = *tests::runAlone(overlapped(policy)).last.dram;
            QCOMPARE(dram.rsRead, sequential.rsRead);
            QCOMPARE(dram.rsWrite, sequential.rsWrite);
            QCOMPARE(dram.agRead, sequential.agRead);
            QCOMPARE(dram.gemmWrite, sequential.gemmWrite);
        }
    }

    void wavesAreTheSumOverPieces() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::chunked);
        // 1088 tiles in 8 chunks of 136, on 64 CUs with one slot each.
        const auto waves = [&](std::int64_t pieces) {
            experiment.policy.pieces = pieces;
            return waveCountOf(experiment).waves;
        };
        QCOMPARE(waveCountOf(experiment).slots, std::int64_t{64});
        QCOMPARE(waves(8), std::int64_t{8 * 3});
        QCOMPARE(waves(4), std::int64_t{4 * 5});
        QCOMPARE(waves(2), std::int64_t{2 * 9});
        QCOMPARE(waves(32), std::int64_t{32});
        QCOMPARE(waves(1), std::int64_t{14});  // beside one piece nothing runs, so that it has all 80 CUs
    }

    void everyAlgorithmAndOperationIsVerified() {
        for (const PolicyPreset policy : {PolicyPreset::chunked, PolicyPreset::signals}) {
            for (std::size_t algorithm = 0; algorithm < kCollectiveAlgorithms.size(); ++algorithm) {
                for (const CollectiveOperation operation :
                     {CollectiveOperation::allReduce, CollectiveOperation::reduceScatter,
                      CollectiveOperation::allToAll}) {
                    Experiment experiment = overlapped(policy);
                    experiment.detail.level = DetailLevel::interactive;
                    experiment.collective.algorithm = static_cast<CollectiveAlgorithm>(algorithm);
                    experiment.collective.operation = operation;
                    experiment.topology.kind =
                        addsInSwitch(experiment) ? TopologyKind::switched : TopologyKind::fullyConnected;
                    if (!validate(experiment).empty())
                        continue;
                    for (const Check& check : verify(experiment))
                        QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
                }
            }
        }
    }

    void fullAndMirroredRunsAgree() {
        for (const PolicyPreset policy : {PolicyPreset::chunked, PolicyPreset::signals}) {
            Experiment experiment = overlapped(policy);
            experiment.gemm.tileM = 128;
            experiment.detail.mode = DetailMode::mirrored;
            const RunResult one = tests::runAlone(experiment);
            experiment.detail.mode = DetailMode::full;
            const RunResult all = tests::runAlone(experiment);
            QCOMPARE(one.last.time, all.last.time);
        }
    }

    void otherPoliciesDoNotReadTheNewParameters() {
        for (const PolicyPreset policy :
             {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca, PolicyPreset::cuSplit}) {
            const TimeResult before = tests::runAlone(overlapped(policy)).last.time;
            Experiment changed = overlapped(policy);
            changed.policy.pieces = 2;
            changed.policy.queues = 4;
            changed.policy.signalLatency = 1_us;
            const RunResult after = tests::runAlone(changed);
            QCOMPARE(after.last.time, before);
            for (const char* path : {"policy.pieces", "policy.queues", "policy.signal_latency"})
                QVERIFY(std::ranges::any_of(after.notices, [&](const Notice& notice) { return notice.path == path; }));
        }
    }

    void whatCannotOverlapIsRefused() {
        const auto with = [](PolicyPreset policy, auto change) {
            Experiment experiment = overlapped(policy);
            change(experiment);
            return pathsOfProblems(experiment);
        };
        using P = PolicyPreset;
        QCOMPARE(pathsOfProblems(overlapped(P::chunked)), Paths{});
        QCOMPARE(pathsOfProblems(overlapped(P::signals)), Paths{});
        QCOMPARE(with(P::t3, [](Experiment& e) { e.policy.start = CommunicationStart::byPiece; }),
                 Paths{"policy.start"});
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.collective.operation = CollectiveOperation::allGather; }),
                 Paths{"policy.start"});
        QCOMPARE(with(P::signals, [](Experiment& e) { e.policy.order = ProducerOrder::plain; }), Paths{"policy.order"});
        QCOMPARE(with(P::signals, [](Experiment& e) { e.collective.reduction = Reduction::nmc; }),
                 Paths{"collective.reduction"});
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.policy.pieces = 2; }), Paths{});
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.policy.pieces = 3; }), Paths{"policy.pieces"});
        // 32 tiles on 4 GPUs.
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.policy.pieces = 32; }), Paths{});
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.policy.pieces = 36; }), Paths{"policy.pieces"});
        QCOMPARE(with(P::chunked, [](Experiment& e) { e.collective.cuCount = CollectiveCus::all(); }),
                 Paths{"collective.cu_count"});
        QCOMPARE(with(P::chunked,
                      [](Experiment& e) {
                          e.collective.cuCount = CollectiveCus::all();
                          e.dispatch.rule = DispatchRule::inOrder;
                      }),
                 Paths{"collective.cu_count"});
        QCOMPARE(with(P::chunked,
                      [](Experiment& e) {
                          e.collective.cuCount = CollectiveCus::all();
                          e.policy.pieces = 1;
                      }),
                 Paths{});
    }
};

RINGSIDE_TEST(TestSoftwareOverlap)
#include "tst_software_overlap.moc"
