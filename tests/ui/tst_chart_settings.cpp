#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "ui/charts/chart_settings.h"
#include "ui/charts/sweep_points.h"

#include <QJsonObject>

using ui::ChartKind;
using ui::ChartPlan;
using ui::ChartSettings;

namespace {

const data::SweepAxis kBandwidths = tests::bandwidths({50, 75, 100, 150, 200});

data::SweepAxis wide() { return tests::bandwidths({10, 20, 30, 40, 50, 60, 70, 80, 90}); }

}  // namespace

class TestChartSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKindFollowsTheNumberOfAxes() {
        QCOMPARE(ui::defaultKind(tests::sweepOver({}).sweep), ChartKind::lines);
        QCOMPARE(ui::defaultKind(tests::sweepOver({kBandwidths}).sweep), ChartKind::lines);
        QCOMPARE(ui::defaultKind(tests::sweepOver({kBandwidths, tests::blocks()}).sweep), ChartKind::groupedLines);
        QCOMPARE(ui::defaultKind(tests::sweepOver({kBandwidths, tests::blocks(), tests::degrees()}).sweep),
                 ChartKind::smallMultiples);
    }

    void twoAxesWithTooManyLinesBecomeAHeatMap() {
        QCOMPARE(ui::defaultKind(tests::sweepOver({wide(), wide()}).sweep), ChartKind::heatMap);
        const std::vector<std::string> six{"sequential", "cu-split",      "t3",
                                           "t3-mca",     "ideal-overlap", "ideal-overlap-nmc"};
        QCOMPARE(ui::defaultKind(tests::sweepOver({kBandwidths, tests::blocks()}, six).sweep), ChartKind::heatMap);
    }

    void theLongestAxisWithNumbersIsDrawnAlong() {
        const auto table = tests::sweepOver({tests::machines(), tests::blocks(), kBandwidths});
        const ChartPlan plan = ui::planChart({}, table, 0);
        QCOMPARE(plan.across, std::optional<std::size_t>(2));
        QCOMPARE(plan.second, std::optional<std::size_t>(0));
        QCOMPARE(plan.panels, std::optional<std::size_t>(1));
    }

    void aReadersChoiceStandsAndTheRestMakesWay() {
        const auto table = tests::sweepOver({kBandwidths, tests::blocks(), tests::degrees()});
        const ChartPlan plan = ui::planChart({.kind = ChartKind::heatMap, .across = 2, .second = 1}, table, 0);
        QCOMPARE(plan.kind, ChartKind::heatMap);
        QCOMPARE(plan.across, std::optional<std::size_t>(2));
        QCOMPARE(plan.second, std::optional<std::size_t>(1));
        QCOMPARE(plan.heldAxes, std::vector<std::size_t>{0});
    }

    void oneAxisNeverHasTwoRoles() {
        const auto table = tests::sweepOver({kBandwidths, tests::blocks()});
        const ChartPlan plan = ui::planChart({.across = 1, .second = 1}, table, 0);
        QCOMPARE(plan.across, std::optional<std::size_t>(1));
        QCOMPARE(plan.second, std::optional<std::size_t>(0));
    }

    void everyAxisIsShownOrHeld() {
        const auto table = tests::sweepOver({kBandwidths, tests::blocks(), tests::degrees(), tests::machines()});
        for (const ChartKind kind :
             {ChartKind::lines, ChartKind::groupedLines, ChartKind::heatMap, ChartKind::smallMultiples}) {
            const ChartPlan plan = ui::planChart({.kind = kind}, table, 0);
            QCOMPARE(plan.heldAxes.size() + ui::rolesOf(kind), std::size_t{4});
        }
    }

    void aKindThatASweepHasNoRoomForWaitsForTheNext() {
        const ChartSettings settings{.kind = ChartKind::smallMultiples};
        QCOMPARE(ui::planChart(settings, tests::sweepOver({kBandwidths}), 0).kind, ChartKind::lines);
        const auto three = tests::sweepOver({kBandwidths, tests::blocks(), tests::degrees()});
        QCOMPARE(ui::planChart(settings, three, 0).kind, ChartKind::smallMultiples);
    }

    void aSessionKeepsEveryChoice() {
        for (const ChartKind kind : ui::kChartKinds) {
            const ChartSettings settings{.kind = kind,
                                         .across = 1,
                                         .second = 0,
                                         .panels = 3,
                                         .held = {0, 2, 0, 1},
                                         .policy = 2,
                                         .against = 4,
                                         .scale = ui::ValueScale::logarithmic,
                                         .published = true};
            QVERIFY(ui::chartSettings(ui::saved(settings)) == settings);
        }
        QVERIFY(ui::chartSettings(ui::saved({})) == ChartSettings{});
    }

    void whatASessionCannotSayIsLeftToTheDefaults() {
        QVERIFY(ui::chartSettings({}) == ChartSettings{});
        const QJsonObject wrong{{"kind", "pie"}, {"across", -1}, {"policy", "all"}, {"scale", 3}, {"held", "x"}};
        QVERIFY(ui::chartSettings(wrong) == ChartSettings{});
    }

    void choicesOfALargerSweepDoNoHarmToASmallerOne() {
        const ChartSettings settings{.across = 3, .held = {9, 9, 9, 9}, .policy = 7, .against = 9};
        for (const ChartKind kind : ui::kChartKinds) {
            ChartSettings each = settings;
            each.kind = kind;
            const auto table = tests::sweepOver({kBandwidths});
            const ChartPlan plan = ui::planChart(each, table, 0);
            QVERIFY(ui::isPossible(plan.kind, table));
            QCOMPARE(plan.held, std::vector<std::size_t>{0});
            QCOMPARE(plan.policies.size(), table.sweep.policies.size());
        }
    }

    void aFrontIsNeverBetweenAMetricAndItself() {
        const auto table = tests::sweepOver({kBandwidths});
        for (std::size_t metric = 0; metric < table.metrics.size(); ++metric)
            QVERIFY(ui::planChart({.kind = ChartKind::pareto, .against = 1}, table, metric).against != metric);
    }

    void whatASweepVariesCanBeTheCostOfAFront() {
        // The list has three metrics and then the parameters with numbers: bandwidth and block, but not the machine.
        auto table = tests::sweepOver({kBandwidths, tests::blocks(), tests::machines()});
        for (std::size_t cost = 1; cost < 5; ++cost)
            QCOMPARE(ui::planChart({.kind = ChartKind::pareto, .against = cost}, table, 0).against, cost);
        QVERIFY(ui::planChart({.kind = ChartKind::pareto, .against = 5}, table, 0).against != std::size_t{5});
        // One metric is enough if a parameter with numbers varies.
        table.metrics.resize(1);
        QVERIFY(ui::isPossible(ChartKind::pareto, table));
        QCOMPARE(ui::planChart({.kind = ChartKind::pareto}, table, 0).against, std::size_t{1});
        table.sweep.axes = {tests::machines()};
        QVERIFY(!ui::isPossible(ChartKind::pareto, table));
    }

    void ofACostLessIsBetterUnlessItIsATimeThatTheMachineTakes() {
        auto table = tests::sweepOver({kBandwidths, tests::axisOf("link.latency", {std::int64_t{1}, std::int64_t{2}})});
        table.metrics[2] = "shape.m";  // neither good nor bad
        const ui::SweepPoints points(std::make_shared<data::SweepTable>(table));
        QVERIFY(points.betterAsCost(0) == data::Better::larger);  // a speed-up
        QVERIFY(points.betterAsCost(2) == data::Better::smaller);
        QVERIFY(points.betterAsCost(3) == data::Better::smaller);
        QVERIFY(points.betterAsCost(4) == data::Better::larger);
        QVERIFY(points.metricTitle(3).contains(QStringLiteral("Bandwidth")));
        QCOMPARE(points.value(0, 3).value, 50e9);
    }

    void aChosenPolicyIsAloneInAHeatMapAndAmongTheOthersInLines() {
        const auto table = tests::sweepOver({kBandwidths, tests::blocks()});
        QCOMPARE(ui::planChart({.kind = ChartKind::heatMap, .policy = 2}, table, 0).policies,
                 std::vector<std::size_t>{2});
        QCOMPARE(ui::planChart({.kind = ChartKind::lines, .policy = 2}, table, 0).policies.size(), std::size_t{3});
    }
};

RINGSIDE_WINDOW_TEST(TestChartSettings)
#include "tst_chart_settings.moc"
