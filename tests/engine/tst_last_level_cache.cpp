#include "engine/memory/last_level_cache.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <map>
#include <vector>

using namespace engine;

namespace {

/// One channel, 1024 B in 1024 ps, DRAM latency 300 ps, cache latency 250 ps.
Experiment smallCache(Bytes size) {
    Experiment experiment;
    experiment.detail.granule = 1_KiB;
    experiment.detail.channels = 1;
    experiment.memory.bandwidth = {1'000'000'000'000};
    experiment.memory.efficiency = 1.0;
    experiment.memory.latency = {300};
    experiment.memory.queue = 64_KiB;
    experiment.llc.size = size;
    experiment.llc.latency = {250};
    return experiment;
}

Experiment writingAtEnd(Bytes size) {
    Experiment experiment = smallCache(size);
    experiment.llc.writeBack = WriteBack::atEnd;
    return experiment;
}

// 1024 B pass from the cache in 2048 ps. Slabs 0 and 1 are in the cache from 10,000 ps on.
Experiment passing() {
    Experiment experiment = smallCache(1_MiB);
    experiment.llc.bandwidth = Bandwidth{500'000'000'000};
    return experiment;
}

class CacheBench final : public LoadClient, public MemoryClient {
public:
    explicit CacheBench(const Experiment& experiment)
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          cache(experiment, loop.queue(), memory, *this), inputs(cache.addRegion(64, 4, false)),
          outputs(cache.addRegion(64, 4, true)) {
        cache.setStoreFlow(outputs, memory.addFlow({Stream::compute, MemoryOp::write, this, false}));
        if (experiment.llc.bandwidth)
            cache.limitPassage(*experiment.llc.bandwidth,
                               loop.port(Phase::completion, [this](std::uint32_t index) { cache.onArrived(index); }));
    }

    /// Loads a slab of `granules` whole granules. readyOf[slab] receives the moment at which its data are at the CU.
    void loadAt(TimePoint time, std::uint32_t slab, std::uint32_t granules = 1) { loadFor(time, slab, slab, granules); }
    /// The same for a waiter of its own and for `sharers` workgroups.
    void loadFor(TimePoint time, std::uint32_t waiter, std::uint32_t slab, std::uint32_t granules = 1,
                 std::uint32_t sharers = 1) {
        loop.at(time, [this, waiter, slab, granules, sharers] {
            TimePoint ready;
            if (cache.load(inputs, slab, {granules, 1024}, waiter, ready, sharers) == 0)
                readyOf[waiter] = ready;
        });
    }
    void storeAt(TimePoint time, std::uint32_t slab) {
        loop.at(time, [this, slab] { cache.store(outputs, slab, {1, 1024}, slab); });
    }

    void lineReady(std::uint32_t waiter, TimePoint ready) override { readyOf[waiter] = ready; }
    void served(FlowId, std::uint32_t, std::uint32_t bytes, TimePoint) override { written.count += bytes; }

    Bytes readFromDram() const { return memory.flow(cache.loadFlow()).bytes; }

    tests::EventLoop loop;
    std::map<std::uint32_t, TimePoint> readyOf;
    Bytes written;
    MemoryController memory;
    LastLevelCache cache;
    LastLevelCache::Region inputs, outputs;
};

}  // namespace

class TestLastLevelCache : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissTakesServiceBothLatenciesAndNothingElse() {
        // 1024 ps of service, 300 ps of DRAM latency, 250 ps of cache latency.
        CacheBench bench(smallCache(64_KiB));
        bench.loadAt({0}, 0);
        bench.loop.run();
        QCOMPARE(bench.readyOf[0], TimePoint{1574});
        QCOMPARE(bench.cache.stats().miss, 1_KiB);
        QCOMPARE(bench.cache.stats().hit, 0_B);
    }

    void aHitTakesTheCachesLatencyAndNoDram() {
        CacheBench bench(smallCache(64_KiB));
        bench.loadAt({0}, 0);
        bench.loadAt({10'000}, 0);
        bench.loop.run();
        QCOMPARE(bench.readyOf[0], TimePoint{10'250});
        QCOMPARE(bench.readFromDram(), 1_KiB);
        QCOMPARE(bench.cache.stats().hitRate, 0.5);
    }

    void aSecondMissToDataOnTheirWayWaitsForTheFirst() {
        // Requested again at 500 ps: there is only one read, and both requests have their data at 1574 ps.
        CacheBench bench(smallCache(64_KiB));
        bench.loadAt({0}, 0);
        bench.loadAt({500}, 0);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 1_KiB);
        QCOMPARE(bench.readyOf[0], TimePoint{1574});
    }

    // Slab 0 is in the cache. At 10,000 ps the channel gets reads of slabs 1, 2 ... of 1 KiB each, 1024 ps of service;
    // the DRAM queue takes one, so that the rest waits in the stream.
    static TimePoint hitBehindReads(Bytes queue, std::uint32_t reads, bool off = false) {
        Experiment experiment = smallCache(1_MiB);
        experiment.memory.queue = 1_KiB;
        experiment.llc.queue = off ? std::nullopt : std::optional(queue);
        CacheBench bench(experiment);
        bench.loadAt({0}, 0);
        for (std::uint32_t slab = 1; slab <= reads; ++slab)
            bench.loadAt({10'000}, slab);
        bench.loadAt({10'001}, 0);
        bench.loop.run();
        return bench.readyOf[0];
    }

    void aHitDoesNotWaitWhileTheQueueOfTheCacheHasRoom() {
        // One read is in the DRAM queue and two are in the stream: 2 KiB wait.
        QCOMPARE(hitBehindReads(2_KiB, 3), TimePoint{10'251});
        QCOMPARE(hitBehindReads({2 * 1024 - 1}, 3), TimePoint{10'000 + 2 * 1024 + 250});
    }

    void aHitThatWaitsLeavesWithTheRequestBeforeIt() {
        // Reads enter the DRAM queue when the one before has been served: the last of four after 3 x 1024 ps.
        QCOMPARE(hitBehindReads(64_B, 4), TimePoint{10'000 + 3 * 1024 + 250});
        QCOMPARE(hitBehindReads(64_B, 4, true), TimePoint{10'251});
        // The stream is empty, so the hit does not wait.
        QCOMPARE(hitBehindReads(64_B, 1), TimePoint{10'251});
    }

    void hitsPassFirstInFirstOut() {
        CacheBench bench(passing());
        bench.loadAt({0}, 0);
        bench.loadAt({0}, 1);
        bench.loadFor({20'000}, 10, 0);
        bench.loadFor({20'000}, 11, 1);
        bench.loadFor({20'100}, 12, 0);
        bench.loadFor({30'000}, 13, 0);
        bench.loop.run();
        QCOMPARE(bench.readyOf[10], TimePoint{20'000 + 2048 + 250});
        QCOMPARE(bench.readyOf[11], TimePoint{20'000 + 2 * 2048 + 250});
        QCOMPARE(bench.readyOf[12], TimePoint{20'000 + 3 * 2048 + 250});
        QCOMPARE(bench.readyOf[13], TimePoint{30'000 + 2048 + 250});  // the server was idle
    }

    void aMissPassesWhenItsDataHaveCome() {
        // It comes at 1324 ps. The hit that was asked for later passes earlier, because its data were there.
        CacheBench bench(passing());
        bench.loadAt({0}, 0);
        bench.loadAt({10'000}, 1);
        bench.loadFor({10'100}, 10, 0);
        bench.loop.run();
        QCOMPARE(bench.readyOf[0], TimePoint{1324 + 2048 + 250});
        QCOMPARE(bench.readyOf[10], TimePoint{10'100 + 2048 + 250});
        QCOMPARE(bench.readyOf[1], TimePoint{10'100 + 2 * 2048 + 250});  // its data came at 11,324 ps
    }

    void waitersOfOneLinePassInTheOrderInWhichTheyAsked() {
        CacheBench bench(passing());
        for (const std::uint32_t waiter : {10u, 11u, 12u})
            bench.loadFor({100 * waiter}, waiter, 0);
        bench.loop.run();
        for (const std::uint32_t place : {0u, 1u, 2u})
            QCOMPARE(bench.readyOf[10 + place], TimePoint{1000 + 1324 + (place + 1) * 2048 + 250});
    }

    void sharedDataPassOnce() {
        CacheBench bench(passing());
        bench.loadAt({0}, 0);
        bench.loadFor({20'000}, 10, 0, 1, 2);
        bench.loadFor({20'000}, 11, 0, 1, 2);
        bench.loop.run();
        QCOMPARE(bench.readyOf[10], TimePoint{20'000 + 1024 + 250});
        QCOMPARE(bench.readyOf[11], TimePoint{20'000 + 2048 + 250});
    }

    void aHitThatWaitedInItsSlicePassesAfterwards() {
        Experiment experiment = smallCache(1_MiB);
        experiment.memory.queue = 1_KiB;
        experiment.llc.queue = 64_B;
        experiment.llc.bandwidth = Bandwidth{500'000'000'000};
        CacheBench bench(experiment);
        bench.loadAt({0}, 0);
        for (std::uint32_t slab = 1; slab <= 4; ++slab)
            bench.loadAt({10'000}, slab);
        bench.loadFor({10'001}, 10, 0);
        bench.loop.run();
        // It leaves its slice with the third read, at 13,072 ps, as without a limit. Data of reads 1 and 2 pass until
        // 11,324 + 2 x 2048 ps.
        QCOMPARE(bench.readyOf[10], TimePoint{11'324 + 3 * 2048 + 250});
    }

    void aHitThatWaitsTakesNoTimeOfDram() {
        Experiment experiment = smallCache(1_MiB);
        experiment.memory.queue = 1_KiB;
        experiment.llc.queue = 64_B;
        CacheBench bench(experiment);
        bench.loadAt({0}, 0);
        for (const std::uint32_t slab : {1u, 2u, 3u, 0u, 4u})
            bench.loadAt({10'000}, slab);
        bench.loop.run();
        QCOMPARE(bench.readyOf[4], TimePoint{10'000 + 4 * 1024 + 300 + 250});
        QCOMPARE(bench.readFromDram(), 5_KiB);
        QVERIFY(bench.memory.idle());
    }

    void theLeastRecentlyUsedGranuleGoesFirst() {
        // Room for two: 0, 1, 0 again, then 2 evicts 1. After that 0 hits and 1 misses.
        CacheBench bench(smallCache(2_KiB));
        std::int64_t time = 0;
        for (const std::uint32_t slab : {0u, 1u, 0u, 2u})
            bench.loadAt({time += 10'000}, slab);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 3_KiB);
        bench.loadAt({time += 10'000}, 0);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 3_KiB);
        bench.loadAt({time += 10'000}, 1);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 4_KiB);
    }

    void theLastByteOfRoomIsUsedAndOneMoreGranuleEvicts() {
        // Four granules fit in 4 KiB and all hit the second time; with a fifth the first is gone.
        for (const std::uint32_t slabs : {4u, 5u}) {
            CacheBench bench(smallCache(4_KiB));
            std::int64_t time = 0;
            for (std::uint32_t slab = 0; slab < slabs; ++slab)
                bench.loadAt({time += 10'000}, slab);
            bench.loadAt({time += 10'000}, 0);
            bench.loop.run();
            QCOMPARE(bench.readFromDram(), 1_KiB * (slabs == 4 ? 4 : 6));
        }
    }

    void aSlabIsReadWithItsRealBytes() {
        // Three granules of which the last holds 100 B.
        CacheBench bench(smallCache(64_KiB));
        bench.loop.at({0}, [&bench] {
            TimePoint ready;
            bench.cache.load(bench.inputs, 0, {3, 100}, 0, ready);
        });
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), Bytes{2 * 1024 + 100});
    }

    void storesAreKeptDirtyWithoutFetching() {
        CacheBench bench(writingAtEnd(64_KiB));
        bench.storeAt({0}, 0);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 0_B);
        QCOMPARE(bench.written, 0_B);
    }

    void aDirtyGranuleIsWrittenBackWhenItIsEvicted() {
        CacheBench bench(writingAtEnd(2_KiB));
        bench.storeAt({0}, 0);
        bench.loadAt({10'000}, 1);
        bench.loop.run();
        QCOMPARE(bench.written, 0_B);
        bench.loadAt({20'000}, 2);
        bench.loop.run();
        QCOMPARE(bench.written, 1_KiB);
    }

    void anIdleChannelWritesDirtyGranulesBackAndKeepsThem() {
        // Two stores of 1024 ps each are written at once. When they are evicted later, they are clean and cost no more
        // time.
        CacheBench bench(smallCache(2_KiB));
        bench.storeAt({0}, 0);
        bench.storeAt({0}, 1);
        bench.loop.runUntil({1023});
        QCOMPARE(bench.written, 1_KiB);
        bench.loop.runUntil({1024});
        QCOMPARE(bench.written, 2_KiB);
        bench.loadAt({10'000}, 2);
        bench.loadAt({20'000}, 3);
        bench.loop.at({30'000}, [&bench] { bench.cache.flush(bench.outputs); });
        bench.loop.run();
        QCOMPARE(bench.written, 2_KiB);
        QCOMPARE(bench.cache.writtenBack(bench.outputs), 2_KiB);
    }

    void aLoadWaitsForNoMoreThanOneEagerWrite() {
        // Ten dirty granules; a load at 100 ps waits for the first, which is being written until 1024 ps, and goes
        // next.
        CacheBench bench(smallCache(64_KiB));
        for (std::uint32_t slab = 0; slab < 10; ++slab)
            bench.storeAt({0}, slab);
        bench.loadAt({100}, 20);
        bench.loop.run();
        QCOMPARE(bench.readyOf[20], TimePoint{1024 + 1574});
        QCOMPARE(bench.written, 10_KiB);
    }

    void whatWasEvictedIsNotWrittenAgainWhenTheChannelIsIdle() {
        // The store goes out at once, as its channel is idle; of the three behind a long load two are evicted by stores
        // that find no room, and each granule is written once.
        CacheBench bench(smallCache(2_KiB));
        bench.loadAt({0}, 9, 2);
        for (std::uint32_t slab = 0; slab < 4; ++slab)
            bench.storeAt({10}, slab);
        bench.loop.run();
        QCOMPARE(bench.written, 4_KiB);
    }

    void aFlushWritesEveryDirtyGranuleOnce() {
        CacheBench bench(smallCache(64_KiB));
        for (std::uint32_t slab = 0; slab < 5; ++slab)
            bench.storeAt({slab}, slab);
        bench.loop.at({100}, [&bench] { bench.cache.flush(bench.outputs); });
        bench.loop.at({200}, [&bench] { bench.cache.flush(bench.outputs); });
        bench.loop.run();
        QCOMPARE(bench.written, 5_KiB);
        QCOMPARE(bench.cache.writtenBack(bench.outputs), 5_KiB);
    }

    void storesPushInputsOut() {
        // The reason for the baseline's extra reads: in a cache with room for two, two stores evict both inputs.
        CacheBench bench(smallCache(2_KiB));
        bench.loadAt({0}, 0);
        bench.loadAt({10'000}, 1);
        bench.storeAt({20'000}, 0);
        bench.storeAt({30'000}, 1);
        bench.loadAt({40'000}, 0);
        bench.loadAt({50'000}, 1);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 4_KiB);
    }

    void withEagerWriteBackALargerCacheDoesNotSlowTheGemmDown() {
        // If tiles are written at the end, all output waits for the last tile: 70 MB more than 16 MiB hold.
        Experiment experiment = tests::tNlgFc2(PolicyPreset::sequential);
        const auto gemm = [&](Bytes size, WriteBack writeBack) {
            experiment.llc.size = size;
            experiment.llc.writeBack = writeBack;
            return tests::runAlone(experiment).last;
        };
        const GpuResult small = gemm(16_MiB, WriteBack::eager), large = gemm(128_MiB, WriteBack::eager);
        const GpuResult atEnd = gemm(16_MiB, WriteBack::atEnd), largeAtEnd = gemm(128_MiB, WriteBack::atEnd);
        QVERIFY(static_cast<double>(large.time.gemm.ps) < 1.005 * static_cast<double>(small.time.gemm.ps));
        QVERIFY(static_cast<double>(largeAtEnd.time.gemm.ps) > 1.04 * static_cast<double>(atEnd.time.gemm.ps));
        for (const GpuResult& other : {large, atEnd, largeAtEnd})
            QCOMPARE(other.dram->gemmWrite, small.dram->gemmWrite);
    }

    void whatWasEvictedOnItsWayIsNotAskedForTwice() {
        // Room for one granule, and for one request in the DRAM queue. 0 waits behind 9 in its stream, 1 evicts it,
        // and 0 is asked for again while it still waits: three reads, not four.
        Experiment experiment = smallCache(1_KiB);
        experiment.memory.queue = 1_KiB;
        CacheBench bench(experiment);
        bench.loadAt({0}, 9);
        bench.loadAt({1}, 0);
        bench.loadAt({2}, 1);
        bench.loadAt({3}, 0);
        bench.loop.run();
        QCOMPARE(bench.readFromDram(), 3_KiB);
        QCOMPARE(bench.readyOf.count(0), std::size_t{1});
    }

    void dataEvictedBeforeTheyAreBackAreStillDelivered() {
        // With room for one, 1 evicts 0 while 0 is still being read. The CU of 0 still gets its data.
        CacheBench bench(smallCache(1_KiB));
        bench.loadAt({0}, 0);
        bench.loadAt({1}, 1);
        bench.loop.run();
        QCOMPARE(bench.readyOf[0], TimePoint{1574});
        QCOMPARE(bench.readyOf[1], TimePoint{2598});
    }
};

RINGSIDE_TEST(TestLastLevelCache)
#include "tst_last_level_cache.moc"
