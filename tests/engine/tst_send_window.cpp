// Tests the window for each outgoing link of a GPU: the granules that a companion has read and not yet sent.

#include "engine/network/network_port.h"
#include "engine/network/send_window.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <cstdint>
#include <vector>

using namespace engine;

namespace {

constexpr std::uint32_t kSentBytes = 256;
constexpr std::int64_t kSentPs = 256'000;

/// The window of GPU 0 of four, whose links carry 1 B/ns.
class WindowBench final : public PacketSink {
public:
    WindowBench(TopologyKind kind, std::int64_t bytes)
        : experiment(settings(kind)), topology(topologyOf(experiment)),
          network(experiment, topology, 0, loop.queue(), std::vector<PacketSink*>(topology.linksFrom(0).size(), this),
                  nullptr),
          window(Bytes{bytes}, network,
                 loop.port(Phase::trigger,
                           [this](std::uint32_t) {
                               if (window.hasRoom())
                                   woken.push_back(loop.queue().now());
                           }),
                 0) {}

    /// Reads a granule and hands it to the links at once, if the window allows it.
    bool send(const std::vector<std::uint32_t>& to) {
        if (!window.mayRead(to, kSentBytes))
            return false;
        window.read(to, kSentBytes);
        for (const std::uint32_t gpu : to)
            window.leaves(gpu, kSentBytes, handIn(gpu));
        return true;
    }
    /// Sends a packet of another client.
    TimePoint handIn(std::uint32_t to) {
        Packet packet;
        packet.bytes = kSentBytes;
        packet.destination = static_cast<std::uint8_t>(to);
        return network.send(packet, 0, 0);
    }
    void deliver(const Packet&) override {}

private:
    static Experiment settings(TopologyKind kind) {
        Experiment each = tests::smallExperiment(PolicyPreset::sequential, 4);
        each.topology.kind = kind;
        each.link.bandwidth = {1'000'000'000};
        return each;
    }

public:
    Experiment experiment;
    Topology topology;
    tests::EventLoop loop;
    NetworkPort network;
    SendWindow window;
    std::vector<TimePoint> woken;
};

}  // namespace

class TestSendWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFullLinkLeavesTheOthersTheirRoom() {
        WindowBench bench(TopologyKind::fullyConnected, 2 * kSentBytes);
        QVERIFY(bench.send({1}) && bench.send({1}));
        QVERIFY(!bench.send({1}));
        QVERIFY(!bench.send({1, 2}));
        QVERIFY(bench.send({2}) && bench.send({2}));
        QVERIFY(!bench.send({2}));
    }

    void gpusThatOneLinkReachesShareItsWindow() {
        WindowBench bench(TopologyKind::switched, 2 * kSentBytes);
        QVERIFY(bench.send({1}) && bench.send({2}));
        QVERIFY(!bench.send({3}));
    }

    void ofWhatGoesToSeveralEachCopyCountsOnItsLink() {
        WindowBench apart(TopologyKind::fullyConnected, 2 * kSentBytes);
        QVERIFY(apart.send({1, 2, 3}) && apart.send({1, 2, 3}));
        QVERIFY(!apart.send({1, 2, 3}));
        for (const std::int64_t missing : {0, 1}) {
            WindowBench together(TopologyKind::switched, 4 * kSentBytes - missing);
            QVERIFY(together.send({1, 2}));
            QCOMPARE(together.send({1, 2}), missing == 0);
        }
    }

    void whatIsLargerThanAWindowGoesAlone() {
        WindowBench bench(TopologyKind::switched, 2 * kSentBytes);
        QVERIFY(bench.send({1, 2, 3}));
        QVERIFY(!bench.send({1}));
        std::vector<bool> sent;
        for (const std::int64_t at : {3 * kSentPs - 1, 3 * kSentPs})
            bench.loop.at({at}, [&] { sent.push_back(bench.send({1, 2, 3})); });
        bench.loop.run();
        QCOMPARE(sent, (std::vector<bool>{false, true}));
    }

    void theEventComesWhenALinkThatWasFullHasSentSomething() {
        // GPU 1's link is busy with three others before; GPU 2's link, which nobody waits for, is done first.
        WindowBench bench(TopologyKind::fullyConnected, kSentBytes);
        for (int i = 0; i < 3; ++i)
            bench.handIn(1);
        QVERIFY(bench.send({1}) && bench.send({2}));
        QVERIFY(!bench.send({1}));
        bench.window.wait();
        bench.loop.run();
        QCOMPARE(bench.woken, std::vector<TimePoint>{TimePoint{4 * kSentPs}});
        QVERIFY(bench.send({1}));
    }

    void whoDoesNotWaitIsNotWoken() {
        WindowBench bench(TopologyKind::fullyConnected, kSentBytes);
        QVERIFY(bench.send({1}));
        QVERIFY(!bench.send({1}));
        bench.loop.run();
        QVERIFY(bench.woken.empty());
        QCOMPARE(bench.loop.queue().processed(), std::int64_t{0});
    }
};

RINGSIDE_TEST(TestSendWindow)
#include "tst_send_window.moc"
