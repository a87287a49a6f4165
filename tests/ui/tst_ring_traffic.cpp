#include "tests/test_program.h"
#include "ui/machine/link_traffic.h"

#include <QTest>

#include <cmath>

using data::GpuState;
using data::TileState;
using ui::Parcel;

namespace {

data::GpuState stateOf(std::vector<std::array<std::uint32_t, data::kTileStates>> chunks) {
    data::GpuState state;
    state.chunkTiles = std::move(chunks);
    return state;
}

// The counts are in the order of TileState: not produced, stored, one update, ready, in flight, sent, reduced.
const data::GpuState kNothing = stateOf({{8, 0, 0, 0, 0, 0, 0}, {8, 0, 0, 0, 0, 0, 0}});

}  // namespace

class TestRingTraffic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsOnTheWayBeforeAnythingIsSentNorAfterAllIs() {
        QVERIFY(ui::parcelsOf(1, kNothing, kNothing).empty());
        const data::GpuState sent = stateOf({{0, 0, 0, 0, 0, 8, 0}, {0, 0, 0, 0, 0, 8, 0}});
        QVERIFY(ui::parcelsOf(1, sent, kNothing).empty());
    }

    void aChunkHasGoneAsFarAsItsTilesHave() {
        // Three tiles are sent, and a quarter of two in flight: 3.5 of 8.
        data::GpuState state = stateOf({{0, 0, 1, 2, 2, 3, 0}, {8, 0, 0, 0, 0, 0, 0}});
        state.movingBlocks = {{.block = 4, .chunk = 0, .doneShare = 0.25}};
        state.sendingChunk = 0;
        const auto parcels = ui::parcelsOf(1, state, kNothing);
        QCOMPARE(parcels.size(), std::size_t(1));
        QCOMPARE(parcels[0], (Parcel{1, 0, 3.5 / 8, false, true}));
    }

    void whatHasBegunAndWaitsIsStillThere() {
        const data::GpuState state = stateOf({{0, 0, 5, 0, 0, 3, 0}, {8, 0, 0, 0, 0, 0, 0}});
        const auto parcels = ui::parcelsOf(0, state, kNothing);
        QCOMPARE(parcels.size(), std::size_t(1));
        QVERIFY(!parcels[0].moving);
    }

    void theShareThatAGpuKeepsGoesNowhere() {
        const data::GpuState state = stateOf({{0, 0, 5, 0, 0, 0, 3}, {8, 0, 0, 0, 0, 0, 0}});
        QVERIFY(ui::parcelsOf(0, state, kNothing).empty());
    }

    void inTheAllGatherTheReceiverReportsProgress() {
        data::GpuState sender = stateOf({{0, 0, 0, 0, 0, 0, 8}, {0, 0, 0, 0, 0, 8, 0}});
        sender.sendingChunk = 0;
        sender.gathering = true;
        const data::GpuState receiver = stateOf({{0, 0, 0, 0, 0, 6, 2}, {0, 0, 0, 0, 0, 8, 0}});
        const auto parcels = ui::parcelsOf(3, sender, receiver);
        QCOMPARE(parcels.size(), std::size_t(1));
        QCOMPARE(parcels[0], (Parcel{3, 0, 0.25, true, true}));
    }

    void aChunkThatTheAllGatherBringsBackIsNotTakenForOneThatLeaves() {
        // All tiles were sent long ago, and two have been received again: the reduce-scatter has nothing more to send.
        const data::GpuState state = stateOf({{0, 0, 0, 0, 0, 6, 2}, {0, 0, 0, 0, 0, 8, 0}});
        for (const Parcel& parcel : ui::parcelsOf(0, state, kNothing))
            QVERIFY(parcel.gathering);
    }

    void theFirstPacketOfAGatherIsSeenBeforeItArrives() {
        data::GpuState sender = stateOf({{0, 0, 0, 0, 0, 0, 8}, {0, 0, 0, 0, 0, 8, 0}});
        const data::GpuState receiver = stateOf({{0, 0, 0, 0, 0, 8, 0}, {0, 0, 0, 0, 0, 8, 0}});
        QVERIFY(ui::parcelsOf(3, sender, receiver).empty());
        sender.sendingChunk = 0;
        sender.gathering = true;
        QCOMPARE(ui::parcelsOf(3, sender, receiver).size(), std::size_t(1));
    }
};

RINGSIDE_CORE_TEST(TestRingTraffic)
#include "tst_ring_traffic.moc"
