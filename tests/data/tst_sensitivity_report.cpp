#include "data/experiment/experiment_document.h"
#include "data/presets/presets.h"
#include "data/questions/sensitivity.h"
#include "engine/api/parameter_roles.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>

using data::Sensitivity;
using data::SensitivityReport;
using engine::Experiment;

namespace {

/// Returns an experiment that takes milliseconds to simulate.
Experiment small(engine::PolicyPreset policy) {
    Experiment e;
    e.workload.hidden = 512;
    e.workload.sequence = 256;
    e.workload.batch = 1;
    e.parallel.tp = 4;
    e.gemm.tileM = 64;
    e.gemm.tileN = 64;
    e.cu.count = 4;
    engine::applyPolicyPreset(e, policy);
    return e;
}

const Sensitivity* find(const SensitivityReport& report, std::string_view path) {
    const auto found = std::find_if(report.parameters.begin(), report.parameters.end(),
                                    [path](const Sensitivity& s) { return s.path == path; });
    return found == report.parameters.end() ? nullptr : &*found;
}

/// Returns an experiment on AMD's node with this algorithm, short enough for a test.
Experiment fullyConnected(const char* algorithm) {
    data::ExperimentDraft draft = data::draftNamed("t-nlg/op/tp8").draft;
    draft.explicitValues = {{"machine", std::string("amd-mi300x")},  {"collective.algorithm", std::string(algorithm)},
                            {"workload.hidden", std::int64_t{1024}}, {"workload.sequence", std::int64_t{1024}},
                            {"workload.batch", std::int64_t{1}},     {"detail.level", std::string("interactive")}};
    return data::expand(draft).experiment;
}

const Sensitivity* choice(const SensitivityReport& report, std::string_view path, std::string_view after) {
    const auto found = std::find_if(report.parameters.begin(), report.parameters.end(), [&](const Sensitivity& s) {
        return s.path == path && s.after == after && s.isChoice;
    });
    return found == report.parameters.end() ? nullptr : &*found;
}

double totalOf(Experiment e, std::int64_t seed) {
    e.seed = seed;
    return static_cast<double>(engine::run(e, {.baselines = false}).last.time.total.ps);
}

}  // namespace

class TestSensitivityReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEffectIsTheMeanOverSeedsOfWhatTheChangedRunTakesMore() {
        const Experiment e = small(engine::PolicyPreset::t3);
        const SensitivityReport report = data::sensitivityOf(e, {.seeds = 3});
        const Sensitivity* link = find(report, "link.bandwidth");
        QVERIFY(link);
        Experiment faster = e;
        faster.link.bandwidth = {165'000'000'000};
        double sum = 0;
        for (const std::int64_t seed : {1, 2, 3})
            sum += totalOf(faster, seed) / totalOf(e, seed) - 1;
        QCOMPARE(link->effect, sum / 3);
        QCOMPARE(link->before, std::string("150 GB/s"));
        QCOMPARE(link->after, std::string("165 GB/s"));
        QVERIFY(qAbs(link->change - 0.1) < 1e-12);
        QVERIFY(link->effect < 0);
    }
    void whatHelpsMostComesFirstAndWhatHurtsMostLast() {
        const SensitivityReport report = data::sensitivityOf(small(engine::PolicyPreset::t3), {.seeds = 2});
        QVERIFY(report.parameters.size() > 10);
        QVERIFY(std::is_sorted(report.parameters.begin(), report.parameters.end(),
                               [](const Sensitivity& a, const Sensitivity& b) { return a.effect < b.effect; }));
        QVERIFY(data::helps(report.parameters.front()));
        QVERIFY(!data::helps(report.parameters.back()));
    }
    void whereARingUsesOneOfSevenLinksAnotherAlgorithmHelpsMost() {
        const SensitivityReport report = data::sensitivityOf(fullyConnected("ring"), {.seeds = 1, .threads = 2});
        const Sensitivity& best = report.parameters.front();
        QCOMPARE(best.path, std::string("collective.algorithm"));
        QCOMPARE(best.before, std::string("ring"));
        QCOMPARE(best.after, std::string("direct"));
        QVERIFY(best.isChoice && data::helps(best));
        // The reverse change does not help.
        const SensitivityReport direct = data::sensitivityOf(fullyConnected("direct"), {.seeds = 1, .threads = 2});
        const Sensitivity* ring = choice(direct, "collective.algorithm", "ring");
        QVERIFY(ring && !data::helps(*ring));
    }
    void anotherPolicyIsAllItsPartsAndKeepsWhatWasSetByHand() {
        Experiment e = small(engine::PolicyPreset::t3);
        e.arbitration.policy = engine::ArbitrationPolicy::computeFirst;  // T3: round robin
        const SensitivityReport report = data::sensitivityOf(e, {.seeds = 1});
        Experiment mca = small(engine::PolicyPreset::t3Mca);
        mca.arbitration.policy = engine::ArbitrationPolicy::computeFirst;
        const Sensitivity* found = choice(report, "policy.preset", "t3-mca");
        QVERIFY(found);
        QCOMPARE(found->effect, totalOf(mca, 1) / totalOf(e, 1) - 1);
    }
    void onlyChoicesThatDoTheSameWorkOnTheSameMachineAreTried() {
        const SensitivityReport report = data::sensitivityOf(small(engine::PolicyPreset::t3), {.seeds = 1});
        for (const char* other : {"cu-split", "ideal-overlap", "ideal-overlap-nmc"})
            QVERIFY2(!choice(report, "policy.preset", other), other);
        for (const Sensitivity& each : report.parameters) {
            const auto role = engine::roleOf(*engine::findParameter(each.path));
            QVERIFY2(!each.isChoice || role == engine::ParameterRole::method, each.path.c_str());
        }
        QVERIFY(choice(report, "policy.preset", "sequential") && choice(report, "memory.store_order", "reads-first"));
    }
    void ofCountsHalfAndTwiceAsManyAreTried() {
        const SensitivityReport report = data::sensitivityOf(small(engine::PolicyPreset::t3), {.seeds = 1});
        for (const char* rows : {"32", "128"})
            QVERIFY2(choice(report, "gemm.tile_m", rows), rows);
        for (const char* tiles : {"2", "8"})
            QVERIFY2(choice(report, "dma.block_tiles", tiles), tiles);
        QVERIFY(!choice(data::sensitivityOf(small(engine::PolicyPreset::sequential), {.seeds = 1}), "dma.block_tiles",
                        "8"));
    }
    void withoutChoicesOnlyQuantitiesAreChanged() {
        const SensitivityReport report =
            data::sensitivityOf(small(engine::PolicyPreset::t3), {.choices = false, .seeds = 1});
        for (const Sensitivity& each : report.parameters)
            QVERIFY2(!each.isChoice && each.change != 0, each.path.c_str());
    }
    void everyChoiceOfTheTableHasARole() {
        using enum engine::ParameterRole;
        for (const auto& [path, role] : {std::pair{"collective.algorithm", method},
                                         {"policy.preset", method},
                                         {"gemm.tile_n", method},
                                         {"dma.block_tiles", method},
                                         {"memory.store_order", method},
                                         {"collective.operation", question},
                                         {"parallel.tp", question},
                                         {"topology.kind", machine},
                                         {"dma.engines", machine},
                                         {"memory.model", simulation},
                                         {"detail.level", simulation}})
            QVERIFY2(engine::roleOf(*engine::findParameter(path)) == role, path);
    }
    void whatItTakesIsReportedBeforeAnythingIsRun() {
        const Experiment e = small(engine::PolicyPreset::t3);
        const data::SensitivityOutlook few = data::outlookOf(e, {.seeds = 1});
        const data::SensitivityOutlook many = data::outlookOf(e, {.seeds = 100});
        QCOMPARE(few.runs, data::sensitivityOf(e, {.seeds = 1}).runs);
        QCOMPARE(many.runs, 100 * few.runs);
        QVERIFY(few.estimate.count() > 0);
        QVERIFY(many.estimate > 10 * few.estimate);
        QCOMPARE(data::outlookOf(small(engine::PolicyPreset::idealOverlap), {}).runs, std::int64_t{0});
        Experiment wrong = e;
        wrong.parallel.tp = 7;
        QVERIFY_EXCEPTION_THROWN(data::outlookOf(wrong, {}), engine::InvalidExperiment);
    }
    void everyRunIsCountedOnceForEachParameterAndSeed() {
        const SensitivityReport report = data::sensitivityOf(small(engine::PolicyPreset::t3), {.seeds = 2});
        QCOMPARE(report.runs, static_cast<std::int64_t>(2 * (report.parameters.size() + 1)));
        QCOMPARE(report.seeds, 2);
        QVERIFY(report.spread > 0);
    }
    void withoutJitterOneSeedSaysAllAndThereIsNoNoise() {
        Experiment e = small(engine::PolicyPreset::t3);
        e.cu.startJitter = {};
        const SensitivityReport report = data::sensitivityOf(e, {.seeds = 5});
        QCOMPARE(report.seeds, 1);
        QCOMPARE(report.spread, 0.0);
        for (const Sensitivity& parameter : report.parameters)
            QCOMPARE(parameter.noise, 0.0);
    }
    void whatThePolicyDoesNotReadIsNotTried() {
        const SensitivityReport report = data::sensitivityOf(small(engine::PolicyPreset::sequential), {.seeds = 1});
        QVERIFY(!find(report, "tracker.trigger_latency"));
        QVERIFY(!find(report, "dma.startup_latency"));
        QVERIFY(!find(report, "memory.update_cost"));
        QVERIFY(find(report, "collective.cu_bandwidth"));
        QVERIFY(!find(data::sensitivityOf(small(engine::PolicyPreset::t3), {.seeds = 1}), "collective.cu_bandwidth"));
    }
    void countsMoveByWholeSteps() {
        const SensitivityReport report =
            data::sensitivityOf(small(engine::PolicyPreset::t3Mca), {.choices = false, .seeds = 1});
        const Sensitivity* block = find(report, "dma.block_tiles");
        QVERIFY(block);
        QCOMPARE(block->before, std::string("4"));
        QCOMPARE(block->after, std::string("3"));
        QCOMPARE(block->change, -0.25);
        const Sensitivity* entries = find(report, "tracker.entries");
        QVERIFY(entries);
        QCOMPARE(entries->after, std::string("282"));
    }
    void aChangeThatIsNotAllowedIsLeftOut() {
        Experiment e = small(engine::PolicyPreset::t3);
        e.dma.blockTiles = 1;  // the smallest value
        e.link.latency = {};   // the smallest value
        const SensitivityReport report = data::sensitivityOf(e, {.choices = false, .seeds = 1});
        QVERIFY(!find(report, "dma.block_tiles"));
        QVERIFY(!find(report, "link.latency"));
    }
    void formulasHaveNoSensitivities() {
        QVERIFY(data::sensitivityOf(small(engine::PolicyPreset::idealOverlap)).parameters.empty());
    }
    void theReportDoesNotDependOnTheNumberOfThreads() {
        const Experiment e = small(engine::PolicyPreset::t3);
        const SensitivityReport one = data::sensitivityOf(e, {.seeds = 2, .threads = 1});
        const SensitivityReport two = data::sensitivityOf(e, {.seeds = 2, .threads = 2});
        QCOMPARE(one.parameters.size(), two.parameters.size());
        for (std::size_t i = 0; i < one.parameters.size(); ++i) {
            QCOMPARE(one.parameters[i].path, two.parameters[i].path);
            QCOMPARE(one.parameters[i].effect, two.parameters[i].effect);
        }
    }
    void anExperimentThatCannotBeRunIsRefusedWithEveryProblem() {
        Experiment e = small(engine::PolicyPreset::t3);
        e.parallel.tp = 7;
        QVERIFY_EXCEPTION_THROWN(data::sensitivityOf(e), engine::InvalidExperiment);
    }
    void aStopEndsItAtOnce() {
        std::stop_source stop;
        stop.request_stop();
        data::SensitivityOptions options;
        options.stop = stop.get_token();
        QVERIFY_EXCEPTION_THROWN(data::sensitivityOf(small(engine::PolicyPreset::t3), options), engine::RunStopped);
    }
    void progressRisesToTheWhole() {
        double last = 0;
        bool rises = true;
        data::SensitivityOptions options;
        options.seeds = 2;
        options.progress = [&](double fraction) {
            rises = rises && fraction > last;
            last = fraction;
        };
        data::sensitivityOf(small(engine::PolicyPreset::t3), options);
        QVERIFY(rises);
        QCOMPARE(last, 1.0);
    }
};

RINGSIDE_TEST(TestSensitivityReport)
#include "tst_sensitivity_report.moc"
