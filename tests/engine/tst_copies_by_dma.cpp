// Tests copies by DMA that carry the collective of a GEMM in pieces (collective.by=dma).

#include "engine/api/gemm.h"
#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "tests/engine/experiments.h"
#include "tests/engine/free_memory.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <map>

using namespace engine;
using namespace engine::literals;

namespace {

constexpr std::int64_t kGpusThatCopy = 4, kChunkOfCopy = 512 * 1024;  // of the small GEMM

Experiment onDirectLinks(Experiment experiment) {
    experiment.collective.algorithm = CollectiveAlgorithm::direct;
    experiment.topology.kind = TopologyKind::fullyConnected;
    return experiment;
}

Experiment copied(CollectiveOperation operation = CollectiveOperation::allReduce) {
    Experiment experiment = onDirectLinks(tests::smallExperiment(PolicyPreset::chunkedDma));
    experiment.collective.operation = operation;
    return experiment;
}

RunResult copiedTraced(const Experiment& experiment) {
    RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return engine::run(experiment, options);
}

std::vector<std::string> pathsRefused(const Experiment& experiment) {
    std::vector<std::string> paths;
    for (const Problem& problem : validate(experiment))
        paths.push_back(problem.path);
    return paths;
}

using PathsRefused = std::vector<std::string>;

/// Returns a GEMM whose pieces run one after the other on 4 CUs with free memory, and copies that start at once.
Experiment exactCopies(std::int64_t engines, std::int64_t bytesPerSecond) {
    Experiment experiment = onDirectLinks(tests::freeMemory(4, 1, PolicyPreset::chunkedDma));
    experiment.collective.operation = CollectiveOperation::reduceScatter;
    experiment.policy.queues = 1;
    experiment.dma.engines = engines;
    experiment.dma.startupLatency = {};
    experiment.link.bandwidth = {bytesPerSecond};
    experiment.link.efficiency = 1;
    experiment.link.latency = 500_ns;
    experiment.link.header = {};
    return experiment;
}

struct CopySpan {
    Span span;
    std::uint32_t engine = 0;
};

/// Returns the copies of one GPU that began before `before`, in the order in which they got their engines.
std::vector<CopySpan> copiesOf(const Trace& trace, std::uint32_t gpu, TimePoint before = kNever) {
    std::vector<CopySpan> copies;
    for (const Lane& lane : trace.lanes)
        for (const Span& span : lane.spans)
            if (lane.gpu == gpu && span.kind == SpanKind::copy && span.start < before)
                copies.push_back({span, lane.index});
    std::ranges::stable_sort(copies, {}, [](const CopySpan& copy) { return copy.span.start; });
    return copies;
}

/// Returns the step of the sums of one GPU.
Span sumsOf(const Trace& trace, std::uint32_t gpu) {
    for (const Lane& lane : trace.lanes)
        if (lane.gpu == gpu && lane.kind == LaneKind::reduceScatter && lane.spans.size() == 2)
            return lane.spans.back();
    return {};
}

}  // namespace

class TestCopiesByDma : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // With a link for each pair of GPUs and an engine for each copy, the last chunk is produced N-1 places on and then
    // travels. One engine sends one copy after the other, and is free when the last byte has left.
    void copiesEndAsTheirClosedFormSays() {
        const std::int64_t gemm = 2 * (tests::kTile + tests::kEpilogue);  // a chunk has 8 tiles, two waves on 4 CUs
        for (const std::int64_t engines : {1, 3}) {
            for (const std::int64_t bandwidth : {4'096'000'000, 16'384'000'000, 131'072'000'000}) {
                const RunResult result = copiedTraced(exactCopies(engines, bandwidth));
                QCOMPARE(result.invariants.failed.size(), std::size_t{0});
                const std::int64_t send = kChunkOfCopy * 1'000'000'000'000 / bandwidth, latency = 500'000;
                const std::int64_t last =
                    engines == 1 ? std::max(gemm + (kGpusThatCopy - 1) * send, (kGpusThatCopy - 1) * gemm + send)
                                 : (kGpusThatCopy - 1) * gemm + send;
                const std::int64_t end = std::max(kGpusThatCopy * gemm, last + latency);
                for (std::uint32_t gpu = 0; gpu < kGpusThatCopy; ++gpu) {
                    const std::int64_t began = sumsOf(*result.trace, gpu).start.ps;
                    QVERIFY2(
                        std::abs(began - end) < kGpusThatCopy * (tests::kMemory + 10'000),
                        qPrintable(QStringLiteral("%1 engines: %2, expected %3").arg(engines).arg(began).arg(end)));
                }
            }
        }
    }

    void aGemmOfOnePieceTakesAsLongAsSequential() {
        Experiment one = copied();
        one.policy.pieces = 1;
        one.gemm.group = 1;
        Experiment sequential = one;
        applyPolicyPreset(sequential, PolicyPreset::sequential);
        sequential.policy.order = ProducerOrder::staggered;
        QCOMPARE(tests::runAlone(one).last.time.gemm.ps, tests::runAlone(sequential).last.time.gemm.ps);
    }

    void noMoreCopiesThanEnginesAreUnderWay() {
        for (const std::int64_t engines : {1, 2, 64}) {
            Experiment experiment = copied();
            experiment.dma.engines = engines;
            experiment.policy.pieces = 8;
            const RunResult result = copiedTraced(experiment);
            std::map<std::uint32_t, TimePoint> busyUntil;
            const std::vector<CopySpan> copies = copiesOf(*result.trace, 1);
            // Two pieces of each chunk that leaves, and the sum for each other GPU.
            QCOMPARE(copies.size(), std::size_t{2 * 3 + 3});
            QCOMPARE(result.last.dma->commands, std::int64_t{9});
            for (const CopySpan& copy : copies) {
                QVERIFY(copy.engine < engines);
                QVERIFY(copy.span.start >= busyUntil[copy.engine]);
                busyUntil[copy.engine] = copy.span.end;
            }
        }
    }

    // The host hands over one copy after the other, from the end of their piece on; then each starts up.
    void copiesAreHandedOverOneAfterTheOther() {
        Experiment experiment = copied(CollectiveOperation::reduceScatter);
        experiment.policy.queues = 1;  // so that pieces end in their order
        experiment.dma.engines = 64;
        experiment.dma.issue = 3_us;
        experiment.dma.startupLatency = 700_ns;
        experiment.policy.signalLatency = 2_us;
        for (const std::int64_t pieces : {1, 4}) {
            experiment.policy.pieces = pieces;
            const RunResult result = copiedTraced(experiment);
            for (std::uint32_t gpu = 0; gpu < kGpusThatCopy; ++gpu) {
                const std::vector<PieceTimes>& ends = result.trace->pieces[gpu];
                TimePoint handedOver;
                std::size_t place = 0;
                for (const CopySpan& copy : copiesOf(*result.trace, gpu)) {
                    const TimePoint ready = ends[pieces == 1 ? 0 : place].landed + 2_us;
                    handedOver = std::max(handedOver, ready) + 3_us;
                    QCOMPARE(copy.span.start.ps, (handedOver + 700_ns).ps);
                    // Chunks are produced from the GPU's own number on, and go to the GPUs that keep them.
                    QCOMPARE(copy.span.second, static_cast<std::uint32_t>((gpu + place) % kGpusThatCopy));
                    QCOMPARE(copy.span.peer, static_cast<std::uint8_t>((gpu + place + 1) % kGpusThatCopy));
                    ++place;
                }
                QCOMPARE(place, std::size_t{3});
            }
        }
    }

    void anEngineHasNoMoreBytesInFlightThanItsWindow() {
        Experiment experiment = copied(CollectiveOperation::reduceScatter);
        experiment.link.bandwidth = 10_GBps;
        const auto mostInFlight = [](const RunResult& result) {
            std::vector<std::pair<TimePoint, std::int64_t>> changes;  // reads that were served, packets that left
            const TimePoint sums = sumsOf(*result.trace, 0).start;
            for (const Lane& lane : result.trace->lanes) {
                for (const Span& span : lane.spans) {
                    if (lane.gpu != 0 || span.start >= sums)
                        continue;
                    if (lane.kind == LaneKind::dramChannel && span.kind == SpanKind::dramRead &&
                        span.first == static_cast<std::uint32_t>(Stream::communication))
                        changes.emplace_back(span.end, span.bytes);
                    if (lane.kind == LaneKind::linkOut)
                        changes.emplace_back(span.end, -static_cast<std::int64_t>(span.bytes));
                }
            }
            std::ranges::sort(changes);
            std::int64_t now = 0, most = 0;
            for (const auto& [when, bytes] : changes)
                most = std::max(most, now += bytes);
            return most;
        };
        QVERIFY(mostInFlight(copiedTraced(experiment)) > 64 * 1024);
        experiment.dma.window = Bytes{64 * 1024};
        QVERIFY(mostInFlight(copiedTraced(experiment)) <= 64 * 1024);
    }

    // A chunk for several GPUs is read once for each; the sums read all contributions.
    void dramCarriesWhatCopiesAndSumsMove() {
        const std::int64_t output = kGpusThatCopy * kChunkOfCopy;
        const DramResult dram = *tests::runAlone(copied()).last.dram;
        QCOMPARE(dram.rsRead.count, output - kChunkOfCopy + kGpusThatCopy * kChunkOfCopy);
        QCOMPARE(dram.rsWrite.count, output);
        QCOMPARE(dram.agRead.count, output - kChunkOfCopy);
        QCOMPARE(dram.agWrite.count, output - kChunkOfCopy);
    }

    void theSumsBeginWhenAllCopiesHaveComeAndTheGemmHasEnded() {
        Experiment experiment = copied();
        experiment.launch.kernel = 2_us;
        experiment.collective.startLatency = 1_us;
        const RunResult result = copiedTraced(experiment);
        for (std::uint32_t gpu = 0; gpu < kGpusThatCopy; ++gpu) {
            TimePoint came = result.trace->phases[gpu].gemmEnd;
            for (const Lane& lane : result.trace->lanes)
                for (const Span& span : lane.spans)
                    if (lane.gpu == gpu && span.kind == SpanKind::arrivalLanded &&
                        span.end < result.trace->phases[gpu].allGatherStart)
                        came = std::max(came, span.end);
            QCOMPARE(sumsOf(*result.trace, gpu).start.ps, (came + 2_us).ps);
        }
    }

    // A piece of a GEMM that reads gathered data is launched when the piece before it in its queue has ended and its
    // chunks have come.
    void aPieceWaitsForTheCopiesOfItsChunks() {
        for (const std::int64_t pieces : {1, 2, 4, 8}) {
            for (const std::int64_t queues : {1, 2}) {
                Experiment experiment = copied(CollectiveOperation::allGather);
                experiment.workload.sublayer = SubLayer::fc1;
                experiment.link.bandwidth = 5_GBps;
                experiment.policy.pieces = pieces;
                experiment.policy.queues = queues;
                experiment.launch.kernel = 2_us;
                QCOMPARE(pathsRefused(experiment), PathsRefused{});
                const RunResult result = copiedTraced(experiment);
                QCOMPARE(result.invariants.failed.size(), std::size_t{0});
                QCOMPARE(result.gemm->pieces, pieces);
                for (std::uint32_t gpu = 0; gpu < kGpusThatCopy; ++gpu) {
                    std::vector<TimePoint> came(kGpusThatCopy);  // by chunk
                    for (const Lane& lane : result.trace->lanes)
                        for (const Span& span : lane.spans)
                            if (lane.gpu == gpu && span.kind == SpanKind::arrivalLanded)
                                for (std::uint32_t chunk = 0; chunk < kGpusThatCopy; ++chunk)
                                    if (span.first >= result.trace->output.chunkTile[chunk] &&
                                        span.first < result.trace->output.chunkTile[chunk + 1])
                                        came[chunk] = std::max(came[chunk], span.end);
                    const std::vector<PieceTimes>& times = result.trace->pieces[gpu];
                    for (std::size_t piece = 0; piece < times.size(); ++piece) {
                        TimePoint ready;
                        if (const auto before = static_cast<std::int64_t>(piece) - queues; before >= 0)
                            ready = times[static_cast<std::size_t>(before)].landed;
                        // The chunks of a piece, from the GPU's own on.
                        const std::size_t each = std::max<std::size_t>(1, kGpusThatCopy / times.size());
                        const std::size_t first = piece * kGpusThatCopy / times.size();
                        for (std::size_t place = first; place < first + each; ++place)
                            ready = std::max(ready, came[(gpu + kGpusThatCopy - 1 + place) % kGpusThatCopy]);
                        QCOMPARE(times[piece].launched.ps, (ready + 2_us).ps);
                    }
                }
            }
        }
    }

    void everyOperationTopologyAndNumberOfPiecesIsVerified() {
        for (const TopologyKind topology : {TopologyKind::fullyConnected, TopologyKind::switched, TopologyKind::ring}) {
            for (const CollectiveOperation operation :
                 {CollectiveOperation::allReduce, CollectiveOperation::reduceScatter, CollectiveOperation::allToAll,
                  CollectiveOperation::allGather}) {
                for (const std::int64_t pieces : {2, 4, 8}) {
                    Experiment experiment = copied(operation);
                    experiment.topology.kind = topology;
                    experiment.policy.pieces = pieces;
                    if (operation == CollectiveOperation::allGather)
                        experiment.workload.sublayer = SubLayer::fc1;
                    QCOMPARE(pathsRefused(experiment), PathsRefused{});
                    for (const Check& check : verify(experiment))
                        QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
                }
            }
        }
    }

    // Chunks have come before the GPU begins.
    void aGpuThatStartsLateComputesFromItsStart() {
        Experiment experiment = copied(CollectiveOperation::allGather);
        experiment.workload.sublayer = SubLayer::fc1;
        experiment.variation.gpu = 1;
        experiment.variation.startSkew = 10'000_us;
        const RunResult result = copiedTraced(experiment);
        QCOMPARE(result.invariants.failed.size(), std::size_t{0});
        QVERIFY(result.trace->pieces[1].front().launched >= TimePoint{} + 10'000_us);
    }

    // FiCCO's two parts of what the GEMM loses; the causes of each add up to it.
    void piecesLoseByThemselvesAndBesideCopies() {
        for (const CollectiveOperation operation :
             {CollectiveOperation::reduceScatter, CollectiveOperation::allGather}) {
            Experiment experiment = copied(operation);
            if (operation == CollectiveOperation::allGather)
                experiment.workload.sublayer = SubLayer::fc1;
            experiment.launch.kernel = 1_us;
            for (const std::int64_t pieces : {1, 4, 16}) {
                experiment.policy.pieces = pieces;
                RunOptions options;
                options.attribution = true;
                const RunResult result = engine::run(experiment, options);
                const Duration decomposition = *result.gemm->decomposition, contention = *result.gemm->contention;
                QCOMPARE((decomposition + contention).ps, (result.last.time.gemm - *result.sequentialGemm).ps);
                QCOMPARE(result.loss->decomposition.total().ps, decomposition.ps);
                if (result.loss->contention)
                    QCOMPARE(result.loss->contention->total().ps, contention.ps);
                QVERIFY(pieces == 1 ? decomposition.ps == 0 : decomposition.ps > 0);
            }
        }
    }

    void companionsRunBesidePiecesThatWaitForCopies() {
        for (const CompanionOperation companion : {CompanionOperation::gemm, CompanionOperation::allGather}) {
            Experiment experiment = copied(CollectiveOperation::allGather);
            experiment.workload.sublayer = SubLayer::fc1;
            experiment.companion.operation = companion;
            for (const Check& check : verify(experiment))
                QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
        }
    }

    void nearlyAllOfTheTimeIsExplained() {
        for (const CollectiveOperation operation : {CollectiveOperation::allReduce, CollectiveOperation::allGather}) {
            Experiment experiment = onDirectLinks(tests::tNlgFc2(PolicyPreset::chunkedDma, DetailLevel::interactive));
            experiment.collective.operation = operation;
            experiment.workload.sublayer =
                operation == CollectiveOperation::allGather ? SubLayer::fc1 : experiment.workload.sublayer;
            experiment.launch.kernel = 2_us;
            for (const std::optional<Bytes> window : {std::optional<Bytes>(), std::optional(Bytes{256 * 1024})}) {
                experiment.dma.window = window;
                RunOptions options;
                options.baselines = false;
                options.attribution = true;
                const RunResult result = engine::run(experiment, options);
                const Duration lost = result.attribution->causes[Cause::dependency];
                QVERIFY2(lost.ps * 1000 < result.last.time.total.ps, qPrintable(QString::number(lost.ps)));
            }
        }
    }

    void threadsChangeNothing() {
        Experiment experiment = copied();
        experiment.variation.jitter = 1_us;
        QCOMPARE(tests::runAlone(experiment, 4).last, tests::runAlone(experiment, 1).last);
    }

    void otherPoliciesDoNotReadWhatCopiesRead() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca, PolicyPreset::chunked}) {
            const Experiment usual = onDirectLinks(tests::smallExperiment(policy));
            Experiment changed = usual;
            changed.dma.issue = 5_us;
            const RunResult after = tests::runAlone(changed);
            QCOMPARE(after.last.time, tests::runAlone(usual).last.time);
            QVERIFY(
                std::ranges::any_of(after.notices, [](const Notice& notice) { return notice.path == "dma.issue"; }));
        }
    }

    void whatCannotBeCopiedIsRefused() {
        const auto with = [](auto change) {
            Experiment experiment = copied();
            change(experiment);
            return pathsRefused(experiment);
        };
        QCOMPARE(with([](Experiment&) {}), PathsRefused{});
        QCOMPARE(with([](Experiment& e) { e.collective.algorithm = CollectiveAlgorithm::ring; }),
                 PathsRefused{"collective.algorithm"});
        QCOMPARE(with([](Experiment& e) { e.collective.reduction = Reduction::nmc; }),
                 PathsRefused{"collective.reduction"});
        QCOMPARE(with([](Experiment& e) { e.policy.order = ProducerOrder::plain; }), PathsRefused{"policy.order"});
        QCOMPARE(with([](Experiment& e) { e.policy.pieces = 3; }), PathsRefused{"policy.pieces"});
        // No CUs are taken from the GEMM.
        QCOMPARE(with([](Experiment& e) { e.collective.cuCount = CollectiveCus::all(); }), PathsRefused{});
    }
};

RINGSIDE_TEST(TestCopiesByDma)
#include "tst_copies_by_dma.moc"
