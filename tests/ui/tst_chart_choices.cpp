#include "ui/charts/chart_choices.h"

#include "tests/test_program.h"
#include "tests/ui/sample_sweep.h"
#include "ui/charts/chart_figure.h"
#include "ui/charts/sweep_points.h"

#include <QTest>

#include <cmath>
#include <memory>

using namespace ui;

namespace {

data::Sweep sweepOf(std::vector<data::SweepAxis> axes) { return tests::sweepOver(std::move(axes)).sweep; }

std::string said(const engine::Problems& problems) {
    return problems.empty() ? std::string() : engine::describe(problems.front());
}

}  // namespace

class TestChartChoices : public QObject {
    Q_OBJECT

    ChartChoice read(const data::Sweep& sweep, const std::vector<std::string>& words) {
        engine::Problems problems;
        ChartChoice choice = readChartChoice(sweep, words, problems);
        if (!problems.empty())
            qWarning("%s", said(problems).c_str());
        return choice;
    }
    void refuses(const data::Sweep& sweep, const std::vector<std::string>& words, const std::string& what) {
        engine::Problems problems;
        readChartChoice(sweep, words, problems);
        QVERIFY2(said(problems).find(what) != std::string::npos, said(problems).c_str());
    }

private Q_SLOTS:
    void withoutWordsEveryAxisHasAPlace() {
        const ChartChoice one = read(sweepOf({tests::bandwidths({50, 100})}), {});
        QVERIFY(one.settings.kind == ChartKind::lines && one.settings.across == 0U);
        const ChartChoice two = read(sweepOf({tests::machines(), tests::bandwidths({50, 100})}), {});
        QVERIFY(two.settings.kind == ChartKind::groupedLines && two.settings.across == 1U && two.settings.second == 0U);
        const ChartChoice three = read(sweepOf({tests::degrees(), tests::machines(), tests::blocks()}), {});
        QVERIFY(three.settings.kind == ChartKind::smallMultiples && three.settings.panels == 2U);
    }

    void policiesAloneMayBeTheSeriesOfPanels() {
        const data::SweepTable table = tests::sweepOver({tests::bandwidths({50, 100}), tests::blocks()});
        const ChartChoice choice = read(table.sweep, {"series=policy", "panels=dma.block_tiles"});
        QVERIFY(choice.settings.kind == ChartKind::smallMultiples);
        const ChartPlan plan = planChart(choice.settings, table, 0);
        QVERIFY(plan.kind == ChartKind::smallMultiples && plan.across == 0U && plan.panels == 1U && !plan.second);
    }

    void seedsGiveOneMeanWithAnInterval() {
        const auto seeds = tests::axisOf("seed", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}});
        auto table = std::make_shared<data::SweepTable>(tests::sweepOver({tests::bandwidths({50, 100}), seeds}));
        const ChartChoice choice = read(table->sweep, {});
        QVERIFY(choice.settings.kind == ChartKind::lines && choice.settings.across == 0U);
        ChartInput input;
        input.plan = planChart(choice.settings, *table, 0);
        QVERIFY(input.plan.seeds == 1U && input.plan.heldAxes.empty());
        input.points = std::make_shared<SweepPoints>(table);
        const data::FigureSpec figure = chartFigure(input)->figure;
        const auto& series = std::get<data::LineMark>(figure.panels[0].marks[0]).series[2];
        double sum = 0, squares = 0;
        for (const data::SweepRow& row : table->rows) {
            if (row.policy == 2 && row.at[0] == 0) {
                sum += *row.values[0];
                squares += *row.values[0] * *row.values[0];
            }
        }
        QVERIFY(std::abs(*series.values[0] - sum / 3) < 1e-12);
        const double deviation = std::sqrt((squares - sum * sum / 3) / 2);
        QVERIFY(std::abs(*series.high[0] - *series.values[0] - 4.302653 * deviation / std::sqrt(3)) < 1e-6);
        QCOMPARE(series.samples, 3);
        QVERIFY(figure.caption.find("Means over 3 seeds") != std::string::npos);
        QVERIFY(figure.caption.find("95 %") != std::string::npos);
        QCOMPARE(figure.panels[0].marks.size(), std::size_t{1});
        input.withPoints = true;
        const data::FigureSpec both = chartFigure(input)->figure;
        QCOMPARE(both.panels[0].marks.size(), std::size_t{4});  // the lines, and the points of three policies
        QCOMPARE(std::get<data::LineMark>(both.panels[0].marks[1]).x.size(), std::size_t{6});
    }

    void oneSeedHasNoInterval() {
        const data::Sweep sweep =
            sweepOf({tests::bandwidths({50, 100}), tests::axisOf("seed", {std::int64_t{1}, std::int64_t{2}})});
        const data::Sweep one = sweepOf({tests::bandwidths({50, 100}), tests::axisOf("seed", {std::int64_t{1}})});
        refuses(one, {}, "needs at least two");
        refuses(sweepOf({tests::bandwidths({50, 100})}), {"points=true"}, "no axis of seeds");
        QVERIFY(read(sweep, {"where=seed=2"}).settings.kind == ChartKind::lines);
        QVERIFY(read(sweep, {"series=seed"}).settings.kind == ChartKind::groupedLines);
    }

    void conditionsLeaveValuesAndPolicies() {
        const data::Sweep sweep = sweepOf({tests::bandwidths({50, 100, 200}), tests::blocks()});
        const ChartChoice choice = read(sweep, {"where=link.bandwidth=200GB/s,50 GB/s", "where=dma.block_tiles=4",
                                                "where=policy=t3-mca,sequential"});
        QVERIFY(choice.sweep.axes[0].columns[0].values ==
                (std::vector<engine::ParameterValue>{std::int64_t{50'000'000'000}, std::int64_t{200'000'000'000}}));
        QCOMPARE(choice.sweep.axes[1].size(), std::size_t{1});
        QVERIFY(choice.sweep.policies == (std::vector<std::string>{"sequential", "t3-mca"}));
        QVERIFY(choice.settings.kind == ChartKind::lines && choice.settings.across == 0U);
    }

    void axesAndMetricsHaveTheirPlaces() {
        const data::Sweep sweep = sweepOf({tests::degrees(), tests::bandwidths({50, 100})});
        const ChartChoice choice = read(
            sweep, {"x=parallel.tp", "series=link.bandwidth", "y=dram_bytes.total", "kind=heat-map", "scale=linear"});
        QVERIFY(choice.settings.kind == ChartKind::heatMap);
        QVERIFY(choice.settings.across == 0U && choice.settings.second == 1U);
        QCOMPARE(choice.sweep.metrics[choice.metric], std::string("dram_bytes.total"));
        // A metric of the results that the sweep does not watch is added.
        const ChartChoice other = read(sweep, {"y=time_ps.gemm"});
        QCOMPARE(other.sweep.metrics[other.metric], std::string("time_ps.gemm"));
    }

    void whatIsNotThereIsRefusedWithWhatIs() {
        const data::Sweep sweep = sweepOf({tests::bandwidths({50, 100}), tests::blocks()});
        refuses(sweep, {"x=parallel.tp"}, "the axes of the sweep are link.bandwidth and dma.block_tiles");
        refuses(sweep, {"where=link.bandwidth=75GB/s"}, "it has 50 GB/s and 100 GB/s");
        refuses(sweep, {"where=policy=t4"}, "its policies are sequential, t3 and t3-mca");
        refuses(sweep, {"where=link.bandwidth"}, "PATH=VALUE");
        refuses(sweep, {"y=speed"}, "the sweep has speedup_over_sequential");
        refuses(sweep, {"kind=pie"}, "heat-map");
        refuses(sweep, {"x=link.bandwidth", "series=link.bandwidth"}, "a place in the chart already");
        refuses(sweep, {"kind=lines"}, "places for 1 axes");
        refuses(sweep, {"series=policy", "x=link.bandwidth", "kind=lines"}, "places for 1 axes");
    }

    void pointsThatWouldShareAPlaceAreRefused() {
        const data::Sweep sweep =
            sweepOf({tests::bandwidths({50, 100}), tests::blocks(), tests::degrees(), tests::machines()});
        refuses(sweep, {}, "no place in the chart");
        QVERIFY(read(sweep, {"where=machine=t3-2x-cu"}).settings.kind == ChartKind::smallMultiples);
    }

    void theWordsOfAChartChooseItAgain() {
        const data::SweepTable table =
            tests::sweepOver({tests::bandwidths({50, 100}), tests::blocks(), tests::degrees()});
        ChartSettings settings;
        settings.kind = ChartKind::groupedLines;
        settings.across = 2;
        settings.second = 0;
        settings.held = {0, 3, 0};
        const ChartPlan plan = planChart(settings, table, 1);
        const std::vector<std::string> words = chartWords(table.sweep, plan, 1, ValueScale::logarithmic, false);
        const ChartChoice choice = read(table.sweep, words);
        QVERIFY(choice.settings.kind == ChartKind::groupedLines);
        QVERIFY(choice.settings.across == 2U && choice.settings.second == 0U);
        QVERIFY(choice.sweep.axes[1].columns[0].values == std::vector<engine::ParameterValue>{std::int64_t{8}});
        QCOMPARE(choice.metric, std::size_t{1});
        QVERIFY(choice.settings.scale == ValueScale::logarithmic);
    }
};

RINGSIDE_TEST(TestChartChoices)
#include "tst_chart_choices.moc"
