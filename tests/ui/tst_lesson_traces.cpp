#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/measured/trace_reading.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/measured/measured_feature.h"
#include "ui/measured/measured_view.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QLabel>
#include <QSignalSpy>

// Lessons that show traces of real machines in the view Measured.

namespace {

const QString kOwn = QStringLiteral(RINGSIDE_EXAMPLES "/trace-rank-1.json");
const QStringList kBoth{QStringLiteral("bundled:trace-rank-0"), QStringLiteral("bundled:trace-rank-1")};
const QStringList kFused{QStringLiteral("bundled:trace-fused-rank-0"), QStringLiteral("bundled:trace-fused-rank-1")};

}  // namespace

class TestLessonTraces : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::RingsideWindow> m_window;

    ui::LessonState& lesson() { return m_window->lessons().state(); }
    ui::MeasuredView& view() { return m_window->measured().view(); }
    QString currentView() { return m_window->workbench().views().current(); }
    QString task() { return m_window->findChild<QLabel*>(QStringLiteral("lessonTry"))->text(); }

    /// Does something that ends with a step that is shown.
    template <class Act>
    void untilShown(const Act& act) {
        QSignalSpy shown(&m_window->lessons(), &ui::LessonFeature::shown);
        act();
        QVERIFY(!shown.isEmpty() || shown.wait(20'000));
    }
    void openAt(std::size_t step) {
        untilShown([&] { QVERIFY(m_window->lessons().open(ui::bundledLesson(QStringLiteral("18"))->file, step)); });
    }
    /// The covers of numbers that can be seen.
    qsizetype covers() {
        qsizetype visible = 0;
        for (const QWidget* cover : m_window->findChildren<QWidget*>(QStringLiteral("answerCover")))
            visible += cover->isVisible() ? 1 : 0;
        return visible;
    }
    void openOwn() {
        QSignalSpy settled(&view(), &ui::MeasuredView::settled);
        m_window->workbench().documents().open(kOwn);
        QVERIFY(!settled.isEmpty() || settled.wait(10'000));
    }

private Q_SLOTS:
    void init() { m_window = tests::openWindow(tests::interactiveConfig(), {1280, 800}); }
    void cleanup() { m_window.reset(); }

    void aStepShowsItsTracesAndCoversTheirNumbersUntilTheAnswer() {
        openAt(0);
        QCOMPARE(currentView(), QStringLiteral("measured"));
        QCOMPARE(view().files(), kBoth);
        QVERIFY(view().set() != nullptr);
        QCOMPARE(covers(), qsizetype{2});  // the headline and the tables
        for (const QWidget* numbers : view().numbers()) {
            const auto* cover = numbers->findChild<QWidget*>(QStringLiteral("answerCover"));
            QVERIFY(cover != nullptr && cover->geometry() == numbers->rect());
        }
        lesson().reveal();
        QCOMPARE(covers(), qsizetype{0});
    }

    void aStepThatHoldsShowsItsTracesWithTheAnswer() {
        openAt(3);
        QCOMPARE(view().files(), kBoth);
        untilShown([this] { lesson().reveal(); });
        QCOMPARE(view().files(), kFused);
        QVERIFY(!view().set()->report.ranks.front().overlap.has_value());
        QVERIFY(!view().choice().gemm.has_value());
    }

    void aPairIsChosenAndSimulated() {
        openAt(4);
        QVERIFY(view().choice().gemm.has_value() && view().choice().collective.has_value());
        QVERIFY(m_window->experiment().isRunnable());
        untilShown([this] { lesson().advance(); });
        untilShown([this] { lesson().reveal(); });
        QCOMPARE(currentView(), QStringLiteral("compare"));
        QVERIFY(view().choice().gemm.has_value());
        openAt(1);
        QVERIFY(!view().choice().gemm.has_value());
    }

    void openingATraceOfTheReadersIsTheLastTask() {
        openAt(ui::openLesson(ui::bundledLesson(QStringLiteral("18"))->file).lesson.steps.size() - 1);
        QVERIFY(!lesson().answer().tried);
        openOwn();
        QVERIFY(lesson().answer().tried && task().contains(QStringLiteral("Done.")));
        QVERIFY(lesson().isOpen());
        lesson().close();  // what the reader has opened stays
        QCOMPARE(view().files(), QStringList{kOwn});
    }

    void aFileThatIsNoTraceIsNotTheTaskDone() {
        openAt(ui::openLesson(ui::bundledLesson(QStringLiteral("18"))->file).lesson.steps.size() - 1);
        QSignalSpy settled(&view(), &ui::MeasuredView::settled);
        view().open({QStringLiteral(RINGSIDE_EXAMPLES "/no-such-trace.json")});
        QVERIFY(!settled.isEmpty() || settled.wait(10'000));
        QVERIFY(!lesson().answer().tried);
        QCOMPARE(view().files(), kBoth);
    }

    void afterTheLessonTheReadersOwnTracesAreBack() {
        openOwn();
        openAt(0);
        QCOMPARE(view().files(), kBoth);
        QSignalSpy settled(&view(), &ui::MeasuredView::settled);
        lesson().close();
        QVERIFY(!settled.isEmpty() || settled.wait(10'000));
        QCOMPARE(view().files(), QStringList{kOwn});
        QCOMPARE(view().set()->traces.size(), std::size_t{1});
    }

    void withoutTracesBeforeThereAreNoneAfterIt() {
        openAt(0);
        lesson().close();
        QVERIFY(view().files().isEmpty() && view().set() == nullptr);
    }
};

RINGSIDE_WINDOW_TEST(TestLessonTraces)
#include "tst_lesson_traces.moc"
