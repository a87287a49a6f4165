#include "data/experiment/own_presets.h"
#include "tests/data/row_axis.h"
#include "tests/ui/open_window.h"
#include "tests/ui/sample_evaluation.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/evaluations/evaluation_table.h"
#include "ui/evaluations/evaluation_words.h"
#include "ui/evaluations/evaluations_feature.h"
#include "ui/evaluations/evaluations_view.h"
#include "ui/figure/figure_feature.h"
#include "ui/figure/figure_view.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/lessons/lesson_library.h"
#include "ui/ringside_window.h"
#include "ui/shared/sweep_state.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <memory>

using ui::RingsideWindow;

class TestWindowEvaluations : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RingsideWindow> m_window;

    QString file(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    void open() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.settingsFile = file("window.ini");
        config.sessionFile = file("session.json");
        config.session.storePath = file("store.sqlite").toStdString();
        m_window = tests::openWindow(std::move(config));
    }
    ui::EvaluationsView& view() { return m_window->evaluations().view(); }
    QString current() const { return m_window->workbench().views().current(); }
    void drop(const QString& path) {
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path)});
        m_window->workbench().documents().drop(dropped);
    }
    /// Drops the sample on the window and runs it.
    void dropAndRun() {
        tests::writeText(file("small.json"), tests::sampleEvaluation());
        QSignalSpy shown(&view(), &ui::EvaluationsView::rowsShown);
        drop(file("small.json"));
        QVERIFY(shown.wait(20'000));
        QSignalSpy finished(&view().session(), &ui::EvaluationSession::runFinished);
        view().runMissing();
        QVERIFY(finished.wait(60'000));
    }
    void enterRow(int row) {
        view().table().setFocus();
        view().table().setCurrentIndex(view().table().model()->index(row, 0));
        QTest::keyClick(&view().table(), Qt::Key_Return);
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }
    void cleanup() { m_window.reset(); }

    void f9ShowsTheViewAndItsTableHasTheKeyboard() {
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(current(), QStringLiteral("evaluations"));
        QTRY_VERIFY(view().look() != nullptr);
        QVERIFY(view().table().hasFocus());
        QTest::keyClick(&view().table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(view().findChild<QLineEdit*>(QStringLiteral("evaluationFilter"))->hasFocus());
    }

    void aDroppedEvaluationIsListedAndABadOneSaysAllThatIsWrong() {
        dropAndRun();
        QCOMPARE(current(), QStringLiteral("evaluations"));
        QCOMPARE(QString::fromStdString(view().shown()->title), QStringLiteral("Small"));
        tests::writeText(file("bad.json"),
                         R"({"format": "ringside-evaluation", "version": 1, "sweeps": {}, "frozen": "x"})");
        drop(file("bad.json"));
        const QString said = m_window->findChild<ui::MessageBar*>()->text();
        for (const char* part : {"title: missing", "at least one sweep", "frozen: x"})
            QVERIFY2(said.contains(QString::fromLatin1(part)), qPrintable(said));
        QCOMPARE(QString::fromStdString(view().shown()->title), QStringLiteral("Small"));
        QVERIFY(!m_window->evaluations().open(QStringLiteral("t4")));
        QVERIFY(m_window->evaluations().open(QStringLiteral("t3")));
    }

    void measuredNumbersAreAttachedToTheShownEvaluation() {
        tests::writeText(file("rows.csv"), tests::kStepRows);
        tests::writeText(file("steps.json"),
                         tests::rowDocument(tests::rowItem(R"("as": "each", "label": "derived", "against":
                             { "column": "gigabytes", "unit": "GB" })",
                                                           "exact")));
        QVERIFY(m_window->evaluations().open(file("steps.json")));
        QTRY_VERIFY_WITH_TIMEOUT(view().look() != nullptr, 20'000);
        QSignalSpy finished(&view().session(), &ui::EvaluationSession::runFinished);
        view().runMissing();
        QVERIFY(finished.wait(60'000));
        QCOMPARE(view().table().items().front().note, std::string("no measured steps attached"));
        QVERIFY(view().commands().actionOf("evaluations.measured")->isEnabled());

        tests::writeText(file("short.csv"), "id,gigabytes\n2,80\n3,80\n");
        QVERIFY(!m_window->evaluations().attachMeasured(file("short.csv")));
        QVERIFY(m_window->findChild<ui::MessageBar*>()->text().contains(QStringLiteral("has no row with the key 4")));
        QVERIFY(!view().table().items().front().holds());

        tests::writeText(file("measured.csv"), "id,gigabytes\n2,80\n3,80\n4,58.0\n");
        QSignalSpy shown(&view(), &ui::EvaluationsView::rowsShown);
        QVERIFY(m_window->evaluations().attachMeasured(file("measured.csv")));
        QVERIFY(shown.wait(20'000));
        QCOMPARE(view().table().items().front().holds(), std::optional(true));
        QCOMPARE(view().table().items().back().holds(), std::optional(false));
        QVERIFY(m_window->evaluations().open(QStringLiteral("t3")));
        QVERIFY(!view().commands().actionOf("evaluations.measured")->isEnabled());
    }

    void aRowOfOnePointOpensInExploreAndUndoLeadsBack() {
        dropAndRun();
        const data::ExperimentDraft before = m_window->experiment().draft();
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        enterRow(2);
        QCOMPARE(current(), QStringLiteral("explore"));
        QVERIFY(shown.wait(20'000));
        const engine::Experiment& run = m_window->runs().shown()->run.experiment;
        QCOMPARE(run.link.bandwidth.bytesPerSecond, std::int64_t{100'000'000'000});
        QVERIFY(run.policy.preset == engine::PolicyPreset::t3);
        m_window->experiment().undoStack().undo();
        QVERIFY(m_window->experiment().draft() == before);
    }

    void aRowOfSeveralPointsOpensInTheSweepViewWithThemMarked() {
        dropAndRun();
        enterRow(3);
        QCOMPARE(current(), QStringLiteral("sweep"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->sweepState().brushed(), (std::vector<std::size_t>{1, 3}), 20'000);
        QCOMPARE(m_window->sweepState().table()->metrics.at(m_window->sweepState().metric()),
                 std::string("speedup_over_sequential"));
        for (const data::SweepRow& row : m_window->sweepState().table()->rows)
            QVERIFY(row.state == data::PointState::done);
    }

    void whatARowDividesByIsMarkedAsWell() {
        tests::writeText(file("ratio.json"), tests::sampleEvaluation("Ratio"));
        data::EvaluationReading reading =
            data::readEvaluationFile(file("ratio.json").toStdString(), data::OwnPresets(""));
        data::EvaluationItem& item = reading.evaluation.items[3];
        item.metrics = {"time_ps.total"};
        item.policy = 0;
        item.points = {0, 2};
        item.over = data::EvaluationOperand{0, 1, {"time_ps.total"}};
        m_window->workbench().views().showView(QStringLiteral("evaluations"));
        view().addFile(file("ratio.json"), std::move(reading.evaluation));
        QTRY_VERIFY_WITH_TIMEOUT(view().look() != nullptr, 20'000);
        enterRow(3);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->sweepState().brushed(), (std::vector<std::size_t>{0, 1, 2, 3}), 20'000);
    }

    void bundledEvaluationsOpenTheLessonsThatTheyName() {
        for (const data::Evaluation& evaluation : data::evaluations()) {
            QVERIFY(m_window->evaluations().open(QString::fromStdString(evaluation.name)));
            if (evaluation.lesson.empty())
                continue;
            const ui::BundledLesson* lesson = ui::bundledLesson(QString::fromStdString(evaluation.lesson));
            QVERIFY2(lesson != nullptr, evaluation.lesson.c_str());
            auto* button = view().findChild<QPushButton*>(QStringLiteral("evaluationLesson"));
            QCOMPARE(button->accessibleName(), QStringLiteral("Lesson: ") + lesson->title);
        }
        QVERIFY(m_window->evaluations().open(QStringLiteral("zero")));
        QVERIFY(!m_window->lessons().isOpen());
        QTest::keyClick(view().findChild<QPushButton*>(QStringLiteral("evaluationLesson")), Qt::Key_Space);
        QVERIFY(m_window->lessons().isOpen());
        QCOMPARE(QString::fromStdString(m_window->lessons().state().lesson().title),
                 ui::bundledLesson(QStringLiteral("what-must-fit"))->title);
    }

    void rowsOfTasksAreComputedWithoutARunAndOpenNothing() {
        QVERIFY(m_window->evaluations().open(QStringLiteral("loops")));
        QTRY_VERIFY_WITH_TIMEOUT(view().look() != nullptr, 20'000);
        const auto& rows = view().look()->reproduction.items;
        QVERIFY(rows.size() == 10 && rows.front().holds() == true);
        QCOMPARE(view().look()->points, std::size_t{0});
        QVERIFY(ui::pointsText(*view().look()).startsWith(QStringLiteral("Computed from task documents")));
        enterRow(0);
        QCOMPARE(current(), QStringLiteral("evaluations"));
    }

    void theFigureGoesToTheFigureView() {
        dropAndRun();
        QVERIFY(m_window->figures().figureOfView());
        m_window->figures().exportFigure();
        QCOMPARE(current(), QStringLiteral("figure"));
        QVERIFY(m_window->figures().showFigure(QStringLiteral("t3-speed-up")));
    }

    void theNextStartListsTheFilesThatAreStillThere() {
        tests::writeText(file("gone.json"), tests::sampleEvaluation("Gone"));
        drop(file("gone.json"));
        dropAndRun();
        const int listed = static_cast<int>(data::evaluations().size()) + 2;
        QCOMPARE(view().filesIn(view().save()).size(), 2);
        m_window->close();
        m_window.reset();
        QFile::remove(file("gone.json"));
        open();
        QCOMPARE(view().filesIn(view().save()), QStringList{file("small.json")});
        QCOMPARE(QString::fromStdString(view().shown()->title), QStringLiteral("Small"));
        QCOMPARE(view().findChild<QListWidget*>(QStringLiteral("evaluationList"))->count(), listed - 1);
    }
};

RINGSIDE_WINDOW_TEST(TestWindowEvaluations)
#include "tst_window_evaluations.moc"
