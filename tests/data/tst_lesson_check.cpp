#include "data/lessons/lesson_check.h"

#include "tests/data/sample_claims.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>

using data::Lesson;
using data::LessonChecker;
using data::LessonVerdict;

namespace {

Lesson checkedLesson(const std::string& steps) {
    const auto reading = data::readLesson(
        R"({"format":"ringside-lesson","version":1,"title":"A lesson","steps":[)" + steps + "]}", "own");
    for (const engine::Problem& problem : reading.problems)
        qWarning("%s", engine::describe(problem).c_str());
    return reading.problems.empty() ? reading.lesson : Lesson{};
}

/// Returns known results instead of simulating.
struct Fake {
    std::int64_t total = 2'391'000'000;  // 0.009 ms less than 2.40 ms
    std::int64_t gemm = 1'800'000'000;   // more than a tenth off 1.6 ms
    bool attributes = true;
    int runs = 0;
    std::vector<bool> asked{};  ///< whether each run was asked for its attribution

    LessonChecker::Run run() {
        return [this](const data::ExperimentDraft&, const engine::RunOptions& options) {
            ++runs;
            asked.push_back(options.attribution);
            if (options.stop.stop_requested())
                throw engine::RunStopped();
            if (options.progress)
                options.progress(1);
            engine::RunResult result;
            result.last.time.total = engine::Duration{total};
            result.last.time.gemm = engine::Duration{gemm};
            if (options.attribution && attributes) {
                result.attribution.emplace();
                result.attribution->causes[engine::Cause::memory] = engine::Duration{2'000'000'000};
                result.attribution->causes[engine::Cause::contention] = engine::Duration{1'000'000'000};
                result.attribution->causes[engine::Cause::link] = engine::Duration{9'000'000'000};
            }
            return result;
        };
    }
};

/// The experiment of a small model in two stages, up to its first claim.
constexpr const char* kDividedStep = R"("experiment":{"workload":{"model":"bert-large"},"parallel":{"tp":2},
    "division":{"pp":2,"microbatches":2},"detail":{"level":"interactive"},"policy":{"preset":"sequential"}},"claims":{)";

bool simulates(const LessonVerdict& verdict) { return verdict.source == LessonVerdict::Source::simulation; }

const LessonVerdict& of(const std::vector<LessonVerdict>& verdicts, const char* name) {
    const auto found = std::find_if(verdicts.begin(), verdicts.end(),
                                    [name](const LessonVerdict& verdict) { return verdict.claim.name == name; });
    static const LessonVerdict kNone;
    return found == verdicts.end() ? kNone : *found;
}

std::string namesOf(const std::vector<LessonVerdict>& verdicts) {
    std::string names;
    for (const LessonVerdict& verdict : verdicts)
        names += (names.empty() ? "" : " ") + verdict.claim.name;
    return names;
}

std::string looseIn(const std::string& text) {
    std::string numbers;
    for (const data::LooseNumber& number : data::looseNumbers(checkedLesson(R"({"text":")" + text + R"("})")))
        numbers += (numbers.empty() ? "" : "|") + number.text;
    return numbers;
}

}  // namespace

class TestLessonCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void claimsAreComparedWithWhatTheRunGives() {
        Fake fake;
        LessonChecker checker(checkedLesson(std::string(R"({"text":"{a}",)") + tests::kClaims + "}"), fake.run());
        const auto verdicts = checker.all();
        QCOMPARE(fake.runs, 2);  // a and b need two experiments; the other claims follow from them
        QCOMPARE(namesOf(verdicts), std::string("a b c d e"));
        QVERIFY(of(verdicts, "a").holds);
        QVERIFY(!of(verdicts, "b").holds);
        QVERIFY(!of(verdicts, "c").holds);  // 591 µs
        QVERIFY(!of(verdicts, "d").holds);  // 75 %
        QVERIFY(of(verdicts, "e").holds);
    }

    void aClaimHoldsUpToItsToleranceAndNotBeyond() {
        const std::string step = R"({"text":"{a}","claims":{"a":{"metric":"time_ps.total","value":"2.40 ms"}}})";
        for (const auto& [total, holds] :
             {std::pair{2'390'000'000, true}, {2'389'999'000, false}, {2'410'000'000, true}, {2'410'001'000, false}}) {
            Fake fake{.total = total};
            QCOMPARE(LessonChecker(checkedLesson(step), fake.run()).all().front().holds, holds);
        }
    }

    void aVerdictIsAboutANumberAsTheLessonWritesIt() {
        Fake fake;
        LessonChecker checker(checkedLesson(std::string(R"({"text":"one"},{"text":"{a}",)") + tests::kClaims + "}"),
                              fake.run());
        const auto verdicts = checker.all();
        const LessonVerdict& c = of(verdicts, "c");
        QCOMPARE(c.step, std::size_t{1});
        QCOMPARE(c.path, std::string("steps[1].claims.c.value"));
        QCOMPARE(c.simulatedText, std::string("591 µs"));
        QCOMPARE(c.allowedText, std::string("799 µs to 801 µs"));
        QCOMPARE(data::describe(c),
                 std::string("step 2 says 800 µs (c), simulation gives 591 µs; allowed: 799 µs to 801 µs"));
        QCOMPARE(of(verdicts, "b").allowedText, std::string("1.44 ms to 1.76 ms"));
        QCOMPARE(of(verdicts, "d").simulatedText, std::string("75 %"));
    }

    void whatDiffersByLittleIsReportedWithMoreDigits() {
        Fake fake{.total = 2'403'000'000};
        const auto verdicts = LessonChecker(checkedLesson(R"({"text":"{a}","claims":{"a":{"metric":"time_ps.total",
            "value":"2.40 ms","tolerance":"0.001 ms"}}})"),
                                            fake.run())
                                  .all();
        QVERIFY(!verdicts.front().holds);
        QCOMPARE(verdicts.front().simulatedText, std::string("2.403 ms"));
        QCOMPARE(verdicts.front().allowedText, std::string("2.399 ms to 2.401 ms"));
    }

    void aStepIsCheckedAloneWithWhatItSaysOfStepsBefore() {
        const std::string steps =
            R"({"text":"x","claims":{"a":{"metric":"time_ps.total","value":"2.39 ms"},
                "b":{"metric":"time_ps.total","policy":"t3","value":"1 ms"}}},
               {"text":"now {b}"},
               {"text":"y","question":{"text":"how much?","answer":"a"},"reveal":"so much",
                "claims":{"c":{"metric":"time_ps.total","policy":"sequential","value":"1 ms"}}},
               {"text":"nothing"})";
        Fake fake;
        LessonChecker checker(checkedLesson(steps), fake.run());
        QCOMPARE(namesOf(checker.step(1)), std::string("b"));
        QCOMPARE(fake.runs, 1);
        QCOMPARE(namesOf(checker.step(2)), std::string("a c"));
        QCOMPARE(fake.runs, 3);
        QCOMPARE(namesOf(checker.step(0)), std::string("a b"));
        QCOMPARE(fake.runs, 3);  // both experiments were run before
        QVERIFY(checker.step(3).empty());
        QVERIFY(checker.step(4).empty());
        QCOMPARE(namesOf(checker.all()), std::string("a b c"));
        QCOMPARE(fake.runs, 3);
    }

    void aDifferenceOfStepsBeforeRunsWhatItIsMadeOf() {
        Fake fake;
        LessonChecker checker(checkedLesson(std::string(R"({"text":"x",)") + tests::kClaims + R"(},{"text":"{c}"})"),
                              fake.run());
        const auto verdicts = checker.step(1);
        QCOMPARE(fake.runs, 2);
        QCOMPARE(namesOf(verdicts), std::string("c"));
        QCOMPARE(*verdicts.front().simulated, 591e6);
    }

    void theAttributionIsAskedForWhereAClaimNeedsItAndMemoryIsBothItsParts() {
        const std::string steps = R"({"text":"x","claims":{
            "t":{"metric":"time_ps.total","policy":"sequential","value":"2.39 ms"},
            "s":{"metric":"time_ps.total","value":"2.39 ms"}}},{"text":"y","claims":{
            "m":{"metric":"attribution_ps.memory","value":"3 ms"},
            "c":{"metric":"attribution_detail_ps.memory_contention","value":"1 ms"},
            "l":{"metric":"attribution_ps.link","value":"7 ms"}}})";
        Fake fake;
        LessonChecker checker(checkedLesson(steps), fake.run());
        const auto verdicts = checker.all();
        QCOMPARE(std::count(fake.asked.begin(), fake.asked.end(), true), 1);
        QCOMPARE(fake.runs, 2);
        QVERIFY(of(verdicts, "m").holds && of(verdicts, "c").holds && !of(verdicts, "l").holds);
    }

    void aClaimWithoutASimulatedNumberDoesNotHoldAndSaysWhy() {
        Fake fake{.attributes = false};
        LessonChecker checker(
            checkedLesson(R"({"text":"x","claims":{"m":{"metric":"attribution_ps.memory","value":"3 ms"},
            "r":{"ratio":["m","m"],"value":"1.0"}}})"),
            fake.run());
        const auto verdicts = checker.all();
        QVERIFY(!verdicts[0].simulated && !verdicts[0].holds);
        QCOMPARE(verdicts[0].failure, std::string("its result has no attribution_ps.memory"));
        QVERIFY(!verdicts[1].holds);
        QCOMPARE(verdicts[1].failure, verdicts[0].failure);
    }

    void aRunThatCannotGoOnIsAVerdictAndAStopIsNone() {
        const std::string steps = R"({"text":"x","claims":{"a":{"metric":"time_ps.total","value":"1 ms"}}})";
        LessonChecker stuck(checkedLesson(steps), [](const auto&, const auto&) -> engine::RunResult {
            throw engine::Deadlock("everything waits");
        });
        QCOMPARE(stuck.all().front().failure, std::string("everything waits"));
        std::stop_source stop;
        stop.request_stop();
        data::LessonCheckOptions options;
        options.stop = stop.get_token();
        Fake fake;
        LessonChecker checker(checkedLesson(steps), fake.run());
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, checker.all(options));
        QCOMPARE(checker.all().size(), std::size_t{1});  // the checker can be asked again
    }

    void progressRisesToOne() {
        std::vector<double> seen;
        data::LessonCheckOptions options;
        options.progress = [&](double done) { seen.push_back(done); };
        Fake fake;
        LessonChecker(checkedLesson(std::string(R"({"text":"x",)") + tests::kClaims + "}"), fake.run()).all(options);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.size(), std::size_t{2});
        QCOMPARE(seen.back(), 1.0);
    }

    void theLaboratorySimulatesUnlessTheCallerDoes() {
        const auto verdicts =
            LessonChecker(
                checkedLesson(R"({"text":"{t} {s}","experiment":{"workload":{"model":"t-nlg","sublayer":"fc-2"},
                "parallel":{"tp":8},"policy":{"preset":"t3"},"detail":{"level":"interactive"}},"claims":{
                "t":{"metric":"time_ps.total","value":"1 ns"},"l":{"metric":"attribution_ps.link","value":"1 ns"},
                "s":{"metric":"speedup_over_sequential","value":"1"}}})"))
                .all();
        QVERIFY(*of(verdicts, "t").simulated > 1e9);
        QVERIFY(of(verdicts, "l").simulated.has_value());
        QVERIFY(*of(verdicts, "s").simulated > 1.01);
    }

    void measuredNumbersAreReadFromTracesAndNothingRuns() {
        const std::string steps = R"({"text":"x","traces":["trace-rank-0","trace-rank-1"],
            "pair":"8192x4096x1024,all-reduce","claims":{
            "overlap":{"measured":"ranks.0.overlap","value":"18.4 %"},
            "seq":{"measured":"pair.measured.together_ps","value":"503 µs"},
            "gap":{"measured":"pair.measured.interaction_ps","value":"3 µs"},
            "parts":{"difference":["seq","gap"],"value":"500 µs"},
            "wrong":{"measured":"ranks.1.overlap","value":"18.4 %"},
            "none":{"measured":"ranks.0.overlpa","value":"18.4 %"}}})";
        Fake fake;
        const auto verdicts = LessonChecker(checkedLesson(steps), fake.run()).all();
        QCOMPARE(fake.runs, 0);
        for (const char* name : {"overlap", "seq", "gap", "parts"}) {
            QVERIFY2(of(verdicts, name).holds, data::describe(of(verdicts, name)).c_str());
            QCOMPARE(of(verdicts, name).source, LessonVerdict::Source::trace);
        }
        QCOMPARE(data::describe(of(verdicts, "wrong")),
                 std::string("step 1 says 18.4 % (wrong), the trace gives 24.7 %; allowed: 18.3 % to 18.5 %"));
        QVERIFY(of(verdicts, "none").failure.starts_with("the traces have no number ranks.0.overlpa, did you mean"));
    }

    void aPairThatTheTracesDoNotHaveIsSaid() {
        Fake fake;
        const auto verdicts = LessonChecker(checkedLesson(R"({"text":"x","traces":["trace-fused-rank-0"],
            "pair":"8192x4096x1024,all-reduce","claims":{"a":{"measured":"ranks.0.span_ps","value":"1 µs"}}})"),
                                            fake.run())
                                  .all();
        QVERIFY(!of(verdicts, "a").holds);
        QVERIFY2(of(verdicts, "a").failure.find("no GEMM has this shape") != std::string::npos,
                 of(verdicts, "a").failure.c_str());
    }

    void footprintsAreComputedAndNothingRuns() {
        const std::string steps = R"({"text":"x","experiment":{"parallel":{"tp":2},"division":{"weights":15e9,"dp":64}},
            "claims":{
            "none":{"metric":"footprint_bytes.total","of":"footprint","value":"120.00 GB"},
            "few":{"metric":"footprint_bytes.total","of":"footprint","value":"1.88 GB",
                "experiment":{"division":{"sharding":"weights"}}},
            "saved":{"difference":["none","few"],"value":"118.13 GB"},
            "most":{"metric":"most_weights","of":"footprint","value":"4e9","tolerance":"0.1 %",
                "experiment":{"node":{"memory":"32 GB"}}},
            "sent":{"metric":"messages.sent_bytes","of":"footprint","value":"29.53 GB"},
            "sent_few":{"metric":"messages.sent_bytes","of":"footprint","value":"44.30 GB",
                "experiment":{"division":{"sharding":"weights"}}},
            "more":{"ratio":["sent_few","sent"],"value":"1.50","tolerance":"0.001"},
            "wrong":{"ratio":["few","none"],"value":"2 %","tolerance":"0.1 %"}}})";
        Fake fake;
        std::vector<double> progress;
        data::LessonCheckOptions options;
        options.progress = [&](double done) { progress.push_back(done); };
        const auto verdicts = LessonChecker(checkedLesson(steps), fake.run()).all(options);
        QCOMPARE(fake.runs, 0);
        QCOMPARE(verdicts.size(), std::size_t{8});
        for (const LessonVerdict& verdict : verdicts) {
            QCOMPARE(verdict.source, LessonVerdict::Source::division);
            if (verdict.holds == (verdict.claim.name == "wrong"))
                QFAIL(data::describe(verdict).c_str());
        }
        QCOMPARE(data::describe(of(verdicts, "wrong")),
                 std::string("step 1 says 2 % (wrong), the division gives 1.6 %; allowed: 2.00 % to 2.00 %"));
    }

    void aClaimOfAFootprintHoldsUpToItsToleranceAndNotBeyond() {
        for (const auto& [value, holds] :
             {std::pair{"31.40 GB", true}, {"31.42 GB", false}, {"31.41 GB", true}, {"31.39 GB", false}}) {
            const auto verdicts = LessonChecker(checkedLesson(R"({"text":"x","claims":{"a":{"of":"footprint",
                "metric":"footprint_bytes.total","value":")" + std::string(value) +
                                                              R"(","experiment":{"parallel":{"tp":1},
                "division":{"weights":7.5e9,"dp":64,"sharding":"optimizer"}}}}})"))
                                      .all();
            QCOMPARE(verdicts.front().holds, holds);  // 31.40625 GB
        }
    }

    void aFootprintIsOfItsPhase() {
        const std::string steps = R"({"text":"x","claims":{
            "t":{"metric":"footprint_bytes.gradients","of":"footprint","value":"0 GB","tolerance":"0.001 GB"},
            "g":{"metric":"footprint_bytes.gradients","of":"footprint","phase":"generation","value":"0 GB"},
            "c":{"metric":"footprint_bytes.cache","of":"footprint","phase":"generation","value":"0 GB",
                 "tolerance":"0.001 GB"}}})";
        const auto verdicts = LessonChecker(checkedLesson(steps)).all();
        QVERIFY(!of(verdicts, "t").holds && of(verdicts, "g").holds && !of(verdicts, "c").holds);
    }

    void aFootprintThatCannotBeComputedDoesNotHoldAndSaysWhy() {
        Lesson lesson = checkedLesson(
            R"({"text":"x","claims":{"a":{"metric":"footprint_bytes.total","of":"footprint","value":"1 GB"}}})");
        lesson.steps[0].claims[0].draft.explicitValues["division.pp"] = std::int64_t{79};
        const auto verdicts = LessonChecker(lesson).all();
        QVERIFY(!verdicts.front().holds && !verdicts.front().simulated);
        QVERIFY(
            data::describe(verdicts.front())
                .starts_with("step 1 says 1 GB (a), but the division gives no number: division.pp: 79: more stages"));
    }

    void aNumberMadeOfARunAndAFootprintIsSimulated() {
        Fake fake;
        const auto verdicts = LessonChecker(checkedLesson(R"({"text":"x","claims":{
            "t":{"metric":"time_ps.total","value":"2.39 ms"},
            "f":{"metric":"footprint_bytes.cache","of":"footprint","value":"0 GB"},
            "d":{"difference":["t","f"],"value":"2.39 ms"}}})"),
                                            fake.run())
                                  .all();
        QCOMPARE(fake.runs, 1);
        QVERIFY(simulates(of(verdicts, "t")) && !simulates(of(verdicts, "f")) && simulates(of(verdicts, "d")));
        QVERIFY2(of(verdicts, "d").holds, data::describe(of(verdicts, "d")).c_str());
    }

    void aTrainingStepIsSimulatedByItselfUnderThePolicyOfItsClaim() {
        Fake fake;
        const auto verdicts = LessonChecker(checkedLesson(std::string(R"({"text":"x",)") + kDividedStep + R"(
            "all":{"metric":"step_ps.total","of":"training","value":"1 ns"},
            "model":{"metric":"model_ps.total","of":"training","value":"1 ns"},
            "tensor":{"metric":"step_ps.tensor","of":"training","value":"1 ns"},
            "tensor_t3":{"metric":"step_ps.tensor","of":"training","policy":"t3-mca","value":"1 ns"},
            "bubble":{"metric":"bubble_share","of":"training","value":"33 %","tolerance":"20 %"},
            "wrong":{"metric":"bubble_share","of":"training","value":"20 %"}}})"),
                                            fake.run())
                                  .all();
        QCOMPARE(fake.runs, 0);  // the runs of sub-layers are none of the lesson's
        QVERIFY(std::ranges::all_of(verdicts, simulates));
        QVERIFY(*of(verdicts, "all").simulated > *of(verdicts, "model").simulated);
        QVERIFY(*of(verdicts, "tensor").simulated > *of(verdicts, "tensor_t3").simulated);
        QVERIFY2(of(verdicts, "bubble").holds, data::describe(of(verdicts, "bubble")).c_str());
        QVERIFY(!of(verdicts, "wrong").holds);
        QVERIFY(data::describe(of(verdicts, "wrong")).starts_with("step 1 says 20 % (wrong), simulation gives 3"));
    }

    void aNumberMadeOfATrainingStepAndAFootprintIsSimulated() {
        Fake fake;
        const auto verdicts = LessonChecker(checkedLesson(std::string(R"({"text":"x",)") + kDividedStep + R"(
            "f":{"metric":"footprint_bytes.total","of":"footprint","value":"1 GB"},
            "t":{"metric":"footprint_bytes.total","of":"training","value":"1 GB"},
            "same":{"ratio":["t","f"],"value":"1","tolerance":"0 %"}}})"),
                                            fake.run())
                                  .all();
        QVERIFY(!simulates(of(verdicts, "f")) && simulates(of(verdicts, "t")) && simulates(of(verdicts, "same")));
        QVERIFY2(of(verdicts, "same").holds, data::describe(of(verdicts, "same")).c_str());
    }

    void aTrainingStepWithoutTheNumberDoesNotHoldAndSaysWhy() {
        const auto verdicts = LessonChecker(checkedLesson(std::string(R"({"text":"x",)") + kDividedStep + R"(
            "a":{"metric":"most_weights","of":"training","value":"1 billion"}}})"))
                                  .all();
        QCOMPARE(data::describe(verdicts.front()), std::string("step 1 says 1 billion (a), but simulation gives no "
                                                               "number: its training step has no most_weights"));
        Lesson lesson = checkedLesson(std::string(R"({"text":"x",)") + kDividedStep + R"(
            "a":{"metric":"step_ps.total","of":"training","value":"1 ns"}}})");
        lesson.steps[0].claims[0].draft.explicitValues["division.pp"] = std::int64_t{25};
        const auto refused = LessonChecker(lesson).all();
        QVERIFY(!refused.front().simulated);
        QVERIFY2(refused.front().failure.find("division.pp: 25: more stages than layers") != std::string::npos,
                 refused.front().failure.c_str());
    }

    void aTrainingStepIsStoppedAndReportsItsProgress() {
        const std::string steps = std::string(R"({"text":"x",)") + kDividedStep + R"(
            "a":{"metric":"step_ps.total","of":"training","value":"1 ns"},
            "b":{"metric":"step_ps.total","of":"training","policy":"t3","value":"1 ns"}}})";
        std::vector<double> seen;
        data::LessonCheckOptions options;
        options.progress = [&](double done) { seen.push_back(done); };
        LessonChecker(checkedLesson(steps)).all(options);
        QVERIFY(std::ranges::is_sorted(seen));
        QVERIFY(seen.size() >= 2);
        QCOMPARE(seen.back(), 1.0);
        std::stop_source stop;
        stop.request_stop();
        options.stop = stop.get_token();
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, LessonChecker(checkedLesson(steps)).all(options));
    }

    void aNumberThatNoClaimBacksIsFound() {
        QCOMPARE(looseIn("It is 41 % faster, and takes 2.5 ms on 8 GPUs."), std::string("41 %|2.5 ms|8"));
        QCOMPARE(looseIn("41% of 1/8, 20–30 % of 75GB/s"), std::string("41%|1/8|20–30 %|75GB/s"));
        QCOMPARE(looseIn("12 µs, **3** and 1.21 times"), std::string("12 µs|3|1.21"));
    }

    void namesAndFormulasAreNoNumbers() {
        QCOMPARE(looseIn("T3 and T3-MCA on FC-2, GPU 3, GPUs 0, TP 8, step 2, Lesson 4, MI300X"), std::string());
        QCOMPARE(looseIn("2N reads, N − 1 chunks, N / 2 hops"), std::string());
        QCOMPARE(looseIn("1F1B has a bubble, 11F1B has none"), std::string("11"));
    }

    void aNumberWithoutAClaimIsFoundInEveryTextOfAStep() {
        const auto numbers = data::looseNumbers(checkedLesson(
            R"({"text":"one"},{"text":"1","question":{"text":"2","choices":["3","four"],"answer":"four"},"reveal":"5",
                "try":{"text":"6","parameter":"link.bandwidth","then":"7"}})"));
        std::string lines;
        for (const data::LooseNumber& number : numbers)
            lines += number.path + "=" + number.text + " ";
        QCOMPARE(lines, std::string("steps[1].text=1 steps[1].question.text=2 steps[1].question.choices[0]=3 "
                                    "steps[1].reveal=5 steps[1].try.text=6 steps[1].try.then=7 "));
        QCOMPARE(numbers.front().step, std::size_t{1});
    }
};

RINGSIDE_CORE_TEST(TestLessonCheck)
#include "tst_lesson_check.moc"
