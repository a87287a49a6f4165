#include "tests/ui/window_test.h"

#include "tests/ui/kept_runs.h"
#include "tests/ui/window_parts.h"
#include "ui/ringside_window.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/runs_view.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QAbstractButton>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUndoStack>

#include <memory>

using ui::RingsideWindow;

namespace {

/// A window with a store of two runs and the run with which it starts.
struct WindowBrowserBench {
    QTemporaryDir folder;
    std::string path = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    std::vector<std::int64_t> ids;
    std::unique_ptr<RingsideWindow> window;

    WindowBrowserBench() {
        {
            data::Store store(path);
            for (const char* bandwidth : {"100GB/s", "120GB/s"})
                ids.push_back(keepInteractive(store, bandwidth));
        }
        ui::RingsideWindowConfig config;
        config.draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.session.storePath = path;
        config.runsWhileEditing = false;
        window = std::make_unique<RingsideWindow>(std::move(config));
        window->resize(1'400, 850);
        window->show();
        QApplication::setActiveWindow(window.get());
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        if (!window->runs().shown() && !shown.wait(10'000))
            qFatal("the window shows no run after 10 s");
        window->workbench().views().showView(QStringLiteral("runs"));
        if (!QTest::qWaitFor([this] { return table().model()->rowCount() == 3; }))
            qFatal("the table does not list three runs in time");
        table().setFocus();
    }

    static std::int64_t keepInteractive(data::Store& store, const std::string& bandwidth) {
        data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        engine::Problems problems;
        data::applySetting("link.bandwidth=" + bandwidth, draft, problems);
        data::applySetting("detail.level=interactive", draft, problems);
        const engine::Experiment experiment = data::expand(draft).experiment;
        return store.keep(data::displayName(draft), data::writeDraft(draft), experiment, tests::sampleResult());
    }

    ui::RunsTable& table() { return view().table(); }
    ui::RunsView& view() { return *window->findChild<ui::RunsView*>(); }
    QString current() { return window->workbench().views().current(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    void choose(std::int64_t id) {
        table().showRun(id);
        table().selectIds({id});
    }
};

}  // namespace

class TestWindowBrowser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void enterSimulatesTheRunAgainAndShowsIt() {
        WindowBrowserBench bench;
        bench.choose(bench.ids[0]);
        bench.press(Qt::Key_Return);
        QTRY_COMPARE(bench.current(), QStringLiteral("explore"));
        QTRY_COMPARE(bench.window->runs().shown()->run.experiment.link.bandwidth, (engine::Bandwidth{100'000'000'000}));
    }

    void asAnExperimentItIsOnlyPutIntoTheForm() {
        WindowBrowserBench bench;
        bench.choose(bench.ids[0]);
        bench.press(Qt::Key_E);
        QTRY_COMPARE(bench.current(), QStringLiteral("explore"));
        QCOMPARE(bench.window->experiment().expansion().experiment.link.bandwidth,
                 (engine::Bandwidth{100'000'000'000}));
        QVERIFY(!bench.window->runs().session().isRunning());
        QVERIFY(bench.window->runs().shown()->run.experiment.link.bandwidth != engine::Bandwidth{100'000'000'000});
    }

    void twoRunsAreOnOneTimelineOnePinned() {
        WindowBrowserBench bench;
        bench.table().selectIds(bench.ids);
        bench.press(Qt::Key_P);
        const std::int64_t first = 120'000'000'000, second = 100'000'000'000;  // the newer run is above: A
        QTRY_VERIFY(bench.window->runs().pinned());
        QTRY_COMPARE(bench.window->runs().pinned()->run.experiment.link.bandwidth, (engine::Bandwidth{first}));
        QTRY_COMPARE(bench.window->runs().shown()->run.experiment.link.bandwidth, (engine::Bandwidth{second}));
        QCOMPARE(bench.window->runs().pinned()->run.experiment.link.bandwidth, (engine::Bandwidth{first}));
    }

    void deleteRemovesAndCtrlZBringsBackInThisViewOnly() {
        WindowBrowserBench bench;
        const auto draft = bench.window->experiment().draft();
        bench.choose(bench.ids[0]);
        bench.press(Qt::Key_Delete);
        QCOMPARE(bench.table().model()->rowCount(), 2);
        auto* messages = bench.window->findChild<ui::MessageBar*>();
        QCOMPARE(messages->text(), QStringLiteral("One run was removed."));
        bench.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(bench.table().model()->rowCount(), 3);
        QVERIFY(messages->text().isEmpty());
        QCOMPARE(bench.window->experiment().draft(), draft);
    }

    void theMessageUndoesTheRemoval() {
        WindowBrowserBench bench;
        bench.choose(bench.ids[1]);
        bench.press(Qt::Key_Delete);
        bench.window->findChild<ui::MessageBar*>()->findChild<QAbstractButton*>(QStringLiteral("remedy"))->click();
        QTRY_COMPARE(bench.table().model()->rowCount(), 3);
    }

    void enterInANoteOpensNothing() {
        WindowBrowserBench bench;
        bench.choose(bench.ids[0]);
        bench.press(Qt::Key_N);
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("nep"));
        bench.press(Qt::Key_Return);
        QTRY_COMPARE(bench.table().list().find({bench.ids[0]}).front()->note, std::string("nep"));
        QTest::qWait(100);
        QCOMPARE(bench.current(), QStringLiteral("runs"));
    }

    void ctrlFGoesToTheFilterAndDownBackToTheList() {
        WindowBrowserBench bench;
        bench.press(Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("runFilterWords"));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("link.bandwidth<110GB/s"));
        bench.press(Qt::Key_Down);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&bench.table()));
        QTRY_COMPARE(bench.table().model()->rowCount(), 1);
    }

    void aNewRunIsListedByItself() {
        WindowBrowserBench bench;
        {
            data::Store other(bench.path);
            WindowBrowserBench::keepInteractive(other, "140GB/s");
        }
        QTRY_COMPARE_WITH_TIMEOUT(bench.table().model()->rowCount(), 4, 5'000);
    }

    void whatIsListedIsWrittenAsCsvAndJson() {
        WindowBrowserBench bench;
        for (const char* name : {"runs.csv", "runs.json"}) {
            const QString file = bench.folder.filePath(QLatin1String(name));
            QSignalSpy exported(&bench.view(), &ui::RunsView::exported);
            bench.view().exportTo(file);
            QTRY_COMPARE(exported.size(), 1);
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QVERIFY(written.readAll().contains("time_ps.total"));
        }
        QSignalSpy failed(&bench.view(), &ui::RunsView::failed);
        bench.view().exportTo(bench.folder.filePath(QStringLiteral("no/such/folder/runs.csv")));
        QTRY_COMPARE(failed.size(), 1);
    }

    void theQuickListNamesHowManyMoreThereAre() {
        ui::RunsPanel panel;
        data::StoredRun run;
        run.id = 1;
        run.name = "t-nlg/fc-2/tp8 t3-mca";
        panel.showRuns({run}, 100'000);
        auto* list = panel.findChild<QTreeWidget*>(QStringLiteral("runs"));
        QCOMPARE(list->topLevelItemCount(), 2);
        QVERIFY(list->topLevelItem(1)->text(0).contains(QStringLiteral("99\u00a0999 more")));
        QSignalSpy all(&panel, &ui::RunsPanel::allRequested);
        QSignalSpy removed(&panel, &ui::RunsPanel::removeRequested);
        list->setCurrentItem(list->topLevelItem(1));
        QTest::keyClick(list, Qt::Key_Delete);
        Q_EMIT list->itemActivated(list->topLevelItem(1), 0);
        QCOMPARE(all.size(), 1);
        QCOMPARE(removed.size(), 0);
    }
};

RINGSIDE_WINDOW_TEST(TestWindowBrowser)
#include "tst_window_browser.moc"
