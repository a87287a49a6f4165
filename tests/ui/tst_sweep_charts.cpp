// Tests the data of charts before they are drawn: series and their gaps, Pareto fronts, effects, bundles, and the point
// under the mouse.

#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "ui/charts/chart_figure.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/sweep_axes.h"
#include "ui/charts/target_index.h"
#include "ui/drawing/thinned.h"

#include <limits>

using data::Better;
using ui::Outcome;
using ui::ParetoPoint;
using ui::SweepPoints;
using ui::Target;
using ui::TargetIndex;

namespace {

constexpr std::size_t kSpeedup = 0, kTime = 1, kDram = 2;

/// Returns the figure of a chart, and the points behind it.
ui::ChartFigure linesOf(const data::SweepTable& table, const ui::ChartSettings& settings = {},
                        std::size_t metric = kTime) {
    const auto points = std::make_shared<const SweepPoints>(tests::shared(table));
    return ui::chartOf({points, ui::planChart(settings, table, metric), metric, settings.scale, settings.published});
}

const std::vector<data::FigureSeries>& seriesOf(const ui::ChartFigure& chart) {
    return std::get<data::LineMark>(chart.figure.panels.at(0).marks.at(0)).series;
}

data::SweepTable aTable() { return tests::sweepOver({tests::bandwidths({50, 75, 100, 150})}); }

}  // namespace

class TestSweepCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPointOfATableIsFoundAtItsPlace() {
        const auto table = tests::sweepOver({tests::bandwidths({50, 75}), tests::blocks()});
        const SweepPoints points(tests::shared(table));
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            QCOMPARE(points.rowAt(table.rows[row].at, table.rows[row].policy), std::optional(row));
        QVERIFY(!points.rowAt({0}, 0));
        QVERIFY(!points.rowAt({0, 9}, 0));
        QVERIFY(!points.rowAt({0, 0}, 9));
    }

    void whatHasNoNumberSaysWhy() {
        auto table = aTable();
        tests::fail(table, 0, "the tracker is full");
        tests::forget(table, 1);
        table.rows[2].values[kTime] = std::numeric_limits<double>::quiet_NaN();
        table.rows[3].values[kTime].reset();
        const SweepPoints points(tests::shared(table));
        QCOMPARE(points.value(0, kTime).outcome, Outcome::failed);
        QCOMPARE(points.value(1, kTime).outcome, Outcome::missing);
        QCOMPARE(points.value(2, kTime).outcome, Outcome::without);
        QCOMPARE(points.value(3, kTime).outcome, Outcome::without);
        QCOMPARE(points.value(4, kTime).outcome, Outcome::value);
        QVERIFY(points.describe(0).contains(QStringLiteral("the tracker is full")));
        QVERIFY(points.describe(1).contains(QStringLiteral("Not run yet")));
    }

    void aTooltipSaysWhatTheNumbersOfItsPointDependOn() {
        auto table = aTable();
        table.rows[4].notices = {{"tracker.held_bytes", "up to 5 MiB waited"}, {"dma.engines", "not read"}};
        const SweepPoints points(tests::shared(table));
        QVERIFY(points.describe(4).endsWith(QStringLiteral("\nNotice: up to 5 MiB waited")));
        QVERIFY(!points.describe(5).contains(QStringLiteral("Notice")));
    }

    void aTooltipShowsPolicyCoordinatesAndEveryMetric() {
        const SweepPoints points(tests::shared(aTable()));
        const QString text = points.describe(5);  // 75 GB/s under T3-MCA
        QVERIFY(text.startsWith(QStringLiteral("T3-MCA")));
        QVERIFY(text.contains(QStringLiteral("Bandwidth per direction = 75") + QChar(0x00a0) + QStringLiteral("GB/s")));
        QCOMPARE(text.count(u'\n'), 4);
    }

    void aLineBreaksWhereAPointIsMissing() {
        auto table = aTable();
        tests::forget(table, 3);  // the second point of "sequential"
        const ui::ChartFigure chart = linesOf(table);
        const auto gaps = [](const data::FigureSeries& series) {
            std::vector<bool> missing;
            for (const auto& value : series.values)
                missing.push_back(!value);
            return missing;
        };
        QCOMPARE(gaps(seriesOf(chart)[0]), (std::vector<bool>{false, true, false, false}));
        QCOMPARE(gaps(seriesOf(chart)[1]), std::vector<bool>(4));
    }

    void aLineRunsInTheOrderOfItsValuesWhateverTheOrderOfTheList() {
        const ui::ChartFigure chart = linesOf(tests::sweepOver({tests::bandwidths({100, 50, 75})}));
        QVERIFY(chart.points[0].across < chart.points[1].across && chart.points[1].across < chart.points[2].across);
        QCOMPARE(chart.points[0].row, std::size_t{3});
    }

    void zeroIsAGapOnALogarithmicAxis() {
        auto table = aTable();
        table.rows[3].values[kTime] = 0;
        QVERIFY(!seriesOf(linesOf(table, {.scale = ui::ValueScale::logarithmic}))[0].values[1]);
        QCOMPARE(seriesOf(linesOf(table, {.scale = ui::ValueScale::linear}))[0].values[1], std::optional(0.0));
    }

    void everyPointOfThreeAxesIsInExactlyOnePanel() {
        const auto table = tests::sweepOver({tests::bandwidths({50, 75}), tests::blocks(), tests::degrees()});
        std::vector<std::size_t> rows;
        for (const ui::ChartPoint& point : linesOf(table).points)
            rows.push_back(point.row);
        std::sort(rows.begin(), rows.end());
        QCOMPARE(rows.size(), table.rows.size());
        QVERIFY(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
    }

    void aHeldAxisShowsTheChosenValueOnly() {
        const auto table = tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::degrees()});
        const ui::ChartFigure chart = linesOf(table, {.kind = ui::ChartKind::lines, .held = {0, 2}});
        QVERIFY(!chart.points.empty());
        for (const ui::ChartPoint& point : chart.points)
            QCOMPARE(table.rows[point.row].at[1], std::size_t{2});
    }

    void withoutAxesThePoliciesStandSideBySide() {
        const ui::ChartFigure chart = linesOf(tests::sweepOver({}));
        QCOMPARE(seriesOf(chart).size(), std::size_t{3});
        QVERIFY(chart.points[0].across < chart.points[1].across);
    }

    void aPointIsAtItsValueInTheFigure() {
        const ui::ChartFigure chart = linesOf(aTable());
        for (const ui::ChartPoint& point : chart.points) {
            const auto& mark = std::get<data::LineMark>(chart.figure.panels[point.panel].marks.front());
            const auto place = std::ranges::find(mark.x, point.across) - mark.x.begin();
            const auto series = std::ranges::find(mark.series, chart.looks[point.look], &data::FigureSeries::meaning);
            QCOMPARE(series->values[static_cast<std::size_t>(place)], std::optional(point.value));
        }
    }

    void decimationKeepsEveryPeakAndBothEnds() {
        QPolygonF many;
        for (int i = 0; i < 10'000; ++i)
            many.emplace_back(i / 10'000.0, i == 4321 ? 5.0 : i == 7003 ? -5.0 : 0.5);
        const auto kept = ui::thinned(many, 0.01);
        QVERIFY(kept.size() <= 400);
        QVERIFY(std::find(kept.begin(), kept.end(), many[4321]) != kept.end());
        QVERIFY(std::find(kept.begin(), kept.end(), many[7003]) != kept.end());
        QCOMPARE(kept.front(), many.front());
        QCOMPARE(kept.back(), many.back());
        QVERIFY(std::is_sorted(kept.begin(), kept.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); }));
        QCOMPARE(ui::thinned({many[0], many[1]}, 0.01).size(), 2);
    }

    void publishedFiguresStandBesideSpeedUpsOfTheirPolicyOnly() {
        const SweepPoints points(tests::shared(aTable()));
        const auto plan = ui::planChart({}, points.table(), kSpeedup);
        const auto marks = ui::publishedMarks(points.table(), plan, kSpeedup);
        QCOMPARE(marks.size(), std::size_t{2});  // T3 and T3-MCA; nothing was published for sequential
        QCOMPARE(marks[1].text, QStringLiteral("T3-MCA: 1.30 (published)"));
        QVERIFY(ui::publishedMarks(points.table(), plan, kTime).empty());
    }

    void theFrontHoldsWhatNothingBeats() {
        const std::vector<ParetoPoint> points{{1, 9, 0}, {2, 5, 1}, {3, 6, 2}, {4, 2, 3}, {5, 2, 4}, {2, 5, 5}};
        // (2,5) dominates (3,6), and (4,2) dominates (5,2). The two equal points at (2,5) do not dominate each other.
        QCOMPARE(ui::paretoFront(points, Better::smaller, Better::smaller), (std::vector<std::size_t>{0, 1, 5, 3}));
        QCOMPARE(ui::paretoFront(points, Better::larger, Better::larger), (std::vector<std::size_t>{0, 2, 4}));
        QVERIFY(ui::paretoFront(points, Better::neither, Better::smaller).empty());
        QVERIFY(ui::paretoFront({}, Better::smaller, Better::smaller).empty());
    }

    void theBaseIsTheValueOfTheSweepNearestToTheExperiment() {
        auto sweep = tests::sweepOver({tests::bandwidths({50, 100, 200}), tests::machines()}).sweep;
        sweep.base.explicitValues["link.bandwidth"] = std::int64_t{130'000'000'000};
        const auto nearest = ui::nearestToBase(sweep);
        QCOMPARE(nearest[0], std::optional<std::size_t>(1));
        QCOMPARE(nearest[1], std::optional<std::size_t>(0));  // t3-table-1 is the default machine
        sweep.axes[1] = tests::axisOf("machine", {std::string("t3-2x-cu")});
        QVERIFY(!ui::nearestToBase(sweep)[1]);
    }

    void aTornadoGoesThroughTheBasePointAlongEachAxis() {
        auto table = tests::sweepOver({tests::bandwidths({200, 50, 100}), tests::blocks()}, {"t3"});
        const SweepPoints points(tests::shared(table));
        const ui::Tornado tornado = ui::tornadoAround(points, {2, 1}, 0, kTime);
        QCOMPARE(tornado.base->row, std::size_t{2 * 4 + 1});
        QCOMPARE(tornado.bars[0].low->value, std::size_t{1});   // 50 GB/s
        QCOMPARE(tornado.bars[0].high->value, std::size_t{0});  // 200 GB/s
        for (const auto& point : tornado.bars[0].along)
            QCOMPARE(table.rows[point.row].at[1], std::size_t{1});
        for (const auto& point : tornado.bars[1].along)
            QCOMPARE(table.rows[point.row].at[0], std::size_t{2});
    }

    void aTornadoIsSortedByWhatAnAxisDoesAtMost() {
        auto table = tests::sweepOver({tests::bandwidths({50, 100, 200}), tests::degrees()}, {"t3"});
        for (data::SweepRow& row : table.rows)  // up and down again along the bandwidth, a little along the other
            row.values[kTime] = (row.at[0] == 1 ? 100.0 : 10.0) + static_cast<double>(row.at[1]) * 20;
        const SweepPoints points(tests::shared(table));
        const ui::Tornado tornado = ui::tornadoAround(points, {0, 0}, 0, kTime);
        QCOMPARE(tornado.bars[0].effect, 90.0);
        QCOMPARE(tornado.bars[1].effect, 40.0);
        QCOMPARE(ui::axesByEffect({tornado}), (std::vector<std::size_t>{0, 1}));
    }

    void aTornadoKeepsWhatFailed() {
        auto table = tests::sweepOver({tests::bandwidths({50, 100, 200})}, {"t3"});
        tests::fail(table, 2, "no room");
        const SweepPoints points(tests::shared(table));
        const ui::Tornado tornado = ui::tornadoAround(points, {0}, 0, kTime);
        QCOMPARE(tornado.bars[0].along.size(), std::size_t{3});
        QCOMPARE(tornado.bars[0].high->value, std::size_t{1});
    }

    void bundlesCountEveryPoint() {
        auto table = tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::blocks()});
        tests::fail(table, 4, "x");
        const auto shown = std::make_shared<const SweepPoints>(tests::shared(table));
        const SweepPoints& points = *shown;
        const auto axes =
            ui::uprightAxes({shown, ui::planChart({.kind = ui::ChartKind::parallel}, table, kTime), kTime, {}, false});
        QCOMPARE(axes.size(), std::size_t{2 + 1 + 3});
        for (std::size_t axis = 1; axis < axes.size(); ++axis) {
            std::size_t count = 0;
            for (const ui::Bundle& bundle : ui::bundled(points, axes[axis - 1], axes[axis], 16))
                count += bundle.count;
            QCOMPARE(count, table.rows.size());
        }
        QVERIFY(!ui::crossing(points, axes[4], 4));
        QVERIFY(ui::crossing(points, axes[0], 4).has_value());
        QCOMPARE(ui::crossing(points, axes[0], 0), std::optional(0.0));  // 50 GB/s is the least
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const double policy = (static_cast<double>(table.rows[row].policy) + 0.5) / 3;
            QVERIFY(std::abs(*ui::crossing(points, axes[2], row) - policy) < 1e-9);
        }
    }

    void anIdealBoundHasNoPlaceOnTheAxisOfItsTraffic() {
        const SweepPoints points(tests::shared(tests::sweepOver({tests::blocks()}, {"t3", "ideal-overlap"})));
        QCOMPARE(points.value(0, kDram).outcome, Outcome::value);
        QCOMPARE(points.value(1, kDram).outcome, Outcome::without);
    }

    void theMouseIsAtTheNearestPointWithinItsReach() {
        const std::vector<Target> targets{{7, {10, 10}, {}}, {8, {16, 10}, {}}, {9, {100, 40}, {}}};
        const TargetIndex index(targets, 8);
        QCOMPARE(index.at({12, 10}), std::optional<std::size_t>(0));
        QCOMPARE(index.at({14, 10}), std::optional<std::size_t>(1));
        QCOMPARE(index.at({100, 48}), std::optional<std::size_t>(2));
        QVERIFY(!index.at({100, 48.1}));
        QVERIFY(!TargetIndex().at({0, 0}));
    }

    void insideACellItIsTheCellAndOutsideItIsNothing() {
        const std::vector<Target> targets{{0, {50, 20}, QRectF(0, 0, 100, 40)},
                                          {1, {150, 20}, QRectF(100, 0, 100, 40)}};
        const TargetIndex index(targets, 5);
        QCOMPARE(index.at({2, 38}), std::optional<std::size_t>(0));
        QCOMPARE(index.at({199, 1}), std::optional<std::size_t>(1));
        QVERIFY(!index.at({60, 44}));
    }

    void aBrushTakesEveryRowOnceAndInOrder() {
        const std::vector<Target> targets{{5, {1, 1}, {}}, {2, {2, 2}, {}}, {5, {3, 3}, {}}, {9, {30, 3}, {}}};
        QCOMPARE(TargetIndex(targets, 4).rowsWithin(QRectF(0, 0, 10, 10)), (std::vector<std::size_t>{2, 5}));
    }

    void theNextPointToTheRightIsTheOneStraightAhead() {
        const std::vector<Target> targets{{0, {0, 0}, {}}, {1, {10, 1}, {}}, {2, {6, 9}, {}}, {3, {-5, 0}, {}}};
        const TargetIndex index(targets, 4);
        QCOMPARE(index.neighbour(0, {1, 0}), std::optional<std::size_t>(1));
        QCOMPARE(index.neighbour(0, {-1, 0}), std::optional<std::size_t>(3));
        QVERIFY(!index.neighbour(1, {1, 0}));
    }

    void anAnswerAmongAHundredThousandIsThatOfASearchThroughAll() {
        std::vector<Target> targets;
        std::uint64_t seed = 20261121;
        const auto next = [&] {
            return static_cast<double>((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40) / 16777216;
        };
        for (std::size_t i = 0; i < 100'000; ++i)
            targets.push_back({i, {next() * 1000, next() * 600}, {}});
        const TargetIndex index(targets, 9);
        for (int i = 0; i < 50; ++i) {
            const QPointF at(next() * 1000, next() * 600);
            const auto nearest =
                std::min_element(targets.begin(), targets.end(), [&](const Target& a, const Target& b) {
                    return QLineF(a.at, at).length() < QLineF(b.at, at).length();
                });
            QCOMPARE(index.at(at), std::optional(static_cast<std::size_t>(nearest - targets.begin())));
        }
    }
};

RINGSIDE_WINDOW_TEST(TestSweepCharts)
#include "tst_sweep_charts.moc"
