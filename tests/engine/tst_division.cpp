#include "engine/api/division.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "engine/run/baseline_key.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace engine;

namespace {

/// Returns a model of 96 layers, as GPT-3.
Experiment deep() {
    Experiment experiment;
    experiment.workload.layers = 96;
    return experiment;
}

std::string refusalOf(const Experiment& experiment) {
    const Problems problems = divisionProblems(experiment);
    return problems.size() == 1 ? describe(problems.front()) : "";
}

bool refused(const Experiment& experiment, const char* path, const char* text) {
    const Problems problems = divisionProblems(experiment);
    return problems.size() == 1 && problems.front().path == path &&
           describe(problems.front()).find(text) != std::string::npos;
}

bool allowed(const Experiment& experiment) { return divisionProblems(experiment).empty(); }

std::string outsideTable(const char* path, std::int64_t value) {
    const auto problem = check(*findParameter(path), value);
    return problem ? describe(*problem) : "";
}

}  // namespace

class TestDivision : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDefaultIsOneStageOfOneReplica() {
        QVERIFY(allowed(Experiment{}));
        QVERIFY(allowed(deep()));
    }

    void asManyStagesAsLayersAreAllowedAndNotOneMore() {
        Experiment e = deep();
        e.division.pp = 96;
        QVERIFY(allowed(e));
        e.division.pp = 97;
        QCOMPARE(refusalOf(e), std::string("division.pp: 97: more stages than layers; allowed: 1 to 96"));
        // A model that is only a number of weights has no layers.
        e.division.weights = 7'500'000'000;
        QVERIFY(allowed(e));
    }

    void unevenStagesAreAllowedUnlessTheyAreInterleaved() {
        Experiment e = deep();
        e.division.pp = 7;
        QVERIFY(allowed(e));
        e.division.interleave = 2;
        e.division.microbatches = 7;
        QVERIFY(refused(e, "division.interleave", "does not divide the layers of a stage (96 layers on 7 stages)"));
    }

    void interleavedChunksHaveEquallyManyLayers() {
        Experiment e = deep();
        e.division.pp = 8;
        e.division.microbatches = 64;
        for (const std::int64_t chunks : {1, 2, 3, 4, 6, 12}) {
            e.division.interleave = chunks;
            QVERIFY2(allowed(e), std::to_string(chunks).c_str());
        }
        for (const std::int64_t chunks : {5, 7, 24}) {
            e.division.interleave = chunks;
            QVERIFY2(refused(e, "division.interleave", "96 layers on 8 stages"), std::to_string(chunks).c_str());
        }
    }

    void interleavedStagesNeedMicrobatchesInRounds() {
        Experiment e = deep();
        e.division.pp = 8;
        e.division.microbatches = 63;
        QVERIFY(allowed(e));
        e.division.interleave = 3;
        QVERIFY(refused(e, "division.microbatches", "63: division.pp = 8 does not divide it"));
        e.division.microbatches = 64;
        QVERIFY(allowed(e));
    }

    void onlyOneForwardOneBackwardIsInterleaved() {
        Experiment e = deep();
        e.division.pp = 8;
        e.division.microbatches = 8;
        e.division.schedule = PipelineSchedule::allForward;
        QVERIFY(allowed(e));
        e.division.interleave = 2;
        QVERIFY(refused(e, "division.interleave", "need division.schedule=1f1b"));
    }

    void shardedWeightsAreNotModelledInAPipeline() {
        Experiment e = deep();
        e.division.sharding = Sharding::weights;
        QVERIFY(allowed(e));
        e.division.pp = 2;
        QVERIFY(refused(e, "division.sharding", "weights: sharded weights in a pipeline are not modelled"));
        e.division.sharding = Sharding::gradients;
        QVERIFY(allowed(e));
    }

    void deepSpeedsEstimatorsKnowAdamAndTwoStages() {
        Experiment e = deep();
        e.training.accounting = Accounting::deepspeed;
        for (const Sharding sharding : {Sharding::gradients, Sharding::weights}) {
            e.division.sharding = sharding;
            QVERIFY(allowed(e));
        }
        for (const Sharding sharding : {Sharding::none, Sharding::optimizer}) {
            e.division.sharding = sharding;
            QVERIFY(refused(e, "training.accounting", "the stages 2 and 3 only"));
        }
        e.division.sharding = Sharding::gradients;
        e.training.optimizer = OptimizerKind::sgd;
        QVERIFY(refused(e, "training.optimizer", "sgd: DeepSpeed's estimators cover Adam only"));
        e.training.accounting = Accounting::megatron;
        QVERIFY(allowed(e));
    }

    void theTableRefusesZeroReplicasAndMoreWeightsThanAnybodyHas() {
        QVERIFY(outsideTable("division.dp", 0).starts_with("division.dp: 0: below the minimum; allowed: 1 to "));
        QCOMPARE(outsideTable("division.dp", 1), std::string());
        QVERIFY(outsideTable("division.weights", 10'000'000'000'000'000).starts_with("division.weights: 1"));
        QCOMPARE(outsideTable("division.weights", 1'000'000'000'000'000), std::string());
        Problems problems;
        const auto weights = parseValue(*findParameter("division.weights"), "7.5e9", problems);
        QVERIFY(weights == ParameterValue{std::int64_t{7'500'000'000}});
    }

    void oneGpuIsForWholeModelsAndTwoAreForRuns() {
        Experiment e = tests::smallExperiment(PolicyPreset::t3);
        e.parallel.tp = 1;
        QCOMPARE(check(*findParameter("parallel.tp"), std::int64_t{1}).has_value(), false);
        const Problems problems = validate(e);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(describe(problems.front()),
                 std::string("parallel.tp: 1: below the minimum; allowed: 2 to 64, and 1 for whole models only"));
        e.parallel.tp = 2;
        QVERIFY(validate(e).empty());
    }

    void aRunSaysWhatItDoesNotReadAndIsTheSame() {
        const Experiment plain = tests::smallExperiment(PolicyPreset::t3Mca);
        Experiment divided = plain;
        divided.division.dp = 64;
        divided.division.sharding = Sharding::weights;
        divided.operators.recompute = Recompute::layer;
        divided.training.optimizer = OptimizerKind::sgd;
        divided.node.gpus = 4;
        divided.node.memory = Bytes{80'000'000'000};
        const RunResult before = run(plain), after = run(divided);
        QVERIFY(after.last == before.last && after.perGpu == before.perGpu && after.events == before.events);
        QVERIFY(after.isolated == before.isolated);
        for (const char* path :
             {"division.dp", "division.sharding", "operators.recompute", "training.optimizer", "node.gpus"}) {
            const auto named = [&](const Notice& notice) {
                return notice.path == path && notice.text.starts_with("not read: ");
            };
            QVERIFY2(std::any_of(after.notices.begin(), after.notices.end(), named), path);
            QVERIFY2(std::none_of(before.notices.begin(), before.notices.end(), named), path);
        }
        QCOMPARE(after.notices.size(), before.notices.size() + 5);
    }

    void noneOfThemIsInTheKeyOfABaseline() {
        using enum ParameterGroup;
        const Experiment plain = tests::smallExperiment(PolicyPreset::t3Mca);
        int changed = 0;
        for (const Parameter& parameter : parameters()) {
            if (parameter.group != division && parameter.group != operators && parameter.group != training &&
                parameter.group != node)
                continue;
            if (parameter.path == "operators.element_bits")
                continue;  // of runs as well
            Experiment other = plain;
            parameter.write(other, parameter.kind == ParameterKind::choice ? ParameterValue{parameter.words.back()}
                                   : parameter.kind == ParameterKind::text
                                       ? ParameterValue{std::string("mx9")}
                                       : ParameterValue{static_cast<std::int64_t>(parameter.maximum)});
            QVERIFY2(!(other == plain), parameter.path.c_str());
            QVERIFY2(sequentialKey(other, true) == sequentialKey(plain, true), parameter.path.c_str());
            QVERIFY2(isolatedScatterKey(other, true) == isolatedScatterKey(plain, true), parameter.path.c_str());
            ++changed;
        }
        QCOMPARE(changed, 20);
        Experiment wider = plain;
        wider.operators.elementBits = 32;
        QVERIFY(sequentialKey(wider, true) != sequentialKey(plain, true));
        QVERIFY(isolatedScatterKey(wider, true) != isolatedScatterKey(plain, true));
    }
};

RINGSIDE_TEST(TestDivision)
#include "tst_division.moc"
