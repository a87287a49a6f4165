#include "data/questions/break_even.h"
#include "data/results/metrics.h"
#include "data/store/store.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace data;
using engine::ParameterValue;

namespace {

using tests::described;

constexpr std::int64_t kBreakEvenGiga = 1'000'000'000;

/// Returns an experiment that takes milliseconds to simulate.
ExperimentDraft smallSide(const char* policy) {
    ExperimentDraft draft;
    draft.explicitValues = {{"workload.hidden", std::int64_t{512}}, {"workload.sequence", std::int64_t{256}},
                            {"workload.batch", std::int64_t{1}},    {"parallel.tp", std::int64_t{4}},
                            {"gemm.tile_m", std::int64_t{64}},      {"gemm.tile_n", std::int64_t{64}},
                            {"cu.count", std::int64_t{4}},          {"cu.start_jitter", std::int64_t{0}},
                            {"cu.residency", std::string("slots")}, {"gemm.group", std::int64_t{1}},
                            {"policy.preset", std::string(policy)}};
    return draft;
}

BreakEvenQuestion exposedBelow(double target) {
    BreakEvenQuestion question;
    question.draft = smallSide("sequential");
    question.parameter = "link.bandwidth";
    question.from = kBreakEvenGiga;
    question.to = 1000 * kBreakEvenGiga;
    question.metric = "time_ps.exposed_communication";
    question.target = target;
    return question;
}

double exposedAt(const ParameterValue& bandwidth) {
    ExperimentDraft draft = smallSide("sequential");
    draft.explicitValues["link.bandwidth"] = bandwidth;
    return *findMetric("time_ps.exposed_communication")->read(engine::run(expand(draft).experiment));
}

double speedupAtRows(std::int64_t rows) {
    ExperimentDraft draft = smallSide("t3");
    draft.explicitValues["gemm.tile_m"] = rows;
    return *findMetric("speedup_over_sequential")->read(engine::run(expand(draft).experiment));
}

std::int64_t whole(const ParameterValue& value) { return std::get<std::int64_t>(value); }

}  // namespace

class TestBreakEven : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theAnswerHoldsOnOneSideAndNotOnTheOtherWithinTheTolerance() {
        const double target = exposedAt(30 * kBreakEvenGiga);
        const BreakEven answer = breakEven(exposedBelow(target));
        QCOMPARE(answer.crossings.size(), std::size_t{1});
        const BreakEvenStep& before = answer.steps[answer.crossings[0].before];
        const BreakEvenStep& after = answer.steps[answer.crossings[0].after];
        QVERIFY(!before.holds && before.number > target && after.holds && after.number <= target);
        // The tolerance is one per cent: the answer does not narrow the two values further.
        QVERIFY(whole(before.value) < whole(after.value));
        QVERIFY(static_cast<double>(whole(after.value)) <= 1.01 * static_cast<double>(whole(before.value)) * 1.000001);
        QCOMPARE(answer.crossings[0].after, answer.crossings[0].before + 1);
        QVERIFY(whole(before.value) <= 30 * kBreakEvenGiga && whole(after.value) >= 29 * kBreakEvenGiga);
        QVERIFY(answer.monotone());
        QCOMPARE(exposedAt(after.value), after.number);
        QCOMPARE(answer.ran, answer.steps.size());
        // Two ends, three probes, and halvings of a quarter of the range, a factor of 1000, down to a factor of 1.01:
        // log2(1.73 / 0.00995) = 7.4. Trying a short number instead of the exact middle may cost a few more.
        QVERIFY2(answer.ran <= 2 + 3 + 8 + 4, std::to_string(answer.ran).c_str());
    }

    void theWayMayGoDownAndTheRelationMayBeAtLeast() {
        const double target = exposedAt(30 * kBreakEvenGiga);
        BreakEvenQuestion question = exposedBelow(target);
        std::swap(question.from, question.to);
        question.below = false;
        const BreakEven answer = breakEven(question);
        QVERIFY(answer.steps.front().value == ParameterValue{1000 * kBreakEvenGiga});
        QVERIFY(!answer.steps.front().holds && answer.steps.back().holds);
        QCOMPARE(answer.crossings.size(), std::size_t{1});
        QVERIFY(whole(answer.steps[answer.crossings[0].before].value) >
                whole(answer.steps[answer.crossings[0].after].value));
    }

    void whereItHoldsIsReportedFromSmallToLargeWhicheverWayWasGone() {
        const double target = exposedAt(30 * kBreakEvenGiga);
        BreakEvenQuestion question = exposedBelow(target);
        const BreakEven up = breakEven(question);
        std::swap(question.from, question.to);
        const BreakEven down = breakEven(question);
        for (const BreakEven* answer : {&up, &down}) {
            const std::vector<BreakEvenStretch> stretches = holdingStretches(*answer);
            QCOMPARE(stretches.size(), std::size_t{1});
            QVERIFY(stretches.front().below && !stretches.front().above);
            QVERIFY(answer->steps[stretches.front().largest].value == ParameterValue{1000 * kBreakEvenGiga});
            QVERIFY(whole(answer->steps[*stretches.front().below].value) <
                    whole(answer->steps[stretches.front().smallest].value));
        }
    }

    void whatHoldsInTheMiddleOnlyHasBothItsNeighbours() {
        BreakEven answer;
        for (const auto& [value, holds] : {std::pair{1, true}, {2, false}, {3, true}, {4, true}, {6, false}}) {
            BreakEvenStep step;
            step.value = std::int64_t{value};
            step.holds = holds;
            answer.steps.push_back(step);
        }
        BreakEvenStep broken;
        broken.value = std::int64_t{5};
        broken.failure = "cannot be run";
        answer.steps.insert(answer.steps.begin() + 4, broken);
        QCOMPARE(answeredSteps(answer), std::size_t{5});
        const std::vector<BreakEvenStretch> stretches = holdingStretches(answer);
        QCOMPARE(stretches.size(), std::size_t{2});
        QVERIFY(!stretches[0].below && stretches[0].largest == 0 && stretches[0].above == std::size_t{1});
        QVERIFY(stretches[1].below == std::size_t{1} && stretches[1].smallest == 2 && stretches[1].largest == 3);
        QVERIFY(stretches[1].above == std::size_t{5});
    }

    void whereTheMiddleCannotBeRunItsNeighboursAreTried() {
        // Of 2 to 32 GPUs only divisors of 4H are allowed. The target is reached at 8, so the answer must not be
        // "nowhere".
        BreakEvenQuestion question;
        question.draft = smallSide("t3");
        question.draft.explicitValues.erase("parallel.tp");
        question.parameter = "parallel.tp";
        question.from = std::int64_t{2};
        question.to = std::int64_t{32};
        question.metric = "time_ps.total";
        question.target = 1;
        const BreakEven answer = breakEven(question);
        QVERIFY2(answeredSteps(answer) >= 4, std::to_string(answeredSteps(answer)).c_str());
    }

    void twoNumbersThatDifferAreNeverReadAsOne() {
        const Metric& ratio = *findMetric("speedup_over_sequential");
        QCOMPARE(formatApart(ratio, 1.1481, 1.15), std::string("1.148"));
        QCOMPARE(formatApart(ratio, 1.1, 1.15), formatMetric(ratio, 1.1));
        QCOMPARE(formatApart(ratio, 1.15, 1.15), formatMetric(ratio, 1.15));
        const Metric& time = *findMetric("time_ps.total");
        QCOMPARE(formatApart(time, 2'100'400'000, 2'100'000'000), std::string("2.1004 ms"));
    }

    void whereItHoldsEverywhereOrNowhereThereIsNoCrossingButBothEnds() {
        const BreakEven never = breakEven(exposedBelow(1));
        QVERIFY(never.crossings.empty() && !never.holdsEverywhere());
        QCOMPARE(never.steps.size(), std::size_t{5});
        QVERIFY(never.steps.front().number > never.steps.back().number);
        const BreakEven always = breakEven(exposedBelow(1e15));
        QVERIFY(always.crossings.empty() && always.holdsEverywhere());
    }

    void theTargetMayBeAnotherPolicysNumber() {
        BreakEvenQuestion question = exposedBelow(1.5);
        question.metric = "time_ps.total";
        question.against = "ideal-overlap";
        question.tolerance = 0.1;
        const BreakEven answer = breakEven(question);
        QCOMPARE(answer.ran, 2 * answer.steps.size());
        for (const BreakEvenStep& step : answer.steps)
            QCOMPARE(step.holds, step.number <= step.target);
        ExperimentDraft other = smallSide("ideal-overlap");
        other.explicitValues["link.bandwidth"] = question.from;
        QCOMPARE(answer.steps.front().target,
                 1.5 * *findMetric("time_ps.total")->read(engine::run(expand(other).experiment)));
    }

    void theTargetMayBeTheNumberWithAnotherSetting() {
        BreakEvenQuestion question = exposedBelow(1);
        question.metric = "time_ps.total";
        question.against = "collective.cu_count=3";
        question.tolerance = 0.1;
        const BreakEven answer = breakEven(question);
        QCOMPARE(answer.ran, 2 * answer.steps.size());
        ExperimentDraft other = question.draft;
        other.explicitValues["link.bandwidth"] = question.from;
        other.explicitValues["collective.cu_count"] = std::int64_t{3};
        QCOMPARE(answer.steps.front().target,
                 *findMetric("time_ps.total")->read(engine::run(expand(other).experiment)));
        for (const auto& [against, said] :
             {std::pair{"companion.bi=dma", "against: companion.bi=dma: unknown"},
              {"collective.cu_count=many", "against: collective.cu_count=many: "},
              {"link.bandwidth=1GB/s", "against: link.bandwidth=1GB/s: it sets the parameter that is varied"}}) {
            question.against = against;
            const std::string text = described(check(question));
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
        }
    }

    void everyRunIsKeptAndNoneIsRepeated() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("store.sqlite").toStdString();
        BreakEvenQuestion question = exposedBelow(exposedAt(30 * kBreakEvenGiga));
        BreakEven first;
        {
            Store store(path);
            BreakEvenOptions options;
            options.store = &store;
            first = breakEven(question, options);
            QCOMPARE(store.runs().size(), first.ran);
            QCOMPARE(first.reused, std::size_t{0});
            QVERIFY(first.keepFailure.empty());
        }
        Store store(path);
        BreakEvenOptions options;
        options.store = &store;
        const BreakEven second = breakEven(question, options);
        QCOMPARE(second.ran, std::size_t{0});
        QCOMPARE(second.reused, first.ran);
        QVERIFY(second.steps.front().reused);
        QCOMPARE(second.crossings[0].after, first.crossings[0].after);
    }

    void whatCannotBeRunOnTheWayIsPassedOver() {
        // Of the values in the range, only 2, 4, 8, 16 and 32 divide 4 x 512 = 2048.
        BreakEvenQuestion question;
        question.draft = smallSide("sequential");
        question.parameter = "parallel.tp";
        question.from = std::int64_t{2};
        question.to = std::int64_t{16};
        question.metric = "shape.k";
        question.target = 256;
        const BreakEven answer = breakEven(question);
        const auto failed = [](const BreakEvenStep& step) { return !step.failure.empty(); };
        QVERIFY(std::any_of(answer.steps.begin(), answer.steps.end(), failed));
        QCOMPARE(answer.crossings.size(), std::size_t{1});
        QVERIFY(answer.steps[answer.crossings[0].after].value == ParameterValue{std::int64_t{8}});
    }

    void powersOfTwoAreHalvedThroughPowersOfTwo() {
        BreakEvenQuestion question;
        question.draft = smallSide("t3");
        question.parameter = "detail.granule";
        question.from = std::int64_t{1024};
        question.to = std::int64_t{8192};
        question.metric = "tracker.updates";
        question.target = 1;
        const BreakEven answer = breakEven(question);
        QVERIFY(answer.crossings.empty());
        QCOMPARE(answer.steps.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(answer.steps[i].value == ParameterValue{std::int64_t{1024} << i});
    }

    void aWayBackIsNoticedAndEveryChangeIsFound() {
        // Small tiles load their operands so often that the GEMM takes nearly all of the run. Tiles of 256 rows, the
        // whole height, are 8 tiles for 8 slots: they end together, so the reduce-scatter cannot begin earlier. The
        // speed-up is 1.06 at 8 rows,
        // 1.23 at 64 and 1.17 from 256 on; the target is half way between the highest and the last value.
        const double atHeight = speedupAtRows(64), atEnd = speedupAtRows(1024);
        BreakEvenQuestion question;
        question.draft = smallSide("t3");
        question.parameter = "gemm.tile_m";
        question.from = std::int64_t{8};
        question.to = std::int64_t{1024};
        question.metric = "speedup_over_sequential";
        question.below = false;
        question.target = (atHeight + atEnd) / 2;
        QVERIFY(speedupAtRows(8) < question.target && question.target < atHeight);
        question.tolerance = 0.1;
        const BreakEven answer = breakEven(question);
        QVERIFY(!answer.monotone());
        QCOMPARE(answer.crossings.size(), std::size_t{2});
        QVERIFY(!answer.steps[answer.crossings[0].before].holds && answer.steps[answer.crossings[0].after].holds);
        QVERIFY(answer.steps[answer.crossings[1].before].holds && !answer.steps[answer.crossings[1].after].holds);
        QVERIFY(!answer.reversals.empty());
        const BreakEvenCrossing& back = answer.reversals.back();
        QVERIFY(answer.steps[back.before].number > answer.steps[back.after].number);
    }

    void aStopEndsItAtOnceAndProgressRises() {
        std::stop_source stop;
        BreakEvenOptions options;
        options.stop = stop.get_token();
        double last = 0;
        options.progress = [&](double done) {
            QVERIFY(done >= last && done <= 1);
            last = done;
            if (done > 0.3)
                stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(breakEven(exposedBelow(exposedAt(30 * kBreakEvenGiga)), options), engine::RunStopped);
        QVERIFY(last > 0.3 && last < 0.9);
    }

    void aQuestionThatMakesNoSenseIsAnsweredWithEveryProblem() {
        BreakEvenQuestion question = exposedBelow(std::nan(""));
        question.from = std::int64_t{1};
        question.to = std::string("fast");
        question.metric = "time_ps.exposd";
        question.against = "t4";
        question.tolerance = 0;
        const std::string text = described(check(question));
        for (const char* line : {"from: 1 B/s: below", "to: fast: ", "metric: time_ps.exposd: unknown metric, did you",
                                 "against: t4: unknown", "target: nan", "tolerance: 0"})
            QVERIFY2(text.find(line) != std::string::npos, text.c_str());
        QVERIFY_EXCEPTION_THROWN(breakEven(question), engine::InvalidExperiment);
        question = exposedBelow(1);
        question.parameter = "policy.order";
        QVERIFY(described(check(question)).find("its values are words") != std::string::npos);
        question.parameter = "link.bandwith";
        QVERIFY(described(check(question)).find("did you mean link.bandwidth") != std::string::npos);
        question = exposedBelow(1);
        question.to = question.from;
        QVERIFY(described(check(question)).find("the same as from") != std::string::npos);
    }

    void anEndWithoutTheNumberOrThatCannotRunIsAProblem() {
        BreakEvenQuestion question = exposedBelow(1);
        question.draft = smallSide("ideal-overlap");
        question.metric = "dram_bytes.total";  // a formula has times only
        QVERIFY_EXCEPTION_THROWN(breakEven(question), engine::InvalidExperiment);
        question = exposedBelow(1);
        question.parameter = "parallel.tp";
        question.from = std::int64_t{3};
        question.to = std::int64_t{4};
        QVERIFY_EXCEPTION_THROWN(breakEven(question), engine::InvalidExperiment);
    }
};

RINGSIDE_TEST(TestBreakEven)
#include "tst_break_even.moc"
