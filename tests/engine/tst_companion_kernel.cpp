// Tests the collective kernel of a companion: how many of its workgroups have room, and its window.

#include "engine/collective/collective_kernel.h"
#include "engine/network/send_window.h"
#include "engine/workload/output_layout.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

using namespace engine;

namespace {

constexpr std::int64_t kGranuleBytes = 256;
constexpr std::int64_t kReadPs = 1;

/// Returns settings with a memory that serves a granule in 1 ps, links of 1 B/ns (256 ns for a granule), and CUs of 1
/// B/ns.
Experiment kernelSettings() {
    Experiment experiment;
    experiment.parallel.tp = 2;
    experiment.detail.granule = {kGranuleBytes};
    experiment.detail.channels = 1;
    experiment.memory.bandwidth = {1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.latency = {};
    experiment.arbitration.policy = ArbitrationPolicy::roundRobin;
    experiment.link.bandwidth = {1'000'000'000};
    experiment.link.latency = {};
    experiment.collective.cuBandwidth = Bandwidth{1'000'000'000};
    return experiment;
}

/// Kernels of GPU 0 in a ring of two that share the memory and one link. Each is an all-gather of two chunks of
/// `granules`.
class KernelBench final : public PacketSink, public CollectiveKernel::Observer {
public:
    struct Sent {
        TimePoint at;  // handed to the link
        TimePoint arrival;
        std::uint32_t granule = 0;
        std::uint8_t stage = 0;
    };

    KernelBench(const Experiment& config, std::int64_t granules)
        : experiment(config),
          layout(Bytes{2 * granules * kGranuleBytes}, Bytes{4 * kGranuleBytes}, 2, experiment.detail.granule, 2),
          memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          network(experiment.link, experiment.detail.granule, loop.queue(), *this, nullptr) {}

    CollectiveKernel& add(std::int64_t workgroups, std::optional<Bytes> window) {
        const auto number = static_cast<std::uint8_t>(kernels.size());
        const EventPort issue =
            loop.port(Phase::dispatch, [this, number](std::uint32_t index) { kernels[number]->onIssue(index); });
        const EventPort received =
            loop.port(Phase::completion, [this, number](std::uint32_t step) { kernels[number]->onReceived(step); });
        const CollectiveWork work{layout, workgroups, window, {}, 1, 0};
        kernels.push_back(std::make_unique<CollectiveKernel>(
            experiment, CollectiveKind::allGather, number, work, RingSchedule{2, 0},
            CollectiveKernel::Ports{issue, received}, memory, network, *this, nullptr));
        return *kernels.back();
    }

    void deliver(const Packet& packet) override {
        sent.push_back({loop.queue().now(), packet.arrival, packet.granule, packet.stage});
    }
    void collectiveEnded(std::uint8_t) override {}

    Experiment experiment;
    tests::EventLoop loop;
    OutputLayout layout;
    MemoryController memory;
    NetworkPort network;
    std::vector<std::unique_ptr<CollectiveKernel>> kernels;
    std::vector<Sent> sent;
};

/// The kernel of GPU 0 of four that are fully connected: an all-to-all of 16 granules for each, with a window of four.
class ExchangeBench final : public PacketSink, public CollectiveKernel::Observer {
public:
    ExchangeBench()
        : experiment(settings()), topology(topologyOf(experiment)),
          layout(Bytes{4 * 16 * kGranuleBytes}, Bytes{4 * kGranuleBytes}, 4, experiment.detail.granule, 2),
          memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          network(experiment, topology, 0, loop.queue(), {this, this, this}, nullptr),
          kernel(experiment, CollectiveKind::allToAll, 0, CollectiveWork{layout, 1, Bytes{4 * kGranuleBytes}, {}, 1, 0},
                 RingSchedule{4, 0},
                 CollectiveKernel::Ports{
                     loop.port(Phase::dispatch, [this](std::uint32_t index) { kernel.onIssue(index); }),
                     loop.port(Phase::completion, [this](std::uint32_t step) { kernel.onReceived(step); })},
                 memory, network, *this, nullptr) {}

    void deliver(const Packet& packet) override { sent[packet.destination] += packet.stage == 0 ? 1 : 0; }
    void collectiveEnded(std::uint8_t) override {}

private:
    static Experiment settings() {
        Experiment each = kernelSettings();
        each.parallel.tp = 4;
        each.topology.kind = TopologyKind::fullyConnected;
        each.collective.algorithm = CollectiveAlgorithm::direct;
        each.collective.cuBandwidth.reset();
        return each;
    }

public:
    Experiment experiment;
    Topology topology;
    tests::EventLoop loop;
    OutputLayout layout;
    MemoryController memory;
    NetworkPort network;
    CollectiveKernel kernel;
    std::vector<int> sent = std::vector<int>(4);
};

// Returns the largest difference between two clients in the link time they have used, while both have packets to send.
std::int64_t widestLead(const KernelBench& bench, std::int64_t weightOfFirst, std::int64_t weightOfSecond) {
    const auto packetsOf = [&](std::uint8_t stage) {
        return std::count_if(bench.sent.begin(), bench.sent.end(),
                             [&](const KernelBench::Sent& packet) { return packet.stage == stage; });
    };
    const std::int64_t all[2] = {packetsOf(0), packetsOf(1)};
    std::int64_t sent[2] = {}, widest = 0;
    for (const KernelBench::Sent& packet : bench.sent) {
        ++sent[packet.stage];
        if (sent[0] == all[0] || sent[1] == all[1])
            break;
        widest = std::max(widest, std::abs(sent[0] * weightOfSecond - sent[1] * weightOfFirst));
    }
    return widest * kGranuleBytes;
}

}  // namespace

class TestCompanionKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKernelWithHalfItsWorkgroupsTakesTwiceAsLongWhereCusBoundIt() {
        // Four CUs of 1 B/ns take 64 ns for a granule, two CUs 128.
        Experiment experiment = kernelSettings();
        experiment.link.bandwidth = {1'000'000'000'000'000};
        for (const std::int64_t room : {4, 2}) {
            KernelBench bench(experiment, 32);
            CollectiveKernel& kernel = bench.add(4, std::nullopt);
            kernel.roomChanged(room);
            kernel.begin();
            bench.loop.run();
            QCOMPARE(bench.sent.size(), std::size_t{32});
            QCOMPARE(bench.sent.back().at, TimePoint{32 * 256'000 / room + kReadPs});
        }
    }

    void aChangeOfRoomCountsFromTheNextGranuleOn() {
        // Granule n is issued at n x 64 ns. The number of CUs changes just before or just after granule 2 is issued.
        Experiment experiment = kernelSettings();
        experiment.link.bandwidth = {1'000'000'000'000'000};
        const auto issued = [&](TimePoint change) {
            KernelBench bench(experiment, 4);
            CollectiveKernel& kernel = bench.add(4, std::nullopt);
            bench.loop.at(change, [&kernel] { kernel.roomChanged(2); });
            kernel.begin();
            bench.loop.run();
            std::vector<std::int64_t> times;
            for (const KernelBench::Sent& packet : bench.sent)
                times.push_back(packet.at.ps - kReadPs);
            return times;
        };
        QCOMPARE(issued({127'999}), (std::vector<std::int64_t>{64'000, 128'000, 256'000, 384'000}));
        QCOMPARE(issued({128'001}), (std::vector<std::int64_t>{64'000, 128'000, 192'000, 320'000}));
    }

    void moreRoomCountsAsWell() {
        Experiment experiment = kernelSettings();
        experiment.link.bandwidth = {1'000'000'000'000'000};
        KernelBench bench(experiment, 4);
        CollectiveKernel& kernel = bench.add(4, std::nullopt);
        kernel.roomChanged(1);
        bench.loop.at({1}, [&kernel] { kernel.roomChanged(4); });
        kernel.begin();
        bench.loop.run();
        QCOMPARE(bench.sent.front().at, TimePoint{256'000 + kReadPs});
        QCOMPARE(bench.sent.back().at, TimePoint{256'000 + 3 * 64'000 + kReadPs});
    }

    void aChangeOfTheClockCountsForTheRestOfAGranule() {
        // Granule n is issued at n x 64 ns. The clock halves 28 ns after granule 1: the other 36 ns of granule 2 take
        // 72.
        Experiment experiment = kernelSettings();
        experiment.link.bandwidth = {1'000'000'000'000'000};
        experiment.cu.clock = 1400_MHz;
        const auto issued = [&](std::vector<std::pair<TimePoint, Frequency>> changes) {
            KernelBench bench(experiment, 4);
            CollectiveKernel& kernel = bench.add(4, std::nullopt);
            for (const auto& [when, clock] : changes)
                bench.loop.at(when, [&kernel, clock = clock] { kernel.clockChanged(clock); });
            kernel.begin();
            bench.loop.run();
            std::vector<std::int64_t> times;
            for (const KernelBench::Sent& packet : bench.sent)
                times.push_back(packet.at.ps - kReadPs);
            return times;
        };
        QCOMPARE(issued({{{92'000}, 700_MHz}}), (std::vector<std::int64_t>{64'000, 164'000, 292'000, 420'000}));
        // It rises again 36 ns later, when half of that rest is done.
        QCOMPARE(issued({{{92'000}, 700_MHz}, {{128'000}, 1400_MHz}}),
                 (std::vector<std::int64_t>{64'000, 146'000, 210'000, 274'000}));
        QCOMPARE(issued({{{92'000}, 1400_MHz}}), (std::vector<std::int64_t>{64'000, 128'000, 192'000, 256'000}));
    }

    void withoutABoundOnCusRoomChangesNothing() {
        Experiment experiment = kernelSettings();
        experiment.collective.cuBandwidth.reset();
        KernelBench bench(experiment, 8);
        CollectiveKernel& kernel = bench.add(4, std::nullopt);
        kernel.roomChanged(1);
        kernel.begin();
        bench.loop.run();
        QCOMPARE(bench.sent.back().arrival, TimePoint{8 * 256'000 + kReadPs});
        QCOMPARE(bench.sent.back().at, TimePoint{8 * kReadPs});
    }

    void aWindowKeepsThatManyBytesBetweenReadAndDeparture() {
        // Four granules are under way; the fifth is read when the first has left, and not 1 ps earlier.
        Experiment experiment = kernelSettings();
        experiment.collective.cuBandwidth.reset();
        KernelBench bench(experiment, 8);
        bench.add(1, Bytes{4 * kGranuleBytes}).begin();
        // … at 256,001 ps, to be handed to the link after 1 ps more.
        bench.loop.runUntil({256'001});
        QCOMPARE(bench.sent.size(), std::size_t{4});
        bench.loop.runUntil({256'002});
        QCOMPARE(bench.sent.size(), std::size_t{5});
        bench.loop.run();
        QCOMPARE(bench.sent.back().arrival, TimePoint{8 * 256'000 + kReadPs});  // the link never waited
    }

    void aWindowIsFullToTheByteAndSmallerThanAGranuleLetsOneThrough() {
        Experiment experiment = kernelSettings();
        experiment.collective.cuBandwidth.reset();
        for (const auto& [window, granules] :
             {std::pair<std::int64_t, std::size_t>{4 * kGranuleBytes - 1, 3}, {64, 1}}) {
            KernelBench bench(experiment, 8);
            bench.add(1, Bytes{window}).begin();
            bench.loop.runUntil({255'999});
            QCOMPARE(bench.sent.size(), granules);
            bench.loop.run();
            QCOMPARE(bench.sent.size(), std::size_t{8});
        }
    }

    void aWindowThatIsLargeEnoughSchedulesNothingMore() {
        const auto run = [](std::optional<Bytes> window) {
            KernelBench bench(kernelSettings(), 64);
            bench.add(4, window).begin();
            bench.loop.run();
            return std::pair(bench.sent.back().arrival, bench.loop.queue().processed());
        };
        QCOMPARE(run(Bytes{64 * kGranuleBytes}), run(std::nullopt));
        QVERIFY(run(Bytes{2 * kGranuleBytes}).second > run(std::nullopt).second);
    }

    void twoBackloggedRingCollectivesWithEqualWindowsShareALinkWithinOneWindow() {
        Experiment experiment = kernelSettings();
        experiment.collective.cuBandwidth.reset();
        constexpr std::int64_t kWindow = 8 * kGranuleBytes;
        KernelBench shared(experiment, 128);
        KernelBench owned(experiment, 128);
        for (KernelBench* bench : {&shared, &owned}) {
            const std::optional<Bytes> window = bench == &shared ? std::optional(Bytes{kWindow}) : std::nullopt;
            bench->add(1, window);
            bench->add(1, window);
            for (const auto& kernel : bench->kernels)
                kernel->begin();
            bench->loop.run();
            QCOMPARE(bench->sent.back().arrival, TimePoint{2 * 128 * 256'000 + kReadPs});
        }
        QVERIFY(widestLead(shared, 1, 1) <= kWindow);
        QVERIFY(widestLead(owned, 1, 1) > 8 * kWindow);  // the first kernel occupies the link
    }

    void aChunkWhoseLinkIsFullMissesItsTurnAndTheOthersGoOn() {
        for (const int others : {0, 64}) {
            ExchangeBench bench;
            Packet packet;
            packet.bytes = kGranuleBytes;
            packet.stage = 1;
            packet.destination = 1;
            for (int i = 0; i < others; ++i)
                bench.network.send(packet, 0, 0);
            bench.kernel.begin();
            bench.loop.runUntil({16 * 256'000});
            QCOMPARE(bench.sent, (std::vector<int>{0, others == 0 ? 16 : 4, 16, 16}));
            bench.loop.run();
            QCOMPARE(bench.sent, (std::vector<int>{0, 16, 16, 16}));
        }
    }

    void theShareOfALinkIsInTheRatioOfTheWindows() {
        Experiment experiment = kernelSettings();
        experiment.collective.cuBandwidth.reset();
        KernelBench bench(experiment, 128);
        bench.add(1, Bytes{12 * kGranuleBytes}).begin();
        bench.add(1, Bytes{4 * kGranuleBytes}).begin();
        bench.loop.run();
        QVERIFY(widestLead(bench, 3, 1) <= 12 * kGranuleBytes);
    }
};

RINGSIDE_TEST(TestCompanionKernel)
#include "tst_companion_kernel.moc"
