#include "data/document/whole_file.h"
#include "data/lessons/lesson_answer.h"
#include "data/lessons/lesson_library.h"
#include "data/lessons/lesson_text.h"
#include "data/page/lesson_page.h"
#include "data/page/site.h"
#include "tests/data/sample_claims.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

using namespace data;

namespace {

/// The answers that the player of web pages must judge in the same way: web/tests/answers.unit.test.ts reads the file.
const QString kAnswerTable = QStringLiteral(RINGSIDE_SOURCE "/web/tests/answers.txt");

const std::string kSmallCase = R"("experiment":{"workload":{"model":"mega-gpt-2","sublayer":"op"},"parallel":{"tp":4},
    "detail":{"level":"interactive"},"policy":{"preset":"t3"}},)";

std::string pageLesson(const std::string& steps) {
    return R"({"format":"ringside-lesson","version":1,"title":"A lesson","summary":"Of one idea.",)" + kSmallCase +
           R"("steps":[)" + steps + "]}";
}

Lesson lessonFrom(const std::string& text) {
    LessonReading reading = readLesson(text, "page.json");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::move(reading.lesson);
}

std::string pageFor(const Lesson& lesson, std::vector<std::string> pictures = {}) {
    const LessonRuns runs = runLesson(lesson, {});
    return lessonPageOf({.lesson = lesson, .runs = runs, .pictures = std::move(pictures)}).html;
}

nlohmann::json lessonIn(const std::string& html) {
    const std::string mark = "id=\"page\">";
    const std::size_t from = html.find(mark) + mark.size();
    return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from)).at("lesson");
}

nlohmann::json questionOf(const Lesson& lesson, const char* claim) {
    Lesson asking = lesson;
    asking.steps.front().question = LessonQuestion{.text = "?", .choices = {}, .right = 0, .claim = claim};
    const LessonRuns runs{lessonRunPlan(asking), {}, {}, {}};
    LessonRuns none = runs;
    for (LessonRunPlan::OfStep& step : none.plan.steps)
        step = {};
    return lessonIn(lessonPageOf({.lesson = asking, .runs = none}).html).at("steps").at(0).at("question");
}

/// Returns lines of a question, a typed text, the kind and words of the verdict, and the value; apart by tabs.
QString answerTable() {
    const Lesson lesson = lessonFrom(pageLesson(std::string(R"({"text":"{a}",)") + tests::kClaims + "}," +
                                                R"({"text":"{n} {s}","claims":{
        "n":{"parameter":"division.weights","value":"15 billion"},
        "s":{"parameter":"cu.registers","value":"256 KiB"},
        "z":{"parameter":"link.latency","value":"0.5 µs","tolerance":"0.1 µs"}}})"));
    const char* typed[] = {"",
                           "many",
                           "2.4",
                           "2.40 ms",
                           " 1700 us ",
                           "1.7e3 us",
                           "2.5 GB",
                           "-2.4",
                           "+2.5",
                           "2.6",
                           "3",
                           "30",
                           "1",
                           "50",
                           "50 %",
                           "67%",
                           "0.67",
                           "66.2 %",
                           "700",
                           "800 µs",
                           "0.8 MS",
                           ".8 ms",
                           "8.",
                           ".",
                           "e5",
                           "1e",
                           "1e5x",
                           "1e400",
                           "1e-400",
                           "150",
                           "150 gb/s",
                           "150 GB/s",
                           "1200 Gbit/s",
                           "1200 Gbps",
                           "1.2 Tbit/s",
                           "150 gB/S",
                           "1200 gbit/s",
                           "15",
                           "15 billion",
                           "15 Billion",
                           "14.9 billion",
                           "15 trillion",
                           "15000 million",
                           "256",
                           "256 KiB",
                           "262144",
                           "262144 B",
                           "0.25 MiB",
                           "2 Mibit",
                           "256 kib",
                           "1.2.3",
                           "12 34",
                           "1,5",
                           "٣"};
    QString table = QStringLiteral("{\"right\":1}\t1\tright\t%1\tnone\n{\"right\":1}\t0\tfar\t%2\tnone\n")
                        .arg(QString::fromUtf8(kRightChoice), QString::fromUtf8(kWrongChoice));
    for (const char* claim : {"a", "b", "c", "d", "e", "n", "s", "z"}) {
        const std::string question = questionOf(lesson, claim).dump();
        for (const char* text : typed) {
            const NumberVerdict verdict = judgeNumber(lesson, *lesson.claim(claim), text);
            const char* kinds[] = {"right", "near", "far"};
            table += QStringLiteral("%1\t%2\t%3\t%4\t%5\n")
                         .arg(QString::fromStdString(question), QString::fromUtf8(text),
                              QString::fromLatin1(kinds[static_cast<int>(verdict.kind)]),
                              QString::fromStdString(verdict.words),
                              verdict.value ? QString::number(*verdict.value, 'g', 17) : QStringLiteral("none"));
        }
    }
    return table;
}

std::string noLink(const std::string& words, const std::string&) { return words; }

}  // namespace

class TestLessonPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachExperimentRunsOnceAndStepsShareIt() {
        const LessonRunPlan plan = lessonRunPlan(lessonFrom(pageLesson(
            R"({"text":"one","pin":true},
               {"text":"two","experiment":{"policy":{"preset":"t3-mca"}},
                "try":{"text":"x","parameter":"dma.block_tiles","value":"4"}},
               {"text":"three","scene":{"view":"compare"},"compare":["t3","t3-mca"],"pin":false},
               {"text":"four","scene":{"view":"model"}},
               {"text":"five","scene":{"view":"machine"}, "try":{"text":"x","parameter":"link.bandwidth"}})")));
        QCOMPARE(plan.drafts.size(), std::size_t{3});
        QCOMPARE(plan.steps[0], (LessonRunPlan::OfStep{.shown = {0}, .tried = {}, .pinned = {}}));
        QCOMPARE(plan.steps[1], (LessonRunPlan::OfStep{.shown = {1}, .tried = 2, .pinned = 0}));
        QCOMPARE(plan.steps[2], (LessonRunPlan::OfStep{.shown = {0, 1}, .tried = {}, .pinned = 0}));
        QCOMPARE(plan.steps[3], (LessonRunPlan::OfStep{}));
        QCOMPARE(plan.steps[4], (LessonRunPlan::OfStep{.shown = {1}, .tried = {}, .pinned = {}}));
    }

    void aStepHasItsSceneInPicoseconds() {
        const Lesson lesson = lessonFrom(pageLesson(
            R"json({"text":"one [wave](lane:GEMM waves)","scene":{"view":"timeline","from":"25 %","to":"50 %",
                "moment":"1 us"},"highlight":"lane:DMA engine","play":{"from":"0 %","to":"50 %","duration":"5 s"}},
               {"text":"two","scene":{"view":"tracker"},"holds":true,
                "question":{"text":"?","choices":["a","b"],"answer":"b"},"reveal":"b"})json"));
        const LessonRuns runs = runLesson(lesson, {});
        const std::string html = lessonPageOf({.lesson = lesson, .runs = runs}).html;
        const nlohmann::json steps = lessonIn(html).at("steps");
        const std::int64_t end = runs.runs.front().result.trace->end.ps;
        QCOMPARE(steps[0]["from"].get<std::int64_t>(), (end + 2) / 4);
        QCOMPARE(steps[0]["at"].get<std::int64_t>(), std::int64_t{1'000'000});
        QCOMPARE(steps[0]["play"]["seconds"].get<double>(), 5.0);
        QCOMPARE(steps[0]["lane"].get<std::size_t>(), static_cast<std::size_t>(engine::LaneKind::dma));
        QCOMPARE(steps[1]["lane"].get<std::size_t>(), static_cast<std::size_t>(engine::LaneKind::tracker));
        QCOMPARE(steps[1]["question"]["right"].get<int>(), 1);
        QVERIFY(steps[1]["holds"].get<bool>());
        QVERIFY(html.find("<span data-lane=\"0\">wave</span>") != std::string::npos);
        QVERIFY(html.find("in its view Tracker") != std::string::npos);
    }

    void aClaimThatDoesNotHoldIsNamed() {
        const Lesson lesson =
            lessonFrom(pageLesson(R"({"text":"{m}","claims":{"m":{"metric":"time_ps.total","value":"1 ns"}}})"));
        const LessonRuns runs = runLesson(lesson, {});
        QCOMPARE(runs.failures.size(), std::size_t{1});
        QVERIFY(describe(runs.failures.front()).starts_with("step 1 says 1 ns (m), simulation gives "));
    }

    void hostileTextsStayTexts() {
        const Lesson lesson = lessonFrom(
            R"({"format":"ringside-lesson","version":1,"title":"</title><img src=x onerror=1>",
                "summary":"</script><!-- 'quoted'",)" +
            kSmallCase +
            R"("steps":[{"text":"<b onclick=1>**<i>** & </article>","question":{"text":"<script>alert(1) </script>",
                "choices":["</li><svg onload=1>","\u202ebidi"],"answer":"\u202ebidi"},"reveal":"</details>"}]})");
        const std::string html = pageFor(lesson, {std::string("\x89PNG<script>", 12)});
        for (const char* markup :
             {"<img src=x", "<svg", "<i>", "<b onclick", "<script>alert", "<!--", "</details></details>"})
            QVERIFY2(html.find(markup) == std::string::npos, markup);
        QVERIFY(html.find("<b>&lt;i&gt;</b> &amp; &lt;/article&gt;") != std::string::npos);
        QVERIFY(html.find("<title>&lt;/title&gt;&lt;img") != std::string::npos);
        QVERIFY(html.find("src=\"data:image/png;base64,iVBORzxzY3JpcHQ+\"") != std::string::npos);
    }

    void textsBecomeParagraphs() {
        const Lesson lesson =
            lessonFrom(pageLesson(R"({"text":"{p}","claims":{"p":{"parameter":"parallel.tp","value":"4"}}})"));
        const auto paragraphs = [&](const char* text) { return lessonParagraphs(lesson, text, &noLink); };
        QCOMPARE(paragraphs("").size(), std::size_t{0});
        QCOMPARE(paragraphs("a {p} **b** *c*\n\n\n\n d\ne "),
                 (std::vector<std::string>{"a <b>4</b> <b>b</b> *c*", "d\ne"}));
        QCOMPARE(paragraphs("[words](ribbon) ] ( [x](y"), (std::vector<std::string>{"words ] ( [x](y"}));
        QCOMPARE(paragraphs("](x) **"), (std::vector<std::string>{"](x) **"}));
        QCOMPARE(paragraphs("****"), (std::vector<std::string>{"****"}));
    }

    void bundledLessonsAreFoundByNumberNameAndFile() {
        QVERIFY(bundledLessons().size() >= 18);
        QCOMPARE(bundledLesson("1"), &bundledLessons().front());
        QCOMPARE(bundledLesson("what-must-travel"), &bundledLessons().front());
        QCOMPARE(bundledLesson("01-what-must-travel"), &bundledLessons().front());
        for (const char* none : {"0", "99", "", "1x", "02-what-must-travel", "no such"})
            QVERIFY2(bundledLesson(none) == nullptr, none);
    }

    void aSiteListsAllLessonsAndReplacesOnlyASite() {
        const QTemporaryDir folder;
        const std::string site = folder.filePath(QStringLiteral("site")).toStdString();
        const std::string index = siteIndex(bundledSite());
        for (const SiteLesson& lesson : bundledSite())
            QVERIFY2(index.find("href=\"" + lesson.file + "\"") != std::string::npos, lesson.file.c_str());
        QVERIFY(index.find("<script") == std::string::npos);
        const auto writeSite = [&] {
            SiteFolder written(site);
            written.write("index.html", index);
            written.keep();
        };
        writeSite();
        writeSite();
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).join(u' '),
                 QStringLiteral("site"));
        QFile other(QString::fromStdString(site) + QStringLiteral("/thesis.html"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine") == 4);
        other.close();
        QVERIFY_THROWS_EXCEPTION(FileError, writeSite());
        QVERIFY(other.exists());
        {
            SiteFolder dropped(site + "-2");
            dropped.write("index.html", index);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).join(u' '),
                 QStringLiteral("site"));
    }

    void neighboursAreTheLessonsBeforeAndAfter() {
        const std::vector<SiteLesson> site{{"1.html", "One", ""}, {"2.html", "Two", ""}};
        const Lesson lesson = lessonFrom(pageLesson(R"({"text":"one","scene":{"view":"model"}})"));
        const LessonRuns runs = runLesson(lesson, {});
        LessonPageRequest first{.lesson = lesson, .runs = runs}, last{.lesson = lesson, .runs = runs};
        addNeighbours(site, 0, first);
        addNeighbours(site, 1, last);
        QVERIFY(!first.previous && first.next && first.next->address == "2.html");
        QVERIFY(last.previous && last.previous->title == "One" && !last.next && last.all);
        const std::string html = lessonPageOf(first).html;
        QVERIFY(html.find("<a rel=\"next\" href=\"2.html\">→ Two</a>") != std::string::npos);
        QVERIFY(html.find("rel=\"prev\"") == std::string::npos);
    }

    void thePlayerOfPagesJudgesAnswersInTheSameWay() {
        QFile file(kAnswerTable);
        if (qEnvironmentVariableIsSet("RINGSIDE_KEEP_GOLDEN")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(answerTable().toUtf8());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(kAnswerTable));
        QCOMPARE(QString::fromUtf8(file.readAll()), answerTable());
    }
};

RINGSIDE_TEST(TestLessonPage)
#include "tst_lesson_page.moc"
