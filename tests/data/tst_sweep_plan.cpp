#include "data/sweep_plan.h"

#include <QtTest>

#include <set>

using namespace data;
using engine::ParameterValue;

namespace {

Sweep small() {
    Sweep sweep;
    sweep.base.explicitValues = {{"workload.sublayer", std::string("fc-2")}, {"parallel.tp", std::int64_t{8}}};
    sweep.axes = {{{{"link.bandwidth", {std::int64_t{75'000'000'000}, std::int64_t{150'000'000'000}}, {}}}},
                  {{{"dma.block_tiles", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}, {}},
                    {"dma.engines", {std::int64_t{4}, std::int64_t{2}, std::int64_t{1}}, {}}}}};
    sweep.policies = {"sequential", "t3-mca"};
    sweep.metrics = {"time_ps.total"};
    return sweep;
}

}  // namespace

class TestSweepPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstAxisVariesSlowestAndThePolicyFastest() {
        const SweepPlan plan = planOf(small());
        QCOMPARE(plan.whole, std::size_t{12});
        QCOMPARE(plan.points.size(), plan.whole);
        for (std::size_t i = 0; i < plan.points.size(); ++i) {
            const SweepPoint& point = plan.points[i];
            QCOMPARE(point.index, i);
            QCOMPARE(point.policy, i % 2);
            QVERIFY((point.at == std::vector<std::size_t>{i / 6, i / 2 % 3}));
        }
        const engine::Experiment& last = plan.points.back().experiment;
        QCOMPARE(last.link.bandwidth.bytesPerSecond, std::int64_t{150'000'000'000});
        QCOMPARE(last.dma.blockTiles, std::int64_t{4});
        QCOMPARE(last.dma.engines, std::int64_t{1});
        QVERIFY(last.policy.preset == engine::PolicyPreset::t3Mca);
    }

    void aPointIsTheExperimentOfItsDraft() {
        for (const SweepPoint& point : planOf(small()).points) {
            const Expansion expansion = expand(point.draft);
            QVERIFY(expansion.runnable() && point.problem.empty());
            QVERIFY(expansion.experiment == point.experiment);
            QCOMPARE(point.hash, experimentHash(expansion.experiment));
        }
    }

    void shardsTogetherAreTheWholeAndKeepTheirIndexes() {
        std::set<std::size_t> seen;
        for (std::size_t i = 0; i < 5; ++i) {
            const SweepPlan plan = planOf(small(), {i, 5});
            QCOMPARE(plan.whole, std::size_t{12});
            for (const SweepPoint& point : plan.points) {
                QCOMPARE(point.index % 5, i);
                QVERIFY(seen.insert(point.index).second);
            }
        }
        QCOMPARE(seen.size(), std::size_t{12});
    }

    void aPointThatCannotBeRunSaysWhyAndDoesNotStopTheOthers() {
        Sweep sweep = small();
        sweep.base.explicitValues.erase("parallel.tp");
        sweep.axes[0] = {{{"parallel.tp", {std::int64_t{8}, std::int64_t{7}}, {}}}};
        const SweepPlan plan = planOf(sweep);
        std::set<std::string> runnable;
        for (const SweepPoint& point : plan.points) {
            // 4 x 4256 = 17024 is divisible by 8 but for 7 only after 2432: check what the engine says.
            QCOMPARE(point.problem.empty(), engine::validate(point.experiment).empty());
            if (point.problem.empty())
                runnable.insert(point.hash);
        }
        QVERIFY(!runnable.empty());
        for (const SweepPoint& point : plan.points)
            QVERIFY(point.problem.empty() || runnable.count(point.hash) == 0);
    }

    void aValueThatHasNoSayDoesNotBorrowAnotherPointsHash() {
        // A collective alone has no hidden size: those points stay at the default's experiment but cannot be run.
        Sweep sweep;
        sweep.base.explicitValues = {{"workload.sublayer", std::string("all-reduce")}};
        sweep.axes = {{{{"workload.hidden", {std::int64_t{4256}, std::int64_t{8192}}, {}}}}};
        sweep.policies = {"t3"};
        const SweepPlan plan = planOf(sweep);
        QVERIFY(plan.points[0].problem.empty());
        QVERIFY(!plan.points[1].problem.empty());
        QVERIFY(plan.points[0].hash != plan.points[1].hash);
    }

    void thePointsOfHugeSweepsAreCountedWithoutOverflow() {
        Sweep sweep = small();
        const std::vector<ParameterValue> many(std::size_t{1} << 20u, std::int64_t{1});
        sweep.axes.assign(4, {{{"dma.block_tiles", many, {}}}});
        QCOMPARE(pointCount(sweep), std::numeric_limits<std::size_t>::max());
        QCOMPARE(pointCount({}), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestSweepPlan)
#include "tst_sweep_plan.moc"
