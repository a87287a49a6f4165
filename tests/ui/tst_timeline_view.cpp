#include "tests/ui/machine_run.h"
#include "tests/ui/pointer.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/synthetic_trace.h"
#include "tests/ui/window_test.h"

#include "ui/look/glossary.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include <cmath>
#include <memory>
#include <set>

using data::SpanRef;
using data::TimeRange;
using ui::LaneArrangement;
using ui::LaneKey;
using ui::RowKind;
using ui::TimelineView;

namespace {

// A view of a run, wide enough for its texts.
struct TimelineViewBench {
    explicit TimelineViewBench(std::shared_ptr<const data::ShownRun> run = tests::sampleRun(), QSize size = {1200, 700})
        : view(std::make_unique<TimelineView>(state)) {
        ui::TimelineModel model(std::move(run));
        state.setRunEnd(model.end());
        view->resize(size);
        view->show();
        view->showModel(std::move(model));
        QApplication::processEvents();
    }
    TimelineView* operator->() const { return view.get(); }
    std::optional<std::size_t> rowOf(LaneKey key) const {
        const auto rows = view->picture().rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].row.key() == key)
                return i;
        }
        return std::nullopt;
    }
    QRectF boxOf(LaneKey key) const { return view->picture().rows[*rowOf(key)].box; }
    std::vector<RowKind> kindsOf(std::uint32_t gpu) const {
        std::vector<RowKind> kinds;
        const auto rows = view->picture().rows;
        for (const auto& row : rows) {
            if (row.row.gpu == gpu)
                kinds.push_back(row.row.kind);
        }
        return kinds;
    }
    // Returns a point in the gutter over the name of a lane.
    QPoint nameOf(LaneKey key) const {
        const QRectF box = boxOf(key);
        return QPointF(box.left() - view->fontMetrics().height() * 2, box.center().y()).toPoint();
    }
    QPoint gpuNameOf(LaneKey key) const {
        const QRectF box = boxOf(key);
        return QPointF(view->fontMetrics().height() * 0.8, box.top() + view->fontMetrics().height() * 0.6).toPoint();
    }
    data::SpanRef step(std::uint32_t i) const {
        return {0, view->model().index()->gpu(0).reduceScatter.tracks.front().laneIndex, i};
    }

    ui::ViewState state;
    std::unique_ptr<TimelineView> view;
};

// QTest::mouseMove sends no buttons.

void drag(QWidget& target, QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&target, button, {}, from);
    tests::moveTo(target, (from + to) / 2);
    tests::moveTo(target, to);
    QTest::mouseRelease(&target, button, {}, to);
}

void wheelOver(QWidget& target, QPointF at, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(at, target.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&target, &event);
}

}  // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Each pixel that the name darkens without the focus is also dark with the focus.
    void theNameOfAClosedGpuStandsOverTheFocusWhicheverRowHasIt() {
        TimelineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench->activateWindow();
        const double line = bench->fontMetrics().height();
        const auto gutter = [&](const QRectF& first, const QRectF& second) {
            return bench->viewport()
                ->grab(QRectF(line, first.top(), line * 5, second.bottom() - first.top()).toRect())
                .toImage();
        };
        const auto rows = bench->picture().rows;
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            if (!rows[i].row.compact || rows[i].row.gpu != rows[i + 1].row.gpu)
                continue;
            bench->clearFocus();
            const QImage plain = gutter(rows[i].box, rows[i + 1].box);
            bench->setFocus();
            for (const std::size_t focused : {i, i + 1}) {
                bench->lanes().moveFocus(-100);
                bench->lanes().moveFocus(static_cast<int>(focused));
                QVERIFY(bench->hasFocus());
                const QImage marked = gutter(rows[i].box, rows[i + 1].box);
                QVERIFY(marked != plain);
                for (int y = 0; y < plain.height(); ++y) {
                    for (int x = 0; x < plain.width(); ++x)
                        QVERIFY(plain.pixelColor(x, y).lightness() > 100 || marked.pixelColor(x, y).lightness() < 140);
                }
            }
        }
    }

    void whereverThePointerIsTheMomentUnderItStaysWhileTheWheelZooms() {
        TimelineViewBench bench;
        for (const double x : {300.0, 555.5, 900.0, 1'100.0}) {
            bench.state.showAll();
            std::int64_t before = bench->geometry().timeAt(x);
            for (int notch = 0; notch < 12; ++notch) {
                wheelOver(*bench->viewport(), {x, 300}, 120);
                const auto geometry = bench->geometry();
                QVERIFY2(std::abs(geometry.xOf(before) - x) <= 1, qPrintable(QString::number(notch)));
                before = geometry.timeAt(x);
            }
        }
    }

    void theDeepestZoomAtTheRunsEndStillDrawsItsSpan() {
        // A range of 10 ns within the all-gather's step is drawn as one block from edge to edge.
        TimelineViewBench bench;
        bench.state.setRange({990'000, 1'000'000});
        const QRectF row = bench.boxOf({0, RowKind::allGather});
        const QImage image = bench->viewport()->grab().toImage();
        const auto at = [&](double x) {
            return image.pixelColor((QPointF(x, row.top() + 3) * image.devicePixelRatio()).toPoint());
        };
        QCOMPARE(at(row.left() + 5), at(row.right() - 5));
        QVERIFY(at(row.left() + 5) != ui::paletteOf(ui::Theme::light).surface);
    }

    void whatIsDrawnCoversEveryPixelThatASpanTouchesAtEveryZoom() {
        // 20 000 link packets are drawn, from one for each pixel to one for the whole width.
        TimelineViewBench bench(tests::syntheticRun(200'000));
        const QRectF row = bench.boxOf({0, RowKind::link});
        const data::Track& track = bench->model().index()->gpu(0).linkOut.tracks.front();
        const QColor ground = bench->viewport()->grab().toImage().pixelColor(0, 0);
        for (const std::int64_t span : {2'000'000LL, 500'000LL, 60'000LL}) {
            bench.state.setRange({700'000'000, 700'000'000 + span});
            const QImage image = bench->viewport()->grab().toImage();
            const auto geometry = bench->geometry();
            const double ratio = image.devicePixelRatio();
            int wrong = 0;
            for (double x = geometry.left + 2; x < geometry.left + geometry.width - 2; x += 1 / ratio) {
                const std::int64_t from = geometry.timeAt(x);
                const std::int64_t to = geometry.timeAt(x + 1 / ratio);
                const std::size_t first = track.spans().firstEndingAfter(from);
                const bool covered = first < track.spans().size() && track.spans()[first].start.ps <= from &&
                                     track.spans()[first].end.ps >= to;
                const QColor foot = image.pixelColor((QPointF(x, row.bottom() - 2) * ratio).toPoint());
                wrong += covered && (foot == ground || foot.lightness() > 230) ? 1 : 0;
            }
            QVERIFY2(wrong <= 2, qPrintable(QStringLiteral("%1 pixels at %2 ps").arg(wrong).arg(span)));
        }
    }

    void backAndForwardGoThroughWhatWasInSight() {
        TimelineViewBench bench;
        bench.state.setRange({200'000, 400'000});
        QCOMPARE(bench.state.range(), (data::TimeRange{200'000, 400'000}));
        bench->navigation().goBack();
        QVERIFY(bench.state.showsAll());
        bench->navigation().goForward();
        QCOMPARE(bench.state.range(), (data::TimeRange{200'000, 400'000}));
    }

    void zoomingToTheSelectionFillsThePictureWithIt() {
        TimelineViewBench bench;
        bench.state.selectSpan(bench.step(1));  // 250k to 500k
        bench->navigation().zoomToSelection();
        const data::TimeRange range = bench.state.range();
        QVERIFY(range.start <= 250'000 && range.end >= 500'000);
        QVERIFY(range.span() < 300'000);
    }

    void theSelectionIsBroughtIntoSightWithoutAnotherZoom() {
        TimelineViewBench bench;
        bench.state.setRange({0, 100'000});
        bench.state.selectSpan(bench.step(2));  // 500k to 600k
        bench->navigation().showSelection();
        QCOMPARE(bench.state.range(), (data::TimeRange{500'000, 600'000}));
    }

    void fromSpanToSpanAlongTheLaneAndNoFurtherThanItsEnds() {
        TimelineViewBench bench;
        bench.state.selectSpan(bench.step(0));
        bench->navigation().selectNeighbour(1);
        QCOMPARE(bench.state.selectedSpan(),
                 std::optional(bench.step(1)));  // the step before in time, which is on the other track
        bench->navigation().selectNeighbour(1);
        bench->navigation().selectNeighbour(1);
        QCOMPARE(bench.state.selectedSpan(), std::optional(bench.step(2)));
        for (int i = 0; i < 5; ++i)
            bench->navigation().selectNeighbour(-1);
        QCOMPARE(bench.state.selectedSpan(), std::optional(bench.step(0)));
    }

    void pointAndCommaGoAlongTheLaneOnlyWhileASpanIsSelected() {
        TimelineViewBench bench;
        QTest::keyClick(bench.view.get(), Qt::Key_Period);
        QVERIFY(!bench.state.selectedSpan());
        bench.state.selectSpan(bench.step(0));
        QTest::keyClick(bench.view.get(), Qt::Key_Period);
        QCOMPARE(bench.state.selectedSpan(), std::optional(bench.step(1)));
        QTest::keyClick(bench.view.get(), Qt::Key_Comma);
        QCOMPARE(bench.state.selectedSpan(), std::optional(bench.step(0)));
    }

    void theSelectedSpanIsAnnounced() {
        TimelineViewBench bench;
        bench.state.selectSpan(bench.step(1));
        QVERIFY(bench->accessibleDescription().contains(QStringLiteral("GPU 0, reduce-scatter step 1, chunk 1")));
        bench.state.clearSelection();
        QVERIFY(bench->accessibleDescription().isEmpty());
    }

    void aClickOnAGpusNameOpensItAndOnALanesNameItsDetails() {
        TimelineViewBench bench;
        QVERIFY(!bench->lanes().arrangement().expanded.contains(1));
        QTest::mouseClick(bench->viewport(), Qt::LeftButton, {}, bench.gpuNameOf({1, RowKind::waves}));
        QVERIFY(bench->lanes().arrangement().expanded.contains(1));
        QVERIFY(bench.rowOf({1, RowKind::dram}));
        QVERIFY(!bench.rowOf({0, RowKind::dramChannel, 1}));
        QTest::mouseClick(bench->viewport(), Qt::LeftButton, {}, bench.nameOf({0, RowKind::dram}));
        QVERIFY(bench.rowOf({0, RowKind::dramChannel, 1}));
        QVERIFY(!bench.rowOf({1, RowKind::dramChannel, 1}));
        QTest::mouseClick(bench->viewport(), Qt::LeftButton, {}, bench.gpuNameOf({0, RowKind::waves}));
        QVERIFY(!bench->lanes().arrangement().expanded.contains(0));
    }

    void aPinnedLaneStaysAboveWhileTheOthersScroll() {
        TimelineViewBench bench(tests::syntheticRun(1'000), {1000, 360});
        QVERIFY(bench->verticalScrollBar()->maximum() > 0);
        while (bench->lanes().focusedLane() != LaneKey{0, RowKind::link})
            bench->lanes().moveFocus(1);
        bench->lanes().pinFocused();
        QVERIFY(bench->lanes().arrangement().isPinned({0, RowKind::link}));
        const QRectF pinned = bench.boxOf({0, RowKind::link});
        const QRectF other = bench.boxOf({0, RowKind::dram});
        wheelOver(*bench->viewport(), {500, 200}, -120, Qt::ControlModifier);
        QVERIFY(bench->verticalScrollBar()->value() > 0);
        QCOMPARE(bench.boxOf({0, RowKind::link}), pinned);
        QVERIFY(bench.boxOf({0, RowKind::dram}).top() < other.top());
        // A click on a pinned lane does not select the lane that scrolls beneath it.
        const auto spot = bench->layout().spotAt(pinned.center());
        QVERIFY(spot);
        QCOMPARE(bench->picture().rows[spot->row].row.key(), (LaneKey{0, RowKind::link}));
        bench->lanes().pinFocused();
        QVERIFY(bench->lanes().arrangement().pinned.empty());
    }

    void theFocusGoesThroughEveryRowAlsoPastAClosedGpuWhoseLaneIsPinned() {
        LaneArrangement pinned;
        pinned.expanded = {};
        pinned.pinned = {{2, RowKind::waves}};
        TimelineViewBench bench;
        bench->lanes().setArrangement(pinned);
        const std::size_t rows = bench->picture().rows.size();
        bench->lanes().moveFocus(-100);
        for (std::size_t i = 0; i < rows; ++i) {
            QCOMPARE(*bench->lanes().focusedLane(), bench->picture().rows[i].row.key());
            bench->lanes().moveFocus(1);
        }
        QCOMPARE(bench.state.focusedGpu(), 3u);
    }

    void anOverlayMeetsEveryRowAndPaintsIntoThePinnedOnesOnlyWhatIsPinned() {
        class Rows final : public ui::TimelineOverlay {
        public:
            void paint(QPainter& painter, const ui::TimelinePicture& picture) const override {
                for (const ui::PicturedRow& row : picture.rows) {
                    if (!row.row.pinned)
                        painter.fillRect(row.box, Qt::magenta);
                }
                rows = picture.rows.size();
            }
            mutable std::size_t rows = 0;
        };
        TimelineViewBench bench(tests::syntheticRun(1'000), {1000, 360});
        LaneArrangement pinned;
        pinned.pinned = {{0, RowKind::link}};
        bench->lanes().setArrangement(pinned);
        bench->verticalScrollBar()->setValue(bench->verticalScrollBar()->maximum() / 2);
        const Rows overlay;
        bench->addOverlay(overlay);
        const QImage image = bench->viewport()->grab().toImage();
        QCOMPARE(overlay.rows, bench->picture().rows.size());
        const QRectF box = bench.boxOf({0, RowKind::link});
        for (double x = box.left() + 1; x < box.right(); x += 7) {
            const QPointF at(x, box.center().y());
            QVERIFY(image.pixelColor((at * image.devicePixelRatio()).toPoint()) != QColor(Qt::magenta));
        }
        bench->removeOverlay(overlay);
    }

    void hiddenLanesAreRememberedInWordsUntilTheyAreShownAgain() {
        TimelineViewBench bench;
        QSignalSpy reported(bench.view.get(), &TimelineView::hiddenReminderChanged);
        QVERIFY(bench->lanes().hiddenReminder().isEmpty());
        bench->lanes().moveFocus(1);
        const LaneKey first = *bench->lanes().focusedLane();
        bench->lanes().hideFocused();
        QCOMPARE(bench->lanes().hiddenReminder(), QStringLiteral("1 lane hidden"));
        QVERIFY(!bench.rowOf(first));
        QVERIFY(bench->lanes().focusedLane() != first);
        bench->lanes().hideFocused();
        QCOMPARE(reported.back().front().toString(), QStringLiteral("2 lanes hidden"));
        // The text is at the bottom of the gutter, and a click on it restores the hidden lanes.
        const double line = bench->fontMetrics().height();
        QTest::mouseClick(bench->viewport(), Qt::LeftButton, {},
                          QPointF(line * 1.5, bench->viewport()->height() - line * 2.2).toPoint());
        QVERIFY(bench->lanes().hiddenReminder().isEmpty());
        QVERIFY(bench.rowOf(first));
    }

    void whatARunDoesNotHaveIsNotCountedAsHidden() {
        LaneArrangement hides;
        hides.hidden = {
            {0, RowKind::tracker}, {9, RowKind::dma}, {0, RowKind::dma}};  // this run has no tracker and no GPU 9
        hides.hiddenGpus = {3, 12};
        TimelineViewBench bench;
        bench->lanes().setArrangement(hides);
        QCOMPARE(bench->lanes().hiddenReminder(), QStringLiteral("2 lanes hidden"));
    }

    void aLaneIsMovedByKeysAndByDraggingItsName() {
        TimelineViewBench bench;
        const std::vector<RowKind> before = bench.kindsOf(0);
        bench->lanes().moveFocus(1);
        bench->lanes().shiftFocused(-1);
        std::vector<RowKind> swapped = before;
        std::swap(swapped[0], swapped[1]);
        QCOMPARE(bench.kindsOf(0), swapped);
        QCOMPARE(bench->lanes().focusedLane()->kind, before[1]);
        bench->lanes().shiftFocused(1);
        QCOMPARE(bench.kindsOf(0), before);
        drag(*bench->viewport(), bench.nameOf({0, before.back()}), bench.nameOf({0, before[1]}));
        std::vector<RowKind> moved = before;
        std::rotate(moved.begin() + 1, moved.end() - 1, moved.end());
        QCOMPARE(bench.kindsOf(0), moved);
    }

    void aClosedGpuMovesAsAWhole() {
        TimelineViewBench bench;
        drag(*bench->viewport(), bench.gpuNameOf({3, RowKind::waves}), bench.gpuNameOf({1, RowKind::waves}));
        QCOMPARE(bench->lanes().arrangement().gpusInOrder(4), (std::vector<std::uint32_t>{0, 3, 1, 2}));
    }

    void theLanesMenuHasWordsAndTheirKeys() {
        TimelineViewBench bench;
        const QPoint at = bench.nameOf({0, RowKind::dram});
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, bench->viewport()->mapToGlobal(at));
        QApplication::sendEvent(bench->viewport(), &event);
        auto* menu = bench->findChild<QMenu*>(QStringLiteral("laneMenu"));
        QVERIFY(menu != nullptr);
        QStringList texts;
        for (const QAction* action : menu->actions())
            texts << action->text();
        QVERIFY(texts.contains(QStringLiteral("Pin This Lane")));
        QVERIFY(texts.contains(QStringLiteral("Open This Lane")));
        QVERIFY(texts.contains(QStringLiteral("Hide GPU 0")));
        menu->actions().front()->trigger();
        QVERIFY(bench->lanes().arrangement().isPinned({0, RowKind::dram}));
        menu->close();
    }

    void theMapsWindowIsMovedAndPulledAtItsEdges() {
        TimelineViewBench bench;
        auto* map = bench->findChild<ui::Minimap*>(QStringLiteral("minimap"));
        bench.state.setRange({400'000, 600'000});
        QPointF middle = map->windowBox().center();
        drag(*map, middle.toPoint(), middle.toPoint() + QPoint(100, 0));
        const std::int64_t perPixel = static_cast<std::int64_t>(1'000'000 / bench->geometry().width);
        QVERIFY(std::abs(bench.state.range().start - (400'000 + 100 * perPixel)) < 3 * perPixel);
        QCOMPARE(bench.state.range().span(), 200'000);
        const data::TimeRange moved = bench.state.range();
        const QPoint edge(static_cast<int>(map->windowBox().right()) - 1, map->height() / 2);
        drag(*map, edge, edge - QPoint(60, 0));
        QCOMPARE(bench.state.range().start, moved.start);
        QVERIFY(std::abs(bench.state.range().end - (moved.end - 60 * perPixel)) < 3 * perPixel);
        QTest::mouseDClick(map, Qt::LeftButton, {}, edge);
        QVERIFY(bench.state.showsAll());
    }

    void theMapFollowsALengthThatIsSetAfterTheRun() {
        TimelineViewBench bench;
        auto* map = bench->findChild<ui::Minimap*>(QStringLiteral("minimap"));
        const QImage before = map->grab().toImage();
        bench.state.setRunEnd(bench->model().end() / 3);
        QVERIFY(map->grab().toImage() != before);
        bench.state.setRunEnd(bench->model().end());
        QCOMPARE(map->grab().toImage(), before);
    }

    void aPressBesideTheMapsWindowBringsItThere() {
        TimelineViewBench bench;
        auto* map = bench->findChild<ui::Minimap*>(QStringLiteral("minimap"));
        bench.state.setRange({0, 100'000});
        const double x = bench->geometry().left + bench->geometry().width * 0.7;
        QTest::mouseClick(map, Qt::LeftButton, {}, QPointF(x, map->height() / 2.0).toPoint());
        QVERIFY(std::abs(bench.state.range().start - 650'000) < 3'000);
        QCOMPARE(bench.state.range().span(), 100'000);
    }

    void theNameOfALaneIsExplainedByTheGlossary() {
        const ui::Row tracker{.kind = ui::RowKind::tracker, .label = QStringLiteral("tracker")};
        QVERIFY(ui::explainRow(tracker).contains(ui::glossaryText(QStringLiteral("tracker")).toHtmlEscaped()));
        // The run decides which collective the lane shows, and so which term explains it.
        for (const char* collective : {"reduce-scatter", "all-to-all"}) {
            const ui::Row row{.kind = ui::RowKind::reduceScatter, .label = QString::fromLatin1(collective)};
            QVERIFY(ui::explainRow(row).contains(ui::glossaryText(row.label).toHtmlEscaped()));
        }
        const ui::Row nameless{.kind = ui::RowKind::collective};
        QVERIFY(ui::explainRow(nameless).isEmpty());
        for (int kind = 0; kind <= static_cast<int>(ui::RowKind::boundAllGather); ++kind) {
            const char* term = ui::traitsOf(static_cast<ui::RowKind>(kind)).term;
            QVERIFY2(term == nullptr || !ui::glossaryText(QString::fromLatin1(term)).isEmpty(), term);
        }
    }

    void hoveringAPixelOfManySpansSaysHowMany() {
        TimelineViewBench bench(tests::syntheticRun(200'000));
        const QRectF row = bench.boxOf({0, RowKind::link});
        const auto spot = bench->layout().spotAt(row.center());
        QVERIFY(spot);
        const auto reach = static_cast<std::int64_t>(bench->geometry().psPerPixel() * 4);
        const ui::Row link = bench->picture().rows[spot->row].row;
        const QString text = ui::describeMoment(bench->model(), link, spot->heightShare, spot->ps, reach);
        QVERIFY2(text.contains(QStringLiteral("spans in this pixel")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("link packet")) || text.contains(QStringLiteral("link to its neighbour")));
    }

    void manyGpusScrollAndOnlyWhatIsInSightIsBuilt() {
        TimelineViewBench bench(tests::syntheticRun(50'000), {1000, 300});
        const std::size_t items = bench->drawList().items.size();
        LaneArrangement all;
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu)
            all.expanded.insert(gpu);
        bench->lanes().setArrangement(all);
        QVERIFY(bench->picture().rows.size() >= 60);
        QVERIFY(bench->drawList().items.size() < items * 3 + 2'000);
    }
};

RINGSIDE_WINDOW_TEST(TestTimelineView)
#include "tst_timeline_view.moc"
