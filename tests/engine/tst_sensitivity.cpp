// What plain T3 loses and MCA wins back comes from a mechanism: waves of updates that leave together, the next wave's
// loads behind them in order, an arbiter that then gives compute a part of the channel, all CUs waiting. Each row of
// model.md's table takes one link of that chain away or strengthens it. An effect that vanishes or changes its sign
// means that the mechanism is no longer what it was, whatever the default's figure says.
//
// Geomeans of the speed-up over sequential, 16 published cases, interactive detail; the prototype's beside ours.
//
//   change from the defaults                T3: ours  prototype   T3-MCA: ours  prototype
//   none                                       1.235      1.225          1.318      1.309
//   reads overtake the GEMM's own stores       1.338      1.331          1.334      1.317
//   write drain by watermarks                  1.201          -          1.290          -
//   update cost 1.0                            1.280      1.274          1.332      1.329
//   update cost 1.6                            1.205      1.197          1.307      1.292
//   update cost 2.0                            1.134      1.123          1.277      1.257
//   share 1:1                                  1.272      1.267          1.318      1.309
//   share 2:1                                  1.240      1.222          1.318      1.309
//   prefetch 1 K-step                          1.201      1.209          1.293      1.305
//   prefetch 4 K-steps                         1.298      1.273          1.331      1.320
//   prefetch 6 K-steps                         1.325      1.310          1.334      1.322
//   one slot per CU                            1.313      1.284          1.337      1.334
//   128x128 tiles                              1.261      1.234          1.335      1.331
//   start jitter 20 us                         1.340      1.261          1.345      1.321
//   link 75 GB/s                               1.289      1.284          1.299      1.299
//   LLC 8 MB                                   1.224      1.203          1.314      1.289
//   LLC 24 MB                                  1.233      1.229          1.318      1.310
//   queue 32 or 128 KB, DMA window 256 KB,
//   MCA threshold, starvation 0.2 or 20 us   +-0.007    +-0.010        +-0.003    +-0.010
//
// Ours lies about 0.01 above the prototype's, whose cached output was written back at the end of the GEMM. Since ours is
// written back while memory is idle, stores that wait longer (write drain, one K-step of prefetch) slow the fused runs but
// hardly the sequential one, and a smaller cache no longer shortens the sequential run's last burst. A start jitter helps
// more than there: 20 us are longer than a wave's burst of stores takes, which spreads the bursts and with them what they
// delay. GEMM reads fall 1.66 times by default (prototype 1.60) and 1.29 times with 128x128 tiles (1.28); the largest
// saving of DRAM traffic is then 38 % instead of 32 % (prototype 46 and 32 %).

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <thread>

using namespace engine;
using namespace engine::literals;

namespace {

using Change = std::function<void(Experiment&)>;

struct Geomeans {
    double t3 = 0;
    double mca = 0;
    double gemmReads = 0;  ///< sequential's over T3-MCA's
};

constexpr std::array kStudiedPolicies{PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca};

Geomeans geomeans(const Change& change) {
    std::vector<Experiment> experiments;
    for (const tests::PublishedCase& published : tests::publishedCases())
        for (const PolicyPreset policy : kStudiedPolicies) {
            experiments.push_back(tests::experimentOf(published, policy, DetailLevel::interactive));
            change(experiments.back());
        }
    RunManyOptions options;
    options.each.baselines = false;
    options.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
    const std::vector<RunOutcome> outcomes = runMany(experiments, options);
    Geomeans sum;
    for (std::size_t i = 0; i < outcomes.size(); i += kStudiedPolicies.size()) {
        const auto at = [&](std::size_t policy) -> const GpuResult& {
            return outcomes[i + policy].result.value().last;
        };
        const auto ratio = [](std::int64_t a, std::int64_t b) {
            return std::log(static_cast<double>(a) / static_cast<double>(b));
        };
        sum.t3 += ratio(at(0).time.total.ps, at(1).time.total.ps);
        sum.mca += ratio(at(0).time.total.ps, at(2).time.total.ps);
        sum.gemmReads += ratio(at(0).dram->gemmRead.count, at(2).dram->gemmRead.count);
    }
    const double cases = static_cast<double>(outcomes.size()) / kStudiedPolicies.size();
    return {std::exp(sum.t3 / cases), std::exp(sum.mca / cases), std::exp(sum.gemmReads / cases)};
}

const Geomeans& defaults() {
    static const Geomeans kDefaults = geomeans([](Experiment&) {});
    return kDefaults;
}

}  // namespace

class TestSensitivity : public QObject {
    Q_OBJECT

private:
    // An effect may be 40 % larger or smaller than ours was, and 0.006 either way, but never change its sign: what is not
    // larger than 0.006 is lost in the noise, is expected as 0, and then stays below a hundredth.
    static void checkEffect(const char* on, double effect, double expected) {
        QVERIFY2(expected == 0 || std::abs(expected) > 0.006, "write 0 where the sign means nothing");
        const double allowed = expected == 0 ? 0.01 : std::max(0.006, 0.4 * std::abs(expected));
        QVERIFY2(std::abs(effect - expected) <= allowed,
                 qPrintable(QStringLiteral("%1 changes by %2, expected %3 +- %4")
                                .arg(QLatin1String(on))
                                .arg(effect, 0, 'f', 3)
                                .arg(expected, 0, 'f', 3)
                                .arg(allowed, 0, 'f', 3)));
    }

    static void check(double t3, double mca, const Change& change) {
        const Geomeans changed = geomeans(change);
        qInfo("T3 %.3f (%+.3f), T3-MCA %.3f (%+.3f)", changed.t3, changed.t3 - defaults().t3, changed.mca,
              changed.mca - defaults().mca);
        checkEffect("T3", changed.t3 - defaults().t3, t3);
        checkEffect("T3-MCA", changed.mca - defaults().mca, mca);
    }

private Q_SLOTS:
    void mcaMendsMostOfWhatPlainT3Loses() {
        qInfo("T3 %.3f, T3-MCA %.3f", defaults().t3, defaults().mca);
        QVERIFY(std::abs(defaults().t3 - 1.235) < 0.03);
        QVERIFY(std::abs(defaults().mca - 1.318) < 0.03);
        QVERIFY(defaults().mca - defaults().t3 > 0.05);
    }

    void theGapIsGoneWhenLoadsOvertakeTheGemmsOwnStores() {
        check(+0.101, +0.010, [](Experiment& e) { e.memory.storeOrder = StoreOrder::readsFirst; });
    }
    void drainingStoresByWatermarksKeepsTheGap() {
        check(-0.034, -0.028, [](Experiment& e) { e.memory.storeOrder = StoreOrder::writeDrain; });
    }

    void updatesAsCheapAsWritesHelpPlainT3Most() {
        check(+0.048, +0.013, [](Experiment& e) { e.memory.updateCost = 1.0; });
    }
    void dearerUpdatesCostBoth() {
        check(-0.030, -0.012, [](Experiment& e) { e.memory.updateCost = 1.6; });
        check(-0.098, -0.039, [](Experiment& e) { e.memory.updateCost = 2.0; });
    }

    void aFairerShareHelpsPlainT3AndLeavesMcaAlone() {
        check(+0.038, 0, [](Experiment& e) { e.arbitration.share = 1; });
        check(+0.009, 0, [](Experiment& e) { e.arbitration.share = 2; });
    }

    void prefetchHidesTheWaitBehindTheStores() {
        check(-0.034, -0.025, [](Experiment& e) { e.gemm.prefetch = 32; });
        check(+0.065, +0.009, [](Experiment& e) { e.gemm.prefetch = 128; });
        check(+0.088, +0.011, [](Experiment& e) { e.gemm.prefetch = 192; });
    }

    void smallerBurstsOfStoresHelp() {
        check(+0.074, +0.014, [](Experiment& e) { e.cu.slots = 1; });
        check(+0.023, +0.017, [](Experiment& e) { e.gemm.tileM = e.gemm.tileN = 128; });
    }

    void aSmallTrackerThrottlesTheBurstsAndOneEntryThrottlesTheGemm() {
        // Stores that wait outside the streams let the next wave's loads pass; one tile at a time takes a DRAM latency each.
        check(+0.092, +0.019, [](Experiment& e) { e.tracker.entries = 16; });
        check(0, -0.077, [](Experiment& e) { e.tracker.entries = 1; });
    }

    void smallerTilesSaveFewerOfTheGemmsReads() {
        // 1.63 times fewer by default, 1.28 times with tiles of half the size.
        QVERIFY(defaults().gemmReads > 1.5 && defaults().gemmReads < 1.75);
        const double small = geomeans([](Experiment& e) { e.gemm.tileM = e.gemm.tileN = 128; }).gemmReads;
        QVERIFY(small > 1.2 && small < 1.4);
    }

    void startsThatAreSpreadSpreadTheBursts() {
        check(+0.107, +0.023, [](Experiment& e) { e.cu.startJitter = 20_us; });
    }

    void aSlowerLinkHelpsPlainT3AndCostsMca() {
        // What arrives more slowly keeps fewer of the next loads waiting; there is also more to hide.
        check(+0.051, -0.025, [](Experiment& e) { e.link.bandwidth = 75_GBps; });
    }

    void aSmallerCacheCostsPlainT3ALittleAndALargerOneNothing() {
        check(-0.011, 0, [](Experiment& e) { e.llc.size = 8_MiB; });
        check(0, 0, [](Experiment& e) { e.llc.size = 24_MiB; });
    }

    void queueWindowThresholdAndStarvationLimitHardlyMatter() {
        check(0, 0, [](Experiment& e) { e.memory.queue = 32_KiB; });
        check(0, 0, [](Experiment& e) { e.memory.queue = {128 * 1024}; });
        check(0, 0, [](Experiment& e) { e.dma.window = Bytes{256 * 1024}; });
        check(0, 0, [](Experiment& e) { e.arbitration.threshold = {ArbitrationThreshold::Kind::bytes, 5_KiB}; });
        check(0, 0, [](Experiment& e) { e.arbitration.threshold.kind = ArbitrationThreshold::Kind::none; });
        check(0, 0, [](Experiment& e) { e.arbitration.starvationLimit = 200_ns; });
        check(0, 0, [](Experiment& e) { e.arbitration.starvationLimit = 20_us; });
    }
};

RINGSIDE_TEST(TestSensitivity)
#include "tst_sensitivity.moc"
