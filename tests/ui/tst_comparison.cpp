#include "tests/test_program.h"
#include "ui/compare/comparison.h"

#include "engine/api/runner.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using ui::ComparePick;
using ui::Comparison;
using Kind = ui::ComparePick::Kind;

namespace {

/// Returns a run that takes as many picoseconds as its policy's name has letters.
data::LaboratoryRun quickSide(const data::ExperimentDraft& draft, const engine::RunOptions&) {
    data::LaboratoryRun run;
    run.draft = draft;
    run.experiment = data::expand(draft).experiment;
    run.hash = "hash";
    const std::size_t letters = engine::name(run.experiment.policy.preset).size();
    run.result.last.time.total = {static_cast<std::int64_t>(letters)};
    run.result.attribution.emplace();
    return run;
}

std::shared_ptr<const data::ShownRun> shown(const std::string& policy) {
    data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
    draft.explicitValues["policy.preset"] = policy;
    auto run = std::make_shared<data::ShownRun>();
    run->run = quickSide(draft, {});
    return run;
}

struct ComparisonBench {
    explicit ComparisonBench(const std::string& policy = "t3-mca", ui::RunSessionConfig::Simulate simulate = quickSide)
        : comparison(ui::RunSessionConfig{std::nullopt, std::move(simulate)}) {
        comparison.setWatched(true);
        comparison.setShown(shown(policy));
    }
    std::string policyOf(std::size_t index) const {
        return std::string(engine::name(comparison.runs()[index].run->run.experiment.policy.preset));
    }
    void finish() { QTRY_VERIFY(comparison.isComplete()); }

    Comparison comparison;
};

QJsonObject parsed(const char* text) { return QJsonDocument::fromJson(text).object(); }

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRuleOfDispatchIsTheShownExperimentUnderIt() {
        data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["companion.operation"] = std::string("all-gather");
        draft.explicitValues["dispatch.rule"] = std::string("round-robin");
        for (const char* rule : {"in-order", "companion-first", "round-robin", "reserved"}) {
            const engine::Experiment experiment = data::expand(ui::draftOf({Kind::rule, rule}, draft)).experiment;
            QCOMPARE(engine::name(engine::dispatchRuleOf(experiment)), std::string_view(rule));
            QVERIFY(engine::hasCompanionCollective(experiment));
        }
    }

    void rulesAreKeptForTheNextStartAndUnknownOnesRefused() {
        const std::vector<ComparePick> picks{{Kind::rule, "in-order"}, {Kind::rule, "reserved"}, {Kind::shown}};
        QVERIFY(ui::picksFrom(ui::toJson(picks)) == picks);
        QVERIFY(!ui::picksFrom(ui::toJson({{Kind::rule, "fairest"}})));
        QVERIFY(!ui::picksFrom(ui::toJson({{Kind::rule, "auto"}})));
    }

    void anAlgorithmIsTheShownExperimentWithItUnderAPolicyThatCanRunIt() {
        data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["machine"] = std::string("nvidia-h100");
        draft.explicitValues["policy.preset"] = std::string("t3-mca");
        const auto with = [&](const char* algorithm) {
            return data::expand(ui::draftOf({Kind::algorithm, algorithm}, draft));
        };
        QVERIFY(with("direct").experiment.policy.preset == engine::PolicyPreset::t3Mca);
        QVERIFY(with("in-switch").runnable());
        QVERIFY(with("in-switch").experiment.policy.preset == engine::PolicyPreset::sequential);
        QVERIFY(engine::addsInSwitch(with("in-switch").experiment));
        draft.explicitValues["machine"] = std::string("t3-table-1");  // has no switch under any policy
        QVERIFY(!with("in-switch").runnable());
        const std::vector<ComparePick> picks{{Kind::algorithm, "in-switch"}, {Kind::shown}};
        QVERIFY(ui::picksFrom(ui::toJson(picks)) == picks);
        QVERIFY(!ui::picksFrom(ui::toJson({{Kind::algorithm, "star"}})));
    }

    void whoLooksFirstSeesSequentialAboveTheShownRun() {
        ComparisonBench bench;
        bench.finish();
        QCOMPARE(bench.comparison.runs().size(), std::size_t{2});
        QCOMPARE(bench.policyOf(0), std::string("sequential"));
        QCOMPARE(bench.comparison.runs()[1].run, bench.comparison.shown());
    }

    void aSequentialRunIsSetAgainstT3Mca() {
        ComparisonBench bench("sequential");
        bench.finish();
        QCOMPARE(bench.policyOf(0), std::string("sequential"));
        QCOMPARE(bench.policyOf(1), std::string("t3-mca"));
    }

    void nothingIsRunUntilTheViewIsShown() {
        Comparison comparison({std::nullopt, quickSide});
        QSignalSpy started(&comparison.session(), &ui::CompareSession::runStarted);
        comparison.setShown(shown("t3"));
        QCOMPARE(started.size(), 0);
        comparison.setWatched(true);
        QCOMPARE(started.size(), 1);
    }

    void swappingExchangesAAndBAndRunsNothing() {
        ComparisonBench bench;
        bench.finish();
        QSignalSpy started(&bench.comparison.session(), &ui::CompareSession::runStarted);
        QSignalSpy changed(&bench.comparison, &Comparison::runsChanged);
        bench.comparison.swap();
        QCOMPARE(bench.policyOf(0), std::string("t3-mca"));
        QCOMPARE(bench.policyOf(1), std::string("sequential"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(started.size(), 0);
        bench.comparison.swap();
        QCOMPARE(bench.policyOf(0), std::string("sequential"));
    }

    void onlyWhatIsAddedIsRunAndFourAreTheMost() {
        std::atomic<int> runs = 0;
        ComparisonBench bench("t3-mca", [&runs](const auto& draft, const auto& options) {
            ++runs;
            return quickSide(draft, options);
        });
        bench.finish();
        QCOMPARE(runs.load(), 1);
        bench.comparison.add({Kind::policy, "t3"});
        bench.comparison.add({Kind::policy, "t3"});  // an entry that exists is not added again
        bench.finish();
        QCOMPARE(runs.load(), 2);
        QCOMPARE(bench.policyOf(2), std::string("t3"));
        bench.comparison.add({Kind::policy, "cu-split"});
        bench.comparison.add({Kind::policy, "ideal-overlap"});
        QCOMPARE(bench.comparison.runs().size(), ui::kMostCompared);
        QVERIFY(!bench.comparison.canAdd());
    }

    void theLastRunCannotBeRemoved() {
        ComparisonBench bench;
        bench.comparison.remove(0);
        QCOMPARE(bench.comparison.runs().size(), std::size_t{1});
        bench.comparison.remove(0);
        QCOMPARE(bench.comparison.runs().size(), std::size_t{1});
    }

    void anotherShownRunTakesItsCounterpartsWithIt() {
        ComparisonBench bench;
        bench.finish();
        auto run = std::make_shared<data::ShownRun>(*shown("t3-mca"));
        run->run.draft.explicitValues["link.bandwidth"] = 75e9;
        bench.comparison.setShown(run);
        bench.finish();
        for (const ui::ComparedRun& compared : bench.comparison.runs())
            QVERIFY(compared.run->run.draft.explicitValues.contains("link.bandwidth"));
    }

    void aPreviewChangesNothing() {
        ComparisonBench bench;
        bench.finish();
        auto preview = std::make_shared<data::ShownRun>(*shown("t3"));
        preview->preview = true;
        bench.comparison.setShown(preview);
        QCOMPARE(bench.policyOf(1), std::string("t3-mca"));
    }

    void whatCannotBeRunSaysWhyAndLosesNothing() {
        bool fails = false;
        ComparisonBench bench("t3-mca", [&fails](const auto& draft, const auto& options) {
            if (fails)
                throw std::runtime_error("no memory left");
            return quickSide(draft, options);
        });
        bench.finish();
        fails = true;
        auto run = std::make_shared<data::ShownRun>(*shown("t3-mca"));
        run->run.draft.explicitValues["link.bandwidth"] = 75e9;
        bench.comparison.setShown(run);
        bench.finish();
        QCOMPARE(bench.comparison.runs()[0].failure, QStringLiteral("no memory left"));
        QVERIFY(bench.comparison.runs()[0].run != nullptr);  // still the run from before
        fails = false;
        bench.comparison.retry();
        bench.finish();
        QVERIFY(bench.comparison.runs()[0].failure.isEmpty());
    }

    void cancellingLeavesWhatIsThereAndIsSaid() {
        ComparisonBench bench("t3-mca", [](const auto&, const engine::RunOptions& options) -> data::LaboratoryRun {
            while (!options.stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw engine::RunStopped();
        });
        bench.comparison.session().cancel();
        QCOMPARE(bench.comparison.runs()[0].failure, QStringLiteral("Cancelled."));
        QVERIFY(bench.comparison.runs()[1].run != nullptr);
    }

    void withoutAPinnedRunItsPlaceSaysHowToGetOne() {
        ComparisonBench bench;
        bench.comparison.add({Kind::pinned});
        QVERIFY(bench.comparison.runs()[2].failure.contains(QStringLiteral("pinned")));
        bench.comparison.setPinned(shown("t3"));
        QVERIFY(bench.comparison.runs()[2].failure.isEmpty());
        QCOMPARE(bench.policyOf(2), std::string("t3"));
    }

    void aBundledMachineTakesNothingOfAnOwnOneAlong() {
        data::ExperimentDraft draft;
        draft.explicitValues = {
            {"machine", std::string("mine")}, {"cu.count", std::int64_t{40}}, {"dma.engines", std::int64_t{2}}};
        const data::ExperimentDraft other = ui::draftOf({Kind::machine, "t3-2x-cu"}, draft);
        QVERIFY(!other.explicitValues.contains("cu.count"));
        QCOMPARE(other.explicitValues.at("machine"), engine::ParameterValue(std::string("t3-2x-cu")));
    }

    void whatWasComparedIsFoundAgain() {
        ComparisonBench bench;
        bench.comparison.setPicks({{Kind::policy, "t3"}, {Kind::machine, "t3-2x-cu"}, {Kind::kept, "abc", 5}});
        bench.comparison.setMode(ui::SyncMode::phases);
        bench.comparison.setGhost(true);
        Comparison other({std::nullopt, quickSide});
        QVERIFY(other.restore(bench.comparison.save()));
        QCOMPARE(other.picks(), bench.comparison.picks());
        QCOMPARE(other.mode(), ui::SyncMode::phases);
        QVERIFY(other.showsGhost());
    }

    void aDamagedSectionIsRefusedWhole_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromUtf8(text); };
        row("no runs", R"({"sync": "time", "ghost": false})");
        row("none of them", R"({"runs": [], "sync": "time", "ghost": false})");
        row("five", R"({"runs": [{"is":"shown"},{"is":"pinned"},{"is":"policy","name":"t3"},
                       {"is":"policy","name":"t3-mca"},{"is":"policy","name":"sequential"}], "sync": "time", "ghost": false})");
        row("a stranger", R"({"runs": [{"is":"dream"}], "sync": "time", "ghost": false})");
        row("no such policy", R"({"runs": [{"is":"policy","name":"t4"}], "sync": "time", "ghost": false})");
        row("no number", R"({"runs": [{"is":"kept"}], "sync": "time", "ghost": false})");
        row("no such way", R"({"runs": [{"is":"shown"}], "sync": "luck", "ghost": false})");
        row("ghost is no word", R"({"runs": [{"is":"shown"}], "sync": "time", "ghost": "yes"})");
    }
    void aDamagedSectionIsRefusedWhole() {
        QFETCH(QString, text);
        ComparisonBench bench;
        const std::vector<ComparePick> before = bench.comparison.picks();
        QVERIFY(!bench.comparison.restore(parsed(text.toUtf8().constData())));
        QCOMPARE(bench.comparison.picks(), before);
        QCOMPARE(bench.comparison.mode(), ui::SyncMode::time);
    }

    void byTimeTheLongestRunIsTheReach() {
        ComparisonBench bench;
        bench.finish();
        QCOMPARE(bench.comparison.reach(), 10);  // "sequential"
        bench.comparison.setMode(ui::SyncMode::phases);
        QCOMPARE(bench.comparison.reach(), 6);  // "t3-mca", whose time is the reference
    }
};

RINGSIDE_CORE_TEST(TestComparison)
#include "tst_comparison.moc"
