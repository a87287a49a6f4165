#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "tests/least_time.h"
#include "tests/ui/open_window.h"
#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/charts/chart_view.h"
#include "ui/ringside_window.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_session.h"
#include "ui/shared/sweep_state.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using ui::RingsideWindow;

class TestWindowSweep : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RingsideWindow> m_window;

    void open() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.settingsFile = m_folder->filePath(QStringLiteral("window.ini"));
        config.sessionFile = m_folder->filePath(QStringLiteral("session.json"));
        config.session.storePath = m_folder->filePath(QStringLiteral("store.sqlite")).toStdString();
        m_window = tests::openWindow(std::move(config));
    }
    QToolButton* mark(const char* path) const {
        return m_window->findChild<QToolButton*>(QStringLiteral("vary:") + QString::fromLatin1(path));
    }
    QPushButton* button(const char* name) const { return m_window->findChild<QPushButton*>(QString::fromLatin1(name)); }
    QTableView* points() const { return m_window->findChild<QTableView*>(QStringLiteral("sweepPoints")); }
    std::size_t keptRuns() const {
        data::Store store(m_folder->filePath(QStringLiteral("store.sqlite")).toStdString());
        return data::RunCatalogue(store).rows({}).size();
    }
    QString view() const { return m_window->workbench().views().current(); }
    QString message() const { return m_window->findChild<ui::MessageBar*>()->text(); }
    /// Sets up a sweep of two bandwidths under one policy.
    void varyBandwidth() {
        mark("link.bandwidth")->click();
        m_window->sweep().setAxis(0, {ui::AxisKind::list, {{"link.bandwidth", "75 GB/s, 150 GB/s"}}, {}, {}, {}});
    }
    void run() {
        const QSignalSpy finished(&m_window->sweepSession(), &ui::SweepSession::runFinished);
        const QSignalSpy shown(&m_window->sweeps(), &ui::SweepFeature::shown);
        m_window->sweeps().start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.empty(), 10'000);
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }
    void cleanup() { m_window.reset(); }

    void theMarkBesideAFieldMakesAnAxisAndShowsTheSweep() {
        QCOMPARE(mark("link.bandwidth")->toolTip(), QStringLiteral("Vary this parameter"));
        mark("link.bandwidth")->click();
        QCOMPARE(view(), QStringLiteral("sweep"));
        QVERIFY(mark("link.bandwidth")->isChecked());
        QCOMPARE(m_window->sweep().axes().size(), std::size_t{1});
        mark("link.bandwidth")->click();
        QVERIFY(!mark("link.bandwidth")->isChecked() && m_window->sweep().isEmpty());
        m_window->workbench().commands().find(QStringLiteral("edit.undo"))->action->trigger();
        QVERIFY(mark("link.bandwidth")->isChecked());
    }

    void theSweepViewNamesItsBaseExperiment() {
        varyBandwidth();
        const auto* base = m_window->findChild<QLabel*>(QStringLiteral("sweepBase"));
        QCOMPARE(base->text(), QStringLiteral("Base experiment: t-nlg/fc-2/tp8"));
        m_window->experiment().setText(tests::parameter("tracker.entries"), QStringLiteral("32"));
        QCOMPARE(base->text(), QStringLiteral("Base experiment: t-nlg/fc-2/tp8, entries 32"));
        mark("tracker.entries")->click();
        QCOMPARE(base->text(), QStringLiteral("Base experiment: t-nlg/fc-2/tp8"));
    }

    void theFifthMarkSaysWhyItIsNoAxis() {
        for (const char* path : {"link.bandwidth", "link.latency", "dma.block_tiles", "machine"})
            mark(path)->click();
        QVERIFY(message().isEmpty());
        mark("memory.bandwidth")->click();
        QVERIFY(!mark("memory.bandwidth")->isChecked());
        QVERIFY2(message().contains(QStringLiteral("at most 4")), qPrintable(message()));
    }

    void besideTheSweepStandsTheFormAloneAndExploreHasItsPanelsBack() {
        auto* form = m_window->findChild<QDockWidget*>(QStringLiteral("experimentDock"));
        auto* inspector = m_window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        QVERIFY(form->isVisible() && inspector->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F4);
        QVERIFY(form->isVisible() && !inspector->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F2);
        QVERIFY(form->isVisible() && inspector->isVisible());
    }

    void noticesOfThePointsStandAboveTheirTable() {
        auto* notices = m_window->findChild<QLabel*>(QStringLiteral("sweepNotices"));
        mark("tracker.entries")->click();
        QVERIFY(!notices->isVisible());
        m_window->sweep().setAxis(0, {ui::AxisKind::list, {{"tracker.entries", "8, 256"}}, {}, {}, {}});
        QTRY_VERIFY(m_window->sweepState().table() != nullptr);
        run();
        QVERIFY(notices->isVisible());
        QVERIFY2(notices->text().contains(QStringLiteral("Notice: tracker.held_bytes: ")) &&
                     notices->text().contains(QStringLiteral("first tracker.entries=8 ")) &&
                     notices->text().contains(QStringLiteral("in a buffer without a limit")),
                 qPrintable(notices->text()));
    }

    void afterARestartTheChartIsTheOneThatWasChosen() {
        varyBandwidth();
        mark("dma.block_tiles")->click();
        QTRY_VERIFY(m_window->sweepState().table() && m_window->sweepState().table()->sweep.axes.size() == 2);
        auto* chart = m_window->findChild<ui::ChartView*>();
        const ui::ChartSettings chosen{.kind = ui::ChartKind::heatMap, .across = 1, .policy = 0};
        QVERIFY(chart->settings() != chosen);
        chart->setSettings(chosen);
        m_window->sweepState().setMetric(1);
        m_window->close();
        m_window.reset();
        open();
        QTRY_VERIFY(m_window->sweepState().table() && m_window->sweepState().table()->sweep.axes.size() == 2);
        QVERIFY(m_window->findChild<ui::ChartView*>()->settings() == chosen);
        QCOMPARE(m_window->sweepState().metric(), std::size_t{1});
    }

    void aSweepIsRunAndASecondStartHasNothingToDo() {
        varyBandwidth();
        QTRY_VERIFY(m_window->sweepState().table() != nullptr);
        run();
        QCOMPARE(points()->model()->rowCount(), 2);
        for (const data::SweepRow& row : m_window->sweepState().table()->rows)
            QVERIFY(row.state == data::PointState::done);
        QVERIFY(!button("sweepStart")->isEnabled());
    }

    void enterOnAPointOpensItsRunAndOneStepBackLeadsToTheExperimentBefore() {
        varyBandwidth();
        run();
        const data::ExperimentDraft before = m_window->experiment().draft();
        const std::string id = data::sweepId(m_window->sweep().sweep());
        points()->setFocus();
        points()->setCurrentIndex(points()->model()->index(1, 0));
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        QTest::keyClick(points(), Qt::Key_Return);
        QCOMPARE(view(), QStringLiteral("explore"));
        QVERIFY(shown.wait(10'000));
        QVERIFY(tests::parameter("link.bandwidth").read(m_window->runs().shown()->run.experiment) ==
                m_window->sweep().sweep().axes[0].columns[0].values[1]);
        QCOMPARE(data::sweepId(m_window->sweep().sweep()), id);
        m_window->workbench().commands().find(QStringLiteral("edit.undo"))->action->trigger();
        QVERIFY(m_window->experiment().draft() == before);
        QCOMPARE(data::sweepId(m_window->sweep().sweep()), id);
    }

    void enterOnAPointOfWholeModelsOpensTheViewModel() {
        const QString path = m_folder->filePath(QStringLiteral("prompts.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format": "ringside-sweep", "version": 1, "of": "prompt", "base": {"workload": {"model": "small", "hidden": 512, "heads": 4, "layers": 2,
            "sequence": 512, "batch": 1, "vocabulary": 1024}}, "policies": ["t3"],
            "axes": [{"path": "parallel.tp", "values": [2, 4]}]})");
        file.close();
        m_window->workbench().documents().open(path);
        QVERIFY2(m_window->sweep().isRunnable(), qPrintable(m_window->sweep().problem() + message()));
        const std::string id = data::sweepId(m_window->sweep().sweep());
        run();
        QCOMPARE(points()->model()->rowCount(), 2);
        for (const data::SweepRow& row : m_window->sweepState().table()->rows)
            QVERIFY(row.state == data::PointState::done && row.values[0] && row.values[1]);
        m_window->workbench().commands().find(QStringLiteral("sweep.break-even"))->action->trigger();
        QVERIFY2(message().contains(QStringLiteral("whole models")), qPrintable(message()));
        points()->setFocus();
        points()->setCurrentIndex(points()->model()->index(1, 0));
        QTest::keyClick(points(), Qt::Key_Return);
        QCOMPARE(view(), QStringLiteral("model"));
        QCOMPARE(std::get<std::int64_t>(m_window->experiment().valueOf(tests::parameter("parallel.tp"))), 4);
        auto* phase = m_window->findChild<QComboBox*>(QStringLiteral("modelPhase"));
        QCOMPARE(phase->currentIndex(), 1);
        QCOMPARE(data::sweepId(m_window->sweep().sweep()), id);
    }

    void footprintsHaveNoPoliciesToChoose() {
        const QString path = m_folder->filePath(QStringLiteral("footprints.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format": "ringside-sweep", "version": 1, "of": "footprint", "base": {"workload": {"model": "gpt-3"}},
            "axes": [{"path": "division.dp", "values": [1, 8, 64]}]})");
        file.close();
        m_window->workbench().documents().open(path);
        run();
        QVERIFY(!m_window->findChild<QCheckBox*>(QStringLiteral("policy:t3"))->isVisible());
        QCOMPARE(points()->model()->columnCount(), 1 + 2 + 1);  // the axis, two metrics and the state
        QVERIFY(m_window->sweepState().table()->rows[2].values[0].has_value());
        m_window->sweep().clear();
        varyBandwidth();
        QVERIFY(m_window->findChild<QCheckBox*>(QStringLiteral("policy:t3"))->isVisible());
    }

    void rowsAndBrushAreTheSameThing() {
        varyBandwidth();
        run();
        points()->selectRow(1);
        QCOMPARE(m_window->sweepState().brushed(), std::vector<std::size_t>{1});
        m_window->sweepState().setBrushed({0});
        QCOMPARE(points()->selectionModel()->selectedRows().size(), 1);
        QVERIFY(points()->selectionModel()->isRowSelected(0));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(m_window->sweepState().brushed().empty());
    }

    void aPointThatCannotBeRunSaysWhy() {
        mark("parallel.tp")->click();
        m_window->sweep().setAxis(0, {ui::AxisKind::list, {{"parallel.tp", "8, 5"}}, {}, {}, {}});
        run();
        const QAbstractItemModel& rows = *points()->model();
        const QString state = rows.index(1, rows.columnCount() - 1).data().toString();
        QVERIFY2(state.trimmed().startsWith(QStringLiteral("failed: ")) && state.size() > 12, qPrintable(state));
    }

    void theSweepUnderEditIsKeptForTheNextStart() {
        varyBandwidth();
        const std::string id = data::sweepId(m_window->sweep().sweep());
        m_window->close();
        m_window.reset();
        open();
        QCOMPARE(data::sweepId(m_window->sweep().sweep()), id);
        QVERIFY(mark("link.bandwidth")->isChecked());
        QVERIFY(!m_window->sweepSession().isRunning());
        QCOMPARE(view(), QStringLiteral("sweep"));
    }

    void aSweepThatIsSavedAndOpenedAgainIsTheSame() {
        varyBandwidth();
        const data::Sweep sweep = m_window->sweep().sweep();
        const QString file = m_folder->filePath(QStringLiteral("sweep.json"));
        m_window->sweeps().saveAs(file);
        m_window->sweep().clear();
        m_window->workbench().views().showView(QStringLiteral("explore"));
        m_window->workbench().documents().open(file);
        QCOMPARE(view(), QStringLiteral("sweep"));
        QCOMPARE(data::sweepId(m_window->sweep().sweep()), data::sweepId(sweep));
        QCOMPARE(m_window->sweep().file(), file);
    }

    void theExampleOpensWithOneStepBackToWhatWasBefore() {
        const data::ExperimentDraft before = m_window->experiment().draft();
        m_window->workbench().views().showView(QStringLiteral("sweep"));
        button("openExample")->click();
        QCOMPARE(m_window->sweep().axes().size(), std::size_t{2});
        QVERIFY(m_window->sweep().isRunnable());
        m_window->workbench().commands().find(QStringLiteral("edit.undo"))->action->trigger();
        QVERIFY(m_window->sweep().isEmpty());
        QVERIFY(m_window->experiment().draft() == before);
    }

    void aBrokenSweepIsSaidAndTheOneBeforeStays() {
        varyBandwidth();
        const QString path = m_folder->filePath(QStringLiteral("broken.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format":"ringside-sweep","version":1,"base":{},"axes":[{"path":"link.bandwith","values":[1]}]})");
        file.close();
        m_window->workbench().documents().open(path);
        QVERIFY2(message().contains(QStringLiteral("link.bandwith")), qPrintable(message()));
        QCOMPARE(m_window->sweep().axes().size(), std::size_t{1});
    }

    void escapeCancelsAndClosingWhileASweepRunsIsAtOnce() {
        mark("link.bandwidth")->click();
        m_window->sweep().setAxis(0,
                                  {ui::AxisKind::logarithmic, {{"link.bandwidth", {}}}, "50 GB/s", "400 GB/s", "400"});
        m_window->experiment().setText(tests::parameter("detail.level"), QStringLiteral("standard"));
        m_window->sweeps().start();
        QVERIFY(m_window->sweepSession().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(keptRuns() > 0, 30'000);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!m_window->sweepSession().isRunning());
        const QSignalSpy progress(&m_window->sweepSession(), &ui::SweepSession::progressChanged);
        m_window->sweeps().start();
        QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty(), 30'000);
        const auto taken = tests::processorTimeOf([this] {
            m_window->close();
            m_window.reset();
        });
        // The hundreds of remaining points take far longer.
        QVERIFY2(taken < std::chrono::seconds(3), qPrintable(QString::number(taken.count())));
        QVERIFY2(keptRuns() < 400, qPrintable(QString::number(keptRuns())));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowSweep)
#include "tst_window_sweep.moc"
