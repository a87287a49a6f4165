#include "data/sweep/sweep_plan.h"
#include "engine/api/expected_work.h"
#include "engine/api/runner.h"
#include "tests/data/small_sweep.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
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
            QCOMPARE(plan.details(point).policy, i % 2);
            QVERIFY((plan.details(point).at == std::vector<std::size_t>{i / 6, i / 2 % 3}));
        }
        const engine::Experiment last = plan.details(plan.points.back()).experiment;
        QCOMPARE(last.link.bandwidth.bytesPerSecond, std::int64_t{150'000'000'000});
        QCOMPARE(last.dma.blockTiles, std::int64_t{4});
        QCOMPARE(last.dma.engines, std::int64_t{1});
        QVERIFY(last.policy.preset == engine::PolicyPreset::t3Mca);
    }

    void aPointIsTheExperimentOfItsDraft() {
        const SweepPlan plan = planOf(small());
        for (const SweepPoint& point : plan.points) {
            const PointDetails details = plan.details(point);
            const Expansion expansion = expand(details.draft);
            QVERIFY(expansion.runnable() && point.problem.empty());
            QVERIFY(expansion.experiment == details.experiment);
            QCOMPARE(point.events, engine::expectedEvents(expansion.experiment));
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
            // Whether a point can be run must agree with the engine: 4 x 4256 = 17024 is divisible by 8 and by 7, for
            // example.
            QCOMPARE(point.problem.empty(), engine::validate(plan.details(point).experiment).empty());
            if (point.problem.empty())
                runnable.insert(point.hash);
        }
        QVERIFY(!runnable.empty());
        for (const SweepPoint& point : plan.points)
            QVERIFY(point.problem.empty() || runnable.count(point.hash) == 0);
    }

    void aPointWithAnUnusedValueDoesNotHaveAnotherPointsHash() {
        // A collective alone has no hidden size. A point that sets one keeps the default's experiment, but it cannot be
        // run and must not get the hash of another point.
        Sweep sweep;
        sweep.base.explicitValues = {{"workload.sublayer", std::string("all-reduce")}};
        sweep.axes = {{{{"workload.hidden", {std::int64_t{4256}, std::int64_t{8192}}, {}}}}};
        sweep.policies = {"t3"};
        const SweepPlan plan = planOf(sweep);
        QVERIFY(plan.points[0].problem.empty());
        QVERIFY(!plan.points[1].problem.empty());
        QVERIFY(plan.points[0].hash != plan.points[1].hash);
    }

    void planningSaysHowFarItIsUpToTheLastPoints() {
        const Sweep sweep = tests::smallSweep(100);
        std::vector<std::size_t> reports;
        PlanningOptions options;
        options.progress = [&](std::size_t done, std::size_t whole) {
            reports.push_back(done);
            QCOMPARE(whole, std::size_t{600});
        };
        QCOMPARE(planOf(sweep, {0, 2}, options).points.size(), std::size_t{600});
        QCOMPARE(reports.front(), std::size_t{0});
        QVERIFY(reports.size() > 2 && std::is_sorted(reports.begin(), reports.end()));
        QVERIFY(reports.back() > 500 && reports.back() < 600);
    }

    void planningThatIsStoppedEndsAtThatPoint() {
        std::stop_source stop;
        std::size_t reached = 0;
        PlanningOptions options;
        options.stop = stop.get_token();
        options.progress = [&](std::size_t done, std::size_t) {
            reached = done;
            if (done > 0)
                stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(planOf(tests::smallSweep(200), {}, options), engine::RunStopped);
        QVERIFY(reached > 0 && reached < 1000);
        stop = {};
        stop.request_stop();
        options.stop = stop.get_token();
        QVERIFY_EXCEPTION_THROWN(planOf(small(), {}, options), engine::RunStopped);
        QCOMPARE(planOf(small()).points.size(), std::size_t{12});
    }

    void aPlanKeepsNoExperiments() {
        // Limits the memory of a million points: at most 160 bytes for each, including the text of its hash.
        QVERIFY(sizeof(SweepPoint) <= 80);
    }

    void thePointsOfHugeSweepsAreCountedWithoutOverflow() {
        Sweep sweep = small();
        const std::vector<ParameterValue> many(std::size_t{1} << 20u, std::int64_t{1});
        sweep.axes.assign(4, {{{"dma.block_tiles", many, {}}}});
        QCOMPARE(pointCount(sweep), std::numeric_limits<std::size_t>::max());
        QCOMPARE(pointCount({}), std::size_t{0});
    }
};

RINGSIDE_TEST(TestSweepPlan)
#include "tst_sweep_plan.moc"
