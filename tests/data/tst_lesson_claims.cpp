#include "data/laboratory.h"
#include "data/lesson.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include <thread>

// Every number that a bundled lesson says, against the engine.

namespace {

const QString kFolder = QStringLiteral(RINGSIDE_SOURCE "/resources/lessons");

QStringList lessonFiles() { return QDir(kFolder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name); }

data::LessonReading readBundled(const QString& file) {
    return data::readLessonFile((kFolder + u'/' + file).toStdString());
}

/// Names and formulas that have digits and are no measurements. All other digits in a text are claims.
QString withoutNames(QString text) {
    static const QRegularExpression kNames(
        QStringLiteral("\\{[^}]*\\}|T3(-MCA)?|FC-[12]|GPU \\d+|TP \\d+|\\bstep \\d+|lesson \\d+|N − 1|N / 2|2N"),
        QRegularExpression::CaseInsensitiveOption);
    return text.remove(kNames);
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
    void thereAreEightLessonsAtLeast() { QVERIFY(lessonFiles().size() >= 8); }

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
        data::Laboratory laboratory;
        engine::RunOptions options;
        options.attribution = true;
        options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const auto findings = data::checkLesson(
            reading.lesson, [&](const data::ExperimentDraft& draft) { return laboratory.run(draft, options).result; });
        for (const data::LessonFinding& finding : findings)
            if (!finding.holds)
                qWarning("%s: the lesson says %s, the engine %f in base units", finding.claim->name.c_str(),
                         finding.claim->text.c_str(), finding.measured.value_or(-1));
        QVERIFY(std::all_of(findings.begin(), findings.end(), [](const auto& finding) { return finding.holds; }));
    }

    void noNumberInATextIsWithoutAClaim_data() { forEachLesson(); }
    void noNumberInATextIsWithoutAClaim() {
        QFETCH(QString, file);
        const data::LessonReading reading = readBundled(file);
        static const QRegularExpression kDigit(QStringLiteral("\\d"));
        for (const data::LessonStep& step : reading.lesson.steps) {
            for (const std::string& text : textsOf(step)) {
                const QString left = withoutNames(QString::fromStdString(text));
                QVERIFY2(!left.contains(kDigit), text.c_str());
            }
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

QTEST_GUILESS_MAIN(TestLessonClaims)
#include "tst_lesson_claims.moc"
