#include "data/laboratory/laboratory.h"
#include "data/laboratory/run_outcome.h"
#include "data/store/store.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace data;

namespace {

ExperimentDraft small(std::initializer_list<const char*> settings = {}) {
    ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
    engine::Problems problems;
    for (const char* setting : {"workload.sequence=1024", "workload.batch=2", "detail.level=interactive"})
        applySetting(setting, draft, problems);
    for (const char* setting : settings)
        applySetting(setting, draft, problems);
    return draft;
}

}  // namespace

class TestLaboratory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsKeptWithWhatItTakesToRepeatIt() {
        const QTemporaryDir folder;
        Store store(folder.filePath("runs.ringside").toStdString());
        const LaboratoryRun run = Laboratory(&store).run(small());
        const auto kept = store.runs();
        QCOMPARE(kept.size(), std::size_t{1});
        QCOMPARE(kept.front().experimentHash, run.hash);
        QCOMPARE(kept.front().engineVersion, std::string(engine::engineVersion()));
        QVERIFY(readDraft(kept.front().draft, "kept").draft == run.draft);
        const engine::RunResult result = store.resultOf(kept.front().id);
        QVERIFY(result.last == run.result.last && result.isolated == run.result.isolated);
        QVERIFY(result.speedupOverSequential == run.result.speedupOverSequential);
    }

    void comparingGivesWhatSingleRunsGive() {
        const std::vector<std::string> policies{"t3-mca", "sequential", "ideal-overlap", "t3", "ideal-overlap-nmc"};
        const auto compared = Laboratory().compare(small(), policies);
        QCOMPARE(compared.size(), policies.size());
        for (std::size_t i = 0; i < policies.size(); ++i) {
            const LaboratoryRun alone = Laboratory().run(small({("policy=" + policies[i]).c_str()}));
            QCOMPARE(compared[i].hash, alone.hash);
            QVERIFY(compared[i].result.last == alone.result.last);
            QVERIFY(compared[i].result.isolated == alone.result.isolated);
            QVERIFY(compared[i].result.speedupOverSequential == alone.result.speedupOverSequential);
            QCOMPARE(compared[i].result.events, alone.result.events);
        }
    }

    void aSpeedUpIsTheRatioOfTheTotalsBesideIt_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("presets alone") << QStringList{};
        QTest::newRow("CUs") << QStringList{"collective.cu_count=8"};
        QTest::newRow("the CUs that the split has") << QStringList{"collective.cu_count=16"};
        QTest::newRow("slow CUs") << QStringList{"collective.cu_count=3", "collective.cu_bandwidth=2GB/s"};
        QTest::newRow("order") << QStringList{"policy.order=staggered"};
        QTest::newRow("order and caching") << QStringList{"policy.order=staggered", "policy.output_caching=bypass"};
        QTest::newRow("near memory") << QStringList{"collective.reduction=nmc"};
        QTest::newRow("arbitration") << QStringList{"arbitration.policy=compute-first"};
        QTest::newRow("banks") << QStringList{"memory.model=banks", "collective.cu_count=20"};
        QTest::newRow("a slow link") << QStringList{"variation.gpu=1", "variation.link_factor=0.5",
                                                    "collective.cu_count=20"};
    }

    void aSpeedUpIsTheRatioOfTheTotalsBesideIt() {
        QFETCH(const QStringList, settings);
        ExperimentDraft draft = small();
        engine::Problems problems;
        for (const QString& setting : settings)
            applySetting(setting.toStdString(), draft, problems);
        QVERIFY(problems.empty());
        std::vector<std::string> policies;
        for (const Preset& policy : data::policies()) {
            ExperimentDraft under = draft;
            engine::Problems refused;
            applySetting("policy=" + policy.name, under, refused);
            if (engine::validate(expand(under).experiment).empty())  // a kernel beside the GEMM cannot add near memory
                policies.push_back(policy.name);
        }
        QVERIFY(policies.size() >= 6);
        const auto runs = Laboratory().compare(draft, policies);
        QCOMPARE(runs.front().experiment.policy.preset, engine::PolicyPreset::sequential);
        const auto sequential = static_cast<double>(runs.front().result.last.time.total.ps);
        for (const LaboratoryRun& run : runs) {
            QCOMPARE(run.result.sequentialTotal->ps, runs.front().result.last.time.total.ps);
            QCOMPARE(*run.result.speedupOverSequential,
                     sequential / static_cast<double>(run.result.last.time.total.ps));
            for (const auto& [path, value] : draft.explicitValues)
                QVERIFY2(path == "policy.preset" || engine::findParameter(path)->read(run.experiment) == value,
                         (run.name + " " + path).c_str());
        }
    }

    void aSettingOfTheMachineGivesEachPolicyOneBaselineWhereverItIsRun() {
        const auto compared = Laboratory().compare(small({"collective.cu_count=8"}), {"sequential", "cu-split", "t3"});
        for (const LaboratoryRun& run : compared)
            QVERIFY(run.result.notices.empty() || run.result.notices.back().path != "policy.preset");
        const LaboratoryRun alone = Laboratory().run(small({"collective.cu_count=8", "policy=cu-split"}));
        QCOMPARE(*alone.result.speedupOverSequential, *compared[1].result.speedupOverSequential);
        // A value that is set by hand gives another baseline, even if it is the value of the preset.
        const LaboratoryRun sixteen = Laboratory().run(small({"collective.cu_count=16", "policy=cu-split"}));
        const LaboratoryRun automatic = Laboratory().run(small({"policy=cu-split"}));
        QVERIFY(sixteen.result.last == automatic.result.last);
        QVERIFY(sixteen.hash != automatic.hash);
        QVERIFY(*sixteen.result.sequentialTotal > *automatic.result.sequentialTotal);
    }

    void partsOfThePolicySetByHandAreNamedWhereTheyMoveTheBaseline() {
        const auto moved = Laboratory().compare(small({"policy.order=staggered"}), {"sequential", "t3"});
        QCOMPARE(moved.back().result.notices.back().path, std::string("policy.preset"));
        const auto plain = Laboratory().compare(small(), {"sequential", "t3"});
        for (const engine::Notice& notice : plain.back().result.notices)
            QVERIFY(notice.path != "policy.preset");
    }

    void oneBadPolicyStopsAComparisonBeforeItStarts() {
        const QTemporaryDir folder;
        Store store(folder.filePath("runs.ringside").toStdString());
        QVERIFY_EXCEPTION_THROWN(Laboratory(&store).compare(small(), {"t3", "t4"}), engine::InvalidExperiment);
        QVERIFY(store.runs().empty());
    }

    void badDraftsAreRefusedWithEveryProblem() {
        ExperimentDraft draft = small();
        draft.explicitValues["cu.count"] = std::int64_t{0};
        draft.explicitValues["parallel.tp"] = std::int64_t{9};
        try {
            Laboratory().run(draft);
            QFAIL("the run was not rejected");
        } catch (const engine::InvalidExperiment& error) { QCOMPARE(error.problems().size(), std::size_t{2}); }
    }

    void aStopRequestEndsARunAndKeepsNothing() {
        const QTemporaryDir folder;
        Store store(folder.filePath("runs.ringside").toStdString());
        std::stop_source stop;
        stop.request_stop();
        engine::RunOptions options;
        options.stop = stop.get_token();
        QVERIFY_EXCEPTION_THROWN(Laboratory(&store).run(small(), options), engine::RunStopped);
        QVERIFY(store.runs().empty());
    }

    void progressRisesFromRunToRun() {
        std::vector<double> seen;
        engine::RunOptions options;
        options.progress = [&](double done) { seen.push_back(done); };
        (void)Laboratory().compare(small(), {"sequential", "t3"}, options);
        QVERIFY(!seen.empty() && std::is_sorted(seen.begin(), seen.end()) && seen.back() <= 1.0);
    }

    void anOutcomeWithoutAResultSaysWhatFailed() {
        engine::RunOutcome ended{engine::RunResult(), {}, false};
        ended.result->last.time.total = {7};
        QCOMPARE(resultOf(std::move(ended), "a run").last.time.total.ps, std::int64_t{7});
        try {
            resultOf({std::nullopt, "the tracker waits", false}, "a run");
            QFAIL("a run that failed has no result");
        } catch (const engine::Deadlock& failure) { QCOMPARE(failure.what(), "a run: the tracker waits"); }
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, resultOf({std::nullopt, {}, true}, "a run"));
    }

    void namesSayWhatWasRun() {
        const auto nameOf = [](const char* preset, std::initializer_list<const char*> settings) {
            ExperimentDraft draft = draftNamed(preset).draft;
            engine::Problems problems;
            for (const char* setting : settings)
                applySetting(setting, draft, problems);
            return displayName(draft);
        };
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {}), std::string("t-nlg/fc-2/tp8 t3-mca"));
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"policy=t3", "detail.level=fine"}), std::string("t-nlg/fc-2/tp8 t3"));
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"link.bandwidth=75GB/s"}),
                 std::string("t-nlg/fc-2/tp8 t3-mca, bandwidth per direction 75 GB/s"));
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"tracker.entries=32"}), std::string("t-nlg/fc-2/tp8 t3-mca, entries 32"));
        // The word "latency" alone does not say which latency is meant.
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"link.latency=1us"}),
                 std::string("t-nlg/fc-2/tp8 t3-mca, link latency 1 µs"));
        QCOMPARE(nameOf("t-nlg/fc-2/tp8",
                        {"gemm.k_step=64", "cu.count=40", "llc.latency=1us", "tracker.entries=32", "dma.engines=2"}),
                 std::string(
                     "t-nlg/fc-2/tp8 t3-mca, K-step 64, compute units 40, last-level cache latency 1 µs and 2 more"));
        // The value is set by hand, but it is the value of the preset.
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"link.bandwidth=150GB/s"}), std::string("t-nlg/fc-2/tp8 t3-mca"));
        QCOMPARE(nameOf("t-nlg/fc-2/tp8", {"machine=t3-2x-cu"}), std::string("t-nlg/fc-2/tp8 t3-mca on t3-2x-cu"));
        QCOMPARE(nameOf("collective/all-reduce/tp4", {}), std::string("collective/all-reduce/tp4 t3-mca"));
        QCOMPARE(nameOf("gemm/4096x1024x512", {}), std::string("gemm/4096x1024x512 t3-mca"));
        QCOMPARE(nameOf("gemm/4096x1024x512/tp4", {"matrix.k=64"}), std::string("gemm/4096x1024x64/tp4 t3-mca"));
        QCOMPARE(nameOf("gemm/8x8x8", {"companion.copies=2"}), std::string("gemm/8x8x8 t3-mca, copies 2"));
    }

    void whatASweepVariesIsNamedFirstAndAlways() {
        ExperimentDraft draft = draftNamed("t-nlg/fc-2/tp8").draft;
        engine::Problems problems;
        for (const char* setting : {"gemm.k_step=64", "cu.count=40", "llc.latency=1us", "tracker.entries=32"})
            applySetting(setting, draft, problems);
        const engine::Experiment experiment = expand(draft).experiment;
        const std::string name = NameGiver({"tracker.entries"}).nameOf(draft, experiment);
        QVERIFY2(name.starts_with("t-nlg/fc-2/tp8 t3-mca, entries 32, K-step 64"), name.c_str());
        // The value is named also if it is that of the preset. A value that is part of the name is not repeated.
        const ExperimentDraft plain = draftNamed("t-nlg/fc-2/tp8").draft;
        QCOMPARE(
            NameGiver({"parallel.tp", "tracker.entries", "dma.block_tiles"}).nameOf(plain, expand(plain).experiment),
            std::string("t-nlg/fc-2/tp8 t3-mca, entries 256, block 4"));
    }
};

RINGSIDE_TEST(TestLaboratory)
#include "tst_laboratory.moc"
