#include "data/lessons/lesson_check.h"
#include "data/measured/trace_pair.h"
#include "data/measured/trace_reading.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <thread>
#include <vector>

// Checks every number in the bundled lessons with the engine.

namespace {

const QString kFolder = QStringLiteral(RINGSIDE_SOURCE "/resources/lessons");

QStringList lessonFiles() { return QDir(kFolder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name); }

data::LessonReading readBundled(const QString& file) {
    return data::readLessonFile((kFolder + u'/' + file).toStdString());
}

std::vector<std::string> textsOf(const data::LessonStep& step) {
    std::vector<std::string> texts{step.text, step.reveal};
    if (step.question) {
        texts.push_back(step.question->text);
        texts.insert(texts.end(), step.question->choices.begin(), step.question->choices.end());
    }
    if (step.attempt)
        texts.insert(texts.end(), {step.attempt->text, step.attempt->then});
    return texts;
}

data::ExperimentDraft underNoPolicy(data::ExperimentDraft draft) {
    draft.explicitValues.erase("policy.preset");
    return draft;
}

/// Returns the claims of metrics that a text says, itself or as a difference or a ratio of them.
std::vector<const data::LessonClaim*> metricsIn(const data::Lesson& lesson, const std::string& text) {
    std::vector<const data::LessonClaim*> found, open;
    for (const data::LessonPiece& piece : data::lessonPieces(text)) {
        if (piece.isClaim)
            open.push_back(lesson.claim(piece.text));
    }
    while (!open.empty()) {
        const data::LessonClaim* claim = open.back();
        open.pop_back();
        if (claim->kind == data::LessonClaim::Kind::metric || claim->kind == data::LessonClaim::Kind::measured)
            found.push_back(claim);
        else if (claim->kind != data::LessonClaim::Kind::parameter)
            open.insert(open.end(), {lesson.claim(claim->from), lesson.claim(claim->to)});
    }
    return found;
}

}  // namespace

class TestLessonClaims : public QObject {
    Q_OBJECT

    static void forEachLesson() {
        QTest::addColumn<QString>("file");
        for (const QString& file : lessonFiles())
            QTest::newRow(qPrintable(file)) << file;
    }

private Q_SLOTS:
    void thereAreFifteenLessonsAtLeast() { QVERIFY(lessonFiles().size() >= 15); }

    void aBundledLessonHasNoProblems_data() { forEachLesson(); }
    void aBundledLessonHasNoProblems() {
        QFETCH(QString, file);
        const data::LessonReading reading = readBundled(file);
        for (const engine::Problem& problem : reading.problems)
            qWarning("%s", engine::describe(problem).c_str());
        QVERIFY(reading.problems.empty());
        QVERIFY(!reading.lesson.summary.empty());
        QVERIFY(reading.lesson.steps.size() >= 4 && reading.lesson.steps.size() <= 7);
        QVERIFY(std::any_of(reading.lesson.steps.begin(), reading.lesson.steps.end(),
                            [](const data::LessonStep& step) { return step.question.has_value(); }));
    }

    void everyClaimHoldsInTheEngine_data() { forEachLesson(); }
    void everyClaimHoldsInTheEngine() {
        QFETCH(QString, file);
        const data::LessonReading reading = readBundled(file);
        data::LessonCheckOptions options;
        options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const auto verdicts = data::LessonChecker(reading.lesson).all(options);
        QVERIFY(!verdicts.empty());
        for (const data::LessonVerdict& verdict : verdicts)
            if (!verdict.holds)
                qWarning("%s", data::describe(verdict).c_str());
        QVERIFY(std::all_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) { return verdict.holds; }));
    }

    void noNumberInATextIsWithoutAClaim_data() { forEachLesson(); }
    void noNumberInATextIsWithoutAClaim() {
        QFETCH(QString, file);
        const data::LessonReading reading = readBundled(file);
        for (const data::LooseNumber& number : data::looseNumbers(reading.lesson))
            QFAIL((number.path + ": " + number.text).c_str());
    }

    void anAnswerIsSeenInThePicture_data() { forEachLesson(); }
    void anAnswerIsSeenInThePicture() {
        QFETCH(QString, file);
        const data::Lesson lesson = readBundled(file).lesson;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const data::LessonStep& step = lesson.steps[i];
            if (!step.question)
                continue;
            // The answer brings its own picture, or it is about experiments that are or were in sight, or whose numbers
            // the text of the step has. A claim under another policy compares with them.
            if (step.holds) {
                const data::LessonStep& before = lesson.steps[i - 1];
                QVERIFY2(step.draft != before.draft || step.traces != before.traces || step.compare != before.compare,
                         qPrintable(QString::number(i + 1)));
                continue;
            }
            std::vector<data::ExperimentDraft> seen;
            for (std::size_t before = 0; before <= i; ++before)
                seen.push_back(underNoPolicy(lesson.steps[before].draft));
            for (const data::LessonClaim* claim : metricsIn(lesson, step.text))
                seen.push_back(underNoPolicy(claim->draft));
            for (const data::LessonClaim* claim : metricsIn(lesson, step.reveal))
                QVERIFY2(std::ranges::find(seen, underNoPolicy(claim->draft)) != seen.end(), claim->name.c_str());
        }
    }

    void aTaskIsStillToBeDoneAndGivesARun_data() { forEachLesson(); }
    void aTaskIsStillToBeDoneAndGivesARun() {
        QFETCH(QString, file);
        const data::Lesson lesson = readBundled(file).lesson;
        for (const data::LessonStep& step : lesson.steps) {
            if (!step.attempt || step.attempt->value.empty())
                continue;
            const engine::Parameter& parameter = *engine::findParameter(step.attempt->parameter);
            engine::Problems problems;
            const auto wanted = engine::parseValue(parameter, step.attempt->value, problems);
            QVERIFY(wanted && *wanted != parameter.read(data::expand(step.draft).experiment));
            data::ExperimentDraft done = step.draft;
            done.explicitValues.insert_or_assign(parameter.path, *wanted);
            const bool isModel = !data::hasRun(done) && data::expandValues(done).problems.empty();
            QVERIFY2(isModel || data::expand(done).runnable(), step.attempt->text.c_str());
        }
    }

    void aPairOfATraceIsTheExperimentOfItsStep_data() { forEachLesson(); }
    void aPairOfATraceIsTheExperimentOfItsStep() {
        QFETCH(QString, file);
        for (const data::LessonStep& step : readBundled(file).lesson.steps) {
            if (step.traces.pair.empty())
                continue;
            const data::MeasuredTraces read = data::readMeasuredFiles(step.traces.files);
            QVERIFY(read.problems.empty());
            const data::RankMatch match = data::matchRanks(read.traces, {});
            const data::MeasuredReport report = data::measuredReportOf(read.traces, {}, match);
            engine::Problems problems;
            const data::MeasuredChoice choice = data::choiceNamed(read.traces, report, step.traces.pair, problems);
            const data::TracePair pair = data::tracePairOf(read.traces, match, report, choice);
            QVERIFY(pair.runnable());
            QCOMPARE(data::expand(pair.draft(problems)).experiment, data::expand(step.draft).experiment);
            QVERIFY(problems.empty());
        }
    }

    void everyClaimIsSaidSomewhereOrLeadsToOneThatIs_data() { forEachLesson(); }
    void everyClaimIsSaidSomewhereOrLeadsToOneThatIs() {
        QFETCH(QString, file);
        const data::Lesson lesson = readBundled(file).lesson;
        std::string used;
        for (const data::LessonStep& step : lesson.steps) {
            for (const std::string& text : textsOf(step))
                used += text;
            if (step.question)
                used += "{" + step.question->claim + "}";
            for (const data::LessonClaim& claim : step.claims)
                used += "{" + claim.from + "}{" + claim.to + "}";
        }
        for (const data::LessonStep& step : lesson.steps) {
            for (const data::LessonClaim& claim : step.claims)
                QVERIFY2(used.find("{" + claim.name + "}") != std::string::npos, claim.name.c_str());
        }
    }
};

RINGSIDE_CORE_TEST(TestLessonClaims)
#include "tst_lesson_claims.moc"
