#include "engine/memory/background_traffic.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;
using namespace engine::literals;

namespace {

/// A memory that serves 1000 B in 1000 ps on one channel, with background traffic of 1000 B every 4000 ps.
class BackgroundBench final : public MemoryClient {
public:
    explicit BackgroundBench(std::int64_t channels = 1)
        : memory(settings(channels), loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          load(memory.addFlow({Stream::compute, MemoryOp::read, this, false, false})),
          traffic({250'000'000'000}, {1000}, loop.port(Phase::dispatch, [this](std::uint32_t) { traffic.onIssue(); }),
                  memory) {
        loop.at({0}, [this] { traffic.begin(); });
    }

    void loadAt(TimePoint time) {
        loop.at(time, [this] { memory.enqueue(0, load, 0, 1000); });
    }

    void served(FlowId, std::uint32_t, std::uint32_t, TimePoint finish) override { finishes.push_back(finish); }

    static Experiment settings(std::int64_t channels) {
        Experiment experiment;
        experiment.detail.granule = {1000};
        experiment.detail.channels = channels;
        experiment.memory.bandwidth = {1'000'000'000'000 * channels};
        experiment.memory.efficiency = 1.0;
        return experiment;
    }

    tests::EventLoop loop;
    std::vector<TimePoint> finishes;
    MemoryController memory;
    FlowId load;
    BackgroundTraffic traffic;
};

/// Returns a published case with all GPUs simulated, in which GPU 2 has background reads at `rate`.
Experiment withTraffic(PolicyPreset policy, Bandwidth rate) {
    Experiment experiment = tests::tNlgFc2(policy, DetailLevel::interactive);
    experiment.detail.mode = DetailMode::full;
    if (rate.bytesPerSecond > 0) {
        experiment.variation.gpu = 2;
        experiment.variation.backgroundTraffic = rate;
    }
    return experiment;
}

}  // namespace

class TestBackgroundTraffic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGranuleIsReadAtASteadyRate() {
        // At 250 GB/s, 1000 B are read every 4000 ps, first at 0: four times up to 12,000 ps, and three times one
        // picosecond earlier.
        BackgroundBench bench;
        bench.loop.runUntil({11'999});
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{3000});
        bench.loop.runUntil({12'000});
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{4000});
    }

    void itGoesFromChannelToChannel() {
        // Four granules over two channels, two each.
        BackgroundBench bench(2);
        bench.loop.runUntil({12'000});
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{2000});
        QCOMPARE(bench.memory.channelStats(1).busy, Duration{2000});
    }

    void aLoadWaitsBehindItAsBehindAnyOther() {
        // The second granule is served from 4000 to 5000 ps, so a load issued at 4500 ps ends at 6000. A load issued at
        // 6500 ps need not wait and ends at 7500.
        BackgroundBench bench;
        bench.loadAt({4500});
        bench.loadAt({6500});
        bench.loop.runUntil({7500});
        QCOMPARE(bench.finishes[0], TimePoint{6000});
        QCOMPARE(bench.finishes[1], TimePoint{7500});
    }

    void afterAStopNothingMoreIsRead() {
        BackgroundBench bench;
        bench.loop.at({5000}, [&] { bench.traffic.stop(); });
        bench.loop.run();
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{2000});
        QVERIFY(bench.memory.idle());
    }

    void aRunFeelsItAndCountsNoneOfItsBytes() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3}) {
            const RunResult quiet = tests::runAlone(withTraffic(policy, {}));
            const RunResult busy = tests::runAlone(withTraffic(policy, 300_GBps));
            QCOMPARE(busy.invariants.failed.size(), std::size_t{0});
            QVERIFY(busy.last.time.total > quiet.last.time.total);
            QVERIFY(busy.perGpu[2].time.gemm > quiet.perGpu[2].time.gemm);
            // All counts are exact except the GEMM's reads, because other times give other cache hits. The background
            // traffic is about as large as everything else together.
            const DramResult& counted = *busy.perGpu[2].dram;
            const DramResult& before = *quiet.perGpu[2].dram;
            QCOMPARE(counted.total - counted.gemmRead, before.total - before.gemmRead);
            QVERIFY2(counted.gemmRead.count * 10 < before.gemmRead.count * 12,
                     qPrintable(QStringLiteral("%1 and %2").arg(counted.gemmRead.count).arg(before.gemmRead.count)));
        }
    }

    void moreThanDramSustainsIsRefused() {
        // 1 TB/s x 0.75 x 0.95 = 712.5 GB/s are allowed. One byte per second more is not, because other requests would
        // starve.
        QVERIFY(validate(withTraffic(PolicyPreset::t3, {712'500'000'000})).empty());
        const Problems problems = validate(withTraffic(PolicyPreset::t3, {712'500'000'001}));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().path, std::string("variation.background_traffic"));
    }

    void moreThanTheBanksSustainIsRefused() {
        // Without refreshes the banks keep the bus of 1 TB/s busy, so 950 GB/s are allowed; the efficiency belongs to
        // the other memory model and is not used. Refreshes that take 900 of 1000 ns leave 100 GB/s, of which 95 are
        // allowed.
        const auto problemsWith = [](Bandwidth traffic, Duration refresh) {
            Experiment experiment = withTraffic(PolicyPreset::t3, traffic);
            experiment.memory.model = DramModel::banks;
            experiment.dram.groupRun = experiment.dram.burst;
            experiment.dram.activate = {};
            experiment.dram.refreshInterval = 1_us;
            experiment.dram.refreshTime = refresh;
            return validate(experiment);
        };
        QVERIFY(problemsWith(949_GBps, {}).empty());
        QVERIFY(problemsWith(94_GBps, 900_ns).empty());
        for (const Problems& problems : {problemsWith(951_GBps, {}), problemsWith(96_GBps, 900_ns)}) {
            QCOMPARE(problems.size(), std::size_t{1});
            QCOMPARE(problems.front().path, std::string("variation.background_traffic"));
            QVERIFY(problems.front().text.find("its banks") != std::string::npos);
        }
    }

    void aRunWithNearlyAllThatTheBanksSustainEnds() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::smallExperiment(policy);
            applyDetailLevel(experiment, DetailLevel::interactive);
            experiment.memory.model = DramModel::banks;
            experiment.dram.groupRun = experiment.dram.burst;
            experiment.dram.refreshInterval = 1_us;
            experiment.dram.refreshTime = 900_ns;
            experiment.variation.gpu = 2;
            experiment.variation.backgroundTraffic = 81_GBps;  // 0.95 x (1 - (900 + 14) / 1000) of 1 TB/s are 81.7
            QVERIFY(validate(experiment).empty());
            QCOMPARE(tests::runAlone(experiment).invariants.failed.size(), std::size_t{0});
            experiment.variation.backgroundTraffic = 82_GBps;
            QVERIFY(!validate(experiment).empty());
        }
    }

    void valuesThatTheTableRefusesAreNotComputedWith() {
        Experiment experiment = withTraffic(PolicyPreset::t3, 300_GBps);
        experiment.memory.model = DramModel::banks;
        experiment.dram.bankGroups = 0;
        experiment.dram.refreshInterval = {};
        QCOMPARE(validate(experiment).size(), std::size_t{2});
    }
};

RINGSIDE_TEST(TestBackgroundTraffic)
#include "tst_background_traffic.moc"
