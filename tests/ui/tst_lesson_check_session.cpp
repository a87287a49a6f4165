#include "tests/ui/window_test.h"

#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_state.h"

#include <QLabel>
#include <QSignalSpy>

#include <atomic>

using ui::LessonCheckSession;
using ui::LessonState;

namespace {

/// Returns a lesson of two steps, each with a claim about the total: the first holds for a run of 2 ms, the second does
/// not.
data::Lesson sampleLesson() {
    return data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"A sample","steps":[
        {"text":"It takes {total}.","claims":{"total":{"metric":"time_ps.total","value":"2.00 ms"}}},
        {"text":"And {wrong}.","claims":{"wrong":{"metric":"time_ps.total","value":"3.00 ms"}},
         "question":{"text":"How long?","answer":"wrong"},"reveal":"So long."}]})",
                            "sample")
        .lesson;
}

class LessonCheckSessionBench {
public:
    LessonCheckSessionBench()
        : m_check(m_state,
                  [this](const data::ExperimentDraft&, const engine::RunOptions&) {
                      ++m_runs;
                      engine::RunResult result;
                      result.last.time.total = engine::Duration(2'000'000'000);
                      return result;
                  }),
          m_panel(m_state) {
        const auto report = [this] { m_panel.showFailures(m_check.failuresOf(m_state.stepIndex())); };
        QObject::connect(&m_check, &LessonCheckSession::checked, &m_panel, report);
        QObject::connect(&m_state, &LessonState::stepChanged, &m_panel, report);
        m_panel.resize(420, 700);
        m_panel.show();
    }
    LessonState& state() { return m_state; }
    LessonCheckSession& check() { return m_check; }
    int runs() const { return m_runs; }
    bool waitForCheck() {
        QSignalSpy spy(&m_check, &LessonCheckSession::checked);
        m_check.check();
        return spy.wait(5'000);
    }
    QLabel& doubt() { return *m_panel.findChild<QLabel*>(QStringLiteral("lessonDoubtText")); }

private:
    std::atomic<int> m_runs{0};
    LessonState m_state;
    LessonCheckSession m_check;
    ui::LessonPanel m_panel;
};

}  // namespace

class TestLessonCheckSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStepThatSimulationAgreesWithHasNoMark() {
        LessonCheckSessionBench bench;
        bench.state().open(sampleLesson(), QStringLiteral("own.json"));
        QVERIFY(bench.waitForCheck());
        QVERIFY(bench.check().failuresOf(0).empty());
        QVERIFY(!bench.doubt().isVisible());
        QCOMPARE(bench.runs(), 1);
    }

    void aFalseNumberIsMarkedAndReportedWithTheAnswer() {
        LessonCheckSessionBench bench;
        bench.state().open(sampleLesson(), QStringLiteral("own.json"), 1);
        QVERIFY(!bench.doubt().isVisible());
        QVERIFY(bench.waitForCheck());
        QCOMPARE(bench.check().failuresOf(1).size(), std::size_t{1});
        QVERIFY(bench.doubt().isVisible());
        QVERIFY(!bench.doubt().text().contains(QStringLiteral("2.00")));  // that would give the answer away
        bench.state().reveal();
        QVERIFY(
            bench.doubt().text().contains(QStringLiteral("The step says 3.00 ms (wrong); simulation gives 2.00 ms.")));
        bench.state().goBack();
        QVERIFY(!bench.doubt().isVisible());
        bench.state().goTo(1);
        QVERIFY(bench.doubt().isVisible());  // the answer is already known
    }

    void aBundledLessonIsNotCheckedAgain() {
        LessonCheckSessionBench bench;
        bench.state().open(sampleLesson(), QStringLiteral(":/lessons/sample.json"), 1);
        bench.check().check();
        QTest::qWait(200);
        QCOMPARE(bench.runs(), 0);
    }

    void theSameFileOpenedAgainIsCheckedAgain() {
        LessonCheckSessionBench bench;
        bench.state().open(sampleLesson(), QStringLiteral("own.json"), 1);
        QVERIFY(bench.waitForCheck());
        data::Lesson mended = sampleLesson();
        mended.steps.pop_back();
        bench.state().open(std::move(mended), QStringLiteral("own.json"));
        QVERIFY(bench.waitForCheck());
        QVERIFY(!bench.doubt().isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestLessonCheckSession)
#include "tst_lesson_check_session.moc"
