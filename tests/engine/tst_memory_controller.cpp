#include "engine/memory/memory_controller.h"

#include "engine/api/dram_queue.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <string>
#include <vector>

using namespace engine;

namespace {

/// One channel that serves 1000 B in 1000 ps, efficiency 1, updates at 1.4 writes, latency 50 ps, round robin 1:1.
Experiment smallMemory() {
    Experiment experiment;
    experiment.detail.granule = {1000};
    experiment.detail.channels = 1;
    experiment.memory.bandwidth = {1'000'000'000'000};
    experiment.memory.efficiency = 1.0;
    experiment.memory.updateCost = 1.4;
    experiment.memory.latency = {50};
    experiment.memory.queue = {2000};
    experiment.arbitration.policy = ArbitrationPolicy::roundRobin;
    experiment.arbitration.share = 1;
    return experiment;
}

/// A controller whose only client records the events. Requests are named by one letter.
class MemoryBench final : public MemoryClient {
public:
    explicit MemoryBench(const Experiment& experiment = smallMemory())
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          load(memory.addFlow({Stream::compute, MemoryOp::read, this, false})),
          store(memory.addFlow({Stream::compute, MemoryOp::write, this, false})),
          dmaRead(memory.addFlow({Stream::communication, MemoryOp::read, this, true})),
          update(memory.addFlow({Stream::communication, MemoryOp::update, this, false})) {}

    void requestAt(TimePoint time, FlowId flow, char name, std::uint32_t bytes = 1000) {
        loop.at(time, [this, flow, name, bytes] { memory.enqueue(0, flow, static_cast<std::uint32_t>(name), bytes); });
    }

    void served(FlowId, std::uint32_t id, std::uint32_t, TimePoint finish) override {
        order += static_cast<char>(id);
        acceptedAt.push_back(loop.queue().now());
        finishes.push_back(finish);
    }
    void dataReturned(FlowId, std::uint32_t id, std::uint32_t) override { returned += static_cast<char>(id); }

    tests::EventLoop loop;
    std::string order;
    std::string returned;
    std::vector<TimePoint> acceptedAt;
    std::vector<TimePoint> finishes;
    MemoryController memory;
    FlowId load, store, dmaRead, update;
};

/// A source of these writes for channel 0, in this order.
struct SomeWrites final : IdleWriter {
    SomeWrites(FlowId flowOfAll, std::string all) : flow(flowOfAll), names(std::move(all)) {}
    std::optional<Write> takeWrite(std::uint32_t) override {
        if (names.empty())
            return std::nullopt;
        const auto name = static_cast<std::uint32_t>(names.front());
        names.erase(0, 1);
        return Write{flow, name, 1000, {}};
    }
    bool hasWrite(std::uint32_t) override { return !names.empty(); }

    FlowId flow;
    std::string names;
};

}  // namespace

class TestMemoryController : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRequestToIdleMemoryIsServedAtOnce() {
        // Requested at 700 ps, with 1000 ps of service: done at 1700 ps.
        MemoryBench bench;
        bench.requestAt({700}, bench.load, 'a');
        bench.loop.run();
        QCOMPARE(bench.finishes.front(), TimePoint{1700});
    }

    void aServiceIsNeverInterrupted() {
        // 'a' is served from 0 to 1000; compute that comes at 1 ps waits, and leaves at 2000.
        MemoryBench bench;
        bench.requestAt({0}, bench.update, 'a');
        bench.requestAt({1}, bench.load, 'b');
        bench.loop.run();
        QCOMPARE(bench.finishes[0], TimePoint{1400});
        QCOMPARE(bench.finishes[1], TimePoint{2400});
    }

    void readDataComeBackOneLatencyAfterServiceAndNotEarlier() {
        // Served until 1000 ps, 50 ps of latency: back at 1050 ps.
        MemoryBench bench;
        bench.requestAt({0}, bench.dmaRead, 'a');
        bench.loop.runUntil({1049});
        QCOMPARE(bench.returned, std::string());
        bench.loop.runUntil({1050});
        QCOMPARE(bench.returned, std::string("a"));
    }

    void onlyFlowsThatAskForTheirDataAreCalledBack() {
        MemoryBench bench;
        bench.requestAt({0}, bench.load, 'a');
        bench.loop.run();
        QCOMPARE(bench.returned, std::string());
    }

    void theQueueTakesNoMoreThanItHolds() {
        // The queue has two entries. Of three requests at 0, the third enters when the first is done, at 1000 ps.
        MemoryBench bench;
        for (const char name : {'a', 'b', 'c'})
            bench.requestAt({0}, bench.load, name);
        bench.loop.runUntil({999});
        QCOMPARE(bench.order, std::string("ab"));
        bench.loop.runUntil({1000});
        QCOMPARE(bench.order, std::string("abc"));
        QCOMPARE(bench.finishes[2], TimePoint{3000});
    }

    void busyTimeIsTheSumOfTheServices() {
        // 3 reads of 1000 ps, 2 writes of 1000 ps, 4 updates of 1400 ps: 3000 + 2000 + 5600 = 10,600 ps.
        MemoryBench bench;
        for (int i = 0; i < 3; ++i)
            bench.requestAt({i * 100}, bench.load, 'r');
        for (int i = 0; i < 2; ++i)
            bench.requestAt({i * 5000}, bench.store, 'w');
        for (int i = 0; i < 4; ++i)
            bench.requestAt({i * 777}, bench.update, 'u');
        bench.loop.run();
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{10'600});
        QCOMPARE(bench.memory.channelStats(0).computeBusy, Duration{5000});
        QVERIFY(bench.memory.idle());
    }

    void roundRobinTakesTurnsBetweenTheStreams() {
        // All at 0, turns of one request each, communication first.
        MemoryBench bench;
        for (const char name : {'a', 'b', 'c'}) {
            bench.requestAt({0}, bench.load, name);
            bench.requestAt({0}, bench.update, static_cast<char>(name - 'a' + 'A'));
        }
        bench.loop.run();
        QCOMPARE(bench.order, std::string("AaBbCc"));
    }

    void mcaLetsComputePassAndTheBacklogOfCommunicationWaits() {
        Experiment experiment = smallMemory();
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        experiment.arbitration.threshold.kind = ArbitrationThreshold::Kind::none;
        experiment.arbitration.starvationLimit = 1_us;
        MemoryBench bench(experiment);
        for (const char name : {'A', 'B', 'C'})
            bench.requestAt({0}, bench.update, name);
        for (const char name : {'a', 'b', 'c'})
            bench.requestAt({0}, bench.load, name);
        bench.loop.run();
        QCOMPARE(bench.order, std::string("abcABC"));
        QCOMPARE(bench.memory.arbiter(0).picksAgainstRule(), std::int64_t{0});
    }

    void mcaHoldsCommunicationBackWhileTheQueueIsAtTheThreshold() {
        // A byte a picosecond: of the first read 300 B remain at 700 ps, the threshold, and fewer from 701 ps on.
        Experiment experiment = smallMemory();
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        experiment.arbitration.threshold = {ArbitrationThreshold::Kind::bytes, {300}};
        MemoryBench bench(experiment);
        bench.requestAt({0}, bench.dmaRead, 'A');
        bench.requestAt({0}, bench.dmaRead, 'B');
        bench.loop.runUntil({700});
        QCOMPARE(bench.order, std::string("A"));
        bench.loop.runUntil({701});
        QCOMPARE(bench.order, std::string("AB"));
        QCOMPARE(bench.finishes[1], TimePoint{2000});
    }

    void aThresholdOfSeveralRequestsCountsThoseThatWait() {
        // 2300 B of four entries: with three requests of 1000 B in the queue 2300 B remain at 700 ps, 2299 at 701.
        Experiment experiment = smallMemory();
        experiment.memory.queue = {4000};
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        experiment.arbitration.threshold = {ArbitrationThreshold::Kind::bytes, {2300}};
        MemoryBench bench(experiment);
        for (const char name : {'a', 'b', 'c'})
            bench.requestAt({0}, bench.load, name);
        bench.requestAt({0}, bench.dmaRead, 'A');
        bench.loop.runUntil({700});
        QCOMPARE(bench.order, std::string("abc"));
        bench.loop.runUntil({701});
        QCOMPARE(bench.order, std::string("abcA"));
    }

    void theLevelsOfMcaDifferAtTheStandardDetail() {
        // 64 KiB over 8 channels: 5, 10 and 30 of 64 parts of 8 KiB each.
        const Experiment experiment;
        const std::int64_t queue = experiment.memory.queue.count;
        QCOMPARE(ArbiterMca::thresholdBytes(experiment, {queue * 5 / 64}), std::int64_t{640});
        QCOMPARE(ArbiterMca::thresholdBytes(experiment, {queue * 10 / 64}), std::int64_t{1280});
        QCOMPARE(ArbiterMca::thresholdBytes(experiment, {queue * 30 / 64}), std::int64_t{3840});
    }

    void theAutomaticThresholdFollowsTheGemmsUseOfMemorySinceItsFirstLoad_data() {
        QTest::addColumn<int>("fixedAt");
        QTest::addColumn<int>("threshold");  // 0: none
        // One load of 1000 ps, begun at 1000 ps: 0.4, 0.2 and 0.1 of the time until 3500, 6000 and 11,000 ps.
        QTest::newRow("above 0.4") << 3499 << 156;
        QTest::newRow("0.4") << 3500 << 312;
        QTest::newRow("above 0.2") << 5999 << 312;
        QTest::newRow("0.2") << 6000 << 937;
        QTest::newRow("above 0.1") << 10'999 << 937;
        QTest::newRow("0.1") << 11'000 << 0;
    }

    void theAutomaticThresholdFollowsTheGemmsUseOfMemorySinceItsFirstLoad() {
        QFETCH(int, fixedAt);
        QFETCH(int, threshold);
        Experiment experiment = smallMemory();
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        MemoryBench bench(experiment);
        const FlowId background = bench.memory.addFlow({Stream::compute, MemoryOp::read, &bench, false, true});
        bench.requestAt({1000}, bench.load, 'a');
        bench.requestAt({0}, background, 'x', 500);
        bench.requestAt({2100}, background, 'y', 500);
        bench.loop.at({fixedAt}, [&] { bench.memory.fixThreshold(); });
        // A byte a picosecond: the second of two reads goes to DRAM when less than the threshold of the first remains,
        // and at once without a threshold.
        for (const char name : {'A', 'B'})
            bench.requestAt({fixedAt + 1}, bench.dmaRead, name);
        bench.loop.run();
        const std::size_t last = bench.finishes.size() - 1;
        QCOMPARE(bench.order[last], 'B');
        const Duration remained = bench.finishes[last - 1] - bench.acceptedAt[last];
        QCOMPARE(remained, Duration{threshold == 0 ? 1000 : threshold - 1});
    }

    void anIdleWriterIsAskedWhenNothingElseWaitsAndOnlyThen() {
        MemoryBench bench;
        SomeWrites writes(bench.store, "xyz");
        bench.memory.setIdleWriter(writes);
        bench.requestAt({0}, bench.load, 'a');
        bench.requestAt({1500}, bench.load, 'b');
        bench.loop.at({0}, [&] { bench.memory.offerWrite(0); });
        bench.loop.runUntil({999});
        QCOMPARE(bench.order, std::string("a"));
        bench.loop.runUntil({1000});
        QCOMPARE(bench.order, std::string("ax"));
        // 'b' comes while 'x' is written and waits for it alone.
        bench.loop.run();
        QCOMPARE(bench.order, std::string("axbyz"));
        QCOMPARE(bench.finishes[2], TimePoint{3000});
        QCOMPARE(bench.finishes[4], TimePoint{5000});
    }

    void anOfferToAnIdleChannelIsTakenAtOnce() {
        MemoryBench bench;
        SomeWrites writes(bench.store, "x");
        bench.memory.setIdleWriter(writes);
        bench.loop.at({700}, [&] { bench.memory.offerWrite(0); });
        bench.loop.run();
        QCOMPARE(bench.acceptedAt.front(), TimePoint{700});
    }

    void aStarvedHeadOfCommunicationGetsOneRequestBetweenCompute() {
        // Compute always waits; picks happen at 0 (two, the queue's room), then every 1000 ps. The update of 0 ps
        // starves at 2500 ps: the pick at 2000 is compute's, the one at 3000 is its.
        Experiment experiment = smallMemory();
        experiment.arbitration.policy = ArbitrationPolicy::mca;
        experiment.arbitration.starvationLimit = {2500};
        MemoryBench bench(experiment);
        bench.requestAt({0}, bench.update, 'A');
        for (const char name : {'a', 'b', 'c', 'd', 'e', 'f'})
            bench.requestAt({0}, bench.load, name);
        bench.loop.run();
        QCOMPARE(bench.order, std::string("abcdAef"));
        QCOMPARE(bench.acceptedAt[4], TimePoint{3000});
    }

    void readsFirstLetsLoadsOvertakeTheGemmsOwnStores() {
        Experiment experiment = smallMemory();
        experiment.memory.storeOrder = StoreOrder::readsFirst;
        MemoryBench bench(experiment);
        for (const char name : {'x', 'y', 'z'})
            bench.requestAt({0}, bench.store, name);
        for (const char name : {'a', 'b'})
            bench.requestAt({0}, bench.load, name);
        bench.loop.run();
        QCOMPARE(bench.order, std::string("abxyz"));
    }

    void inOrderMakesLoadsWaitBehindTheGemmsOwnStores() {
        MemoryBench bench;
        for (const char name : {'x', 'y', 'z'})
            bench.requestAt({0}, bench.store, name);
        bench.requestAt({0}, bench.load, 'a');
        bench.loop.run();
        QCOMPARE(bench.order, std::string("xyza"));
    }

    void turningFromReadingToWritingCostsTheTurnaround() {
        // read [0, 1000), 30 ps, write [1030, 2030), write [2030, 3030), 30 ps, read [3060, 4060).
        Experiment experiment = smallMemory();
        experiment.memory.turnaround = {30};
        MemoryBench bench(experiment);
        bench.requestAt({0}, bench.load, 'a');
        bench.requestAt({0}, bench.store, 'x');
        bench.requestAt({0}, bench.store, 'y');
        bench.requestAt({0}, bench.load, 'b');
        bench.loop.run();
        QCOMPARE(bench.finishes[0], TimePoint{1000});
        QCOMPARE(bench.finishes[1], TimePoint{2030});
        QCOMPARE(bench.finishes[2], TimePoint{3030});
        QCOMPARE(bench.finishes[3], TimePoint{4060});
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{4000});
    }

    void queuesRoundToEntriesOfAChannelAndThresholdsToItsBytes() {
        // 64 KiB over 8 channels of 4 KiB granules: 2 entries each; a byte a channel and one more are 2 bytes of one.
        Experiment experiment;
        QCOMPARE(dramQueueEntries(experiment), std::int64_t{2});
        QCOMPARE(ArbiterMca::thresholdBytes(experiment, {8}), std::int64_t{1});
        QCOMPARE(ArbiterMca::thresholdBytes(experiment, {9}), std::int64_t{2});
        applyDetailLevel(experiment, DetailLevel::fine);
        // 64 KiB over 32 channels of 256 B: 8 entries.
        QCOMPARE(dramQueueEntries(experiment), std::int64_t{8});
    }
};

RINGSIDE_TEST(TestMemoryController)
#include "tst_memory_controller.moc"
