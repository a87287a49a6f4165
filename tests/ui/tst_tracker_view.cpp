#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/shared/view_state.h"
#include "ui/tracker/tracker_model.h"
#include "ui/tracker/tracker_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>

#include <numeric>
#include <random>

using data::GpuState;
using data::TrackerEntry;
using ui::TrackerModel;
using ui::TrackerRow;
using ui::TrackerView;

namespace {

data::TrackerEntry entryOf(std::uint32_t set, std::uint32_t tile, std::uint32_t landed, std::int64_t since = 100) {
    return {.set = set,
            .tag = 1,
            .workgroup = 256 + set,
            .tile = tile,
            .chunk = 2,
            .landedBytes = {landed, 0},
            .thresholdBytes = {4096, 4096},
            .firstUpdatePs = since};
}

struct TrackerViewBench {
    explicit TrackerViewBench(const std::shared_ptr<const data::ShownRun>& run) {
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        view.resize(1000, 600);
        view.show();
        QApplication::processEvents();
    }
    void seek(double share) { state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd()))); }
    /// Moves the cursor to a moment at which the tracker of GPU 0 has entries.
    void seekToTaken() {
        for (double share = 0.2; share < 0.8; share += 0.01) {
            seek(share);
            if (moment.of(0).tracker.size() > 4)
                return;
        }
    }
    QTableView* table() const { return view.findChild<QTableView*>(QStringLiteral("trackerTable")); }
    TrackerModel* model() const { return qobject_cast<TrackerModel*>(table()->model()); }

    ui::ViewState state;
    ui::RingMoment moment{state};
    TrackerView view{state, moment};
};

}  // namespace

class TestTrackerView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTakenSetsHaveRowsUntilAllAreAskedFor() {
        TrackerModel model;
        data::GpuState state;
        state.tracker = {entryOf(3, 30, 1024), entryOf(7, 70, 0)};
        model.show(state, 200, std::nullopt, 16, true);
        QCOMPARE(model.rowCount(), 2);
        model.setOnlyTaken(false);
        QCOMPARE(model.rowCount(), 16);
        QCOMPARE(model.rowOfTile(70), std::optional(7));
        QCOMPARE(model.index(4, TrackerModel::tag).data().toString(), QStringLiteral("free"));
    }

    void severalWaysOfASetHaveARowEach() {
        TrackerModel model;
        model.setOnlyTaken(false);
        data::GpuState state;
        state.tracker = {entryOf(3, 30, 1024, 100), entryOf(3, 31, 0, 150)};
        model.show(state, 200, std::nullopt, 8, true);
        QCOMPARE(model.rowCount(), 9);
        QCOMPARE(model.rowOfTile(31), std::optional(4));
    }

    void whatHasLandedSinceTheLastMomentIsDistinguished() {
        TrackerModel model;
        data::GpuState state;
        state.tracker = {entryOf(3, 30, 1024)};
        model.show(state, 200, std::nullopt, 16, true);
        QCOMPARE(TrackerModel::barsOf(model.row(0))[0].before, 0.25);
        state.tracker[0].landedBytes = {3072, 4096};
        model.show(state, 300, std::nullopt, 16, false);
        const auto bars = TrackerModel::barsOf(model.row(0));
        QCOMPARE(bars[0].landed, 0.75);
        QCOMPARE(bars[0].before, 0.25);
        QCOMPARE(bars[1].landed, 1.0);
        QCOMPARE(bars[1].before, 0.0);
    }

    void anEntryOfAnotherTileInTheSameSetHasNoPast() {
        TrackerModel model;
        data::GpuState state;
        state.tracker = {entryOf(3, 30, 4096)};
        model.show(state, 200, std::nullopt, 16, true);
        state.tracker = {entryOf(3, 286, 1024, 250)};
        model.show(state, 300, std::nullopt, 16, false);
        QCOMPARE(TrackerModel::barsOf(model.row(0))[0].before, 0.0);
    }

    void theEntryThatClosedLastStandsOnTopAndIsFull() {
        TrackerModel model;
        data::GpuState state;
        state.tracker = {entryOf(3, 30, 1024)};
        model.show(state, 200, entryOf(9, 90, 100), 16, true);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.row(0).kind, TrackerRow::Kind::closed);
        for (const ui::CounterBar& bar : TrackerModel::barsOf(model.row(0)))
            QCOMPARE(bar.landed, 1.0);
    }

    void theRowOfTheLatestUpdateIsMarked() {
        TrackerModel model;
        data::GpuState state;
        const data::Landing landing{.ps = 190, .tile = 70, .granule = 3, .bytes = 512};
        state.tracker = {entryOf(3, 30, 1024), entryOf(7, 70, 512)};
        state.tracker[1].lastLanding = landing;
        state.lastLanding = landing;
        model.show(state, 200, std::nullopt, 16, true);
        QVERIFY(!model.row(0).latest);
        QVERIFY(model.row(1).latest);
    }

    void rowsComeAndGoOneByOneAndAlwaysInOrder() {
        TrackerModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::mt19937 generator(20240607);
        const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
        data::GpuState state;
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        for (int step = 0; step < 200; ++step) {
            state.tracker.clear();
            for (std::uint32_t set = 0; set < 24; ++set) {
                if (random() % 3 != 0)
                    state.tracker.push_back(entryOf(set, set + 24 * (random() % 2), random() % 4096, 100 + step / 50));
            }
            std::optional<data::TrackerEntry> closed;
            if (random() % 2 == 0)
                closed = entryOf(random() % 24, 900 + random() % 3, 0);
            model.setOnlyTaken(step / 20 % 2 == 0);
            model.show(state, 200 + step, closed, 24, false);
            int at = closed ? 1 : 0;
            for (const data::TrackerEntry& entry : state.tracker) {
                while (model.row(at).kind == TrackerRow::Kind::free)
                    ++at;
                QCOMPARE(model.row(at++).entry.tile, entry.tile);
            }
        }
        QVERIFY(resets.size() < 3);
    }

    void theTableShowsTheMomentOfTheCursor() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seekToTaken();
        const auto& entries = bench.moment.of(0).tracker;
        QVERIFY(entries.size() > 4);
        for (const data::TrackerEntry& entry : entries)
            QVERIFY(bench.model()->rowOfTile(entry.tile));
        auto* occupancy = bench.view.findChild<QLabel*>(QStringLiteral("occupancy"));
        QVERIFY(occupancy->text().startsWith(QString::number(entries.size()) + QStringLiteral(" of ")));
        bench.seek(0);
        QCOMPARE(bench.model()->rowCount(), 0);
    }

    void whatIsHeldOutsideStandsBesideTheEntries() {
        const auto header = [](const data::Settings& settings) {
            TrackerViewBench bench(tests::simulatedRun("t-nlg/op/tp8", "t3-mca", settings));
            bench.seek(0.4);
            return bench.view.findChild<QLabel*>(QStringLiteral("occupancy"))->text();
        };
        const std::int64_t kib = 1024;
        QVERIFY(!header({}).contains(QStringLiteral("held")));
        QVERIFY(header({{"tracker.entries", std::int64_t{16}}}).contains(QStringLiteral("B held, peak ")));
        const QString bounded = header({{"tracker.entries", std::int64_t{16}}, {"tracker.held_bytes", 64 * kib}});
        QVERIFY2(bounded.contains(QStringLiteral(" of 64 KiB held, peak 64 KiB")), qPrintable(bounded));
    }

    void theCountersHaveRoomAndEveryWordFitsItsColumn() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seekToTaken();
        const QTableView& table = *bench.table();
        const QFontMetrics metrics(table.font());
        for (int width = metrics.averageCharWidth() * 74; width <= 2000; width += 40) {
            bench.view.resize(width, 600);
            QApplication::processEvents();
            QVERIFY2(table.columnWidth(TrackerModel::counters) >= metrics.height() * 10,
                     qPrintable(QStringLiteral("%1: %2").arg(width).arg(table.columnWidth(TrackerModel::counters))));
            QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
            for (int column = 0; column < TrackerModel::columns; ++column) {
                const QString title = bench.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
                const bool counts = column == TrackerModel::counters || table.isColumnHidden(column);
                QVERIFY2(counts || metrics.horizontalAdvance(title) <= table.columnWidth(column), qPrintable(title));
                for (int row = 0; row < bench.model()->rowCount(); ++row) {
                    const QString text = bench.model()->index(row, column).data().toString();
                    QVERIFY2(counts || metrics.horizontalAdvance(text) <= table.columnWidth(column), qPrintable(text));
                }
            }
        }
        // With enough room no column is hidden.
        QVERIFY(!table.isColumnHidden(TrackerModel::tag) && !table.isColumnHidden(TrackerModel::workgroup));
        for (const auto* words : bench.view.findChildren<QLabel*>())
            QVERIFY(!words->isVisible() || words->heightForWidth(words->width()) <= words->height());
    }

    void theEntryShownAsClosedIsTheLastThatTheLogHasClosed() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(0.5);
        const data::GpuState& state = bench.moment.of(0);
        QVERIFY(state.lastClosedTile);
        QCOMPARE(bench.model()->row(0).kind, TrackerRow::Kind::closed);
        QCOMPARE(bench.model()->row(0).entry.tile, *state.lastClosedTile);
    }

    void aRowSelectsItsSpanAndASpanItsRow() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.state.setFocusedGpu(2);
        bench.seekToTaken();
        bench.table()->selectRow(3);
        const std::uint32_t tile = bench.model()->row(3).entry.tile;
        QVERIFY(bench.state.selectedSpan());
        QCOMPARE(bench.state.selectedSpan()->gpu, 2u);
        QCOMPARE(ui::tileOf(bench.moment.log().trace(), *bench.state.selectedSpan()), std::optional(tile));
        const data::SpanRef span = *bench.state.selectedSpan();
        bench.state.clearSelection();
        QVERIFY(!bench.table()->selectionModel()->hasSelection());
        bench.state.selectSpan(span);
        QCOMPARE(bench.table()->currentIndex().row(), 3);
        bench.state.setFocusedGpu(1);  // the span belongs to another GPU
        QVERIFY(!bench.table()->selectionModel()->hasSelection());
    }

    void theGpuIsChosenHereOrElsewhere() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        auto* gpu = bench.view.findChild<QComboBox*>(QStringLiteral("trackerGpu"));
        QCOMPARE(gpu->count(), 8);
        bench.state.setFocusedGpu(5);
        QCOMPARE(gpu->currentIndex(), 5);
        gpu->setFocus();
        QTest::keyClick(gpu, Qt::Key_Down);
        QCOMPARE(bench.state.focusedGpu(), 6u);
    }

    void freeSetsAreShownWhenAskedFor() {
        TrackerViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(0.01);
        auto* only = bench.view.findChild<QCheckBox*>(QStringLiteral("onlyTaken"));
        QTest::keyClick(only, Qt::Key_Space);
        QVERIFY(bench.model()->rowCount() >= 256);
        QVERIFY(!bench.view.grab().isNull());
    }

    void aPolicyWithoutATrackerSaysSo() {
        for (const auto& run : {tests::simulatedRun("t-nlg/fc-2/tp8", "sequential"), tests::sampleBound()}) {
            TrackerViewBench bench(run);
            bench.seek(0.5);
            QVERIFY(!bench.table()->isVisible());
            QVERIFY(!bench.view.grab().isNull());
        }
    }
};

RINGSIDE_WINDOW_TEST(TestTrackerView)
#include "tst_tracker_view.moc"
