#include "engine/memory/dram_timing.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;

namespace {

MemoryConfig memory(std::int64_t bytesPerSecond, double efficiency, double updateCost) {
    MemoryConfig config;
    config.bandwidth = {bytesPerSecond};
    config.efficiency = efficiency;
    config.updateCost = updateCost;
    return config;
}

}  // namespace

class TestDramTiming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneOfEightChannelsServesAtAnEighthOfTheSustainedBandwidth() {
        // 1 TB/s at 0.75 is 750 GB/s, 93.75 GB/s a channel: 4096 B take 43,690.67 ps, rounded down.
        DramTiming timing(memory(1'000'000'000'000, 0.75, 1.4), 8, 4_KiB);
        QCOMPARE(timing.service(MemoryOp::read, 4096), Duration{43'690});
        QCOMPARE(timing.service(MemoryOp::write, 4096), Duration{43'690});
    }

    void anUpdateTakesItsCostTimesAWrite() {
        // A write of 1000 B at 1 B/ps takes 1000 ps; at a cost of 1.4 an update takes 1400 ps.
        DramTiming timing(memory(1'000'000'000'000, 1.0, 1.4), 1, {1000});
        QCOMPARE(timing.service(MemoryOp::write, 1000), Duration{1000});
        QCOMPARE(timing.service(MemoryOp::update, 1000), Duration{1400});
    }

    void anUpdateAtUnitCostIsAWrite() {
        DramTiming timing(memory(1'000'000'000'000, 1.0, 1.0), 4, 4_KiB);
        QCOMPARE(timing.service(MemoryOp::update, 4096), timing.service(MemoryOp::write, 4096));
    }

    void aShortRequestTakesItsShare() {
        DramTiming timing(memory(1'000'000'000'000, 1.0, 1.5), 2, 4_KiB);
        QCOMPARE(timing.service(MemoryOp::read, 100), Duration{200});
        QCOMPARE(timing.service(MemoryOp::update, 100), Duration{300});
    }

    void evenFreeMemoryMovesTime() {
        // 256 B at 1000 TB/s take 0.256 ps. Rounded to 0 ps, a queue would never drain.
        DramTiming timing(memory(1'000'000'000'000'000, 1.0, 1.0), 1, {256});
        QCOMPARE(timing.service(MemoryOp::read, 256), Duration{1});
        QCOMPARE(timing.service(MemoryOp::update, 256), Duration{1});
    }
};

RINGSIDE_TEST(TestDramTiming)
#include "tst_dram_timing.moc"
