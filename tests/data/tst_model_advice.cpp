#include "data/experiment/experiment_document.h"
#include "data/model/model_run.h"
#include "data/questions/model_advice.h"
#include "engine/api/footprint.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace data;
using engine::ModelPhase;

namespace {

/// Returns a small model that keeps all rules: h 512, a 8, b 2, s 128, t 2 of 2 GPUs, vocabulary 1024.
engine::Experiment keepingAll() {
    engine::Experiment e;
    engine::applyPolicyPreset(e, engine::PolicyPreset::sequential);
    engine::applyDetailLevel(e, engine::DetailLevel::interactive);
    e.workload.model = "small";
    e.workload.hidden = 512;
    e.workload.heads = 8;
    e.workload.layers = 4;
    e.workload.batch = 2;
    e.workload.sequence = 128;
    e.workload.vocabulary = 1024;
    e.parallel.tp = 2;
    e.node.gpus = 2;
    return e;
}

RuleVerdict verdictOf(const engine::Experiment& e, ShapeRule rule, ModelPhase phase = ModelPhase::training) {
    return checkRule(e, phase, rule).verdict;
}

/// Returns the advised change as text, such as "workload.heads=40, parallel.tp=4"; empty if there is none.
std::string changeOf(const engine::Experiment& e, ShapeRule rule, ModelPhase phase = ModelPhase::training) {
    std::string text;
    for (const RuleCheck& check : checkRules(e, phase)) {
        for (const AdviceEdit& edit : check.rule == rule ? check.change : AdviceChange{})
            text += (text.empty() ? "" : ", ") + edit.path + "=" +
                    engine::formatValue(*engine::findParameter(edit.path), edit.value);
    }
    return text;
}

engine::Bytes footprintBytes(const engine::Experiment& e) {
    return engine::footprintOf(e, ModelPhase::training).bytes().total();
}

/// The sizes of GPT-2 XL, as published.
engine::Experiment gpt2Xl() {
    engine::Experiment e = keepingAll();
    e.workload.hidden = 1600;
    e.workload.heads = 25;
    e.workload.layers = 48;
    e.workload.batch = 4;
    e.workload.sequence = 1024;
    e.workload.vocabulary = 50257;
    e.parallel.tp = 1;
    return e;
}

const RuleAdvice& adviceOn(const ModelAdvice& advice, ShapeRule rule) {
    return advice.rules[static_cast<std::size_t>(rule)];
}

}  // namespace

class TestModelAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aModelThatKeepsAllRulesHasNoAdvice() {
        engine::Experiment e = keepingAll();
        const auto countOf = [&](RuleVerdict verdict) {
            return std::ranges::count(checkRules(e, ModelPhase::training), verdict, &RuleCheck::verdict);
        };
        QCOMPARE(countOf(RuleVerdict::broken), 0);
        QCOMPARE(countOf(RuleVerdict::unknown), 2);  // the two rules about memory, which is unlimited
        // The memory is just as large as the footprint, so no smaller degree and no larger batch fits.
        e.node.memory = footprintBytes(e);
        QCOMPARE(countOf(RuleVerdict::holds), std::ssize(kShapeRules));
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        QCOMPARE(advice.brokenRules(), 0U);
        QCOMPARE(advice.gemms + advice.steps, 0U);
    }

    void theVocabularyIsFilledUpToTheNextMultiple() {
        engine::Experiment e = keepingAll();
        for (const auto& [vocabulary, change] :
             {std::pair{1023, "1024"}, {1025, "1088"}, {1087, "1088"}, {1056, "1088"}, {50257, "50304"}}) {
            e.workload.vocabulary = vocabulary;
            QCOMPARE(changeOf(e, ShapeRule::vocabulary), "workload.vocabulary=" + std::string(change));
        }
        e.workload.vocabulary = 1088;
        QCOMPARE(verdictOf(e, ShapeRule::vocabulary), RuleVerdict::holds);
        e.workload.vocabulary = 1087;
        e.operators.embeddingRows = 64;
        QCOMPARE(verdictOf(e, ShapeRule::vocabulary), RuleVerdict::holds);
    }

    void headsHaveToDivideTheWidthUnlessTheyHaveASize() {
        engine::Experiment e = keepingAll();
        e.workload.heads = 7;
        QCOMPARE(verdictOf(e, ShapeRule::headsDivideWidth), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::headsDivideWidth), std::string("workload.heads=8"));
        e.workload.headSize = 64;
        QCOMPARE(verdictOf(e, ShapeRule::headsDivideWidth), RuleVerdict::holds);
    }

    void aWidthThatTheHeadsDivideIsFoundIfNoNumberOfHeadsKeepsTheOtherRules() {
        engine::Experiment e = keepingAll();
        e.workload.hidden = 262;  // 2 x 131
        e.workload.heads = 4;
        e.workload.batch = 1;
        e.parallel.tp = 4;
        QCOMPARE(verdictOf(e, ShapeRule::headsOfGpu), RuleVerdict::holds);  // with 2 heads or one it would not
        QCOMPARE(changeOf(e, ShapeRule::headsDivideWidth), std::string("workload.hidden=264"));
        e.workload.hidden = 261;
        QCOMPARE(changeOf(e, ShapeRule::headsDivideWidth), std::string("workload.hidden=260"));
        e.parallel.tp = 2;
        e.workload.hidden = 262;
        QCOMPARE(changeOf(e, ShapeRule::headsDivideWidth), std::string("workload.heads=2"));
    }

    void aChangeThatCannotBeRunIsToldWithoutATime() {
        engine::Experiment e = keepingAll();
        e.workload.hidden = 64;
        e.workload.heads = 1;
        e.workload.layers = 1;
        e.workload.batch = 1;
        e.workload.sequence = 8192;
        e.parallel.tp = 1;
        e.node.memory = engine::Bytes{100'000'000'000'000};
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        const RuleAdvice& microBatch = adviceOn(advice, ShapeRule::microBatch);
        QVERIFY(microBatch.isBroken() && !microBatch.check.change.empty());
        QVERIFY(!microBatch.now && !microBatch.changed);
        QVERIFY2(microBatch.notSimulated.find("granules") != std::string::npos, microBatch.notSimulated.c_str());
        QVERIFY(adviceSentence(microBatch).find("would satisfy the rule") != std::string::npos);
        // A whole model says so before anything is simulated.
        e.workload.batch = 65536;
        QVERIFY(!modelRunProblems(e, {}).empty());
        e.workload.batch = 1;
        QVERIFY(modelRunProblems(e, {}).empty());
    }

    void headsThatDoNotDivideComeFirstAndNothingIsSimulated() {
        engine::Experiment e = keepingAll();
        e.workload.heads = 7;
        e.workload.vocabulary = 1025;
        QVERIFY(ruleProblems(e, ModelPhase::training).empty());
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        QCOMPARE(advice.rules.front().check.rule, ShapeRule::headsDivideWidth);
        QVERIFY(advice.rules.front().isBroken());
        QCOMPARE(adviceOn(advice, ShapeRule::headSize).check.verdict, RuleVerdict::unknown);
        QCOMPARE(adviceOn(advice, ShapeRule::vocabulary).check.change.size(), 1U);
        QVERIFY(std::ranges::none_of(advice.rules, [](const RuleAdvice& rule) { return rule.now.has_value(); }));
        QCOMPARE(adviceSentence(advice.rules.front()),
                 std::string("7 heads do not divide the hidden size, 512; 8 heads would satisfy the rule"));
    }

    void aHeadIsAMultipleOf64() {
        engine::Experiment e = gpt2Xl();
        QCOMPARE(verdictOf(e, ShapeRule::headSize), RuleVerdict::holds);  // 1600/25 = 64
        e.workload.hidden = 2560;
        e.workload.heads = 32;  // 80
        QCOMPARE(verdictOf(e, ShapeRule::headSize), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.heads=40"));  // 64; 20 heads: a larger change
        e.workload.heads = 22;
        e.workload.hidden = 22 * 96;
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.heads=33"));
        e.workload.headSize = 96;
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.head_size=128"));  // 128/96 < 96/64
    }

    void headsOfKeysFollow() {
        engine::Experiment e = gpt2Xl();
        e.workload.hidden = 2560;
        e.workload.heads = e.workload.kvHeads = 32;
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.heads=40, workload.kv_heads=40"));
        e.workload.kvHeads = 16;  // 16 divides neither 40 nor 20 heads; it divides 80, but those heads are too small
        QVERIFY(changeOf(e, ShapeRule::headSize).find("workload.hidden") == 0);
        e.workload.kvHeads = 8;
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.heads=40"));
    }

    void aWidthThatNoHeadsDivideWellChangesWithItsHeads() {
        engine::Experiment e = keepingAll();
        e.workload.hidden = 4256;
        e.workload.heads = 28;
        e.parallel.tp = 8;
        e.node.gpus = 8;
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.hidden=4096, workload.heads=32"));
        e.workload.batch = 8;  // then each GPU has a whole number of the 33 heads of 128
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.hidden=4224, workload.heads=33"));
    }

    void theWidthOfAGpuTakesASmallerDegreeBeforeAnotherWidth() {
        engine::Experiment e = gpt2Xl();
        e.parallel.tp = 2;  // 800 columns
        QCOMPARE(verdictOf(e, ShapeRule::widthOfGpu), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::widthOfGpu), std::string("parallel.tp=1"));
        e.workload.hidden = 1664;
        e.workload.heads = 26;
        QCOMPARE(verdictOf(e, ShapeRule::widthOfGpu), RuleVerdict::holds);
        e.workload.hidden = 1632;
        e.parallel.tp = 1;
        QCOMPARE(verdictOf(e, ShapeRule::widthOfGpu), RuleVerdict::broken);
        QVERIFY(changeOf(e, ShapeRule::widthOfGpu).find("workload.hidden=") == 0);
    }

    void tokensAreAMultipleOf64() {
        engine::Experiment e = keepingAll();
        e.workload.batch = 1;
        e.workload.sequence = 1000;
        QCOMPARE(changeOf(e, ShapeRule::tokens), std::string("workload.sequence=1024"));
        e.workload.batch = 4;
        QCOMPARE(changeOf(e, ShapeRule::tokens), std::string("workload.sequence=1008"));
        e.workload.batch = 8;
        QCOMPARE(verdictOf(e, ShapeRule::tokens), RuleVerdict::holds);
        e.workload.batch = 63;
        QCOMPARE(verdictOf(e, ShapeRule::tokens, ModelPhase::generation), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::tokens, ModelPhase::generation), std::string("workload.batch=64"));
    }

    void headsOfAGpuAreWhole() {
        engine::Experiment e = gpt2Xl();
        e.parallel.tp = 8;
        e.node.gpus = 8;
        QCOMPARE(verdictOf(e, ShapeRule::headsOfGpu), RuleVerdict::broken);  // 4 x 25/8 = 12.5
        QCOMPARE(checkRule(e, ModelPhase::training, ShapeRule::headsOfGpu).value.value(), 12.5);
        QCOMPARE(changeOf(e, ShapeRule::headsOfGpu), std::string("workload.batch=8"));
        e.workload.batch = 8;
        QCOMPARE(verdictOf(e, ShapeRule::headsOfGpu), RuleVerdict::holds);
    }

    void theMicroBatchGrowsAsLongAsItFits() {
        engine::Experiment e = keepingAll();
        engine::Experiment larger = e;
        larger.workload.batch = 6;
        e.node.memory = footprintBytes(larger);
        QCOMPARE(verdictOf(e, ShapeRule::microBatch), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::microBatch), std::string("workload.batch=6"));
        QCOMPARE(verdictOf(withChange(e, {{"workload.batch", std::int64_t{6}}}), ShapeRule::microBatch),
                 RuleVerdict::holds);
        e.node.memory->count -= 1;
        QCOMPARE(changeOf(e, ShapeRule::microBatch), std::string("workload.batch=4"));
    }

    void severalMicroBatchesKeepTheSequencesOfAStep() {
        engine::Experiment e = keepingAll();
        e.division.microbatches = 4;
        engine::Experiment larger = e;
        larger.workload.batch = 6;
        larger.division.microbatches = 1;
        e.node.memory = footprintBytes(larger);  // six fit, but six does not divide eight
        QCOMPARE(changeOf(e, ShapeRule::microBatch), std::string("workload.batch=4, division.microbatches=2"));
    }

    void whatDoesNotFitShrinks() {
        engine::Experiment e = keepingAll();
        e.node.memory = footprintBytes(e);
        e.workload.batch = 64;
        QCOMPARE(verdictOf(e, ShapeRule::microBatch), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::microBatch), std::string("workload.batch=2"));
        e.node.memory = engine::Bytes{1};
        QCOMPARE(verdictOf(e, ShapeRule::microBatch), RuleVerdict::unknown);
        QCOMPARE(verdictOf(e, ShapeRule::degree), RuleVerdict::unknown);
    }

    void theDegreeIsTheSmallestThatFits() {
        engine::Experiment e = keepingAll();
        e.node.gpus = 8;
        e.node.memory = footprintBytes(e);
        e.parallel.tp = 4;
        QCOMPARE(verdictOf(e, ShapeRule::degree), RuleVerdict::broken);
        QCOMPARE(changeOf(e, ShapeRule::degree), std::string("parallel.tp=2"));
        e.node.memory->count -= 1;
        QCOMPARE(verdictOf(e, ShapeRule::degree), RuleVerdict::holds);
        e.parallel.tp = 1;
        QCOMPARE(changeOf(e, ShapeRule::degree), std::string("parallel.tp=4"));
    }

    void stagesDivideTheLayers() {
        engine::Experiment e = keepingAll();
        e.workload.layers = 12;
        e.division.pp = 4;
        QCOMPARE(verdictOf(e, ShapeRule::stagesDivideLayers), RuleVerdict::holds);
        e.division.pp = 5;
        QCOMPARE(changeOf(e, ShapeRule::stagesDivideLayers), std::string("division.pp=6"));  // 6/5 < 5/4
    }

    void aChangeKeepsTheRulesThatHold() {
        engine::Experiment e = gpt2Xl();
        e.parallel.tp = 8;
        e.node.gpus = 8;
        e.workload.sequence = 1000;
        e.node.memory = engine::Bytes{80'000'000'000};
        const std::vector<RuleCheck> checks = checkRules(e, ModelPhase::training);
        int changes = 0;
        for (const RuleCheck& check : checks) {
            if (check.change.empty())
                continue;
            ++changes;
            const engine::Experiment changed = withChange(e, check.change);
            QCOMPARE(verdictOf(changed, check.rule), RuleVerdict::holds);
            for (const RuleCheck& other : checks) {
                if (other.verdict == RuleVerdict::holds)
                    QVERIFY2(verdictOf(changed, other.rule) == RuleVerdict::holds, changeTitle(check.change).c_str());
            }
        }
        QCOMPARE(changes, 6);
    }

    void theVocabularyOfGpt2XlCostsItsGemm() {
        const ModelAdvice advice = modelAdviceOf({gpt2Xl(), ModelPhase::training});
        QCOMPARE(advice.brokenRules(), 1U);
        const RuleAdvice& rule = adviceOn(advice, ShapeRule::vocabulary);
        QCOMPARE(rule.check.finding, std::string("vocabulary 50257 is odd"));
        QCOMPARE(changeText(rule.check), std::string("50304"));
        QCOMPARE(changeTitle(rule.check.change), std::string("Set Vocabulary to 50304"));
        QCOMPARE(name(rule.scope), "head-gemm");
        QVERIFY(rule.now && rule.changed);
        // Both have 393 columns of tiles, so the same waves.
        QVERIFY(rule.hasSameWaves);
        QVERIFY(std::abs(static_cast<double>(rule.changed->part.ps) / static_cast<double>(rule.now->part.ps) - 1) <
                0.001);
        // 47 rows of 1600 weights, of 1,555,... million weights in all.
        const double weights = 50257.0 * 1600 + 48 * 12.0 * 1600 * 1600;
        QVERIFY(std::abs(*rule.weightsChange - 47.0 * 1600 / weights) < 1e-9);
        const std::string sentence = adviceSentence(rule);
        QVERIFY2(sentence.starts_with("vocabulary 50257 is odd: the head's GEMM takes ") &&
                     sentence.find("; 50304 would take ") != std::string::npos && sentence.ends_with(" weights)"),
                 sentence.c_str());
        QVERIFY(adviceDetail(rule).find("the simulated time is the same: tiles and waves do not change") !=
                std::string::npos);
    }

    void wavesAreThoseOfTheTilesThatTheRunsChose() {
        engine::Experiment e = keepingAll();
        e.workload.sequence = 100;  // 200 tokens; 192: one row of tiles of 256, but three of 64, not four
        const auto hasSameWaves = [&](engine::TileChoice choice) {
            e.tiles.choice = choice;
            return adviceOn(modelAdviceOf({e, ModelPhase::training}), ShapeRule::tokens).hasSameWaves;
        };
        QCOMPARE(changeOf(e, ShapeRule::tokens), std::string("workload.sequence=96"));
        QVERIFY(hasSameWaves(engine::TileChoice::fixed));
        QVERIFY(!hasSameWaves(engine::TileChoice::best));
    }

    void theHeadsTimeIsThatOfItsGemm() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1000;
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        engine::Experiment gemm = e;
        gemm.workload.sublayer = engine::SubLayer::gemm;
        gemm.matrix = {256, 500, 512};
        QCOMPARE(adviceOn(advice, ShapeRule::vocabulary).now->part, engine::run(gemm).last.time.total);
    }

    void attentionIsTwoBatchedGemms() {
        engine::Experiment e = keepingAll();
        e.workload.heads = 16;  // of 32
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        const RuleAdvice& rule = adviceOn(advice, ShapeRule::headSize);
        QCOMPARE(changeOf(e, ShapeRule::headSize), std::string("workload.heads=8"));
        const auto timeOf = [&](std::int64_t heads, std::int64_t size) {
            engine::Experiment gemm = e;
            gemm.workload.sublayer = engine::SubLayer::gemm;
            gemm.matrix = {128, 128, size, heads};
            const engine::Duration scores = engine::run(gemm).last.time.total;
            gemm.matrix = {128, size, 128, heads};
            return scores + engine::run(gemm).last.time.total;
        };
        QCOMPARE(rule.now->part, timeOf(16, 32));
        QCOMPARE(rule.changed->part, timeOf(8, 64));
        QCOMPARE(rule.weightsChange.value(), 0.0);
    }

    void aStepIsThatOfTheModel() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1000;
        const auto stepOf = [](const engine::Experiment& of) {
            ModelRunOptions options;
            options.policies = {engine::PolicyPreset::sequential};
            return modelRun(of, options).sequential.time.total();
        };
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        const RuleAdvice& rule = adviceOn(advice, ShapeRule::vocabulary);
        QCOMPARE(rule.now->step.time, stepOf(e));
        QCOMPARE(rule.changed->step.time, stepOf(withChange(e, rule.check.change)));
        QVERIFY(!rule.comparesTokens());
    }

    void stagesWaitForTheSlowestAndForTheBubble() {
        engine::Experiment e = keepingAll();
        e.workload.layers = 6;
        e.division.pp = 4;
        e.division.microbatches = 8;
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        const RuleAdvice& rule = adviceOn(advice, ShapeRule::stagesDivideLayers);
        QCOMPARE(changeOf(e, ShapeRule::stagesDivideLayers), std::string("division.pp=3"));
        // Both have two layers in a stage: (8 + 3) against (8 + 2) times of a stage.
        QCOMPARE(rule.now->part.ps * 10, rule.changed->part.ps * 11);
        QVERIFY(rule.comparesTokens());
        QCOMPARE(rule.now->step.gpus, 2 * 4);
        QCOMPARE(rule.now->step.tokens, 8 * 2 * 128);
    }

    void theResultDoesNotDependOnTheThreads() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1001;
        e.workload.sequence = 100;
        const ModelAdvice one = modelAdviceOf({e, ModelPhase::training});
        AdviceOptions options;
        options.threads = 3;
        std::vector<double> reported;
        options.progress = [&](double fraction) { reported.push_back(fraction); };
        const ModelAdvice three = modelAdviceOf({e, ModelPhase::training}, options);
        for (std::size_t i = 0; i < one.rules.size(); ++i) {
            QCOMPARE(one.rules[i].now, three.rules[i].now);
            QCOMPARE(one.rules[i].changed, three.rules[i].changed);
        }
        QVERIFY(std::ranges::is_sorted(reported));
        QVERIFY(!reported.empty() && reported.back() > 0.999);
    }

    void whatIsAlikeIsSimulatedOnce() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1001;
        e.workload.sequence = 100;
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        QCOMPARE(advice.brokenRules(), 2U);
        QCOMPARE(advice.steps, 3U);          // one for the experiment, one for each change
        QCOMPARE(advice.gemms, 2U + 2 * 4);  // of the head and four of a layer, before and after the change
    }

    void aStopEndsIt() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1001;
        std::stop_source stop;
        AdviceOptions options;
        options.stop = stop.get_token();
        options.progress = [&](double) { stop.request_stop(); };
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, modelAdviceOf({e, ModelPhase::training}, options));
    }

    void aSideThatCannotBeSimulatedIsNamed() {
        engine::Experiment e = keepingAll();
        e.workload.vocabulary = 1001;
        e.gemm.tileM = e.gemm.tileN = 65536;  // one tile for two GPUs
        const ModelAdvice advice = modelAdviceOf({e, ModelPhase::training});
        const RuleAdvice& rule = adviceOn(advice, ShapeRule::vocabulary);
        QVERIFY(!rule.now);
        QVERIFY2(rule.notSimulated.find("tile") != std::string::npos, rule.notSimulated.c_str());
        QVERIFY(rule.weightsChange.has_value());
    }

    void whatHasNoSizesIsRefused() {
        engine::Experiment e = keepingAll();
        e.division.weights = 1'000'000;
        QCOMPARE(ruleProblems(e, ModelPhase::training).front().path, std::string("division.weights"));
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, modelAdviceOf({e, ModelPhase::training}));
        e = keepingAll();
        e.parallel.tp = 3;
        QCOMPARE(ruleProblems(e, ModelPhase::training).front().path, std::string("parallel.tp"));
        e = keepingAll();
        e.workload.layers = 0;
        QCOMPARE(ruleProblems(e, ModelPhase::training).front().path, std::string("workload.layers"));
    }
};

RINGSIDE_TEST(TestModelAdvice)
#include "tst_model_advice.moc"
