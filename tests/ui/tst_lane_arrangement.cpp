#include "tests/test_program.h"
#include "ui/timeline/lane_arrangement.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <random>

using ui::LaneArrangement;
using ui::LaneKey;
using ui::RowKind;

namespace {

const std::set<RowKind> kAll(LaneArrangement::usualOrder().begin(), LaneArrangement::usualOrder().end());

std::ptrdiff_t placeOf(const LaneArrangement& arrangement, RowKind kind) {
    return std::find(arrangement.order.begin(), arrangement.order.end(), kind) - arrangement.order.begin();
}

}  // namespace

class TestLaneArrangement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLaneMovesByAsManyPlacesAsAsked() {
        LaneArrangement lanes;
        QCOMPARE(placeOf(lanes, RowKind::dma), 5);
        QVERIFY(lanes.moveLane(RowKind::dma, -2, kAll));
        QCOMPARE(placeOf(lanes, RowKind::dma), 3);
        QVERIFY(lanes.moveLane(RowKind::dma, 1, kAll));
        QCOMPARE(placeOf(lanes, RowKind::dma), 4);
    }

    void lanesThatAreNotSeenAreNoStep() {
        // Compute and DMA are visible, with hidden lanes between them. One step moves DMA above compute.
        LaneArrangement lanes;
        QVERIFY(lanes.moveLane(RowKind::dma, -1, {RowKind::waves, RowKind::dma}));
        QVERIFY(placeOf(lanes, RowKind::dma) < placeOf(lanes, RowKind::waves));
    }

    void theFirstLaneGoesNoHigherAndTheLastNoLower() {
        LaneArrangement lanes;
        QVERIFY(!lanes.moveLane(RowKind::waves, -1, kAll));
        QVERIFY(!lanes.moveLane(RowKind::queues, 1, kAll));
        QVERIFY(lanes == LaneArrangement());
    }

    void aDetailMovesWithItsLane() {
        LaneArrangement lanes;
        QVERIFY(lanes.moveLane(RowKind::linkIn, -1, kAll));
        QCOMPARE(placeOf(lanes, RowKind::link), 5);
    }

    void anOrderFromBeforeCompanionsStaysAndGetsTheirLane() {
        const QJsonObject kept =
            QJsonDocument::fromJson(R"({"order": ["dram", "compute", "reduce-scatter", "all-gather",
            "tracker", "dma", "link-out", "queues"]})")
                .object();
        const LaneArrangement lanes = LaneArrangement::fromJson(kept);
        QCOMPARE(placeOf(lanes, RowKind::dram), 0);
        QCOMPARE(placeOf(lanes, RowKind::companion), 2);
        QCOMPARE(lanes.order.size(), LaneArrangement::usualOrder().size());
    }

    void gpusMoveAndARunOfOtherSizeStillShowsEachOnce() {
        LaneArrangement lanes;
        QVERIFY(lanes.moveGpu(3, -3, 4));
        QCOMPARE(lanes.gpusInOrder(4), (std::vector<std::uint32_t>{3, 0, 1, 2}));
        QCOMPARE(lanes.gpusInOrder(2), (std::vector<std::uint32_t>{0, 1}));
        QCOMPARE(lanes.gpusInOrder(5), (std::vector<std::uint32_t>{3, 0, 1, 2, 4}));
        QVERIFY(!lanes.moveGpu(3, -1, 4));
    }

    void pinningTwiceLetsGo() {
        LaneArrangement lanes;
        lanes.togglePinned({2, RowKind::link, 0});
        QVERIFY(lanes.isPinned({2, RowKind::link, 0}));
        QVERIFY(!lanes.isPinned({1, RowKind::link, 0}));
        lanes.togglePinned({2, RowKind::link, 0});
        QVERIFY(lanes.pinned.empty());
    }

    void itComesBackFromItsDocumentAsItWas() {
        LaneArrangement lanes;
        lanes.moveLane(RowKind::dma, -2, kAll);
        lanes.moveGpu(1, 1, 8);
        lanes.expanded = {2, 5};
        lanes.opened = {{2, RowKind::dram, 0}};
        lanes.hidden = {{2, RowKind::dramChannel, 3}, {5, RowKind::queues, 0}};
        lanes.hiddenGpus = {7};
        lanes.pinned = {{5, RowKind::link, 0}, {2, RowKind::waves, 0}};
        QVERIFY(LaneArrangement::fromJson(lanes.toJson()) == lanes);
        LaneArrangement none;
        none.expanded = {};
        QVERIFY(LaneArrangement::fromJson(none.toJson()) == none);
    }

    void whatADocumentDoesNotSayOrSaysWronglyIsAsUsual() {
        QVERIFY(LaneArrangement::fromJson({}) == LaneArrangement());
        const auto read = [](const char* text) {
            return LaneArrangement::fromJson(QJsonDocument::fromJson(text).object());
        };
        QVERIFY(read(R"({"order": ["dma"], "hidden": [[-1, "dma", 0], [0, "nonsense", 0], 7], "pinned": {}})") ==
                LaneArrangement());
        QVERIFY(read(R"({"expanded": "all", "gpuOrder": [1e300, null]})").gpuOrder.empty());
        QCOMPARE(read(R"({"pinned": [[1, "dma", 0], [1, "dma", 0]]})").pinned.size(), std::size_t(1));
    }
};

RINGSIDE_TEST(TestLaneArrangement)
#include "tst_lane_arrangement.moc"
