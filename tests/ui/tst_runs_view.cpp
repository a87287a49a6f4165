#include "tests/ui/window_test.h"

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_store.h"
#include "tests/ui/kept_runs.h"
#include "ui/runs/column_chooser.h"
#include "ui/runs/run_details.h"
#include "ui/runs/run_list.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/runs_view.h"
#include "ui/runs/sweep_list.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUndoStack>

#include <memory>

namespace {

/// A store of some runs and its view, which already shows them. Run number i takes i + 1 microseconds.
struct RunsViewBench {
    QTemporaryDir folder;
    std::string path = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    std::vector<std::int64_t> ids;
    std::unique_ptr<ui::CatalogueSession> session;
    std::unique_ptr<ui::RunsView> view;

    explicit RunsViewBench(int runs = 3) {
        {
            data::Store store(path);
            for (int i = 0; i < runs; ++i)
                keep(store, i);
        }
        session = std::make_unique<ui::CatalogueSession>(path);
        view = std::make_unique<ui::RunsView>(*session);
        view->resize(1'300, 600);
        view->show();
        QApplication::setActiveWindow(view.get());
        if (runs > 0 && !QTest::qWaitFor([&] { return view->model().rowCount() == runs; }))
            qFatal("the view lists no runs in time");
    }
    ~RunsViewBench() { view.reset(); }

    void keep(data::Store& store, int number) {
        ids.push_back(tests::keepRun(store, std::to_string(100 + number) + "GB/s", (number + 1) * 1'000'000));
    }
    /// Keeps a sweep of four points on one axis, each with a made-up result.
    void keepSweep() {
        data::Sweep sweep;
        sweep.base = data::draftNamed("t-nlg/fc-2/tp8").draft;
        sweep.axes = {
            {{{"tracker.entries", {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}, std::int64_t{256}}}}}};
        sweep.policies = {"t3-mca"};
        sweep.metrics = {"time_ps.total"};
        const data::SweepPlan plan = data::planOf(sweep);
        data::Store store(path);
        data::SweepStore sweeps(store);
        sweeps.keepSweep(plan);
        engine::RunResult result = tests::sampleResult();
        result.invariants.failed.clear();
        data::NameGiver names({"tracker.entries"});
        for (const data::SweepPoint& point : plan.points) {
            const data::PointDetails details = plan.details(point);
            data::EndedPoint ended{names.nameOf(details.draft, details.experiment),
                                   writeDraft(details.draft),
                                   point.hash,
                                   &details.experiment,
                                   &result,
                                   {}};
            sweeps.keepPoints({&ended, 1});
        }
        for (const data::StoredRun& run : store.runs())
            if (std::find(ids.begin(), ids.end(), run.id) == ids.end())
                ids.push_back(run.id);
        session->refresh();
    }
    void filter(const QString& text) {
        auto* words = view->findChild<QLineEdit*>(QStringLiteral("runFilterWords"));
        words->clear();
        QTest::keyClicks(words, text);
    }
    QString said(const char* label) const { return view->findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    QAction* action(const char* id) const {
        for (const auto& [command, made] : view->commands().all()) {
            if (command.id == QLatin1String(id))
                return made;
        }
        qFatal("no such command");
    }
    data::CatalogueRow stored(std::int64_t id) const {
        data::Store store(path, data::Store::Mode::readOnly);
        for (data::CatalogueRow& row : data::RunCatalogue(store).rows({})) {
            if (row.id == id)
                return std::move(row);
        }
        return {};
    }
};

}  // namespace

class TestRunsView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsTheRunsWithUnits() {
        RunsViewBench bench;
        const ui::RunsModel& model = bench.view->model();
        const int total = *model.columnOf("time_ps.total");
        bench.view->table().selectIds({bench.ids[1]});
        const int row = static_cast<int>(*model.list().positionOf(bench.ids[1]));
        QCOMPARE(model.index(row, total).data().toString().replace(QChar(0x00a0), u' '), QStringLiteral("2.000 µs"));
        QCOMPARE(bench.said("runsCount"), QStringLiteral("3 runs"));
    }

    void aFilterNeedsNoColumnToBeShown() {
        RunsViewBench bench;
        bench.filter(QStringLiteral("time_ps.gemm>0 link.bandwidth>100.5GB/s"));
        QTRY_COMPARE(bench.view->model().rowCount(), 2);
        QCOMPARE(bench.said("runsCount"), QStringLiteral("2 of 3 runs"));
    }

    void whatCannotBeUnderstoodIsReportedAndTheListStays() {
        RunsViewBench bench;
        bench.filter(QStringLiteral("link.bandwith>1"));
        auto* problem = bench.view->findChild<QLabel*>(QStringLiteral("runFilterProblem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("link.bandwidth")), qPrintable(problem->text()));
        QCOMPARE(bench.view->model().rowCount(), 3);
        bench.filter(QString());
        QTRY_VERIFY(!problem->isVisible());
    }

    void whenNothingMatchesTheFilterCanBeCleared() {
        RunsViewBench bench;
        bench.filter(QStringLiteral("nowhere"));
        auto* next = bench.view->findChild<QPushButton*>(QStringLiteral("runsNext"));
        QTRY_VERIFY(next->isVisible());
        next->click();
        QTRY_COMPARE(bench.view->model().rowCount(), 3);
        QVERIFY(!next->isVisible());
    }

    void anEmptyStoreSaysWhatToDo() {
        RunsViewBench bench(0);
        auto* next = bench.view->findChild<QPushButton*>(QStringLiteral("runsNext"));
        QTRY_VERIFY(next->isVisible());
        QSignalSpy asked(bench.view.get(), &ui::RunsView::runRequested);
        next->click();
        QCOMPARE(asked.size(), 1);
    }

    void selectionAndPlaceSurviveNewRuns() {
        RunsViewBench bench(80);
        ui::RunsTable& table = bench.view->table();
        table.selectIds({bench.ids[20], bench.ids[21]});
        table.verticalScrollBar()->setValue(30);
        const std::int64_t top = bench.view->model().row(30).id;
        {
            data::Store other(bench.path);
            for (int i = 80; i < 85; ++i)
                bench.keep(other, i);
        }
        bench.session->refresh();
        QTRY_COMPARE(bench.view->model().rowCount(), 85);
        QCOMPARE(table.selectedIds(), (std::vector<std::int64_t>{bench.ids[21], bench.ids[20]}));
        QCOMPARE(bench.view->model().row(table.verticalScrollBar()->value()).id, top);
    }

    void theNewestStaysInSightWhereItWas() {
        RunsViewBench bench(80);
        {
            data::Store other(bench.path);
            bench.keep(other, 80);
        }
        bench.session->refresh();
        QTRY_COMPARE(bench.view->model().rowCount(), 81);
        QCOMPARE(bench.view->table().verticalScrollBar()->value(), 0);
    }

    void aNoteIsEditedInPlaceAndTakenBack() {
        RunsViewBench bench;
        bench.view->table().setFocus();
        bench.view->table().showRun(bench.ids[0]);
        bench.view->table().selectIds({bench.ids[0]});
        bench.action("runs.note")->trigger();
        auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("figure 5"));
        QTest::keyClick(editor, Qt::Key_Return);
        const auto shown = [&] { return bench.view->model().list().find({bench.ids[0]}).front()->note; };
        QTRY_COMPARE(shown(), std::string("figure 5"));
        QTRY_COMPARE(bench.stored(bench.ids[0]).note, std::string("figure 5"));
        bench.view->undoStack().undo();
        QTRY_COMPARE(bench.stored(bench.ids[0]).note, std::string());
        bench.view->undoStack().redo();
        QTRY_COMPARE(bench.stored(bench.ids[0]).note, std::string("figure 5"));
    }

    void severalRunsAreTaggedTogetherAndKeepTheirOwnTags() {
        RunsViewBench bench;
        {
            data::Store other(bench.path);
            const std::vector<std::int64_t> first{bench.ids[0]};
            data::RunCatalogue(other).setTags(first, {"draft"});
        }
        bench.session->refresh();
        QTRY_COMPARE(bench.view->model().list().find({bench.ids[0]}).front()->tags.size(), std::size_t{1});
        bench.view->table().selectIds({bench.ids[0], bench.ids[2]});
        bench.action("runs.tags")->trigger();
        auto* editor = bench.view->findChild<ui::TagEditor*>();
        QTest::keyClicks(editor->findChild<QLineEdit*>(), QStringLiteral("paper"));
        editor->findChild<QLineEdit*>()->setFocus();
        QTest::keyClick(editor->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(bench.stored(bench.ids[0]).tags, (std::vector<std::string>{"draft", "paper"}));
        QTRY_COMPARE(bench.stored(bench.ids[2]).tags, (std::vector<std::string>{"paper"}));
        QVERIFY(bench.stored(bench.ids[1]).tags.empty());
        bench.view->undoStack().undo();
        QTRY_COMPARE(bench.stored(bench.ids[0]).tags, (std::vector<std::string>{"draft"}));
        QTRY_VERIFY(bench.stored(bench.ids[2]).tags.empty());
    }

    void whatIsRemovedComesBackWithUndoAndIsSelected() {
        RunsViewBench bench(5);
        QSignalSpy removed(bench.view.get(), &ui::RunsView::removed);
        bench.view->table().selectIds({bench.ids[1], bench.ids[2]});
        bench.action("runs.remove")->trigger();
        QCOMPARE(bench.view->model().rowCount(), 3);
        QCOMPARE(removed.size(), 1);
        QTRY_COMPARE(bench.stored(bench.ids[1]).id, std::int64_t{0});
        bench.view->undoStack().undo();
        QTRY_COMPARE(bench.view->model().rowCount(), 5);
        QTRY_COMPARE(bench.view->table().selectedIds(), (std::vector<std::int64_t>{bench.ids[2], bench.ids[1]}));
        QTRY_COMPARE(bench.stored(bench.ids[1]).id, bench.ids[1]);
    }

    void aSweepUnfoldsWithTheKeyboardAndIsSelectedAsAWhole() {
        RunsViewBench bench(2);
        bench.keepSweep();
        ui::RunsTable& table = bench.view->table();
        ui::RunsModel& model = bench.view->model();
        QTRY_COMPARE(model.rowCount(), 3);  // two runs, and a sweep of four points
        int line = 0;
        while (line < 3 && model.sweepAt(line) == nullptr)
            ++line;
        const QString name = model.index(line, *model.columnOf("name")).data().toString();
        QVERIFY2(name.contains(QStringLiteral("Entries")) && name.contains(QStringLiteral("4 runs")), qPrintable(name));
        table.setFocus();
        table.selectRow(line);
        QCOMPARE(table.selectedIds().size(), std::size_t{4});
        QTest::keyClick(&table, Qt::Key_Right);
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(table.currentIndex().row(), line);
        QCOMPARE(table.selectedCount(), std::size_t{4});
        // The name of a point contains only the values that differ between points.
        QStringList names;
        for (int point = line + 1; point <= line + 4; ++point)
            names << model.index(point, *model.columnOf("name")).data().toString();
        QVERIFY2(names.filter(QStringLiteral("entries 32")).size() == 1, qPrintable(names.join(u'|')));
        QVERIFY2(names.filter(QStringLiteral("entries 256")).size() == 1, qPrintable(names.join(u'|')));
        // The name of the case is shown for the sweep, not for each of its runs.
        QCOMPARE(names.filter(QStringLiteral("fc-2")).size(), 0);
        names.removeDuplicates();
        QCOMPARE(names.size(), 4);
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(table.selectedCount(), std::size_t{1});
        QTest::keyClick(&table, Qt::Key_Left);  // to the sweep
        QCOMPARE(table.currentIndex().row(), line);
        QTest::keyClick(&table, Qt::Key_Left);
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(bench.action("runs.open")->isEnabled());
        bench.action("runs.open")->trigger();  // Enter
        QCOMPARE(model.rowCount(), 7);
        table.selectIds({bench.ids.back()});
        bench.action("runs.remove")->trigger();
        QCOMPARE(model.rowCount(), 6);
        bench.view->undoStack().undo();
        QTRY_COMPARE(model.rowCount(), 7);
        table.selectRow(line);
        bench.action("runs.remove")->trigger();
        QCOMPARE(model.rowCount(), 2);
    }

    void theAxesOfAChosenSweepAreTheFirstColumns() {
        RunsViewBench bench(2);
        bench.keepSweep();
        QTRY_COMPARE(bench.view->model().rowCount(), 3);
        const std::vector<std::string> before = bench.view->table().columnOrder();
        auto* sweeps = bench.view->findChild<ui::SweepList*>();
        QTRY_COMPARE(sweeps->model()->rowCount(), 2);
        sweeps->setCurrentIndex(sweeps->model()->index(1, 0));
        QTRY_COMPARE(bench.view->model().rowCount(), 4);
        QCOMPARE(bench.view->table().columnOrder().front(), std::string("tracker.entries"));
        QCOMPARE(bench.view->model().index(0, 0).data().toString().isEmpty(), false);
        sweeps->setCurrentIndex(sweeps->model()->index(0, 0));
        QCOMPARE(bench.view->table().columnOrder(), before);
    }

    void whatWasRemovedIsListedBroughtBackOrDeletedForGood() {
        RunsViewBench bench(4);
        bench.view->table().selectIds({bench.ids[0], bench.ids[1]});
        bench.action("runs.remove")->trigger();
        auto* sweeps = bench.view->findChild<ui::SweepList*>();
        QTRY_COMPARE(sweeps->model()->rowCount(), 2);
        sweeps->setCurrentIndex(sweeps->model()->index(1, 0));
        QTRY_VERIFY(bench.view->table().showsRemoved());
        QCOMPARE(bench.view->model().rowCount(), 2);
        bench.view->table().selectIds({bench.ids[0]});
        QVERIFY(!bench.action("runs.remove")->isEnabled());
        bench.action("runs.restore")->trigger();
        QCOMPARE(bench.view->model().rowCount(), 1);
        QTRY_COMPARE(bench.stored(bench.ids[0]).id, bench.ids[0]);
        bench.action("runs.empty-trash")->trigger();
        auto* question = bench.view->findChild<QMessageBox*>();
        for (QAbstractButton* button : question->buttons()) {
            if (question->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        }
        QTRY_COMPARE(bench.view->model().rowCount(), 0);
        data::Store store(bench.path);
        QCOMPARE(data::RunCatalogue(store).trashCount(), std::size_t{0});
        QCOMPARE(data::RunCatalogue(store).count(), std::size_t{3});
        QVERIFY(!bench.view->undoStack().canUndo());
    }

    void oneIsDescribedAndTwoAreCompared() {
        RunsViewBench bench;
        auto* details = bench.view->findChild<ui::RunDetails*>();
        bench.view->table().selectIds({bench.ids[0]});
        QTRY_VERIFY(details->text().contains(QLatin1String("Set by hand")));
        QVERIFY(bench.action("runs.open")->isEnabled());
        QVERIFY(!bench.action("runs.pin-and-show")->isEnabled());
        bench.view->table().selectIds({bench.ids[0], bench.ids[1]});
        QTRY_VERIFY(details->text().contains(QLatin1String("Two runs compared")));
        // The newer one, above, is A: 2 µs; B takes half of that.
        QVERIFY2(details->text().contains(QStringLiteral("0.500×")), qPrintable(details->text()));
        QVERIFY(bench.action("runs.pin-and-show")->isEnabled());
        bench.view->table().selectIds(bench.ids);
        QTRY_VERIFY(details->text().contains(QLatin1String("3 runs")));
    }

    void enterOpensTheTimelineOfTheCurrentRun() {
        RunsViewBench bench;
        QSignalSpy opened(bench.view.get(), &ui::RunsView::openRequested);
        bench.view->table().showRun(bench.ids[1]);
        bench.view->table().selectIds({bench.ids[1]});
        bench.action("runs.open")->trigger();
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().toLongLong(), bench.ids[1]);
    }

    void columnsAreChosenAndFoundAgain() {
        RunsViewBench bench;
        bench.action("runs.columns")->trigger();
        auto* chooser = bench.view->findChild<ui::ColumnChooser*>();
        auto* tree = chooser->findChild<QTreeWidget*>();
        chooser->findChild<QLineEdit*>()->setText(QStringLiteral("tracker.entries"));
        QTreeWidgetItem* found = nullptr;
        for (QTreeWidgetItemIterator it(tree, QTreeWidgetItemIterator::NotHidden); *it != nullptr; ++it) {
            if ((*it)->text(1) == QLatin1String("tracker.entries"))
                found = *it;
        }
        QVERIFY(found != nullptr);
        found->setCheckState(0, Qt::Checked);
        const auto column = bench.view->model().columnOf("tracker.entries");
        QVERIFY(column);
        QTRY_COMPARE(bench.view->model().index(0, *column).data().toString(), QStringLiteral("256"));
        const QJsonValue kept = bench.view->saved();
        ui::RunsView another(*bench.session);
        QVERIFY(another.restore(kept));
        QVERIFY(another.model().columnOf("tracker.entries"));
    }

    void aKeptSetOfColumnsThatMakesNoSenseIsRefusedWhole() {
        RunsViewBench bench(0);
        const int before = bench.view->model().columnCount();
        QVERIFY(!bench.view->restore(QJsonValue(3)));
        QVERIFY(!bench.view->restore(QJsonObject{{"columns", QJsonArray{"no.such", 5}}}));
        QVERIFY(!bench.view->restore(QJsonObject{{"columns", QJsonArray{"time_ps.total"}}}));  // the name is missing
        QCOMPARE(bench.view->model().columnCount(), before);
    }

    void withoutAStoreItSaysWhy() {
        ui::CatalogueSession session(std::nullopt);
        ui::RunsView view(session);
        view.showReason(QStringLiteral("Runs are not kept."));
        view.show();
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("runsReason"))->text(), QStringLiteral("Runs are not kept."));
        QVERIFY(!view.findChild<QPushButton*>(QStringLiteral("runsNext"))->isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestRunsView)
#include "tst_runs_view.moc"
