#include "tests/least_time.h"
#include "tests/ui/sample_evaluation.h"
#include "tests/ui/window_test.h"

#include "engine/api/runner.h"
#include "ui/evaluations/evaluation_table.h"
#include "ui/evaluations/evaluations_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <thread>

using data::RowVerdict;
using ui::EvaluationsView;
using ui::EvaluationTable;

class TestEvaluationsView : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<EvaluationsView> m_view;

    std::string store() const { return m_folder->filePath(QStringLiteral("s.sqlite")).toStdString(); }
    /// Opens the view with the sample, whose points are looked up in the store.
    void open(ui::EvaluationSessionConfig::Run run = {}) {
        m_view = std::make_unique<EvaluationsView>(ui::EvaluationSessionConfig{store(), 2, std::move(run)});
        m_view->resize(1000, 700);
        m_view->addFile(QStringLiteral("/there/small.json"), tests::readSampleEvaluation());
        QSignalSpy shown(m_view.get(), &EvaluationsView::rowsShown);
        m_view->show();
        QVERIFY(shown.wait(20'000));
        QVERIFY(m_view->look() != nullptr);
    }
    void run() {
        QSignalSpy finished(&m_view->session(), &ui::EvaluationSession::runFinished);
        m_view->runMissing();
        QVERIFY(finished.wait(60'000));
    }
    /// Shows the bundled evaluation of footprints and looks its points up.
    void showZero() {
        QSignalSpy shown(m_view.get(), &EvaluationsView::rowsShown);
        QVERIFY(m_view->showBundled(QStringLiteral("zero")));
        QVERIFY(shown.wait(20'000));
        m_view->table().setCurrentIndex(m_view->table().model()->index(0, 0));
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return m_view->findChild<Widget*>(QString::fromLatin1(name));
    }
    QString cell(int row, int column) const {
        return m_view->table().model()->index(row, column).data().toString().trimmed();
    }
    QString said(const char* label) const { return part<QLabel>(label)->text(); }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_view.reset(); }

    void bundledEvaluationsAreListedAndLookedUpOnlyWhenShown() {
        m_view = std::make_unique<EvaluationsView>(ui::EvaluationSessionConfig{store(), 1, {}});
        QCOMPARE(part<QListWidget>("evaluationList")->count(), static_cast<int>(data::evaluations().size()));
        QSignalSpy shown(m_view.get(), &EvaluationsView::rowsShown);
        QTest::qWait(200);
        QVERIFY(shown.isEmpty() && m_view->look() == nullptr);
        m_view->show();
        QVERIFY(shown.wait(20'000));
        QVERIFY(!m_view->session().isRunning());
    }

    void beforeARunTheRowsHaveWhatIsPublishedAndSayThatTheyWereNotRun() {
        open();
        QCOMPARE(m_view->table().shownRows(), 7);
        QCOMPARE(cell(0, EvaluationTable::published), QStringLiteral("1.000"));
        QCOMPARE(cell(0, EvaluationTable::ours), QStringLiteral("–"));
        for (int row = 0; row < 7; ++row)
            QCOMPARE(cell(row, EvaluationTable::verdict), QStringLiteral("not run yet"));
        QVERIFY(part<QPushButton>("evaluationRun")->isEnabled());
        QVERIFY(said("evaluationState").contains(QStringLiteral("None of the 4 points")));
        QVERIFY(!m_view->figure());
    }

    void aRunGivesEachRowItsNumberAndItsVerdict() {
        open();
        run();
        const std::vector<data::ReproducedItem>& rows = m_view->table().items();
        const std::vector<RowVerdict> wanted{RowVerdict::holds,
                                             RowVerdict::fails,
                                             RowVerdict::unpublished,
                                             RowVerdict::notJudged,
                                             RowVerdict::constantsChanged,
                                             RowVerdict::unpublished,
                                             RowVerdict::unpublished};
        for (std::size_t row = 0; row < rows.size(); ++row)
            QVERIFY2(rows[row].verdict == wanted[row], rows[row].published.id.c_str());
        QCOMPARE(cell(0, EvaluationTable::ours), QStringLiteral("1.000"));
        QCOMPARE(cell(0, EvaluationTable::verdict), QStringLiteral("holds"));
        QCOMPARE(cell(1, EvaluationTable::verdict), QStringLiteral("does not hold"));
        m_view->table().selectRow(1);
        QVERIFY(said("evaluationDetails").contains(QStringLiteral("does not hold; allowed: 2.9000 to 3.1000")));
        QCOMPARE(cell(2, EvaluationTable::verdict), QStringLiteral("no published value yet"));
        QCOMPARE(cell(4, EvaluationTable::verdict), QStringLiteral("constants changed"));
        QCOMPARE(cell(5, EvaluationTable::item), QStringLiteral("each[bandwidth=50GB/s]"));
        QVERIFY(said("evaluationState").contains(QStringLiteral("1 of 2 judged rows hold")));
        QVERIFY(said("evaluationConstants").contains(QString::fromStdString(m_view->look()->reproduction.constants)));
        QVERIFY(said("evaluationConstants").contains(QStringLiteral("Fitted: memory.update_cost")));
        QVERIFY(!part<QPushButton>("evaluationRun")->isEnabled());
        QCOMPARE(part<QPushButton>("evaluationRun")->toolTip(), QStringLiteral("No point is missing."));
    }

    void whatIsInTheStoreIsShownAgainWithoutSimulating() {
        open();
        run();
        const QString before = cell(3, EvaluationTable::ours);
        int simulations = 0;
        open([&](const data::Evaluation& evaluation, const data::ReproduceOptions& options) {
            simulations += options.keptOnly ? 0 : 1;
            return data::reproduce(evaluation, options);
        });
        QCOMPARE(cell(3, EvaluationTable::ours), before);
        m_view->runMissing();
        QVERIFY(!m_view->session().isRunning());
        QCOMPARE(simulations, 0);
    }

    void aCancelIsAnsweredAtOnceAndKeepsWhatHasEnded() {
        // All points end, but the run does not return until it is stopped.
        open([](const data::Evaluation& evaluation, const data::ReproduceOptions& options) {
            data::Reproduction ran = data::reproduce(evaluation, options);
            while (!options.keptOnly && !options.stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return ran;
        });
        QSignalSpy rows(&m_view->session(), &ui::EvaluationSession::rowsChanged);
        QSignalSpy stopped(&m_view->session(), &ui::EvaluationSession::runStopped);
        QSignalSpy shown(m_view.get(), &EvaluationsView::rowsShown);
        part<QPushButton>("evaluationRun")->click();
        QVERIFY(m_view->session().isRunning());
        QVERIFY(part<QPushButton>("evaluationCancel")->isVisible());
        QVERIFY(rows.wait(30'000));
        const auto taken = tests::processorTimeOf([this] { part<QPushButton>("evaluationCancel")->click(); });
        QCOMPARE(stopped.size(), 1);
        QVERIFY(!m_view->session().isRunning());
        QVERIFY(taken < std::chrono::seconds(2));
        QVERIFY(shown.wait(30'000));
        QCOMPARE(m_view->look()->missing, std::size_t{0});
        QCOMPARE(cell(0, EvaluationTable::verdict), QStringLiteral("holds"));
    }

    void aViewThatIsClosedWhileItRunsEndsTheRun() {
        open([](const data::Evaluation& evaluation, const data::ReproduceOptions& options) {
            while (!options.keptOnly && !options.stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return data::reproduce(evaluation, options);
        });
        m_view->runMissing();
        QTest::qWait(50);
        m_view.reset();
    }

    void anEvaluationThatCannotBeRunSaysWhy() {
        open([](const data::Evaluation& evaluation, const data::ReproduceOptions& options) {
            if (!options.keptOnly)
                throw engine::InvalidExperiment({{"sweeps", "3", "too much to simulate"}});
            return data::reproduce(evaluation, options);
        });
        QSignalSpy failed(m_view.get(), &EvaluationsView::failed);
        m_view->runMissing();
        QVERIFY(failed.wait(10'000));
        QVERIFY(said("evaluationState").contains(QStringLiteral("too much to simulate")));
        QVERIFY(!m_view->session().isRunning());
    }

    void rowsAreSortedByNumberAndBackInTheOrderOfTheDocument() {
        open();
        run();
        m_view->table().sortByColumn(EvaluationTable::published, Qt::DescendingOrder);
        QCOMPARE(cell(0, EvaluationTable::item), QStringLiteral("wrong"));
        m_view->table().sortByColumn(-1, Qt::AscendingOrder);
        QCOMPARE(cell(0, EvaluationTable::item), QStringLiteral("self"));
    }

    void theFilterKeepsRowsWithItsWordsAndEscapeBringsAllBack() {
        open();
        m_view->openFilter();
        auto* filter = part<QLineEdit>("evaluationFilter");
        QCOMPARE(filter->text(), QString());
        QTest::keyClicks(filter, QStringLiteral("BLIND"));
        QCOMPARE(m_view->table().shownRows(), 1);
        QCOMPARE(cell(0, EvaluationTable::item), QStringLiteral("unseen"));
        QVERIFY(said("evaluationState").contains(QStringLiteral("1 of 7 rows shown")));
        QVERIFY(m_view->stepOut());
        QCOMPARE(m_view->table().shownRows(), 7);
    }

    void enterAsksForThePointsOfItsRow() {
        open();
        QSignalSpy asked(m_view.get(), &EvaluationsView::pointsRequested);
        m_view->table().setCurrentIndex(m_view->table().model()->index(2, 0));
        QTest::keyClick(&m_view->table(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][2].value<std::vector<std::size_t>>(), (std::vector<std::size_t>{3}));
        m_view->table().setCurrentIndex(m_view->table().model()->index(5, 0));
        QTest::keyClick(&m_view->table(), Qt::Key_Return);
        QCOMPARE(asked[1][1].value<data::EvaluationItem>().id, std::string("each"));
        QCOMPARE(asked[1][2].value<std::vector<std::size_t>>(), (std::vector<std::size_t>{1}));
        QVERIFY(said("evaluationDetails").contains(QStringLiteral("speed-up at each bandwidth")));
    }

    void theDetailsSayWhereEnterOpensAPoint() {
        open();
        m_view->table().setCurrentIndex(m_view->table().model()->index(2, 0));
        QVERIFY(said("evaluationDetails").contains(QStringLiteral("Enter opens its point in Explore")));
        m_view->table().setCurrentIndex(m_view->table().model()->index(0, 0));
        QVERIFY(said("evaluationDetails").contains(QStringLiteral("Enter opens its 2 points in the Sweep view")));
        showZero();
        QVERIFY(said("evaluationDetails").contains(QStringLiteral("Enter opens its point in the Model view")));
    }

    void aWideTableSeparatesItsRowsAndANarrowOneKeepsItsTexts() {
        open();
        showZero();
        const ui::EvaluationTable& table = m_view->table();
        const QFontMetrics metrics = table.fontMetrics();
        int longest = 0;
        for (int row = 0; row < table.shownRows(); ++row)
            longest = std::max(longest, metrics.horizontalAdvance(cell(row, EvaluationTable::item)));
        m_view->resize(1920, 1000);
        QTRY_VERIFY(table.columnWidth(EvaluationTable::item) > longest);
        m_view->resize(900, 700);
        QTRY_VERIFY(table.columnWidth(EvaluationTable::item) < longest);
        for (const int column : {EvaluationTable::item, EvaluationTable::what})
            QVERIFY(table.columnWidth(column) >= 16 * metrics.horizontalAdvance(QLatin1Char('0')));
    }

    void theLessonOfAnEvaluationIsOpenedByAButton() {
        QStringList opened;
        const ui::EvaluationLessons lessons{[](const QString& name) {
                                                return name.startsWith(QStringLiteral("09-"))
                                                           ? QStringLiteral("Fit & Send")
                                                           : QString();
                                            },
                                            [&opened](const QString& name) { opened << name; }};
        m_view = std::make_unique<EvaluationsView>(ui::EvaluationSessionConfig{store(), 1, {}}, lessons);
        m_view->show();
        auto* button = part<QPushButton>("evaluationLesson");
        QVERIFY(m_view->showBundled(QStringLiteral("zero")));
        QVERIFY(button->isVisible() && (button->focusPolicy() & Qt::TabFocus));
        QCOMPARE(button->accessibleName(), QStringLiteral("Lesson: Fit & Send"));
        QCOMPARE(button->text(), QStringLiteral("Lesson: Fit && Send"));
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(opened, QStringList{QStringLiteral("09-what-must-fit")});
        // The evaluation of T3 names a lesson that this view does not know. A document may also name no lesson.
        QVERIFY(m_view->showBundled(QStringLiteral("t3")));
        QVERIFY(!m_view->shown()->lesson.empty() && !button->isVisible());
        m_view->addFile(QStringLiteral("/there/small.json"), tests::readSampleEvaluation());
        QVERIFY(m_view->shown()->lesson.empty() && !button->isVisible());
    }

    void copiedRowsAreATableWithHeadings() {
        open();
        m_view->table().selectRow(1);
        const QStringList lines = m_view->table().copied().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0], QStringLiteral("Item\tQuantity\tOurs\tPublished\tDifference\tLabel\tRole\tVerdict"));
        QVERIFY(lines[1].startsWith(QStringLiteral("wrong\tthe same, and a number that is not\t–\t3.000\t")));
        m_view->table().clearSelection();
        QCOMPARE(m_view->table().copied().count(u'\n'), 8);
    }

    void theFigureIsThereOnceAPointIs() {
        open();
        run();
        const auto offer = m_view->figure();
        QVERIFY(offer);
        QCOMPARE(offer->figure.panels.front().references.size(), std::size_t{1});
        QCOMPARE(part<QComboBox>("evaluationFigure")->count(), 1);
        data::Evaluation without = tests::readSampleEvaluation();
        without.figures.clear();
        m_view->addFile(QStringLiteral("/there/without.json"), std::move(without));
        QCOMPARE(part<QComboBox>("evaluationFigure")->currentText(), QStringLiteral("No figures"));
        QVERIFY(!part<QComboBox>("evaluationFigure")->isEnabled() && !m_view->figure());
    }

    void aFileIsListedOnceAndCanBeTakenOff() {
        open();
        const int bundled = static_cast<int>(data::evaluations().size());
        auto* list = part<QListWidget>("evaluationList");
        QCOMPARE(list->count(), bundled + 1);
        m_view->addFile(QStringLiteral("/there/small.json"), tests::readSampleEvaluation("Anew"));
        QCOMPARE(list->count(), bundled + 1);
        QCOMPARE(said("evaluationTitle"), QStringLiteral("Anew"));
        QCOMPARE(m_view->save()[QStringLiteral("files")].toArray().size(), 1);
        QAction* remove = m_view->commands().actionOf("evaluations.remove");
        QVERIFY(remove->isEnabled());
        remove->trigger();
        QCOMPARE(list->count(), bundled);
        QVERIFY(m_view->showBundled(QStringLiteral("t3")) && !remove->isEnabled());
        QVERIFY(!m_view->showBundled(QStringLiteral("t4")));
    }

    void everyControlHasANameForScreenReaders() {
        open();
        for (QWidget* widget : m_view->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const auto* label = qobject_cast<QLabel*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                         label != nullptr || widget->parentWidget()->inherits("QComboBox") ||
                         widget->inherits("QAbstractItemView") || widget->inherits("QScrollBar") ||
                         widget->parentWidget()->inherits("QAbstractItemView"),
                     qPrintable(widget->objectName() + QString::fromLatin1(widget->metaObject()->className())));
        }
        for (const char* name : {"evaluationList", "evaluationRows", "evaluationFilter", "evaluationFigure"})
            QVERIFY2(!part<QWidget>(name)->accessibleName().isEmpty(), name);
    }
};

RINGSIDE_WINDOW_TEST(TestEvaluationsView)
#include "tst_evaluations_view.moc"
