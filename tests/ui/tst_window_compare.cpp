#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "tests/ui/window_parts.h"
#include "ui/compare/compare_foot.h"
#include "ui/compare/compare_row.h"
#include "ui/compare/compare_view.h"
#include "ui/look/widget_parts.h"
#include "ui/playback/transport_bar.h"
#include "ui/ringside_window.h"
#include "ui/runs/runs_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/window_views.h"

#include <QFileInfo>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <memory>

using ui::RingsideWindow;
using ui::SyncMode;

class TestWindowCompare : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RingsideWindow> m_window;

    void open() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.draft.explicitValues["workload.batch"] = std::int64_t{1};
        config.draft.explicitValues["policy.preset"] = std::string("t3-mca");
        config.sessionFile = m_folder->filePath(QStringLiteral("session.json"));
        config.session.storePath = m_folder->filePath(QStringLiteral("runs.sqlite")).toStdString();
        m_window = tests::openWindow(std::move(config));
    }
    void compare(const std::vector<std::string>& policies = {}) {
        QSignalSpy shown(&m_window->compare().view(), &ui::CompareView::compareShown);
        if (policies.empty())
            m_window->compare().show();
        else
            m_window->compare().compareWith(policies);
        QVERIFY(shown.wait(30'000));
        QTRY_VERIFY(view().comparison().isComplete());
    }
    ui::CompareView& view() { return m_window->compare().view(); }
    ui::CompareRow& row(std::size_t index) { return view().row(index); }
    /// Returns whether at least this height of a widget and its whole width are visible.
    bool isInSight(const QWidget& widget, int height) {
        QRect seen(widget.mapTo(m_window.get(), QPoint()), widget.size());
        for (const QWidget* above = widget.parentWidget(); above != m_window.get(); above = above->parentWidget())
            seen &= QRect(above->mapTo(m_window.get(), QPoint()), above->size());
        return seen.width() == widget.width() && seen.height() >= height;
    }
    ui::TimelineView& timeline(std::size_t index) { return *row(index).findChild<ui::TimelineView*>(); }
    std::int64_t totalOf(std::size_t index) {
        return view().comparison().runs()[index].run->run.result.last.time.total.ps;
    }
    QAction* action(const char* id) const { return m_window->workbench().commands().find(QLatin1String(id))->action; }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }
    void cleanup() { m_window.reset(); }

    void f3ShowsTheShownRunBelowSequential() {
        QVERIFY(action("view.compare")->shortcuts().contains(QKeySequence(Qt::Key_F3)));
        compare();
        QCOMPARE(view().names(), (QStringList{QStringLiteral("Sequential"), QStringLiteral("T3-MCA")}));
        QCOMPARE(m_window->workbench().views().current(), QStringLiteral("compare"));
        QVERIFY(row(0).geometry().bottom() < row(1).geometry().top() + 2);
        QVERIFY(row(1).text().better);
        QVERIFY(timeline(1).isVisible());
    }

    void theOneTransportMovesWithTheViewAndPlaysAll() {
        auto* transport = m_window->findChild<ui::TransportBar*>();
        compare();
        QVERIFY(view().isAncestorOf(transport));
        m_window->viewState().setCursor(totalOf(1) / 2);
        QCOMPARE(row(0).state().cursor(), std::optional(totalOf(1) / 2));
        QCOMPARE(row(1).state().cursor(), std::optional(totalOf(1) / 2));
        m_window->workbench().views().showView(QStringLiteral("explore"));
        QVERIFY(!view().isAncestorOf(transport));
        QVERIFY(transport->isVisible());
    }

    void spacePlaysWhileCompareHasTheKeyboard() {
        compare();
        QVERIFY(action("playback.play")->associatedObjects().contains(&view()));
        action("playback.play")->trigger();
        QTRY_VERIFY(row(0).state().cursor().value_or(0) > 0);
        action("playback.play")->trigger();
    }

    void byTimeBothAxesReachToTheEndOfTheLongerRun() {
        compare();
        QVERIFY(totalOf(0) > totalOf(1));
        QVERIFY(row(1).state().runEnd() >= totalOf(0));
        QCOMPARE(row(0).state().range(), row(1).state().range());
        m_window->workbench().views().showView(QStringLiteral("explore"));
        QCOMPARE(m_window->viewState().runEnd(), totalOf(1));
    }

    void byChunkTheEndsStandAtOneMoment() {
        compare();
        view().comparison().setMode(SyncMode::chunks);
        m_window->viewState().setCursor(totalOf(1));
        QCOMPARE(row(0).state().cursor(), std::optional(totalOf(0)));
        QCOMPARE(row(1).state().cursor(), std::optional(totalOf(1)));
        QVERIFY(row(0).state().showsAll());
    }

    void oneMomentStandsAtOnePlaceInEveryRowWhateverTheNamesOfItsLanes() {
        compare({"sequential", "t3-mca", "ideal-overlap"});
        const auto placeOf = [&](std::size_t index) {
            const ui::TimelineView& picture = timeline(index);
            return picture.mapTo(&view(), QPoint()).x() + picture.geometry().xOf(totalOf(1) / 2);
        };
        QVERIFY(timeline(0).layout().ownGutter() > timeline(2).layout().ownGutter());  // a bound has no GPUs to name
        QCOMPARE(placeOf(1), placeOf(0));
        QCOMPARE(placeOf(2), placeOf(0));
        view().comparison().remove(0);  // the others keep their order
        QCOMPARE(placeOf(1), placeOf(0));
    }

    void fourRunsAreInSightOnASmallScreen() {
        compare({"sequential", "t3", "t3-mca", "ideal-overlap"});
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)}) {
            m_window->resize(size);
            QApplication::processEvents();
            QCOMPARE(m_window->size(), size);
            for (std::size_t i = 0; i < 4; ++i) {
                QVERIFY2(isInSight(row(i), row(i).height()), qPrintable(row(i).text().name));
                // The timeline has at least its heading, the time axis and the phases.
                QVERIFY(timeline(i).height() >= timeline(i).fontMetrics().height() * 2.9);
            }
            const auto& table = *view().findChild<ui::DifferenceTable*>();
            QVERIFY(isInSight(table, size.height() > 720 ? table.height() : 60));
        }
    }

    void zoomingOneZoomsTheOther() {
        compare();
        view().comparison().setMode(SyncMode::phases);
        row(0).state().setRange({0, totalOf(0) / 2});
        const data::TimeRange range = row(1).state().range();
        QCOMPARE(range, (data::TimeRange{0, view().comparison().mapTo(1)(m_window->viewState().range().end)}));
        QVERIFY(range.end < totalOf(1));
    }

    void xSwapsAAndB() {
        compare();
        QVERIFY(action("compare.swap")->shortcuts().contains(QKeySequence(Qt::Key_X)));
        QTest::keyClick(view().focusProxy(), Qt::Key_X);
        QCOMPARE(view().names().front(), QStringLiteral("T3-MCA"));
        QCOMPARE(row(0).text().letter, QStringLiteral("A"));
        QVERIFY(row(1).text().worse);
    }

    void aThirdPolicyGetsARowAndAWaterfallOfItsOwn() {
        compare({"sequential", "t3"});
        QCOMPARE(view().names(),
                 (QStringList{QStringLiteral("Sequential"), QStringLiteral("T3"), QStringLiteral("T3-MCA")}));
        const auto* waterfall = view().findChild<ui::FigureCanvas*>(QStringLiteral("waterfall"));
        QCOMPARE(waterfall->figure().panels.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            const data::FigurePanel& panel = waterfall->figure().panels[i];
            QCOMPARE(panel.y.unit, std::string("µs"));
            const data::FigureBar& bar = std::get<data::BarMark>(panel.marks.front()).bars.front();
            QCOMPARE(*bar.stack.back().values.back(), static_cast<double>(totalOf(i + 1) - totalOf(0)) / 1e6);
        }
        const auto* table = view().findChild<ui::DifferenceTable*>();
        QCOMPARE(table->rows().size(), std::size_t{3});
        QVERIFY(table->rows()[0].differences.empty());
        view().comparison().remove(1);
        QCOMPARE(view().rowCount(), std::size_t{2});
        QCOMPARE(waterfall->figure().panels.size(), std::size_t{1});
    }

    void inASmallWindowLanesGiveWayBeforeOneHasToBeScrolledTo() {
        compare({"sequential", "t3"});
        m_window->resize(1280, 720);
        for (std::size_t i = 0; i < 3; ++i)
            QTRY_COMPARE(timeline(i).verticalScrollBar()->maximum(), 0);
        const std::size_t few = timeline(0).picture().rows.size();
        view().comparison().setPicks({{ui::ComparePick::Kind::shown}});
        m_window->resize(1400, 1000);
        QTRY_VERIFY(timeline(0).picture().rows.size() > few);
    }

    void switchesGrowWithTheTypeOfAPresentation() {
        compare();
        const auto buttons = view().findChildren<QToolButton*>();
        const auto button = std::find_if(buttons.begin(), buttons.end(), [this](const QToolButton* each) {
            return each->defaultAction() == action("compare.sync-time");
        });
        QVERIFY(button != buttons.end());
        const int before = (*button)->sizeHint().height();
        m_window->setFont(ui::scaledFont(QApplication::font(), 1.5));  // as presenter mode does on a high screen
        QTRY_VERIFY((*button)->sizeHint().height() > before);
        m_window->setFont(QApplication::font());
    }

    void numbersAreNeverCutShortColumnsAreLeftOut() {
        compare();
        auto* table = view().findChild<ui::DifferenceTable*>();
        table->resize(2'000, 200);
        const std::size_t all = table->columns().size();
        table->resize(500, 200);
        QVERIFY(table->columns().size() < all);
        QCOMPARE(table->columns().front(), std::size_t{0});  // the total stays
        QCOMPARE(table->columns().back(), std::size_t{5});   // and so does the exposed time
    }

    void aBoundHasABarAndASentenceWhy() {
        compare({"t3-mca", "ideal-overlap"});
        QVERIFY(row(1).text().remark.contains(QStringLiteral("perfectly overlapped")));
        QVERIFY(timeline(1).model().isBound());
        view().comparison().setMode(SyncMode::chunks);
        QCOMPARE(view().comparison().mapTo(1)(totalOf(0)), totalOf(1));
    }

    void runsOfDifferentlyManyGpusCanBeCompared() {
        compare();
        data::ExperimentDraft draft = m_window->experiment().draft();
        draft.explicitValues["parallel.tp"] = std::int64_t{16};
        m_window->runs().session().start(draft);
        QSignalSpy shown(&m_window->compare().view(), &ui::CompareView::compareShown);
        view().comparison().setPinned(m_window->runs().shown());
        view().comparison().setPicks({{ui::ComparePick::Kind::pinned}, {ui::ComparePick::Kind::shown}});
        view().comparison().setMode(SyncMode::chunks);
        QTRY_COMPARE(m_window->runs().shown()->run.experiment.parallel.tp, 16);
        QTRY_VERIFY(view().comparison().isComplete());
        QCOMPARE(view().comparison().mapTo(0)(totalOf(1)), totalOf(0));
        QVERIFY2(view().names().front().contains(QStringLiteral("tp8")), qPrintable(view().names().front()));
    }

    void nothingThatIsComparedIsKept() {
        compare({"sequential", "t3"});
        data::Store store(m_folder->filePath(QStringLiteral("runs.sqlite")).toStdString(), data::Store::Mode::readOnly);
        QCOMPARE(store.runs().size(), std::size_t{1});
    }

    void keptRunsAreRunAgainForTheirTraces() {
        QTRY_VERIFY(QFileInfo::exists(m_folder->filePath(QStringLiteral("runs.sqlite"))));
        std::int64_t id = 0;
        QTRY_VERIFY([&] {
            data::Store store(m_folder->filePath(QStringLiteral("runs.sqlite")).toStdString());
            id = store.runs().empty() ? 0 : store.runs().front().id;
            return id > 0;
        }());
        // As the Runs view does with its selected runs.
        QSignalSpy shown(&m_window->compare().view(), &ui::CompareView::compareShown);
        Q_EMIT m_window->findChild<ui::RunsView*>()->compareRequested({id, id + 9});
        QCOMPARE(m_window->workbench().views().current(), QStringLiteral("compare"));
        QVERIFY(shown.wait(30'000));
        QVERIFY(timeline(0).model().hasRun());
        QVERIFY(row(1).text().failed);
        QVERIFY(row(1).text().remark.contains(QStringLiteral("no longer")));
    }

    void whatIsComparedIsFoundAgainAtTheNextStart() {
        compare({"t3", "sequential"});
        view().comparison().setMode(SyncMode::chunks);
        const std::vector<ui::ComparePick> picks = view().comparison().picks();
        m_window->close();
        m_window.reset();
        open();
        QCOMPARE(m_window->workbench().views().current(), QStringLiteral("compare"));
        QCOMPARE(view().comparison().picks(), picks);
        QCOMPARE(view().comparison().mode(), SyncMode::chunks);
        QTRY_VERIFY(view().comparison().isComplete() && view().comparison().runs()[1].run);
    }

    void theWindowCanBeClosedWhileRunsAreUnderWay() {
        m_window->compare().compareWith({"sequential", "t3", "cu-split"});
        m_window->close();
        m_window.reset();
        QVERIFY(!m_window);
    }

    void escapeCancels() {
        m_window->compare().compareWith({"sequential", "t3", "cu-split"});
        QVERIFY(view().comparison().session().isRunning());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!view().comparison().session().isRunning());
    }

    void ctrlETakesTheDifferencesIntoAFigure() {
        compare();
        const auto offer = m_window->figures().figureOfView();
        QVERIFY(offer);
        QVERIFY(data::problemsOf(offer->figure).empty());
        QCOMPARE(offer->figure.provenance.experiments.size(), std::size_t{2});
        QVERIFY(QString::fromStdString(offer->figure.alternative).contains(QStringLiteral("faster than Sequential")));
        // The shell makes the first comparison again, but does not know which other runs were chosen.
        QCOMPARE(offer->figure.from.kind, data::FigureSource::Kind::view);
        QCOMPARE(offer->figure.from.name, std::string("compare"));
        QVERIFY(!offer->figure.from.document.empty());
        view().comparison().setPicks(
            {{ui::ComparePick::Kind::policy, "sequential"}, {ui::ComparePick::Kind::policy, "t3"}});
        QVERIFY(QTest::qWaitFor([&] { return m_window->figures().figureOfView().has_value(); }, 60'000));
        QCOMPARE(m_window->figures().figureOfView()->figure.from.kind, data::FigureSource::Kind::unknown);
    }

    void theOutlineOfAIsThereByTimeOnly() {
        compare();
        action("compare.ghost")->trigger();
        QVERIFY(view().comparison().showsGhost());
        view().comparison().setMode(SyncMode::chunks);
        QVERIFY(!action("compare.ghost")->isEnabled());
        view().comparison().setMode(SyncMode::time);
        QVERIFY(action("compare.ghost")->isEnabled() && action("compare.ghost")->isChecked());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowCompare)
#include "tst_window_compare.moc"
