// Tests the attribution of whole runs: exact sums, cases in which one resource must be named, and equal results.

#include "engine/api/attribution.h"
#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/record/critical_path.h"
#include "tests/engine/attributed_run.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace engine;
using tests::attributed, tests::defectsOf, tests::share;

namespace {

constexpr PolicyPreset kSimulated[] = {PolicyPreset::sequential, PolicyPreset::t3,      PolicyPreset::t3Mca,
                                       PolicyPreset::cuSplit,    PolicyPreset::chunked, PolicyPreset::signals};

/// Applies settings as `--set` does: "path=value path=value", in base units.
Experiment with(Experiment experiment, const QString& settings) {
    for (const QString& setting : settings.split(' ')) {
        const QStringList parts = setting.split('=');
        const Parameter* parameter = findParameter(parts[0].toStdString());
        if (parameter == nullptr)
            qFatal("no parameter %s", qPrintable(parts[0]));
        Problems problems;
        const auto value = parseValue(*parameter, parts[1].toStdString(), problems);
        if (!value)
            qFatal("no value %s", qPrintable(setting));
        parameter->write(experiment, *value);
    }
    return experiment;
}

/// Returns whether hardly any time of a run is unexplained.
bool isExplained(const Experiment& experiment) {
    const RunResult result = attributed(experiment);
    const std::string defects = defectsOf(result);
    const double unexplained = share(result, Cause::dependency);
    if (!defects.empty() || unexplained > 0.01)
        qWarning("%s%.2f %% unexplained", defects.c_str(), 100 * unexplained);
    return defects.empty() && unexplained <= 0.01;
}

/// Damages a trace: removes lanes and spans, moves some spans, and gives others numbers that do not exist.
void damage(Trace& trace, std::mt19937& draw) {
    const auto oneOf = [&](unsigned many) { return draw() % many == 0; };
    std::erase_if(trace.lanes, [&](const Lane&) { return oneOf(20); });
    for (Lane& lane : trace.lanes) {
        if (!oneOf(3))
            continue;
        std::erase_if(lane.spans, [&](const Span&) { return oneOf(4); });
        for (Span& span : lane.spans) {
            if (oneOf(10))
                span.first = oneOf(2) ? kNone : span.first + 7;
            if (oneOf(10))
                span.second = oneOf(2) ? kNone : span.second + 3;
            if (oneOf(10))
                span.end = span.end + Duration{1};
            if (oneOf(10))
                span.peer = static_cast<std::uint8_t>(draw());
        }
        if (oneOf(2))
            lane.askedAt.resize(lane.askedAt.size() / 2);
    }
    if (oneOf(3))
        trace.computed.clear();
    if (oneOf(3))
        trace.companionComputed.clear();
    if (oneOf(3))
        trace.pieces.clear();
    if (oneOf(3))
        trace.phases.clear();
    if (oneOf(4))
        trace.output.chunkTile.clear();
}

Experiment fast(Experiment experiment, bool links) {
    experiment.memory.bandwidth = Bandwidth{1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.latency = {};
    experiment.llc.latency = {};
    if (links) {
        experiment.link.bandwidth = Bandwidth{1'000'000'000'000'000};
        experiment.link.latency = {};
    }
    return experiment;
}

}  // namespace

class TestCriticalPath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPublishedCaseSumsToItsTotalAndLeavesNextToNothingUnexplained_data() {
        QTest::addColumn<int>("policy");
        for (const PolicyPreset policy : kSimulated)
            QTest::addRow("%s", std::string(name(policy)).c_str()) << static_cast<int>(policy);
    }

    void everyPublishedCaseSumsToItsTotalAndLeavesNextToNothingUnexplained() {
        QFETCH(int, policy);
        for (const tests::PublishedCase& published : tests::publishedCases()) {
            const RunResult result =
                attributed(tests::experimentOf(published, static_cast<PolicyPreset>(policy), DetailLevel::interactive));
            const std::string defects = defectsOf(result);
            QVERIFY2(defects.empty(), (published.name + ": " + defects).c_str());
            QVERIFY2(share(result, Cause::dependency) < 0.001, published.name.c_str());
        }
    }

    void plainT3HasMoreContentionThanMca() {
        const RunResult plain = attributed(tests::tNlgFc2(PolicyPreset::t3));
        const RunResult mca = attributed(tests::tNlgFc2(PolicyPreset::t3Mca));
        QVERIFY(defectsOf(plain).empty() && defectsOf(mca).empty());
        QVERIFY(share(plain, Cause::contention) > 5 * share(mca, Cause::contention));
        // All time that MCA saves is time of the memory: nothing else became faster.
        const auto memory = [](const RunResult& result) {
            const CauseTimes& causes = result.attribution->causes;
            return (causes[Cause::contention] + causes[Cause::memory] + causes[Cause::latency] +
                    causes[Cause::cacheSlices])
                .ps;
        };
        const std::int64_t saved = (plain.last.time.total - mca.last.time.total).ps;
        QVERIFY(std::abs(memory(plain) - memory(mca) - saved) < saved / 4);
    }

    void aGpuThatStandsForAllWaitsForTheSameAsAllOfThem() {
        for (const PolicyPreset policy : kSimulated) {
            Experiment experiment = tests::experimentOf(tests::publishedCases()[8], policy, DetailLevel::interactive);
            const RunResult mirrored = attributed(experiment);
            experiment.detail.mode = DetailMode::full;
            const RunResult full = attributed(experiment);
            QVERIFY(mirrored.mirrored && !full.mirrored);
            QVERIFY2(defectsOf(full).empty(), defectsOf(full).c_str());
            QVERIFY(*mirrored.attribution == *full.attribution);
            QCOMPARE(full.path->steps.size(), mirrored.path->steps.size());
        }
    }

    void neitherTheTraceNorTheNumberOfThreadsChangesAnything() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca, 8);
        experiment.detail.mode = DetailMode::full;
        const RunResult one = attributed(experiment);
        const RunResult withoutTrace = attributed(experiment, false);
        QVERIFY(!withoutTrace.trace && !withoutTrace.path);
        QVERIFY(*withoutTrace.attribution == *one.attribution);
        for (const int threads : {2, 5})
            QVERIFY(*attributed(experiment, false, threads).attribution == *one.attribution);
        // Computing the attribution changes nothing else in the result.
        QVERIFY(tests::runAlone(experiment).last == one.last);
        QVERIFY(!tests::runAlone(experiment).attribution);
    }

    void ofTheBoundsThereIsNone() {
        const RunResult result = attributed(tests::smallExperiment(PolicyPreset::idealOverlap));
        QVERIFY(!result.attribution && !result.path);
    }

    void withMemoryAndLinksForFreeThereIsOnlyComputing() {
        // The first loads of each wave take a few picoseconds of service each: less than a thousandth.
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = fast(tests::tNlgFc2(policy, DetailLevel::interactive), true);
            experiment.collective.cuBandwidth.reset();
            experiment.dma.startupLatency = {};
            experiment.tracker.triggerLatency = {};
            const RunResult result = attributed(experiment);
            QVERIFY2(defectsOf(result).empty(), defectsOf(result).c_str());
            QVERIFY(share(result, Cause::compute) + share(result, Cause::dispatch) > 0.999);
        }
    }

    void aCollectiveBoundByItsLinksWaitsForThemAsLongAsTheClosedFormSays() {
        // N-1 steps of a chunk of 4 MiB at 150 GB/s and 500 ns: 3 x (27,962,026 + 500,000) ps. What memory adds is
        // reading the first granule of each step and writing the last.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential, 4);
        experiment.workload.sublayer = SubLayer::allGather;
        experiment.workload.bytes = Bytes{16 << 20};
        experiment.collective.cuBandwidth.reset();
        const RunResult result = attributed(fast(experiment, false));
        QVERIFY2(defectsOf(result).empty(), defectsOf(result).c_str());
        const std::int64_t form = 3 * (4194304000LL / 150 + 500'000);
        QVERIFY(std::abs(result.attribution->causes[Cause::link].ps - form) <= 3);
        QVERIFY(share(result, Cause::link) > 0.999);
    }

    void slowLinksAreTheLargestCause() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
            experiment.link.bandwidth = Bandwidth{15'000'000'000};
            const CauseTimes causes = attributed(experiment).attribution->causes;
            QCOMPARE(std::max_element(causes.by.begin(), causes.by.end()) - causes.by.begin(),
                     static_cast<std::ptrdiff_t>(Cause::link));
        }
    }

    void everyTopologyAlgorithmAndOperationHasACompletePath_data() {
        QTest::addColumn<int>("kind");
        for (const auto kind : {TopologyKind::ring, TopologyKind::fullyConnected, TopologyKind::switched,
                                TopologyKind::torus, TopologyKind::twoNodes})
            QTest::addRow("topology %d", static_cast<int>(kind)) << static_cast<int>(kind);
    }

    void everyTopologyAlgorithmAndOperationHasACompletePath() {
        QFETCH(int, kind);
        int runs = 0;
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca})
            for (const auto algorithm :
                 {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct, CollectiveAlgorithm::hierarchical})
                for (const auto operation : {CollectiveOperation::allReduce, CollectiveOperation::reduceScatter,
                                             CollectiveOperation::allToAll, CollectiveOperation::allGather})
                    for (const auto egress : {TopologyEgress::perLink, TopologyEgress::shared}) {
                        Experiment experiment = tests::smallExperiment(policy, 4);
                        experiment.topology.kind = static_cast<TopologyKind>(kind);
                        experiment.topology.egress = egress;
                        experiment.collective.algorithm = algorithm;
                        experiment.collective.operation = operation;
                        if (!validate(experiment).empty())
                            continue;
                        ++runs;
                        QVERIFY2(isExplained(experiment),
                                 qPrintable(QString("%1 algorithm %2 operation %3 shared %4")
                                                .arg(QString::fromStdString(std::string(name(policy))))
                                                .arg(static_cast<int>(algorithm))
                                                .arg(static_cast<int>(operation))
                                                .arg(egress == TopologyEgress::shared)));
                    }
        QVERIFY(runs > 4);
    }

    void collectivesAloneHaveACompletePathAlsoWhereAGpuBeginsLate() {
        for (const SubLayer collective :
             {SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce, SubLayer::allToAll})
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3})
                for (const bool late : {false, true}) {
                    Experiment experiment = tests::smallExperiment(policy, 4);
                    experiment.workload.sublayer = collective;
                    experiment.workload.bytes = Bytes{4 << 20};
                    if (late) {
                        experiment.variation.gpu = 2;
                        experiment.variation.startSkew = 200_us;
                    }
                    QVERIFY(isExplained(experiment));
                    // 200 us is later than everything that the other GPUs can do without this GPU.
                    if (late && collective != SubLayer::allGather)
                        QVERIFY(attributed(experiment).attribution->byGpu[2][Cause::dispatch] >= 200_us);
                }
    }

    void unusualMachinesHaveACompletePath_data() {
        QTest::addColumn<QString>("settings");
        for (const char* settings :
             {"tracker.entries=1",
              "tracker.entries=4 tracker.ways=2",
              "dma.window=65536",
              "dma.window=16384 dma.engines=4",
              "memory.model=banks",
              "memory.store_order=reads-first",
              "memory.store_order=write-drain",
              "memory.turnaround=10000",
              "gemm.prefetch=192",
              "gemm.prefetch=16",
              "cu.residency=slots",
              "cu.residency=slots cu.slots=4",
              "cache.queue=off",
              "cache.queue=64",
              "gemm.group=1",
              "gemm.group=3",
              "gemm.epilogue=0 cu.start_jitter=0",
              "memory.bandwidth=100000000000",
              "link.header=64 link.packet=256",
              "link.latency=0 memory.latency=0 llc.latency=0 tracker.trigger_latency=0 dma.startup_latency=0 "
              "gemm.epilogue=0 cu.start_jitter=0",
              "collective.start_latency=5000000",
              "collective.cu_count=4",
              "parallel.tp=2",
              "arbitration.share=1",
              "arbitration.policy=compute-first",
              "gemm.tile_m=200 gemm.tile_n=96 detail.mode=full",
              "detail.granule=256"})
            QTest::addRow("%s", settings) << QString::fromLatin1(settings);
    }

    void unusualMachinesHaveACompletePath() {
        QFETCH(QString, settings);
        for (const PolicyPreset policy : kSimulated)
            QVERIFY(isExplained(with(tests::smallExperiment(policy, 4), settings)));
    }

    void theGpuThatIsSlowIsWhereTheTimeGoes() {
        const auto slowest = [](const Experiment& experiment) {
            const std::vector<CauseTimes> gpus = attributed(experiment).attribution->byGpu;
            const auto most = std::max_element(gpus.begin(), gpus.end(), [](const CauseTimes& a, const CauseTimes& b) {
                return a.total() < b.total();
            });
            return most - gpus.begin();
        };
        for (const PolicyPreset policy : kSimulated) {
            for (const char* settings :
                 {"variation.gpu=2 variation.clock_factor=0.3", "variation.gpu=2 variation.link_factor=0.1",
                  "variation.gpu=2 variation.background_traffic=500000000000", "variation.jitter=20000000"})
                QVERIFY(isExplained(with(tests::smallExperiment(policy, 4), settings)));
            QCOMPARE(slowest(with(tests::smallExperiment(policy, 4), "variation.gpu=2 variation.clock_factor=0.3")),
                     std::ptrdiff_t{2});
            QCOMPARE(slowest(with(tests::smallExperiment(policy, 4), "variation.gpu=2 variation.link_factor=0.1")),
                     std::ptrdiff_t{2});
        }
    }

    void aTrackerWithoutRoomAndASlowDmaEngineAreNamed() {
        // OP on 16 GPUs waits only for links.
        const Experiment usual =
            tests::experimentOf(tests::publishedCases()[12], PolicyPreset::t3Mca, DetailLevel::interactive);
        const RunResult before = attributed(usual);
        QVERIFY(share(before, Cause::trackerDma) < 0.001);
        const RunResult oneEntry = attributed(with(usual, "tracker.entries=1"));
        QVERIFY(oneEntry.last.time.total > before.last.time.total);
        const std::int64_t longer = (oneEntry.last.time.total - before.last.time.total).ps;
        QVERIFY(longer > 0 && oneEntry.attribution->causes[Cause::trackerDma].ps > longer);
        // The last chunk waits for a start-up of 100 us once on each hop.
        const RunResult slowStart = attributed(with(usual, "dma.startup_latency=100000000"));
        const std::int64_t waited = slowStart.attribution->causes[Cause::trackerDma].ps;
        QVERIFY(waited >= Duration{100_us}.ps);
        QVERIFY(slowStart.last.time.total.ps - before.last.time.total.ps <= waited);
    }

    void aTraceWithHolesStillHasAPathWithoutGaps() {
        // Whatever is missing or moved, the path is complete and ends. The generator has seed 1.
        std::mt19937 draw(1);
        for (const PolicyPreset policy : kSimulated)
            for (const DetailMode mode : {DetailMode::mirrored, DetailMode::full})
                for (int i = 0; i < 12; ++i) {
                    Experiment experiment = tests::smallExperiment(policy, 4);
                    experiment.detail.mode = mode;
                    if (i % 4 == 1)
                        experiment.companion.operation = CompanionOperation::gemm;
                    if (i % 4 == 2)
                        experiment.companion.operation = CompanionOperation::allReduce;
                    if (i % 4 == 3) {
                        experiment.companion.operation = CompanionOperation::allGather;
                        experiment.companion.by = CollectiveCarrier::dma;
                        experiment.dispatch.rule = DispatchRule::inOrder;
                    }
                    QVERIFY(validate(experiment).empty());
                    Trace trace = *attributed(experiment).trace;
                    damage(trace, draw);
                    RunResult result;
                    result.last.time.total = trace.end - TimePoint{};
                    result.trace = std::make_shared<const Trace>(trace);
                    result.path = std::make_shared<const CriticalPath>(criticalPathOf(trace, experiment));
                    result.attribution = attributionOf(*result.path, trace.gpus);
                    QVERIFY2(defectsOf(result).empty(), defectsOf(result).c_str());
                }
    }

    void slowMemoryIsTheLargestCause() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive);
        experiment.memory.bandwidth = Bandwidth{60'000'000'000};
        QVERIFY(share(attributed(experiment), Cause::memory) > 0.8);
    }
};

RINGSIDE_TEST(TestCriticalPath)
#include "tst_critical_path.moc"
