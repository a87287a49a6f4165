// Tests the order of loads and stores in the compute stream, and the separate cost of updates from the link.

#include "engine/memory/memory_controller.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <string>

using namespace engine;

namespace {

/// One channel that serves 1000 B in 1000 ps, with a queue of one request; drains begin at four stores and end
/// at one. Loads are small letters, stores capitals.
class StoreBench final : public MemoryClient {
public:
    explicit StoreBench(StoreOrder storeOrder)
        : memory(settings(storeOrder), loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          load(memory.addFlow({Stream::compute, MemoryOp::read, this, false, false})),
          store(memory.addFlow({Stream::compute, MemoryOp::write, this, false, false})) {}

    static Experiment settings(StoreOrder storeOrder) {
        Experiment experiment;
        experiment.detail.granule = {1000};
        experiment.detail.channels = 1;
        experiment.memory.bandwidth = {1'000'000'000'000};
        experiment.memory.efficiency = 1.0;
        experiment.memory.queue = {1000};
        experiment.memory.storeOrder = storeOrder;
        experiment.memory.writeDrainHigh = {4000};
        experiment.memory.writeDrainLow = {1000};
        return experiment;
    }

    /// Issues all requests at 0 ps, in this order. Returns the order in which they are served.
    std::string serve(const std::string& requests) {
        loop.at({0}, [&] {
            for (const char name : requests)
                memory.enqueue(0, name < 'a' ? store : load, static_cast<std::uint32_t>(name), 1000);
        });
        loop.run();
        return letters;
    }

    void served(FlowId, std::uint32_t id, std::uint32_t, TimePoint) override { letters += static_cast<char>(id); }

    tests::EventLoop loop;
    std::string letters;
    MemoryController memory;
    FlowId load, store;
};

}  // namespace

class TestStoreOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inOrderKeepsTheOrderOfIssue() {
        QCOMPARE(StoreBench(StoreOrder::inOrder).serve("AaBbCc"), std::string("AaBbCc"));
    }

    void readsFirstServesAStoreOnlyWhenNoLoadWaits() {
        QCOMPARE(StoreBench(StoreOrder::readsFirst).serve("ABCDEabc"), std::string("abcABCDE"));
    }

    void writeDrainHoldsStoresBelowTheHighMarkBehindLoads() {
        // Three stores are fewer than the mark of four: the loads go first.
        QCOMPARE(StoreBench(StoreOrder::writeDrain).serve("ABCab"), std::string("abABC"));
    }

    void writeDrainServesStoresFromTheHighMarkDownToTheLowOne() {
        // Four are the mark: three go, one is left when the loads have their turn.
        QCOMPARE(StoreBench(StoreOrder::writeDrain).serve("ABCDab"), std::string("ABCabD"));
    }

    void everyStoreIsServedUnderEveryOrder() {
        for (const StoreOrder order : {StoreOrder::inOrder, StoreOrder::readsFirst, StoreOrder::writeDrain}) {
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
                Experiment experiment = tests::smallExperiment(policy);
                experiment.memory.storeOrder = order;
                const RunResult result = tests::runAlone(experiment);
                QCOMPARE(result.invariants.failed.size(), std::size_t{0});
            }
        }
    }

    void loadsThatOvertakeStoresHelpPlainT3() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive);
        const Duration inOrder = tests::runAlone(experiment).last.time.total;
        experiment.memory.storeOrder = StoreOrder::readsFirst;
        QVERIFY(tests::runAlone(experiment).last.time.total < inOrder);
    }

    void updatesFromTheLinkCostTheSameUnlessSetOtherwise() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        const Duration alike = tests::runAlone(experiment).last.time.total;
        experiment.memory.arrivingUpdateCost = experiment.memory.updateCost;
        QCOMPARE(tests::runAlone(experiment).last.time.total, alike);
        experiment.memory.arrivingUpdateCost = 8.0;
        QVERIFY(tests::runAlone(experiment).last.time.total > alike);
    }

    void theGemmsOwnUpdatesDoNotPayForThoseThatArrive() {
        // 4096 B on one of eight channels at 750 GB/s: 43,690 ps; 1.4 times that is 61,166 ps, twice 87,380 ps.
        MemoryConfig config;
        config.arrivingUpdateCost = 2.0;
        DramTiming timing(config, 8, {4096});
        QCOMPARE(timing.service(MemoryOp::update, 4096), Duration{61'166});
        QCOMPARE(timing.service(MemoryOp::arrivingUpdate, 4096), Duration{87'380});
    }
};

RINGSIDE_TEST(TestStoreOrder)
#include "tst_store_order.moc"
