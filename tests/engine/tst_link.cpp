#include "engine/network/inbox.h"
#include "engine/network/link.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <vector>

using namespace engine;

namespace {

/// A link of 1 byte per picosecond into an inbox, which records packets with their arrival times.
struct LinkBench {
    explicit LinkBench(LinkConfig config = {.bandwidth = {1'000'000'000'000}, .latency = 500_ns})
        : inbox(loop.port(Phase::arrival,
                          [this](std::uint32_t) {
                              while (inbox.arrivedBy(loop.queue().now()))
                                  arrivals.push_back({loop.queue().now(), inbox.take()});
                              inbox.rearm(loop.queue().now());
                          })),
          link(config, 4_KiB, loop.queue(), inbox, nullptr) {}

    void sendAt(TimePoint time, std::uint32_t granule, std::uint32_t bytes) {
        loop.at(time, [this, granule, bytes] {
            Packet packet;
            packet.granule = granule;
            packet.bytes = bytes;
            departures.push_back(link.send(packet, 0, 0));
        });
    }

    struct Arrival {
        TimePoint time;
        Packet packet;
    };
    tests::EventLoop loop;
    std::vector<Arrival> arrivals;
    std::vector<TimePoint> departures;
    Inbox inbox;
    Link link;
};

}  // namespace

class TestLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPacketArrivesWithItsLastByteAndNotOnePicosecondEarlier() {
        // 4096 B at 1 B/ps from 1000 ps on leave until 5096 ps; 500,000 ps later, at 505,096 ps, they are there.
        LinkBench bench;
        bench.sendAt({1000}, 1, 4096);
        bench.loop.runUntil({505'095});
        QCOMPARE(bench.arrivals.size(), std::size_t{0});
        bench.loop.runUntil({505'096});
        QCOMPARE(bench.arrivals.size(), std::size_t{1});
        QCOMPARE(bench.departures.front(), TimePoint{5096});
    }

    void aSharedEgressIsFirstInFirstOutAlsoForALinkThatIsFree() {
        // One byte per picosecond can leave the GPU. One of its links is ten times as slow as the other.
        LinkBench bench;
        SharedEgress shared{CarryingRate(1'000'000'000'000), {}};
        const LinkConfig slow{.bandwidth = {100'000'000'000}}, fast{.bandwidth = {1'000'000'000'000}};
        Link slowLink(slow, 4_KiB, bench.loop.queue(), bench.inbox, nullptr, {}, &shared);
        Link fastLink(fast, 4_KiB, bench.loop.queue(), bench.inbox, nullptr, {}, &shared);
        Packet packet;
        packet.bytes = 1000;
        QCOMPARE(slowLink.send(packet, 0, 0), TimePoint{10'000});
        // Behind one packet only the egress is busy, for 1,000 ps.
        QCOMPARE(fastLink.send(packet, 0, 0), TimePoint{2'000});
        // The next packet for the slow link waits until 10,000 ps. A packet queued behind it also waits, although its
        // own link is free from 2,000 ps on.
        QCOMPARE(slowLink.send(packet, 0, 0), TimePoint{20'000});
        QCOMPARE(fastLink.send(packet, 0, 0), TimePoint{12'000});
    }

    void aSecondPacketWaitsForTheFirstToLeave() {
        // Both handed in at 0: the second leaves from 4096 to 8192 and arrives at 508,192 ps.
        LinkBench bench;
        bench.sendAt({0}, 1, 4096);
        bench.sendAt({0}, 2, 4096);
        bench.loop.runUntil({508'191});
        QCOMPARE(bench.arrivals.size(), std::size_t{1});
        bench.loop.runUntil({508'192});
        QCOMPARE(bench.arrivals.size(), std::size_t{2});
        QCOMPARE(bench.arrivals[1].packet.granule, 2u);
    }

    void aPacketHandedInAsTheLinkFallsFreeLeavesAtOnce() {
        // The first packet occupies [0, 4096). A packet that is handed to the link at 4095 waits 1 ps, one at 4096 does
        // not wait.
        for (const std::int64_t handedIn : {4095, 4096, 4097}) {
            LinkBench bench;
            bench.sendAt({0}, 1, 4096);
            bench.sendAt({handedIn}, 2, 100);
            bench.loop.run();
            QCOMPARE(bench.departures[1], TimePoint{std::max<std::int64_t>(handedIn, 4096) + 100});
        }
    }

    void packetsNeverOvertakeEachOther() {
        LinkBench bench;
        for (std::uint32_t i = 0; i < 50; ++i)
            bench.sendAt({i * 10}, i, 1 + (i * 37) % 400);
        bench.loop.run();
        QCOMPARE(bench.arrivals.size(), std::size_t{50});
        for (std::uint32_t i = 0; i < 50; ++i)
            QCOMPARE(bench.arrivals[i].packet.granule, i);
    }

    void aHeaderCostsTimeOnTheWireButIsNoPayload() {
        // 4096 B in packets of 1024 B with 16 B of header each: 4096 + 4 * 16 = 4160 ps on the wire.
        LinkBench bench({.bandwidth = {1'000'000'000'000}, .latency = {}, .packet = 1_KiB, .header = 16_B});
        bench.sendAt({0}, 1, 4096);
        bench.loop.runUntil({4159});
        QCOMPARE(bench.arrivals.size(), std::size_t{0});
        bench.loop.runUntil({4160});
        QCOMPARE(bench.arrivals.size(), std::size_t{1});
        QCOMPARE(bench.link.stats().bytes, 4096_B);
    }

    void aBusyLinkSendsExactlyItsBandwidth() {
        // 1000 granules of 4096 B at 150 GB/s: 4,096,000 / 150 * 10^3 = 27,306,666.67, rounded down once.
        LinkBench bench({.bandwidth = 150_GBps, .latency = {}});
        for (std::uint32_t i = 0; i < 1000; ++i)
            bench.sendAt({0}, i, 4096);
        bench.loop.run();
        QCOMPARE(bench.departures.back(), TimePoint{27'306'666});
        QCOMPARE(bench.link.stats().busy, Duration{27'306'666});
    }
};

RINGSIDE_TEST(TestLink)
#include "tst_link.moc"
