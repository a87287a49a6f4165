#include "data/lessons/lesson_check.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTest>

#include <thread>

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

}  // namespace

class TestLessonClaims : public QObject {
    Q_OBJECT

    static void forEachLesson() {
        QTest::addColumn<QString>("file");
        for (const QString& file : lessonFiles())
            QTest::newRow(qPrintable(file)) << file;
    }

private Q_SLOTS:
    void thereAreTwelveLessonsAtLeast() { QVERIFY(lessonFiles().size() >= 12); }

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
            QVERIFY2(data::expand(done).runnable(), step.attempt->text.c_str());
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
