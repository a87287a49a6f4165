#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/replay/flow.h"
#include "tests/ui/window_parts.h"
#include "ui/find/find_bar.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/ringside_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>

#include <memory>

using data::Flow;
using data::SpanRef;
using engine::SpanKind;
using ui::RingsideWindow;

namespace {

class SelectionWindow {
public:
    SelectionWindow() { timeline().setFocus(); }
    RingsideWindow* operator->() { return m_window.get(); }
    ui::ViewState& state() { return m_window->viewState(); }
    ui::TimelineView& timeline() { return *m_window->findChild<ui::TimelineView*>(); }
    ui::FindBar& find() { return *m_window->findChild<ui::FindBar*>(); }
    ui::InspectorPanel& inspector() { return *m_window->findChild<ui::InspectorPanel*>(); }
    std::shared_ptr<const data::Flow> flow() { return std::make_shared<const data::Flow>(m_window->runs().shown()); }
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&timeline(), static_cast<Qt::Key>(key), modifiers);
    }
    /// Returns the middle span of a kind on a GPU.
    data::SpanRef middleOf(SpanKind kind, std::uint32_t gpu) {
        const auto& lanes = m_window->runs().shown()->index->trace().lanes;
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            if (!lanes[lane].spans.empty() && lanes[lane].spans.back().kind == kind)
                return {gpu, lane, static_cast<std::uint32_t>(lanes[lane].spans.size() / 2)};
        }
        return {};
    }
    data::TimeRange rangeOf(data::SpanRef ref) {
        const engine::Span& span = m_window->runs().shown()->index->trace().lanes[ref.lane].spans[ref.span];
        return {span.start.ps, span.end.ps};
    }

private:
    std::unique_ptr<RingsideWindow> m_window = tests::openWindow();
};

QImage pictureOf(ui::TimelineView& view) { return view.viewport()->grab().toImage(); }

}  // namespace

class TestWindowSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFlowIsFollowedWithBracketsAcrossTheRing() {
        SelectionWindow window;
        const auto flow = window.flow();
        const data::SpanRef transfer = window.middleOf(SpanKind::dmaTransfer, 2);
        window.state().selectSpan(transfer);
        window.key(Qt::Key_BracketRight);
        QCOMPARE(flow->span(*window.state().selectedSpan()).kind, SpanKind::linkPacket);
        window.key(Qt::Key_BracketLeft);
        QVERIFY(window.state().selectedSpan() == transfer);
        window.key(Qt::Key_BracketRight);
        window.key(Qt::Key_BracketRight);
        window.key(Qt::Key_BracketRight);
        QCOMPARE(window.state().selectedSpan()->gpu, 1u);  // GPU 2 sends to GPU 1
        QCOMPARE(flow->span(*window.state().selectedSpan()).kind, SpanKind::trackedTile);
    }

    void aFollowedSpanIsBroughtIntoSight() {
        SelectionWindow window;
        const data::SpanRef transfer = window.middleOf(SpanKind::dmaTransfer, 5);
        window.state().selectSpan(transfer);
        window.state().setRange({0, 20'000'000});
        window.key(Qt::Key_BracketLeft);
        const data::TimeRange range = window.state().range();
        const data::TimeRange span = window.rangeOf(*window.state().selectedSpan());
        QVERIFY(range.start <= span.start && span.end <= range.end);
    }

    void theSelectionIsDrawnAndItsArrowsWithIt() {
        SelectionWindow window;
        const QImage before = pictureOf(window.timeline());
        window.state().selectSpan(window.middleOf(SpanKind::dmaTransfer, 0));
        const QImage selected = pictureOf(window.timeline());
        QVERIFY(before != selected);
        window.state().selectArea({{100'000'000, 300'000'000}, 1, 2});
        QVERIFY(pictureOf(window.timeline()) != selected);
        window.state().clearSelection();
        window.state().setFollowedChunk(std::nullopt);
        QCOMPARE(pictureOf(window.timeline()), before);
    }

    void theTimeOfASpanBecomesAnArea() {
        SelectionWindow window;
        const data::SpanRef transfer = window.middleOf(SpanKind::dmaTransfer, 3);
        window.state().selectSpan(transfer);
        window.key(Qt::Key_R);
        const data::Area expected{window.rangeOf(transfer), 3, 3};
        QVERIFY(window.state().selectedArea() == expected);
        QTRY_VERIFY(window.inspector().toPlainText().contains(QLatin1String("GPU 3")));
    }

    void aRulerIsLaidOverTheSelectionAndItsEndSnapsToASpan() {
        SelectionWindow window;
        const std::int64_t end = window.state().runEnd();
        window.state().selectArea({{end / 4, end / 2}, 0, 0});
        window.key(Qt::Key_M);
        window.state().clearSelection();
        const QImage ruled = pictureOf(window.timeline());
        // The ruler is dragged by its right end and dropped near the end of the last wave: it snaps exactly to that
        // end.
        const auto geometry = window.timeline().geometry();
        const data::SpanRef any = window.middleOf(SpanKind::gemmWave, 0);
        const std::size_t waves = window->runs().shown()->index->trace().lanes[any.lane].spans.size();
        const data::SpanRef wave{0, any.lane, static_cast<std::uint32_t>(waves - 1)};
        const std::int64_t edge = window.rangeOf(wave).end;
        const Flow flow(window->runs().shown());
        const auto anchor = ui::anchorOf(window.timeline().picture(), flow, wave);
        QVERIFY(anchor && anchor->own);
        const auto y = static_cast<int>(anchor->box.center().y());
        const QPoint from(static_cast<int>(geometry.xOf(end / 2)), y);
        const QPoint to(static_cast<int>(geometry.xOf(edge)) + 3, y);
        QTest::mousePress(window.timeline().viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(window.timeline().viewport(), to);
        QTest::mouseRelease(window.timeline().viewport(), Qt::LeftButton, {}, to);
        QVERIFY(pictureOf(window.timeline()) != ruled);
        QVERIFY(!window.state().selectedArea().has_value());  // the hand tool moved only the ruler
        const auto& current = window->measures().current();
        QVERIFY(current.has_value());
        QVERIFY(current->start == edge || current->end == edge);
    }

    void aKeptRulerStaysWhenAnotherIsLaid() {
        SelectionWindow window;
        const std::int64_t end = window.state().runEnd();
        window.state().selectArea({{end / 4, end / 2}, 0, 0});
        window.key(Qt::Key_M);
        window.key(Qt::Key_M, Qt::ShiftModifier);
        window.state().selectArea({{end / 8, end / 7}, 0, 0});
        window.key(Qt::Key_M);
        QCOMPARE(window->measures().kept().size(), std::size_t{1});
        QVERIFY(window->measures().current().has_value());
    }

    void findCountsWalksAndSelects() {
        SelectionWindow window;
        window.key(Qt::Key_F, Qt::ControlModifier);
        QVERIFY(window.find().isVisible());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("chunk 3 dma gpu 1"));
        QTRY_VERIFY(window.find().matches() != nullptr);
        const std::size_t count = window.find().matches()->count();
        QVERIFY(count > 1);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_G, Qt::ControlModifier);
        const data::SpanRef first = *window.state().selectedSpan();
        QCOMPARE(first.gpu, 1u);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_G, Qt::ControlModifier);
        QVERIFY(window.state().selectedSpan() != first);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window.state().selectedSpan() == first);
        bool reported = false;
        for (const QLabel* label : window.find().findChildren<QLabel*>())
            reported = reported || label->text().startsWith(QStringLiteral("1 of %1").arg(count));
        QVERIFY(reported);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!window.find().isVisible());
        QVERIFY(window.find().matches() == nullptr);
        QVERIFY(window.timeline().hasFocus());
    }

    void wordsThatAreNoQueryAreAnsweredWithThoseThatAre() {
        SelectionWindow window;
        window.find().open();
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("tilly"));
        const auto answered = [&] {
            for (const QLabel* label : window.find().findChildren<QLabel*>()) {
                if (label->text().contains(QLatin1String("tilly")) && label->text().contains(QLatin1String("tile 312")))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(answered());
        QVERIFY(window.find().matches() == nullptr);
    }

    void matchesAreMarkedInThePicture() {
        SelectionWindow window;
        window.find().open();
        QApplication::processEvents();
        const QImage before = pictureOf(window.timeline());
        window.find().findChild<QLineEdit*>()->setText(QStringLiteral("wave 2"));
        QTRY_VERIFY(window.find().matches() != nullptr);
        QVERIFY(pictureOf(window.timeline()) != before);
    }

    void bookmarksAreSetGoneToAndListed() {
        SelectionWindow window;
        const std::int64_t end = window.state().runEnd();
        window.state().setRange({end / 4, end / 2});
        window.state().setCursor(end / 3);
        window.key(Qt::Key_3, Qt::ControlModifier);
        window.state().showAll();
        window.state().setCursor(std::nullopt);
        window.key(Qt::Key_3);
        QVERIFY(window.state().range() == data::TimeRange({end / 4, end / 2}));
        QCOMPARE(*window.state().cursor(), end / 3);
        bool listed = false;
        for (const QMenu* menu : window->menuBar()->findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions())
                listed = listed || action->text().startsWith(QStringLiteral("Go to Bookmark 3, "));
        }
        QVERIFY(listed);
        const data::TimeRange range = window.state().range();
        window.key(Qt::Key_4);  // not set
        QVERIFY(window.state().range() == range);
    }

    void anAreaStaysWhenTheRunChangesAndASpanGoes() {
        ui::ViewState state;
        state.setRunEnd(1'000'000);
        state.selectArea({{100'000, 900'000}, 0, 1});
        state.setRunEnd(500'000);
        QVERIFY(state.selectedArea() == (data::Area{{100'000, 500'000}, 0, 1}));
        state.selectSpan({0, 1, 2});
        state.setRunEnd(600'000);
        QVERIFY(!state.selectedSpan().has_value());
        QVERIFY(!state.selectedArea().has_value());
    }

    void escapeLetsGoOfTheSelectionThenOfTheRulers() {
        SelectionWindow window;
        const std::int64_t end = window.state().runEnd();
        window.state().selectArea({{end / 4, end / 2}, 0, 0});
        window.key(Qt::Key_M);
        window.key(Qt::Key_Escape);
        QVERIFY(!window.state().selectedArea().has_value());
        QVERIFY(!window->measures().empty());
        window.key(Qt::Key_Escape);
        QVERIFY(window->measures().empty());
    }

    void aRunThatFollowsDoesNotInheritASpanThatItDoesNotHave() {
        SelectionWindow window;
        window.state().selectSpan(window.middleOf(SpanKind::dmaTransfer, 0));
        data::ExperimentDraft draft = window->experiment().draft();
        draft.explicitValues["policy.preset"] = std::string("sequential");
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        window->experiment().replaceDraft(draft, QStringLiteral("test"));
        window->runs().run();
        QVERIFY(!shown.isEmpty() || shown.wait(5'000));
        QVERIFY(!window.state().selectedSpan().has_value());
        pictureOf(window.timeline());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowSelection)
#include "tst_window_selection.moc"
