#include "ui/lessons/lesson_panel.h"

#include "window_test.h"

#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/lessons/lesson_words.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

#include <functional>
#include <utility>

using ui::LessonPanel;
using ui::LessonState;

namespace {

data::Lesson shownLesson() {
    const auto reading = data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"A sample","steps":[
        {"text":"It takes {total} & **nothing** less.\n\nSecond paragraph.",
         "claims":{"total":{"metric":"time_ps.total","value":"2.00 ms"}}},
        {"text":"Choose.","question":{"text":"Which?","choices":["This","That"],"answer":"That"},"reveal":"That, {total}."},
        {"text":"Guess.","question":{"text":"How long?","answer":"total"},"reveal":"So long.",
         "try":{"text":"Change it.","parameter":"link.bandwidth","then":"It moved."}}]})",
                                          "sample");
    return reading.lesson;
}

class OpenPanel {
public:
    explicit OpenPanel(std::size_t step = 0) : m_panel(m_state) {
        m_panel.resize(420, 700);
        m_panel.show();
        m_state.open(shownLesson(), QStringLiteral("sample.json"), step);
        QApplication::processEvents();
    }
    LessonState& state() { return m_state; }
    LessonPanel& panel() { return m_panel; }
    QString label(const char* name) { return m_panel.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    bool shows(const char* name) { return m_panel.findChild<QWidget*>(QString::fromLatin1(name))->isVisible(); }
    QPushButton& button(const char* name) { return *m_panel.findChild<QPushButton*>(QString::fromLatin1(name)); }
    QRadioButton& choice(int number) {
        return *m_panel.findChild<QRadioButton*>(QStringLiteral("choice:%1").arg(number));
    }

private:
    LessonState m_state;
    LessonPanel m_panel;
};

ui::LessonVerdict verdict(const char* typed) {
    const data::Lesson lesson = shownLesson();
    ui::LessonAnswer answer;
    answer.number = QString::fromUtf8(typed);
    return ui::verdictOf(lesson, lesson.steps[2], answer);
}

}  // namespace

class TestLessonPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTextShowsTheCheckedNumberAndNoMarkup() {
        OpenPanel open;
        const QString html = open.label("lessonText");
        QVERIFY(html.contains(QStringLiteral("2.00\u00a0ms")));
        QVERIFY(html.contains(QStringLiteral("&amp; <b>nothing</b> less")));
        QVERIFY(!html.contains(u'{') && !html.contains(QStringLiteral("**")));
        QCOMPARE(html.count(QStringLiteral("<p ")), 2);
        QCOMPARE(open.label("lessonProgress"), QStringLiteral("1 of 3"));
        QVERIFY(!open.button("lessonBack").isEnabled());
    }

    void theTextIsLargerThanTheWindowsType() {
        OpenPanel open;
        const auto* text = open.panel().findChild<QLabel*>(QStringLiteral("lessonText"));
        QVERIFY(text->font().pointSizeF() > open.panel().font().pointSizeF() * 1.2);
        QFont larger = open.panel().font();
        larger.setPointSizeF(larger.pointSizeF() * 1.5);
        open.panel().setFont(larger);  // as presenter mode does
        QVERIFY(text->font().pointSizeF() > larger.pointSizeF() * 1.2);
    }

    void theAnswerIsNotThereBeforeItIsAskedFor() {
        OpenPanel open(1);
        QVERIFY(!open.shows("lessonReveal"));
        QCOMPARE(open.button("lessonNext").text(), QStringLiteral("Show Answer"));
        open.choice(0).click();
        open.button("lessonNext").click();
        QCOMPARE(open.state().stepIndex(), std::size_t{1});
        QVERIFY(open.shows("lessonReveal"));
        QVERIFY(open.label("lessonReveal").contains(QStringLiteral("2.00")));
        QVERIFY(open.label("lessonVerdict").contains(QStringLiteral("Not quite")));
        QCOMPARE(open.button("lessonNext").text(), QStringLiteral("Next"));
        open.choice(1).click();  // too late
        QCOMPARE(*open.state().answer().choice, std::size_t{0});
    }

    void theKeysOfARemoteScrollATextToItsEndBeforeTheyLeaveTheStep() {
        OpenPanel open;
        auto* bar = open.panel().findChild<QScrollArea*>()->verticalScrollBar();
        for (QScrollArea* area : open.panel().findChildren<QScrollArea*>())
            if (area->isVisible())
                bar = area->verticalScrollBar();
        QTest::keyClick(&open.panel(), Qt::Key_PageDown);  // all text is in sight
        QCOMPARE(open.state().stepIndex(), std::size_t{1});
        open.panel().resize(420, 170);
        QApplication::processEvents();
        QVERIFY(bar->maximum() > open.panel().fontMetrics().height() * 2);
        // Both the question and its answer need scrolling: a press leaves them only when all text has been in sight.
        const int line = open.panel().fontMetrics().height() * 3 / 2;
        const auto pressUntil = [&](Qt::Key key, const std::function<bool()>& done) {
            int presses = 0, hidden = 0;
            for (; !done() && presses < 30; ++presses) {
                hidden = bar->maximum() - bar->value();
                QTest::keyClick(&open.panel(), key);
                QApplication::processEvents();
            }
            return std::pair(presses, hidden);
        };
        const auto [toAnswer, belowQuestion] =
            pressUntil(Qt::Key_PageDown, [&] { return open.state().answer().revealed; });
        QVERIFY(toAnswer > 1 && belowQuestion < line);
        bar->setValue(0);
        const auto [toNext, belowAnswer] = pressUntil(Qt::Key_Right, [&] { return open.state().stepIndex() == 2; });
        QVERIFY(toNext > 1 && belowAnswer < line);
        QCOMPARE(open.state().stepIndex(), std::size_t{2});
    }

    void theKeysGoBackToTheStartOfATextBeforeTheyLeaveTheStep() {
        OpenPanel open(1);
        open.panel().resize(420, 170);
        QApplication::processEvents();
        QTest::keyClick(&open.panel(), Qt::Key_PageDown);
        QVERIFY(!open.state().answer().revealed);
        QTest::keyClick(&open.panel(), Qt::Key_PageUp);
        QCOMPARE(open.state().stepIndex(), std::size_t{1});
        QTest::keyClick(&open.panel(), Qt::Key_PageUp);
        QCOMPARE(open.state().stepIndex(), std::size_t{0});
    }

    void whoPredictsNothingIsNotJudged() {
        OpenPanel open(1);
        open.button("lessonNext").click();
        QVERIFY(open.shows("lessonReveal"));
        QVERIFY(!open.shows("lessonVerdict"));
    }

    void aNumberIsComparedWithTheTruth() {
        QVERIFY(verdict("2").kind == ui::LessonVerdict::Kind::right);
        QVERIFY(verdict("2.05 ms").kind == ui::LessonVerdict::Kind::right);
        QVERIFY(verdict("1.7").kind == ui::LessonVerdict::Kind::near);
        QVERIFY(verdict("1.7").words.contains(QStringLiteral("too low")));
        QVERIFY(verdict("900 µs").kind == ui::LessonVerdict::Kind::far);
        QCOMPARE(verdict("900 µs").numbers->predicted, 9e8);
        QCOMPARE(verdict("1.7").numbers->typed, QStringLiteral("1.7 ms"));
        QVERIFY(!verdict("soon").numbers.has_value());
        QVERIFY(verdict("soon").words.contains(QStringLiteral("not a number")));
        QVERIFY(verdict("9 s").words.contains(QStringLiteral("much too high")));
    }

    void aShareIsJudgedInPoints() {
        const auto reading = data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"A share","steps":[
            {"text":"x","question":{"text":"?","answer":"c"},"reveal":"x","claims":{
             "a":{"metric":"time_ps.total","value":"2 ms"},"b":{"metric":"time_ps.gemm","value":"1 ms"},
             "c":{"ratio":["b","a"],"value":"50 %"}}}]})",
                                              "share");
        ui::LessonAnswer answer;
        answer.number = QStringLiteral("40");
        const ui::LessonVerdict reported = ui::verdictOf(reading.lesson, reading.lesson.steps[0], answer);
        QVERIFY2(reported.words.contains(QStringLiteral("10 points too low")), qPrintable(reported.words));
    }

    void aStepThatWasLeftIsFoundAsItWas() {
        OpenPanel open(1);
        open.choice(1).click();
        open.button("lessonNext").click();
        open.button("lessonNext").click();
        QCOMPARE(open.state().stepIndex(), std::size_t{2});
        open.button("lessonBack").click();
        QVERIFY(open.choice(1).isChecked());
        QVERIFY(open.shows("lessonReveal"));
    }

    void whatIsToBeTriedComesAfterTheAnswerAndIsTicked() {
        OpenPanel open(2);
        QVERIFY(!open.shows("lessonTryButton"));
        auto* field = open.panel().findChild<QLineEdit*>(QStringLiteral("lessonNumber"));
        QTest::keyClicks(field, QStringLiteral("1.9"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(open.state().answer().revealed);
        QVERIFY(open.shows("predictionBars"));
        QVERIFY(open.shows("lessonTryButton"));
        QSignalSpy tries(&open.panel(), &LessonPanel::tryRequested);
        open.button("lessonTryButton").click();
        QCOMPARE(tries.size(), 1);
        QVERIFY(!open.label("lessonTry").contains(QStringLiteral("It moved")));
        open.state().setTried();
        QVERIFY(open.label("lessonTry").contains(QStringLiteral("It moved")));
    }

    void pageKeysGoOnAndBackAndTheLastStepEnds() {
        OpenPanel open;
        QSignalSpy ends(&open.panel(), &LessonPanel::finished);
        open.panel().focusNext();
        QTest::keyClick(&open.button("lessonNext"), Qt::Key_PageDown);
        QCOMPARE(open.state().stepIndex(), std::size_t{1});
        QTest::keyClick(&open.button("lessonNext"), Qt::Key_PageUp);
        QCOMPARE(open.state().stepIndex(), std::size_t{0});
        open.state().goTo(2);
        open.state().reveal();
        QCOMPARE(open.button("lessonNext").text(), QStringLiteral("Finish"));
        open.button("lessonNext").click();
        QCOMPARE(ends.size(), 1);
    }

    void theKeyboardIsWhereThePredictionIsMade() {
        OpenPanel open(2);
        open.panel().activateWindow();
        open.panel().focusNext();
        QCOMPARE(open.panel().focusWidget()->objectName(), QStringLiteral("lessonNumber"));
        QTest::keyClick(open.panel().focusWidget(), Qt::Key_PageDown);  // the key also works in the field
        QVERIFY(open.state().answer().revealed);
        open.panel().focusNext();
        QCOMPARE(open.panel().focusWidget()->objectName(), QStringLiteral("lessonNext"));
    }

    void returnShowsTheAnswerFromAChoiceAndThenGoesOn() {
        OpenPanel open(1);
        open.panel().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&open.panel()));
        open.panel().focusNext();
        QVERIFY(qobject_cast<QRadioButton*>(open.panel().focusWidget()) != nullptr);
        QTest::keyClick(open.panel().focusWidget(), Qt::Key_Space);
        QVERIFY(!open.state().answer().revealed);  // choosing alone does not show the answer
        QTest::keyClick(open.panel().focusWidget(), Qt::Key_Return);
        QVERIFY(open.state().answer().revealed);
        QCOMPARE(open.panel().focusWidget()->objectName(), QStringLiteral("lessonNext"));
        QTest::keyClick(open.panel().focusWidget(), Qt::Key_Return);
        QCOMPARE(open.state().stepIndex(), std::size_t{2});
    }

    void theListHasEveryBundledLesson() {
        LessonState state;
        LessonPanel panel(state);
        panel.show();
        QVERIFY(ui::bundledLessons().size() >= 8);
        QSignalSpy asked(&panel, &LessonPanel::lessonRequested);
        for (const ui::BundledLesson& lesson : ui::bundledLessons()) {
            auto* button = panel.findChild<QPushButton*>(QStringLiteral("lesson:") + lesson.name);
            QVERIFY(button != nullptr);
            button->click();
            QCOMPARE(asked.back().front().toString(), lesson.file);
            QVERIFY(!lesson.title.isEmpty() && !lesson.summary.isEmpty());
        }
        QCOMPARE(ui::bundledLesson(QStringLiteral("1")), &ui::bundledLessons().front());
        QCOMPARE(ui::bundledLesson(ui::bundledLessons()[2].name), &ui::bundledLessons()[2]);
        QCOMPARE(ui::bundledLesson(QStringLiteral("09-what-must-fit")),
                 ui::bundledLesson(QStringLiteral("what-must-fit")));
        QVERIFY(ui::bundledLesson(QStringLiteral("08-what-must-fit")) == nullptr);
        QVERIFY(ui::bundledLesson(QStringLiteral("0")) == nullptr);
        QVERIFY(ui::bundledLesson(QStringLiteral("no such")) == nullptr);
    }

    void aLinkIsFollowedByKeyAndPlainTextIsNotInTheWay() {
        LessonState state;
        LessonPanel panel(state);
        panel.show();
        state.open(data::readLesson(R"x({"format":"ringside-lesson","version":1,"title":"Links","steps":[
            {"text":"See [the **tracker**](part:tracker)."},{"text":"No link."}]})x",
                                    "links")
                       .lesson,
                   QStringLiteral("links.json"));
        auto* words = panel.findChild<QLabel*>(QStringLiteral("lessonText"));
        QVERIFY2(words->text().contains(QStringLiteral("<a href=\"part:tracker\">the <b>tracker</b></a>")),
                 qPrintable(words->text()));
        QSignalSpy asked(&panel, &LessonPanel::partRequested);
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        words->setFocus(Qt::TabFocusReason);
        QTest::keyClick(words, Qt::Key_Tab);  // to the link
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("part:tracker"));
        state.advance();
        QCOMPARE(words->focusPolicy(), Qt::NoFocus);
    }

    void aLessonIsFinishedAtItsLastStepOnceAllIsAnswered() {
        LessonState state;
        state.open(shownLesson(), QStringLiteral("sample.json"));
        QVERIFY(!state.isFinished());
        state.goTo(2);
        state.reveal();
        QVERIFY(!state.isFinished());  // the second step also has a question
        state.goTo(1);
        state.predict(std::size_t{0});
        QVERIFY(!state.isFinished());  // not the last step
        state.goTo(2);
        QVERIFY(state.isFinished());
    }

    void whatAStepPlaysIsReportedBesideItsButton() {
        LessonState state;
        LessonPanel panel(state);
        panel.show();
        state.open(data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"Plays","steps":[
            {"text":"x","play":{"from":"20 %","to":"30 %","duration":"8 s","loop":true}},{"text":"y"}]})",
                                    "plays")
                       .lesson,
                   QStringLiteral("plays.json"));
        auto* button = panel.findChild<QPushButton*>(QStringLiteral("lessonPlay"));
        const auto* words = panel.findChild<QLabel*>(QStringLiteral("lessonPlayText"));
        QVERIFY(button->isVisible());
        QCOMPARE(words->text(), QStringLiteral("20 % to 30 % of the run, in 8\u00a0s, repeated"));
        panel.showPlaying(true);
        QCOMPARE(button->text(), QStringLiteral("Pause"));
        panel.setReducedMotion(true);
        QCOMPARE(button->text(), QStringLiteral("Step"));
        state.advance();
        QVERIFY(!button->isVisible());
    }

    void finishedLessonsAreTickedInTheList() {
        LessonState state;
        LessonPanel panel(state);
        const QString name = ui::bundledLessons()[1].name;
        panel.showFinished({name});
        const auto* button = panel.findChild<QPushButton*>(QStringLiteral("lesson:") + name);
        QVERIFY(button->accessibleName().endsWith(QStringLiteral("finished")));
        QVERIFY(button->findChild<QLabel*>(QStringLiteral("lessonHead"))->text().contains(u'✓'));
        panel.showFinished({});
        QVERIFY(!button->accessibleName().endsWith(QStringLiteral("finished")));
        QVERIFY(!button->findChild<QLabel*>(QStringLiteral("lessonHead"))->text().contains(u'✓'));
    }
};

RINGSIDE_WINDOW_TEST(TestLessonPanel)
#include "tst_lesson_panel.moc"
