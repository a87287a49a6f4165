#include "tests/test_program.h"
#include "tests/ui/sample_trace.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/lane_editor.h"

#include <QSignalSpy>
#include <QTest>

using ui::LaneEditor;
using ui::LaneKey;
using ui::RowKind;

namespace {

/// Holds the rows for an editor, as the timeline does, but without a widget.
struct Rows {
    explicit Rows(const std::shared_ptr<const data::ShownRun>& run) : model(run), lanes(model, rows, state) {
        QObject::connect(&lanes, &LaneEditor::arrangementChanged, &lanes,
                         [this] { rows = model.rows(lanes.arrangement()); });
        rows = model.rows(lanes.arrangement());
    }
    void focus(LaneKey key) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].key() == key)
                return lanes.focusRow(i);
        }
        QFAIL("no row shows the lane");
    }
    std::size_t placeOf(LaneKey key) const {
        const auto at = std::find_if(rows.begin(), rows.end(), [&](const ui::Row& row) { return row.key() == key; });
        return static_cast<std::size_t>(at - rows.begin());
    }

    ui::ViewState state;
    ui::TimelineModel model;
    std::vector<ui::Row> rows;
    LaneEditor lanes;
};

}  // namespace

class TestLaneEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRowInPlaceOfAHiddenLaneGetsTheFocus() {
        Rows all(tests::sampleRun());
        all.focus({0, RowKind::dma});
        const std::size_t place = all.placeOf({0, RowKind::dma});
        const LaneKey next = all.rows[place + 1].key();
        const QSignalSpy changes(&all.lanes, &LaneEditor::arrangementChanged);
        all.lanes.hideFocused();
        QCOMPARE(changes.size(), 1);
        QCOMPARE(all.placeOf({0, RowKind::dma}), all.rows.size());
        QVERIFY(all.lanes.focusedLane() == next);
        QCOMPARE(all.lanes.hiddenReminder(), "1 lane hidden");
        all.lanes.showAll();
        QCOMPARE(all.placeOf({0, RowKind::dma}), place);
        QCOMPARE(all.lanes.hiddenReminder(), "");
        QVERIFY(all.lanes.focusedLane() == next);
    }

    void aDroppedLaneStandsWhereItWasDropped() {
        Rows all(tests::sampleRun());
        const std::size_t to = all.placeOf({0, RowKind::reduceScatter});
        all.lanes.moveRow(all.placeOf({0, RowKind::dma}), to);
        QCOMPARE(all.placeOf({0, RowKind::dma}), to);
        // A lane cannot be moved to another GPU.
        const auto before = all.lanes.arrangement();
        all.lanes.moveRow(to, all.rows.size() - 1);
        QCOMPARE(all.rows[all.placeOf({0, RowKind::dma})].gpu, 0u);
        all.lanes.setArrangement(before);
        QCOMPARE(all.placeOf({0, RowKind::dma}), to);
    }

    void whatKeysMoveIsBroughtIntoSight() {
        Rows all(tests::sampleRun());
        const QSignalSpy reveals(&all.lanes, &LaneEditor::revealRequested);
        all.lanes.moveFocus(100);
        QCOMPARE(reveals.size(), 1);
        QCOMPARE(reveals.back().front().value<std::size_t>(), all.rows.size() - 1);
        QCOMPARE(all.state.focusedGpu(), all.rows.back().gpu);
        all.lanes.shiftFocused(-1);
        QCOMPARE(reveals.size(), 2);
        QCOMPARE(reveals.back().front().value<std::size_t>(), *all.lanes.focusedRow());
    }

    void theLastGpuInSightIsKnown() {
        Rows all(tests::sampleRun());
        for (const std::uint32_t gpu : {1u, 2u}) {
            all.lanes.hideGpu(gpu);
            QVERIFY(!all.lanes.isLastGpu());
        }
        all.lanes.hideGpu(3);
        QVERIFY(all.lanes.isLastGpu());
        QCOMPARE(all.lanes.hiddenReminder(), "3 lanes hidden");
    }

    void lanesOfABoundStayAsTheyAre() {
        Rows all(tests::sampleBound());
        const QSignalSpy changes(&all.lanes, &LaneEditor::arrangementChanged);
        all.lanes.moveFocus(1);
        all.lanes.pinFocused();
        all.lanes.hideFocused();
        all.lanes.openFocused();
        all.lanes.shiftFocused(1);
        QCOMPARE(changes.size(), 0);
        QCOMPARE(*all.lanes.focusedRow(), 0u);
    }
};

RINGSIDE_CORE_TEST(TestLaneEditor)
#include "tst_lane_editor.moc"
