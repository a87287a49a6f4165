// Where the time of whole runs goes: sums to the picosecond, limits in which one resource must be named, and equality.

#include "engine/api/attribution.h"
#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/record/critical_path.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"

#include <QtTest>

#include <algorithm>

using namespace engine;

namespace {

constexpr PolicyPreset kSimulated[] = {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca,
                                       PolicyPreset::cuSplit};

RunResult attributed(const Experiment& experiment, bool recordTrace = true, int threads = 1) {
    RunOptions options;
    options.baselines = false;
    options.attribution = true;
    options.recordTrace = recordTrace;
    options.threads = threads;
    return engine::run(experiment, options);
}

Duration sumOf(const std::vector<CauseTimes>& parts) {
    Duration sum;
    for (const CauseTimes& part : parts)
        sum += part.total();
    return sum;
}

double share(const RunResult& result, Cause cause) {
    return static_cast<double>(result.attribution->causes[cause].ps) / static_cast<double>(result.last.time.total.ps);
}

/// What is wrong with an attributed run, in words; empty: nothing.
std::string defectsOf(const RunResult& result) {
    if (!result.attribution || !result.path)
        return "no attribution";
    const Duration total = result.last.time.total;
    const AttributionResult& sums = *result.attribution;
    std::string defects;
    if (sums.causes.total() != total)
        defects += "causes sum to " + std::to_string(sums.causes.total().ps) + "; ";
    if (sumOf({sums.byPhase.begin(), sums.byPhase.end()}) != total)
        defects += "phases do not sum to the total; ";
    if (sumOf(sums.byGpu) != total)
        defects += "GPUs do not sum to the total; ";
    TimePoint reached;
    for (const PathStep& step : result.path->steps) {
        if (step.start != reached || step.end <= step.start)
            defects += "a gap or an overlap at " + std::to_string(step.start.ps) + "; ";
        reached = step.end;
        if (step.lane == kNone)
            continue;
        const std::vector<Lane>& lanes = result.trace->lanes;
        if (step.lane >= lanes.size() || step.firstSpan > step.lastSpan ||
            step.lastSpan >= lanes[step.lane].spans.size())
            defects += "a step is shown by no span at " + std::to_string(step.start.ps) + "; ";
    }
    if (reached - TimePoint{} != total)
        defects += "the path ends at " + std::to_string(reached.ps) + "; ";
    return defects;
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
        // What MCA saves is what it saves in memory: nothing else became faster.
        const auto memory = [](const RunResult& result) {
            return (result.attribution->causes[Cause::contention] + result.attribution->causes[Cause::memory]).ps;
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
        // And being asked for it changes nothing else.
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
        // N-1 steps of a chunk of 4 MiB at 150 GB/s and 500 ns: 3 x (27,962,026 + 500,000) ps. What memory adds is reading
        // the first granule of each step and writing the last.
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

    void slowMemoryIsTheLargestCause() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive);
        experiment.memory.bandwidth = Bandwidth{60'000'000'000};
        QVERIFY(share(attributed(experiment), Cause::memory) > 0.8);
    }
};

QTEST_APPLESS_MAIN(TestCriticalPath)
#include "tst_critical_path.moc"
