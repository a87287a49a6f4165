// The two halves of tracker.held_bytes by themselves: who sends updates, and who takes them.
#include "engine/network/update_sender.h"
#include "engine/overlap/update_receiver.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/overlap_bench.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cstdint>
#include <vector>

using namespace engine;
using tests::OverlapBench;

namespace {

constexpr std::uint32_t kGranule = 256;

/// A ring of four with links of 1 B/ps and 1000 ps, which bounds what receivers hold.
Experiment ring(Duration latency = {1000}) {
    Experiment experiment = OverlapBench::settings();
    experiment.link.latency = latency;
    experiment.tracker.heldBytes = 1_B;
    return experiment;
}

/// GPU 0 of the ring with all its updates on one link.
class SenderBench final : public PacketSink, public UpdateOrigin {
public:
    explicit SenderBench(const Experiment& experiment = ring())
        : m_network(experiment.link, experiment.detail.granule, m_loop.queue(), *this, nullptr),
          sender(experiment, topologyOf(experiment), 0, 1, m_network) {}

    void send(std::uint32_t granule, std::uint32_t tile = 0, std::uint8_t to = 3, std::uint32_t bytes = kGranule) {
        Packet packet;
        packet.granule = granule;
        packet.bytes = bytes;
        packet.destination = to;
        sender.send(packet, tile, 0, *this);
    }
    void giveBack(std::uint32_t bytes = kGranule, bool past = false, std::uint8_t from = 3) {
        sender.credited({{}, bytes, kNone, 0, 0, from, past});
    }
    void report(std::uint32_t tile) { sender.credited({{}, 0, tile, 0, 0, 3, false}); }

    void deliver(const Packet& packet) override { sent.push_back(packet.granule); }
    void departed(const Packet& packet, TimePoint when) override {
        QVERIFY(sent.back() == packet.granule);
        departures.push_back(when);
    }

private:
    tests::EventLoop m_loop;
    NetworkPort m_network;

public:
    UpdateSender sender;
    std::vector<std::uint32_t> sent;
    std::vector<TimePoint> departures;
};

using Granules = std::vector<std::uint32_t>;

/// GPU 0 with one entry in its tracker and a receiver; tile 2 is the first that needs it. Granule g is of tile g/2.
class ReceiverBench final : public CreditSink {
public:
    explicit ReceiverBench(std::int64_t heldBytes)
        : bench(settings(heldBytes)), receiver(topologyOf(bench.experiment), 0, bench.loop.queue(), *this) {
        receiver.addStage(0, bench.layout, bench.tracker, bench.updates);
    }

    void arrive(std::uint32_t granule, std::uint8_t from = 1, bool past = false) {
        Packet packet;
        packet.granule = granule;
        packet.bytes = kGranule;
        packet.source = from;
        packet.past = past;
        receiver.arrive(packet);
    }
    /// Stores a tile as well, lets all that entered memory land, and so closes it.
    void close(std::uint32_t tile) {
        bench.storeAt(bench.loop.queue().now(), tile);
        bench.loop.run();
        receiver.tileClosed();
    }
    void deliver(const Credit& credit) override {
        if (credit.bytes == 0)
            reported.push_back(credit.tile);
        else
            credits.push_back(credit);
        last = credit;
    }

private:
    static Experiment settings(std::int64_t heldBytes) {
        Experiment experiment = ring();
        experiment.tracker.entries = 1;
        experiment.tracker.heldBytes = Bytes{heldBytes};
        return experiment;
    }

public:
    OverlapBench bench;
    UpdateReceiver receiver;
    std::vector<Credit> credits;
    Granules reported;
    Credit last;
};

}  // namespace

class TestUpdateCredits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWindowIsWhatTheRouteHoldsWhileACreditComesBack() {
        // 1 B/ps for twice 1000 ps and two granules of 256 B: 2512 B, so that nine granules fit and a tenth does not.
        SenderBench bench;
        for (std::uint32_t granule = 0; granule < 9; ++granule)
            bench.send(granule);
        QCOMPARE(bench.sender.waiting(), std::int64_t{0});
        bench.send(9, 0, 3, kGranule);
        QCOMPARE(bench.sent.size(), std::size_t{9});
        QCOMPARE(bench.sender.waiting(), std::int64_t{1});
        bench.giveBack();
        QCOMPARE(bench.sent.size(), std::size_t{10});
        QCOMPARE(bench.departures.back(), TimePoint{10 * kGranule});
        QVERIFY(!bench.sender.settled());
        for (int i = 0; i < 9; ++i)
            bench.giveBack();
        QVERIFY(bench.sender.settled());
    }

    void theWindowIsFullToTheByte() {
        SenderBench bench;
        for (std::uint32_t granule = 0; granule < 9; ++granule)
            bench.send(granule);
        bench.send(9, 0, 3, 208);
        QCOMPARE(bench.sender.waiting(), std::int64_t{0});
        SenderBench other;
        for (std::uint32_t granule = 0; granule < 9; ++granule)
            other.send(granule);
        other.send(9, 0, 3, 209);
        QCOMPARE(other.sender.waiting(), std::int64_t{1});
    }

    void aRouteOfTwoLinksHasAWindowForBoth() {
        // GPU 2 is two hops away: twice 2000 ps and four granules are 5024 B, 19 granules.
        SenderBench bench;
        for (std::uint32_t granule = 0; granule < 20; ++granule)
            bench.send(granule, 0, 2);
        QCOMPARE(bench.sent.size(), std::size_t{19});
    }

    void anUpdateLargerThanTheWindowGoesAlone() {
        SenderBench bench(ring({}));
        bench.send(0, 0, 3, 513);
        bench.send(1, 0, 3, 1);
        QCOMPARE(bench.sent, (Granules{0}));
        bench.giveBack(513);
        QCOMPARE(bench.sent, (Granules{0, 1}));
    }

    void whatWaitsKeepsItsOrderAndHoldsUpNoOtherDestination() {
        SenderBench bench(ring({}));
        for (std::uint32_t granule = 0; granule < 4; ++granule)
            bench.send(granule);
        bench.send(10, 0, 1);
        QCOMPARE(bench.sent, (Granules{0, 1, 10}));
        bench.giveBack(kGranule, false, 1);
        QCOMPARE(bench.sent, (Granules{0, 1, 10}));
        bench.giveBack();
        // A small one would fit now and then, but not before those that came first.
        bench.send(4, 0, 3, 1);
        QCOMPARE(bench.sent, (Granules{0, 1, 10, 2}));
        bench.giveBack();
        QCOMPARE(bench.sent, (Granules{0, 1, 10, 2, 3}));
    }

    void updatesOfTheAnnouncedTilePassTheOthersInAWindowOfTheirOwn() {
        // Two granules fit into each window.
        SenderBench bench(ring({}));
        for (std::uint32_t granule = 0; granule < 9; ++granule)
            bench.send(granule, granule / 3);
        QCOMPARE(bench.sent, (Granules{0, 1}));
        bench.report(1);
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4}));
        // One of that tile that comes later waits behind the last of the others.
        bench.send(9, 1);
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4}));
        bench.giveBack(kGranule, true);
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4, 5}));
        // What came back past the window makes no room in it, nor the other way round.
        bench.giveBack(kGranule, true);
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4, 5, 9}));
        bench.giveBack();
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4, 5, 9, 2}));
        bench.report(2);
        bench.giveBack(kGranule, true);
        bench.giveBack(kGranule, true);
        QCOMPARE(bench.sent, (Granules{0, 1, 3, 4, 5, 9, 2, 6, 7}));
        QVERIFY(!bench.sender.settled());
    }

    void withoutABoundEverythingLeavesAtOnce() {
        Experiment unlimited = ring({});
        unlimited.tracker.heldBytes.reset();
        SenderBench bench(unlimited);
        for (std::uint32_t granule = 0; granule < 100; ++granule)
            bench.send(granule);
        QCOMPARE(bench.sent.size(), std::size_t{100});
        QVERIFY(bench.sender.settled());
    }

    void whatTheTrackerAdmitsIsTakenAndGivenBackALatencyLater() {
        ReceiverBench bench(1);
        bench.arrive(4, 1, true);
        QCOMPARE(bench.credits.size(), std::size_t{1});
        QCOMPARE(bench.last.arrival, TimePoint{1000});
        QCOMPARE(bench.last.bytes, kGranule);
        QCOMPARE(int{bench.last.to}, 1);
        QVERIFY(bench.last.past);
        // From GPU 2 it is two hops.
        bench.arrive(5, 2);
        QCOMPARE(bench.last.arrival, TimePoint{2000});
        QCOMPARE(bench.receiver.stalls(), std::int64_t{0});
    }

    void whatItDoesNotAdmitIsHeldAsLongAsThereIsRoomForAllOfIt() {
        for (const auto& [room, held] : {std::pair{255, 0}, {256, 1}, {511, 1}, {512, 2}, {513, 2}}) {
            ReceiverBench bench(room);
            for (std::uint32_t granule = 6; granule < 9; ++granule)
                bench.arrive(granule);
            QCOMPARE(bench.bench.updates.heldPeak(), Bytes{held * kGranule});
            QCOMPARE(bench.receiver.waiting(), std::int64_t{3 - held});
            QCOMPARE(bench.credits.size(), static_cast<std::size_t>(held));
            QCOMPARE(bench.receiver.stalls(), std::int64_t{1});
        }
    }

    void aStalledSourceIsNotifiedOfTheOldestOpenTileOnce() {
        ReceiverBench bench(1);
        bench.arrive(6);
        bench.arrive(7);
        QCOMPARE(bench.reported, (Granules{2}));
        // Another source has a queue of its own.
        bench.arrive(8, 2);
        QCOMPARE(bench.reported, (Granules{2, 2}));
        QCOMPARE(int{bench.last.to}, 2);
        QCOMPARE(bench.receiver.stalls(), std::int64_t{2});
    }

    void updatesOfTheOldestOpenTileAreTakenWhateverStandsBeforeThem() {
        ReceiverBench bench(1);
        bench.arrive(6);
        bench.arrive(4);
        QCOMPARE(bench.credits.size(), std::size_t{1});
        bench.arrive(8);
        bench.arrive(5);
        QCOMPARE(bench.credits.size(), std::size_t{2});
        QCOMPARE(bench.receiver.waiting(), std::int64_t{2});
    }

    void arrivalsBehindAStalledOneWaitEvenWhereTheyWouldBeHeld() {
        ReceiverBench bench(300);
        bench.arrive(6);
        bench.arrive(7);
        Packet small;
        small.granule = 8;
        small.bytes = 1;
        small.source = 1;
        bench.receiver.arrive(small);
        QCOMPARE(bench.receiver.waiting(), std::int64_t{2});
    }

    void whenATileClosesWhatWaitsIsTakenInOrderAndTheNextTileIsAnnounced() {
        ReceiverBench bench(1);
        for (const std::uint32_t granule : {8u, 6u, 7u, 9u, 4u, 5u})
            bench.arrive(granule);
        QCOMPARE(bench.credits.size(), std::size_t{2});
        bench.close(2);
        // Tile 3 is the oldest now; tile 4 at the head has to wait on.
        QCOMPARE(bench.credits.size(), std::size_t{4});
        QCOMPARE(bench.reported, (Granules{2, 3}));
        QCOMPARE(bench.receiver.waiting(), std::int64_t{2});
        bench.close(3);
        QCOMPARE(bench.receiver.waiting(), std::int64_t{0});
        QCOMPARE(bench.credits.size(), std::size_t{6});
        QCOMPARE(bench.reported, (Granules{2, 3}));
        QCOMPARE(bench.receiver.stalls(), std::int64_t{1});
    }

    void roomThatATileLeavesGoesToTheSourceWithTheLowestNumber() {
        ReceiverBench bench(256);
        bench.arrive(6, 3);   // held
        bench.arrive(8, 2);   // stalled
        bench.arrive(10, 1);  // stalled
        bench.arrive(4, 3);
        bench.arrive(5, 3);
        bench.close(2);
        QCOMPARE(int{bench.credits.back().to}, 1);
        QCOMPARE(bench.receiver.waiting(), std::int64_t{1});
    }

    void theOldestOpenTileIsAlwaysAdmitted() {
        ReceiverBench bench(1);
        QCOMPARE(bench.bench.tracker.oldestOpen(), 2u);
        for (const std::uint32_t granule : {4u, 5u})
            bench.arrive(granule);
        // All has come, but the tile is open until the last of it has landed.
        bench.bench.storeAt({0}, 2);
        bench.bench.loop.runUntil({3999});
        QCOMPARE(bench.bench.tracker.oldestOpen(), 2u);
        bench.bench.loop.runUntil({4000});
        QCOMPARE(bench.bench.tracker.oldestOpen(), 3u);
    }
};

RINGSIDE_TEST(TestUpdateCredits)
#include "tst_update_credits.moc"
