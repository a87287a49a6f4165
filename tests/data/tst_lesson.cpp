#include "data/lessons/lesson.h"

#include "tests/data/sample_claims.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>

using data::Lesson;
using data::LessonClaim;
using data::LessonReading;

namespace {

std::string lessonOf(const std::string& steps, const std::string& head = {}) {
    return R"({"format":"ringside-lesson","version":1,"title":"A lesson",)" + head + R"("steps":[)" + steps + "]}";
}

LessonReading lessonRead(const std::string& text) { return data::readLesson(text, "own.json"); }

/// Returns "PATH: VALUE: …" for every problem, one on each line.
std::string problemsOf(const std::string& text) {
    std::string lines;
    for (const engine::Problem& problem : lessonRead(text).problems)
        lines += engine::describe(problem) + "\n";
    return lines;
}

bool lessonSays(const std::string& lines, const std::string& words) { return lines.find(words) != std::string::npos; }

}  // namespace

class TestLesson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsInheritTheExperimentAndTheView() {
        const auto reading =
            lessonRead(lessonOf(R"({"text":"one","scene":{"view":"machine","moment":"40 %"}},
            {"text":"two","experiment":{"link":{"bandwidth":"75 GB/s"}}},
            {"text":"three","experiment":{"policy":{"preset":"t3"}},"scene":{"view":"chunks"}})",
                                R"("experiment":{"workload":{"sublayer":"op"},"policy":"sequential"},)"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        const auto& steps = reading.lesson.steps;
        QCOMPARE(steps.size(), std::size_t{3});
        QCOMPARE(steps[0].draft.explicitValues.size(), std::size_t{2});
        QCOMPARE(steps[1].draft.explicitValues.size(), std::size_t{3});
        QCOMPARE(std::get<std::string>(steps[1].draft.explicitValues.at("policy.preset")), std::string("sequential"));
        QCOMPARE(std::get<std::string>(steps[2].draft.explicitValues.at("policy.preset")), std::string("t3"));
        QCOMPARE(std::get<std::int64_t>(steps[2].draft.explicitValues.at("link.bandwidth")),
                 std::int64_t{75'000'000'000});
        QCOMPARE(steps[1].scene.view, std::string("machine"));
        QVERIFY(!steps[1].scene.moment.has_value());  // a moment holds for its own step only
        QCOMPARE(steps[2].scene.view, std::string("chunks"));
    }

    void aPageIsInheritedWithItsView() {
        const auto reading = lessonRead(lessonOf(R"({"text":"one","scene":{"view":"model","page":"memory"}},
            {"text":"two","scene":{"moment":"40 %"}}, {"text":"three","scene":{"page":"messages"}},
            {"text":"four","scene":{"view":"model"}}, {"text":"five","scene":{"view":"timeline"}},
            {"text":"six","scene":{"view":"model"}})"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        std::string pages;
        for (const data::LessonStep& step : reading.lesson.steps)
            pages += step.scene.view + "/" + step.scene.page + " ";
        QCOMPARE(pages, std::string("model/memory model/memory model/messages model/messages timeline/ model/ "));
    }

    void aSettingOfEarlierVersionsIsNoMistake() {
        const auto reading =
            lessonRead(lessonOf(R"({"text":"one"},{"text":"two","experiment":{"dma":{"queue":"unlimited"}}})",
                                R"("experiment":{"policy":"sequential"},)"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        QVERIFY(noticesOfRemoved(reading.lesson.steps[0].draft).empty());
        QCOMPARE(noticesOfRemoved(reading.lesson.steps[1].draft).size(), std::size_t{1});
    }

    void aClaimKnowsItsValueInBaseUnitsAndOneOfTheLastDigitIsItsTolerance() {
        const auto reading = lessonRead(lessonOf(std::string(R"({"text":"{a} {b}",)") + tests::kClaims + "}"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        const Lesson& lesson = reading.lesson;
        QCOMPARE(lesson.claim("a")->value, 2.4e9);
        QVERIFY(std::abs(lesson.claim("a")->tolerance - 1e7) < 1);  // the last digit of 2.40 ms is 0.01 ms
        QVERIFY(std::abs(lesson.claim("b")->tolerance - 1.6e8) < 1);
        QCOMPARE(lesson.claim("c")->value, 8e8);
        QVERIFY(std::abs(lesson.claim("d")->value - 0.67) < 1e-12);
        QVERIFY(std::abs(lesson.claim("d")->tolerance - 0.01) < 1e-12);
        QCOMPARE(lesson.claim("e")->value, 150e9);
        QCOMPARE(std::get<std::string>(lesson.claim("b")->draft.explicitValues.at("policy.preset")),
                 std::string("sequential"));
        QVERIFY(!lesson.claim("a")->draft.explicitValues.contains("policy.preset"));
        QVERIFY(lesson.claim("f") == nullptr);
    }

    void aPartOfTheAttributionIsAMetricToo() {
        QVERIFY(lessonRead(lessonOf(R"({"text":"x","claims":{"m":{"metric":"attribution_ps.memory","value":"3 ms"}}})"))
                    .problems.empty());
        QVERIFY(lessonSays(
            problemsOf(lessonOf(R"({"text":"x","claims":{"m":{"metric":"attribution_ps.conten","value":"3 ms"}}})")),
            "attribution"));
    }

    void aNumberTypedWithoutAUnitIsInThatOfTheClaim() {
        const auto reading = lessonRead(lessonOf(std::string(R"({"text":"{a}",)") + tests::kClaims + "}"));
        const Lesson& lesson = reading.lesson;
        const auto number = [&](const char* typed, const char* like) {
            const auto read = data::lessonNumber(typed, lesson, *lesson.claim(like));
            return read ? read->value : -1.0;
        };
        QCOMPARE(number("2.5", "a"), 2.5e9);
        QCOMPARE(number("700", "c"), 7e8);  // in µs, the unit of the difference
        QCOMPARE(number(" 1700 us ", "a"), 1.7e9);
        QCOMPARE(number("50", "d"), 0.5);
        QCOMPARE(number("50 %", "d"), 0.5);
        QCOMPARE(number("2.5 GB", "a"), -1.0);
        QCOMPARE(number("many", "a"), -1.0);
        QCOMPARE(number("", "a"), -1.0);
    }

    void aLargeCountIsWrittenInWords() {
        const auto reading = lessonRead(
            lessonOf(R"({"text":"{n}","claims":{"n":{"parameter":"division.weights","value":"15 billion"}}})"));
        QVERIFY(reading.problems.empty());
        const data::LessonClaim& claim = *reading.lesson.claim("n");
        QCOMPARE(claim.value, 15e9);
        QCOMPARE(data::lessonNumber("700 million", reading.lesson, claim)->value, 7e8);
        QVERIFY(!data::lessonNumber("15 trillion", reading.lesson, claim));
        QCOMPARE(data::lessonNumberText(reading.lesson, claim, 16e9), std::string("16 billion"));
    }

    void placeholdersAreSplitFromWords() {
        const auto pieces = data::lessonPieces("It takes {a}, not {b}.");
        QCOMPARE(pieces.size(), std::size_t{5});
        QCOMPARE(pieces[1].text, std::string("a"));
        QVERIFY(pieces[1].isClaim);
        QCOMPARE(pieces[4].text, std::string("."));
        QCOMPARE(data::lessonPieces("an open { brace").size(), std::size_t{1});
        QVERIFY(data::lessonPieces("").empty());
    }

    void everyProblemIsListed() {
        const std::string lines = problemsOf(R"({"format":"ringside-lesson","version":2,"titel":"x","steps":[
            {"highlight":"link.bandwith"},
            {"text":7},
            "no step",
            {"text":"{gone}","claims":{"x":{"metric":"time_ps.totl","value":"1 ms"},"y":{"value":"1"},
                                       "z":{"ratio":["x"],"value":"1"}}},
            {"text":"ok","question":{"text":"?","choices":["yes","no"],"answer":"maybe"},"reveal":"."},
            {"text":"ok","question":{"text":"?","answer":"x"}},
            {"text":"ok","reveal":"nobody asked"},
            {"text":"ok","try":{"text":"t","parameter":"link.bandwidth","value":"fast"}},
            {"text":"ok","holds":true,"compare":["t4"]},
            {"text":"ok","pin":"yes","scene":{"moment":"later","experiment":{}},"experiment":{"parallel":{"tp":1}}}]})");
        for (const char* expected :
             {"version: 2: this version of the format is not known here; allowed: 1",
              "title: missing",
              "titel: \"x\": unknown key",
              "steps[0].text: missing",
              "steps[0].highlight: link.bandwith: no such part, did you mean link.bandwidth",
              "steps[1].text: 7: wrong type, a string is expected",
              "steps[2]: \"no step\": wrong type",
              "steps[3].text: {gone}: no claim has this name",
              "steps[3].claims.x.metric: time_ps.totl: no such metric, did you mean time_ps.total",
              "steps[3].claims.y: exactly one of \"metric\"",
              "steps[3].claims.z.ratio: 1 names",
              "steps[4].question.answer: maybe: not one of the choices",
              "steps[5].reveal: missing",
              "steps[6].reveal: the step asks nothing",
              "steps[7].try.value: fast",
              "steps[8].compare[0]: \"t4\": no such policy",
              "steps[8].holds: true: allowed only in a step with a \"question\"",
              "steps[9].pin: \"yes\": wrong type",
              "steps[9].scene.moment: \"later\"",
              "steps[9].experiment.parallel.tp: 1"}) {
            if (!lessonSays(lines, expected))
                qWarning("%s", lines.c_str());
            QVERIFY2(lessonSays(lines, expected), expected);
        }
    }

    void anUnknownPartIsAnsweredWithThoseThatThereAre() {
        const std::string lines = problemsOf(lessonOf(R"({"text":"x","highlight":"zzz"})"));
        for (const char* part : {"inspector", "timeline", "lane:DMA engine", "the path of a parameter"})
            QVERIFY2(lessonSays(lines, part), part);
        QCOMPARE(problemsOf(lessonOf(R"({"text":"x","highlight":"lane:DMA engine"})")), std::string());
        QCOMPARE(problemsOf(lessonOf(R"({"text":"x","highlight":"lane:companion"})")), std::string());
        QCOMPARE(problemsOf(lessonOf(R"({"text":"x","highlight":"link.bandwidth"})")), std::string());
        QCOMPARE(problemsOf(lessonOf(R"({"text":"x","highlight":"inspector"})")), std::string());
    }

    void aStepPlaysAShareOfTheRun() {
        const auto reading = lessonRead(lessonOf(R"({"text":"x","play":{"from":"20 %","to":"30 %","duration":"8 s"}},
            {"text":"y","play":{"from":"0 %","to":"100 %","duration":"60 s","loop":true}},{"text":"z"})"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        QVERIFY((reading.lesson.steps[0].play == data::LessonPlay{0.2, 0.3, 8, false}));
        QVERIFY((reading.lesson.steps[1].play == data::LessonPlay{0, 1, 60, true}));
        QVERIFY(!reading.lesson.steps[2].play);
    }

    void whatCannotBePlayedIsRefusedWithWhatCan() {
        const std::string lines =
            problemsOf(lessonOf(R"({"text":"x","play":{"from":"120 %","to":"30 %","duration":"0 s"}},
            {"text":"x","play":{"from":"30 %","to":"30 %","duration":"61 s"}},
            {"text":"x","play":{"from":"184 us","to":"-1 %","duration":"8 %","speed":2}},
            {"text":"x","play":{"duration":"1 s"}},{"text":"x","play":"20 %"})"));
        for (const char* words :
             {"steps[0].play.from: 120 %: not a share of the run; allowed: 0 % to 100 %",
              "steps[0].play.duration: 0 s: not a duration that is allowed; allowed: 1 s to 60 s",
              "steps[1].play.to: 30 %: not after \"from\"; allowed: a share above 30 %, up to 100 %",
              "steps[1].play.duration: 61 s", "steps[2].play.from: 184 us: not a share",
              "steps[2].play.to: -1 %: not a", "steps[2].play.duration: 8 %", "steps[2].play.speed",
              "steps[3].play.from: missing", "steps[3].play.to: missing", "steps[4].play: "})
            QVERIFY2(lessonSays(lines, words), (std::string(words) + "\n" + lines).c_str());
    }

    void aTextPointsAtPartsThatThereAre() {
        const auto reading = lessonRead(lessonOf(
            R"x({"text":"[the **tracker**](part:tracker), [a channel](part:channels/3), [B](field:link.bandwidth)",
                "highlight":"part:dma"},
               {"text":"[lane](lane:DMA engine) [0, 1] (so) [inspector](inspector)","highlight":"field:link.latency"})x"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        QCOMPARE(data::lessonLinks(reading.lesson.steps[0].text),
                 (std::vector<std::string>{"part:tracker", "part:channels/3", "field:link.bandwidth"}));
        QCOMPARE(data::lessonLinks(reading.lesson.steps[1].text),
                 (std::vector<std::string>{"lane:DMA engine", "inspector"}));
    }

    void aLinkToNoPartIsRefusedWithThePartsThatThereAre() {
        const std::string lines = problemsOf(lessonOf(
            R"x({"text":"[x](part:trackers)","highlight":"part:channels/x",
                "try":{"text":"[y](lane:Nowhere)","parameter":"link.bandwidth"}})x"));
        for (const char* words :
             {"steps[0].text: part:trackers: no such part", "part:tracker, part:near-memory",
              "steps[0].highlight: part:channels/x: no such part", "steps[0].try.text: lane:Nowhere: no such part"})
            QVERIFY2(lessonSays(lines, words), (std::string(words) + "\n" + lines).c_str());
    }

    void aLessonWithoutStepsIsNone() {
        QVERIFY(
            lessonSays(problemsOf(R"({"format":"ringside-lesson","version":1,"title":"x"})"), "steps: a lesson has"));
        QVERIFY(lessonSays(problemsOf(lessonOf("")), "steps: []: a lesson has at least one step"));
        QVERIFY(lessonSays(problemsOf(R"({"format":"ringside-lesson","version":1,"title":"x","steps":{}})"),
                           "steps: {...}: wrong type"));
    }

    void anotherDocumentIsCalledSoInOneSentence() {
        const auto sweep = lessonRead(R"({"format":"ringside-sweep","axes":[]})");
        QCOMPARE(sweep.problems.size(), std::size_t{1});
        QVERIFY(lessonSays(sweep.problems.front().text, "not a lesson"));
        QVERIFY(lessonSays(problemsOf(R"({"link":{}})"), "own.json: not a lesson"));
        QVERIFY(lessonSays(problemsOf("{"), "line 1"));
        QVERIFY(lessonSays(problemsOf("[]"), "a list, but an object"));
    }

    void aNameIsThereOnceAndBeforeItIsUsed() {
        QVERIFY(lessonSays(
            problemsOf(lessonOf(
                R"({"text":"{late}"},{"text":"x","claims":{"late":{"metric":"time_ps.total","value":"1 ms"}}})")),
            "steps[0].text: {late}: no claim has this name"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","claims":{"a":{"metric":"time_ps.total","value":"1 ms"}}},
                                            {"text":"x","claims":{"a":{"metric":"time_ps.gemm","value":"1 ms"}}})")),
                           "steps[1].claims.a: there is a claim of this name already"));
    }

    void aClaimOfAFootprintNamesWhatOneGpuHoldsAndSends() {
        const auto reading = lessonRead(lessonOf(R"({"text":"x","claims":{
            "w":{"metric":"footprint_bytes.weights","of":"footprint","phase":"generation","value":"15 GB"},
            "n":{"metric":"messages.count","of":"footprint","value":"40"},
            "r":{"metric":"time_ps.total","of":"run","value":"2.40 ms"}}})"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        const LessonClaim& weights = *reading.lesson.claim("w");
        QVERIFY(weights.of == data::ResultSubject::footprint && weights.phase == engine::ModelPhase::generation);
        QCOMPARE(weights.value, 15e9);
        QCOMPARE(reading.lesson.claim("n")->value, 40.0);
        QVERIFY(reading.lesson.claim("n")->phase == engine::ModelPhase::training);
        QVERIFY(reading.lesson.claim("r")->of == data::ResultSubject::run);
    }

    void tracesAreInheritedAndAPairIsNot() {
        const auto reading = lessonRead(lessonOf(R"({"text":"one"},
            {"text":"two","traces":["trace-rank-0","trace-rank-1"],"pair":"8192x4096x1024,all-reduce"},
            {"text":"three","claims":{"o":{"measured":"ranks.0.overlap","value":"18.4 %"},
                "t":{"measured":"ranks.1.span_ps","value":"3.39 ms"}, "b":{"measured":"collectives.0.busbw","value":"224 GB/s"}}})"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        const auto& steps = reading.lesson.steps;
        QVERIFY(steps[0].traces.files.empty());
        QCOMPARE(steps[1].traces.files, (std::vector<std::string>{"bundled:trace-rank-0", "bundled:trace-rank-1"}));
        QCOMPARE(steps[1].traces.pair, std::string("8192x4096x1024,all-reduce"));
        QCOMPARE(steps[2].traces.files, steps[1].traces.files);
        QVERIFY(steps[2].traces.pair.empty());
        QCOMPARE(reading.lesson.claim("o")->traces, steps[2].traces);
        QCOMPARE(reading.lesson.claim("t")->value, 3.39e9);
        QCOMPARE(reading.lesson.claim("b")->value, 224e9);
    }

    void aTraceIsBundledOrAFileBesideTheLesson() {
        QTemporaryDir folder;
        QFile file(folder.filePath("mine.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const std::string text = lessonOf(R"({"text":"x","traces":["mine.json"]})");
        QFile own(folder.filePath("own.json"));
        QVERIFY(own.open(QIODevice::WriteOnly) && own.write(QByteArray::fromStdString(text)) > 0);
        own.close();
        const LessonReading beside = data::readLessonFile(own.fileName().toStdString());
        QVERIFY(beside.problems.empty());
        QCOMPARE(beside.lesson.steps[0].traces.files.front(), file.fileName().toStdString());
        QVERIFY(lessonSays(problemsOf(text), "steps[0].traces[0]: mine.json: no bundled trace; bundled are trace-"));
        QVERIFY(file.remove());
        const LessonReading gone = data::readLessonFile(own.fileName().toStdString());
        QVERIFY(
            lessonSays(engine::describe(gone.problems.at(0)), "neither a bundled trace nor a file beside the lesson"));
    }

    void whatNoTraceCanSayIsRefused() {
        QVERIFY(lessonSays(
            problemsOf(lessonOf(R"({"text":"x","claims":{"a":{"measured":"ranks.0.overlap","value":"1"}}})")),
            "claims.a.measured: ranks.0.overlap: the step has no \"traces\""));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","traces":["trace-rank-0"],
                "claims":{"a":{"measured":"ranks.0.overlap","value":"1","policy":"t3"}}})")),
                           "claims.a.policy: a measured number does not depend on it"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","traces":["trace-rank-0"],
                "claims":{"a":{"measured":"ranks.0.span_ps","value":"1 GB"}}})")),
                           "claims.a.value: 1 GB: not a number of this kind"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","pair":"4x4x4,all-reduce"})")),
                           "steps[0].pair: 4x4x4,all-reduce: the step has no \"traces\""));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","traces":["trace-rank-0"],"pair":"all-reduce"})")),
                           "steps[0].pair: all-reduce: not a pair"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","traces":[]})")), "steps[0].traces: 0: 1 to 64 traces"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","traces":[1]})")), "steps[0].traces[0]: 1: wrong type"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","try":{"text":"y","open":"files"}})")),
                           "steps[0].try.open: files: nothing to open; allowed: traces"));
        QVERIFY(lessonSays(
            problemsOf(lessonOf(R"({"text":"x","try":{"text":"y","open":"traces","parameter":"link.bandwidth"}})")),
            "steps[0].try.parameter: link.bandwidth: not allowed beside \"open\""));
        QCOMPARE(problemsOf(lessonOf(R"({"text":"x","try":{"text":"y","open":"traces"}})")), std::string());
    }

    void whatNoFootprintHasIsRefusedWithWhatIsNear() {
        const auto claim = [](const char* body) {
            return problemsOf(lessonOf(std::string(R"({"text":"x","claims":{"a":{"value":"2 GB",)") + body + "}}}"));
        };
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.totl","of":"footprint")"),
                           "claims.a.metric: footprint_bytes.totl: no such number of a footprint, did you mean "
                           "footprint_bytes.total"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","of":"footprint")"), "no such number of a footprint"));
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.total")"),
                           "a number of a footprint, not of a run; \"of\": \"footprint\" is expected beside it"));
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.total","of":"memory")"),
                           "claims.a.of: memory: no such subject; allowed: run, footprint or training"));
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.total","of":1)"), "claims.a.of: 1: wrong type"));
        QVERIFY(lessonSays(claim(R"("parameter":"node.memory","of":"footprint")"), "allowed only beside \"metric\""));
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.total","of":"footprint","phase":"dreaming")"),
                           "claims.a.phase: dreaming: no such phase; allowed: training, prompt or generation"));
        QVERIFY(lessonSays(claim(R"("metric":"dram_bytes.total","phase":"prompt")"), "a run has no phase"));
        QVERIFY(lessonSays(claim(R"("metric":"footprint_bytes.total","of":"footprint","policy":"t3")"),
                           "claims.a.policy: t3: a footprint does not depend on the policy"));
        QVERIFY(lessonSays(claim(R"("metric":"messages.count","of":"footprint")"), "2 GB: not a number of this kind"));
    }

    void aClaimOfATrainingStepMayNameAPolicyAndHasNoPhase() {
        const auto reading = lessonRead(lessonOf(R"({"text":"x","claims":{
            "s":{"metric":"step_ps.total","of":"training","policy":"t3","value":"2.40 s"},
            "b":{"metric":"bubble_share","of":"training","value":"28 %"}}})"));
        QCOMPARE(reading.problems.size(), std::size_t{0});
        QVERIFY(reading.lesson.claim("s")->of == data::ResultSubject::training);
        QCOMPARE(reading.lesson.claim("s")->value, 2.4e12);
        QCOMPARE(reading.lesson.claim("b")->value, 0.28);
        const auto claim = [](const char* body) {
            return problemsOf(lessonOf(std::string(R"({"text":"x","claims":{"a":{"value":"2 s",)") + body + "}}}"));
        };
        QVERIFY(lessonSays(claim(R"("metric":"step_ps.total","of":"training","phase":"prompt")"),
                           "claims.a.phase: prompt: a training step has no phase; allowed only beside \"of\": "
                           "\"footprint\""));
        QVERIFY(lessonSays(claim(R"("metric":"step_ps.totl","of":"training")"),
                           "claims.a.metric: step_ps.totl: no such number of a training step, did you mean "
                           "step_ps.total"));
        QVERIFY(lessonSays(claim(R"("metric":"step_ps.total")"),
                           "a number of a training step, not of a run; \"of\": \"training\" is expected beside it"));
        QVERIFY(lessonSays(claim(R"("metric":"step_ps.total","of":"footprint")"),
                           "a number of a training step, not of a footprint; \"of\": \"training\" is expected"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","of":"training")"), "no such number of a training step"));
        QVERIFY(lessonSays(claim(R"("metric":"attribution_ps.link","of":"training")"),
                           "no such number of a training step"));
        QVERIFY(lessonSays(claim(R"("metric":"step_ps.total","of":"prompt")"),
                           "claims.a.of: prompt: no such subject; allowed: run, footprint or training"));
        QVERIFY(lessonSays(claim(R"("parameter":"node.memory","of":"training")"), "allowed only beside \"metric\""));
        QVERIFY(lessonSays(claim(R"("metric":"bubble_share","of":"training")"), "2 s: not a number of this kind"));
    }

    void theDivisionOfATrainingStepIsJudged() {
        const auto with = [](const char* experiment) {
            return problemsOf(lessonOf(R"({"text":"x","claims":{"a":{"of":"training","metric":"step_ps.total",
                "value":"2 s","experiment":)" +
                                       std::string(experiment) + "}}}"));
        };
        const auto refused = [](const std::string& lines, const char* start) {
            return lessonSays(lines, std::string("steps[0].claims.a.experiment.") + start);
        };
        QCOMPARE(with(R"({"division":{"pp":78}})"), std::string());
        QVERIFY(refused(with(R"({"division":{"pp":79}})"), "division.pp: 79: more stages than layers"));
        QVERIFY(
            refused(with(R"({"division":{"weights":15e9}})"), "division.weights: 15000000000: a number of weights"));
        QCOMPARE(with(R"({"division":{"pp":2,"microbatches":2,"interleave":3}})"), std::string());
        QVERIFY(refused(with(R"({"division":{"pp":2,"microbatches":2,"interleave":3,"schedule":"zb-h1"}})"),
                        "division.interleave: 3: several chunks of layers need division.schedule=1f1b"));
        QVERIFY(lessonSays(problemsOf(lessonOf(R"({"text":"x","experiment":{"division":{"pp":79}},
            "claims":{"a":{"metric":"step_ps.total","of":"training","value":"2 s"}}})")),
                           "steps[0].claims.a.division.pp: 79: more stages than layers"));
    }

    void aDivisionIsJudgedAndTheSubLayerOfAFootprintIsNot() {
        const auto with = [](const char* experiment, const char* path = "footprint_bytes.total") {
            const std::string claim = R"("of":"footprint","value":"2","experiment":)" + std::string(experiment) +
                                      ",\"metric\":\"" + path + "\"";
            return problemsOf(lessonOf(R"({"text":"x","claims":{"a":{)" + claim + "}}}"));
        };
        const auto refused = [](const std::string& lines, const char* start) {
            return lessonSays(lines, std::string("steps[0].claims.a.experiment.") + start);
        };
        const char* const kWeights = R"({"parallel":{"tp":1},"division":{"weights":7.5e9}})";
        QCOMPARE(with(kWeights), std::string());  // without a sub-layer one GPU is allowed
        QVERIFY(refused(with(R"({"division":{"dp":0}})"), "division.dp: 0"));
        QVERIFY(refused(with(R"({"division":{"sharding":"weights","pp":2}})"), "division.sharding: weights: sharded"));
        QCOMPARE(with(R"({"division":{"sharding":"weights","pp":1}})"), std::string());
        QVERIFY(refused(with(R"({"division":{"pp":79}})"), "division.pp: 79: more stages than layers"));
        QCOMPARE(with(R"({"division":{"pp":78}})"), std::string());
        QVERIFY(refused(with(R"({"parallel":{"tp":3}})"), "parallel.tp: 3: does not divide"));
        QVERIFY(refused(with(kWeights, "most_weights"), "node.memory: unlimited: most_weights needs the memory"));
        QCOMPARE(with(R"({"node":{"memory":"32 GB"}})", "most_weights"), std::string());
    }

    void aClaimIsJudgedByTheDivisionThatItsStepLeavesToo() {
        const std::string lines = problemsOf(lessonOf(R"({"text":"x","experiment":{"division":{"pp":79}},
            "claims":{"a":{"metric":"footprint_bytes.total","of":"footprint","value":"2 GB"}}})"));
        QVERIFY(lessonSays(lines, "steps[0].claims.a.division.pp: 79: more stages than layers"));
    }

    void aValueOfAnotherKindIsRefused() {
        const auto claim = [](const char* body) {
            return problemsOf(lessonOf(std::string(R"({"text":"x","claims":{"a":{)") + body + "}}}"));
        };
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"2 GB")"),
                           "claims.a.value: 2 GB: not a number of this kind"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"1e308 us")"),
                           "claims.a.value: 1e308 us: not a number of this kind, or too large"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"0e308 us")"), "or too large"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"1e308")"), "or too large"));
        QVERIFY(
            lessonSays(claim(R"("metric":"time_ps.total","value":"2 ms","tolerance":"1e308 ms")"), "not a tolerance"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"2e300 ps","tolerance":"1e10 %")"),
                           "claims.a.tolerance: 1e10 %: too large; the range that it allows must be finite"));
        QCOMPARE(claim(R"("metric":"time_ps.total","value":"2 ms","tolerance":"1e10 %")"), std::string());
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"fast")"), "allowed: a number such as"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":2)"), "wrong type, a string is expected"));
        QVERIFY(lessonSays(claim(R"("metric":"time_ps.total","value":"2 ms","tolerance":"-1 ms")"), "not a tolerance"));
        QVERIFY(lessonSays(claim(R"("parameter":"policy.preset","value":"2")"), "a parameter whose values are words"));
        QVERIFY(
            lessonSays(claim(R"("metric":"time_ps.total","policy":"t4","value":"2 ms")"), "claims.a.policy: \"t4\""));
        QVERIFY(
            lessonSays(claim(R"("metric":"time_ps.total","parameter":"seed","value":"2 ms")"), "one of \"metric\""));
    }
};

RINGSIDE_CORE_TEST(TestLesson)
#include "tst_lesson.moc"
