#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/charts/chart_figure.h"
#include "ui/drawing/figure_style.h"
#include "ui/drawing/heat_scale.h"
#include "ui/look/colour_map.h"

using data::BarMark;
using data::DrawingMark;
using data::FigureScale;
using data::FigureSpec;
using data::HeatMark;
using data::LineMark;
using ui::ChartKind;
using ui::ChartSettings;

namespace {

FigureSpec figureOf(data::SweepTable table, ChartSettings settings = {}, std::size_t metric = 1) {
    const auto points = std::make_shared<const ui::SweepPoints>(tests::shared(std::move(table)));
    return ui::chartFigure(
               {points, ui::planChart(settings, points->table(), metric), metric, settings.scale, settings.published})
        ->figure;
}

template <class Mark>
const Mark& markOf(const FigureSpec& figure, std::size_t panel = 0, std::size_t mark = 0) {
    return std::get<Mark>(figure.panels.at(panel).marks.at(mark));
}

std::string problemsIn(const FigureSpec& figure) {
    std::string text;
    for (const engine::Problem& problem : data::problemsOf(figure))
        text += engine::describe(problem) + "\n";
    return text;
}

}  // namespace

class TestChartFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfChartBecomesAFigureWithoutProblems() {
        for (const ChartKind kind : ui::kChartKinds) {
            ChartSettings settings;
            settings.kind = kind;
            for (const data::SweepTable& table :
                 {tests::twoAxes(),
                  tests::sweepOver({tests::bandwidths({50, 75}), tests::blocks(), tests::degrees()})}) {
                const FigureSpec figure = figureOf(table, settings);
                QVERIFY2(problemsIn(figure).empty(), problemsIn(figure).c_str());
                QVERIFY(!figure.panels.empty() && !figure.caption.empty() && !figure.alternative.empty());
            }
        }
    }

    void aLineOfManyPointsHasNoMarkersUnlessOneStandsAlone() {
        const auto lineOf = [](std::int64_t count, std::vector<std::size_t> missing) {
            std::vector<std::int64_t> gigabytes;
            for (std::int64_t i = 0; i < count; ++i)
                gigabytes.push_back(100 + i);
            data::SweepTable table = tests::sweepOver({tests::bandwidths(gigabytes)}, {"t3"});
            for (const std::size_t row : missing)
                tests::forget(table, row);
            return markOf<LineMark>(figureOf(std::move(table))).markers;
        };
        QVERIFY(lineOf(48, {}));
        QVERIFY(!lineOf(49, {}));
        QVERIFY(!lineOf(200, {99}));
        QVERIFY(lineOf(200, {99, 101}));
    }

    void withoutPointsThereIsNone() {
        const auto points = std::make_shared<const ui::SweepPoints>(tests::shared(data::SweepTable()));
        QVERIFY(!ui::chartFigure({nullptr, {}, 0, {}, false}));
        QVERIFY(!ui::chartFigure({points, {}, 0, {}, false}));
    }

    void linesHaveTheNumbersOfTheSweepInOneUnit() {
        data::SweepTable table = tests::oneAxis();
        const double first = *table.rows.front().values[1];
        const FigureSpec figure = figureOf(table);
        const auto& lines = markOf<LineMark>(figure);
        QCOMPARE(lines.x, (std::vector<double>{50, 75, 100, 150, 200, 300}));
        QCOMPARE(figure.panels.front().x.unit, std::string("GB/s"));
        QCOMPARE(figure.panels.front().y.unit, std::string("ms"));
        QCOMPARE(lines.series.size(), std::size_t{3});
        QCOMPARE(lines.series.front().meaning, std::string("policy/sequential"));
        QCOMPARE(*lines.series.front().values.front(), first / 1e9);
    }

    void aSpeedUpNamesWhatItIsRelativeTo() {
        const FigureSpec figure = figureOf(tests::oneAxis(), {}, 0);
        QVERIFY(!figure.panels.front().y.relativeTo.empty());
        QVERIFY(figure.panels.front().y.unit.empty());
    }

    void aPointWithoutResultIsAGapAndTheCaptionCountsIt() {
        data::SweepTable table = tests::oneAxis();
        tests::fail(table, 3, "the tracker is full");
        tests::forget(table, 4);
        const FigureSpec figure = figureOf(table);
        QVERIFY(!markOf<LineMark>(figure).series[0].values[1]);  // row 3: second bandwidth, first policy
        QVERIFY(QString::fromStdString(figure.caption).contains(QStringLiteral("2 of 18 points have no result")));
    }

    void theCaptionSaysWhatTheNumbersOfThePointsDependOn() {
        data::SweepTable table = tests::oneAxis();
        QVERIFY(figureOf(table).caption.find("Notice") == std::string::npos);
        table.rows[3].notices = {{"tracker.held_bytes", "up to 5 MiB waited"}, {"dma.engines", "not read"}};
        const std::string caption = figureOf(table).caption;
        QVERIFY2(caption.find(" Notice (tracker.held_bytes): 1 of 18 points, first link.bandwidth=") !=
                     std::string::npos,
                 caption.c_str());
        QVERIFY(caption.find(" sequential: up to 5 MiB waited.") != std::string::npos);
        QVERIFY(caption.find("not read") == std::string::npos);
    }

    void numbersRiseAlongTheAxisWhateverTheirOrderInTheSweep() {
        const FigureSpec figure = figureOf(tests::sweepOver({tests::bandwidths({300, 50, 100})}));
        QCOMPARE(markOf<LineMark>(figure).x, (std::vector<double>{50, 100, 300}));
    }

    void aHeatMapHasTheLargestOnTopAndACellForEachPoint() {
        ChartSettings settings;
        settings.kind = ChartKind::heatMap;
        settings.policy = 2;
        const FigureSpec figure = figureOf(tests::twoAxes(), settings, 0);
        const auto& heat = markOf<HeatMark>(figure);
        const std::size_t columns = figure.panels.front().categories.labels.size();
        QCOMPARE(heat.rows.size() * columns, heat.values.size());
        QCOMPARE(heat.values.size(), std::size_t{24});
        const bool acrossIsBandwidth = columns == 6;
        QCOMPARE(heat.rows.front(), std::string(acrossIsBandwidth ? "8" : "300"));
        QVERIFY(!heat.valueUnit.empty());
        QVERIFY(!heat.middle && !heat.from);  // T3-MCA gains everywhere
        QVERIFY(!heat.asImage);
    }

    void heatMapsSideBySideHaveOneScaleWhoseHuesPartAtOne() {
        ChartSettings settings;
        settings.kind = ChartKind::heatMap;
        const FigureSpec figure = figureOf(tests::twoAxes(), settings, 0);
        QCOMPARE(figure.panels.size(), std::size_t{3});
        for (std::size_t panel = 0; panel < 3; ++panel) {
            const auto& heat = markOf<HeatMark>(figure, panel);
            QCOMPARE(heat.middle, std::optional(1.0));
            QCOMPARE(heat.from, markOf<HeatMark>(figure, 0).from);
            for (const std::optional<double>& value : heat.values)
                QVERIFY(*value >= *heat.from && *value <= *heat.to);
        }
        QVERIFY(!markOf<HeatMark>(figureOf(tests::twoAxes(), settings, 1)).middle);
    }

    void aLossOfNothingIsNotAsBrownAsALoss() {
        data::SweepTable table = tests::twoAxes();
        for (data::SweepRow& row : table.rows)
            row.values[0] = row.index == 0 ? 0.9999 : 1.4;
        ChartSettings settings;
        settings.kind = ChartKind::heatMap;
        const FigureSpec figure = figureOf(table, settings, 0);
        QVERIFY(ui::HeatScale(markOf<HeatMark>(figure), ui::Theme::light).shareOf(0.9999).value() > 0.49);
    }

    void manyCellsAreAnImage() {
        std::vector<std::int64_t> many;
        for (std::int64_t i = 1; i <= 800; ++i)
            many.push_back(i);
        ChartSettings settings;
        settings.kind = ChartKind::heatMap;
        settings.policy = 0;
        const FigureSpec figure = figureOf(tests::sweepOver({tests::bandwidths(many), tests::blocks()}), settings);
        QVERIFY(markOf<HeatMark>(figure).asImage);
        QVERIFY(!markOf<HeatMark>(figure).valuesWritten);
    }

    void smallMultiplesAreAPanelForEachValueWithItsName() {
        ChartSettings settings;
        settings.kind = ChartKind::smallMultiples;
        const FigureSpec figure =
            figureOf(tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::blocks(), tests::degrees()}), settings);
        QVERIFY(figure.panels.size() >= 3);
        for (const data::FigurePanel& panel : figure.panels)
            QVERIFY(panel.title.find(" = ") != std::string::npos);
    }

    void groupedLinesAreTheOnePanelThatIsOnTheScreen() {
        ChartSettings settings;
        settings.kind = ChartKind::groupedLines;
        const auto table = tests::shared(
            tests::sweepOver({tests::bandwidths({50, 75, 100, 150, 200, 300}), tests::bandwidths({1, 2, 3, 4, 5})}));
        const ui::ChartPlan plan = ui::planChart(settings, *table, 1);
        const auto points = std::make_shared<const ui::SweepPoints>(table);
        const FigureSpec figure = ui::chartFigure({points, plan, 1, settings.scale, false})->figure;
        QCOMPARE(figure.panels.size(), std::size_t{1});
        const auto& lines = markOf<LineMark>(figure);
        const std::size_t values = table->sweep.axes[*plan.second].size();
        QCOMPARE(lines.series.size(), values * plan.policies.size());
        const auto colours = ui::orderedColours(values, Qt::white);
        for (std::size_t i = 0; i < lines.series.size(); ++i) {
            const auto line = ui::styleOf(lines.series[i].meaning, data::FigureTheme::paper).line;
            QCOMPARE(line.colour, colours[i / plan.policies.size()]);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(lines.series[i].meaning != lines.series[j].meaning);
        }
        QCOMPARE(figure.size, data::FigureSize::acmColumn);  // which has room for the five values and three policies
    }

    void aLegendOfTwoAxesHasColoursAndDashesInPlaceOfTheirProduct() {
        ChartSettings settings;
        settings.kind = ChartKind::groupedLines;
        const FigureSpec figure = figureOf(tests::twoAxes(), settings);
        const auto& lines = markOf<LineMark>(figure);
        QCOMPARE(lines.series.size(), std::size_t{12});  // four blocks under three policies
        QStringList names;
        int dashes = 0;
        for (const ui::DisplayItem& item : ui::layOut(figure).list.items) {
            if (item.part != ui::FigurePart::legend)
                continue;
            if (const auto* text = std::get_if<ui::TextItem>(&item.shape))
                names << text->text;
            if (const auto* line = std::get_if<ui::PolylineItem>(&item.shape))
                dashes += line->pen.dash.isEmpty() ? 0 : 1;
        }
        QCOMPARE(names, (QStringList{QStringLiteral("Number of tiles of a block:"), QStringLiteral("1"),
                                     QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8"),
                                     QStringLiteral("Sequential"), QStringLiteral("T3"), QStringLiteral("T3-MCA")}));
        QCOMPARE(dashes, 2);  // the first policy is solid
        QCOMPARE(figure.size, data::FigureSize::acmColumn);
        // The same dashes as in the window.
        const auto points = std::make_shared<const ui::SweepPoints>(tests::shared(tests::twoAxes()));
        const auto shown = ui::chartOf({points, ui::planChart(settings, points->table(), 1), 1, settings.scale, false});
        const auto& onScreen = markOf<LineMark>(shown.figure);
        for (std::size_t i = 0; i < lines.series.size(); ++i)
            QCOMPARE(lines.series[i].meaning, onScreen.series[i].meaning);
    }

    void linesThatDoNotDependOnTheSecondAxisAreDrawnOnceAndTheCaptionSaysSo() {
        ChartSettings settings;
        settings.kind = ChartKind::groupedLines;
        data::SweepTable table = tests::twoAxes();
        for (data::SweepRow& row : table.rows) {
            if (row.policy == 0)
                row.values[0] = 1.0;
        }
        const FigureSpec figure = figureOf(table, settings, 0);
        const auto& lines = markOf<LineMark>(figure);
        QCOMPARE(lines.series.size(), std::size_t{9});
        QCOMPARE(lines.series.front().name, std::string("Sequential"));
        QVERIFY(figure.caption.find("Sequential is drawn once: all its values are equal for every value of ") !=
                std::string::npos);
        QVERIFY2(problemsIn(figure).empty(), problemsIn(figure).c_str());
        table.rows.back().values[0] = 1.5;
        std::find_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.policy == 0; })->values[0] =
            1.01;  // one value differs
        QCOMPARE(markOf<LineMark>(figureOf(table, settings, 0)).series.size(), std::size_t{12});
    }

    void aLoneLineIsSolidAsInTheWindow() {
        const auto dashOf = [](std::vector<std::string> policies) {
            const FigureSpec figure = figureOf(tests::sweepOver({tests::bandwidths({50, 75})}, std::move(policies)));
            return ui::styleOf(markOf<LineMark>(figure).series.front().meaning, data::FigureTheme::paper).line.dash;
        };
        QVERIFY(dashOf({"t3"}).isEmpty());
        QVERIFY(!dashOf({"t3", "t3-mca"}).isEmpty());
    }

    void theUnitOfAnAxisIsThatOfTheDocument() {
        const auto unitOf = [](const std::string& values) {
            const data::SweepReading reading = data::readSweep(
                R"({"axes": [{"path": "link.bandwidth", )" + values + R"(}], "policies": ["t3"]})", "sweep.json");
            data::SweepTable table = tests::sweepOver(reading.sweep.axes, {"t3"});
            const FigureSpec figure = figureOf(table);
            const auto& x = markOf<LineMark>(figure).x;
            return std::pair(figure.panels.front().x.unit, x.empty() ? 0 : x.front());
        };
        using Unit = std::pair<std::string, double>;
        QCOMPARE(unitOf(R"("values": ["450 GB/s", "900 GB/s", "1800 GB/s"])"), Unit("GB/s", 450));
        QCOMPARE(unitOf(R"("values": ["1000 GB/s", "2000 GB/s"])"), Unit("GB/s", 1000));
        QCOMPARE(unitOf(R"("values": ["0.45 TB/s", "1.8 TB/s"])"), Unit("TB/s", 0.45));
        QCOMPARE(unitOf(R"("range": {"from": "500 GB/s", "to": "2000 GB/s", "count": 4})"), Unit("GB/s", 500));
        // Several units: the largest in which no value is below 1.
        QCOMPARE(unitOf(R"("values": ["450 GB/s", "1.8 TB/s"])"), Unit("GB/s", 450));
        QCOMPARE(unitOf(R"("values": ["1000 GB/s", "2 TB/s"])"), Unit("TB/s", 1));
    }

    void theCaptionSaysMachineWhatIsFixedDetailAndVersion() {
        data::SweepTable table = tests::oneAxis();
        table.sweep.base.explicitValues["dma.block_tiles"] = std::int64_t{4};
        table.sweep.base.explicitValues["detail.level"] = std::string("interactive");
        const FigureSpec figure = figureOf(table);
        const std::string& caption = figure.caption;
        for (const char* words : {"over bandwidth of a link (", " Machine: ", " Held constant: ", " = 4.",
                                  " at interactive detail.", "Simulated by Ringside "})
            QVERIFY2(caption.find(words) != std::string::npos, (caption + " lacks " + words).c_str());
        QCOMPARE(figure.panels.front().x.title, std::string("Bandwidth of a link"));
        const FigureSpec machines = figureOf(tests::sweepOver({tests::machines()}));
        QVERIFY(machines.caption.find(" Machine: ") == std::string::npos);  // it varies
        // The sweep can be read from the figure.
        const data::FigureProvenance::Experiment& kept = figure.provenance.experiments.back();
        const data::SweepReading reading = data::readSweep(kept.document, kept.name);
        QVERIFY(reading.problems.empty() && reading.sweep == table.sweep);
        QCOMPARE(kept.hash, table.id);
    }

    void twoMetricsAgainstEachOtherHaveAFrontBehindTheirPoints() {
        ChartSettings settings;
        settings.kind = ChartKind::pareto;
        const FigureSpec figure = figureOf(tests::oneAxis(), settings);
        QVERIFY(figure.panels.front().marks.size() > 1);
        std::size_t points = 0;
        for (std::size_t i = 0; i < figure.panels.front().marks.size(); ++i) {
            const auto& mark = markOf<LineMark>(figure, 0, i);
            points += mark.joined ? 0 : mark.x.size();
            QVERIFY(std::is_sorted(mark.x.begin(), mark.x.end()));
        }
        QCOMPARE(points, std::size_t{18});
    }

    void aFrontIsAStairBecauseAStraightLineWouldSuggestPoints() {
        ChartSettings settings;
        settings.kind = ChartKind::pareto;
        for (const std::size_t against : {0, 2, 3}) {  // larger is better, smaller is better, a parameter
            settings.against = against;
            const FigureSpec figure = figureOf(tests::twoAxes(), settings);
            const auto& front = markOf<LineMark>(figure);
            QVERIFY(front.joined && !front.markers && front.x.size() % 2 == 1);
            for (std::size_t i = 1; i < front.x.size(); ++i)
                QVERIFY(front.x[i] == front.x[i - 1] || front.series[0].values[i] == front.series[0].values[i - 1]);
            // A corner is worse than both of its points, or no point of the sweep would be missing there.
            for (std::size_t i = 1; i + 1 < front.x.size(); i += 2)
                QCOMPARE(front.series[0].values[i],
                         std::max(front.series[0].values[i - 1], front.series[0].values[i + 1]));
        }
    }

    void aFrontSaysWhichDirectionIsBetter() {
        ChartSettings settings;
        settings.kind = ChartKind::pareto;
        const FigureSpec figure = figureOf(tests::oneAxis(), settings);
        QVERIFY(figure.panels.front().y.title.ends_with(", smaller is better"));
        QVERIFY(figure.panels.front().x.title.ends_with(", larger is better"));
    }

    void panelsOfOneChartHaveOneRange() {
        ChartSettings settings;
        settings.kind = ChartKind::smallMultiples;
        const FigureSpec figure =
            figureOf(tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::blocks(), tests::degrees()}), settings);
        for (const data::FigurePanel& panel : figure.panels) {
            QVERIFY(panel.y.from && panel.y.to);
            QCOMPARE(panel.y.from, figure.panels.front().y.from);
            QCOMPARE(panel.y.to, figure.panels.front().y.to);
            for (const data::FigureSeries& series : std::get<LineMark>(panel.marks.front()).series) {
                for (const std::optional<double>& value : series.values)
                    QVERIFY(*value >= *panel.y.from && *value <= *panel.y.to);
            }
        }
    }

    void withoutAxesThePoliciesStandSideBySide() {
        const FigureSpec figure = figureOf(tests::sweepOver({}));
        QCOMPARE(figure.panels.front().categories.labels, (std::vector<std::string>{"Sequential", "T3", "T3-MCA"}));
        const auto& mark = markOf<LineMark>(figure);
        for (std::size_t series = 0; series < 3; ++series) {
            for (std::size_t place = 0; place < 3; ++place)
                QCOMPARE(mark.series[series].values[place].has_value(), series == place);
        }
    }

    void whatALogarithmicAxisCannotShowIsAGapThatTheCaptionCounts() {
        data::SweepTable table = tests::oneAxis();
        table.rows[3].values[1] = 0;
        ChartSettings settings;
        settings.scale = ui::ValueScale::logarithmic;
        const FigureSpec figure = figureOf(table, settings);
        QVERIFY(figure.panels.front().y.scale == FigureScale::logarithmic);
        QVERIFY(!markOf<LineMark>(figure).series[0].values[1]);
        QVERIFY(figure.caption.find("1 point is not above 0") != std::string::npos);
        settings.scale = ui::ValueScale::linear;
        QVERIFY(markOf<LineMark>(figureOf(table, settings)).series[0].values[1]);
    }

    void aFrontOverAParameterHasItsValuesAcross() {
        ChartSettings settings;
        settings.kind = ChartKind::pareto;
        settings.against = 3;  // the entry after the metrics: the first parameter
        const FigureSpec figure = figureOf(tests::oneAxis(), settings);
        QVERIFY2(figure.panels.front().x.title.find("Bandwidth") != std::string::npos,
                 figure.panels.front().x.title.c_str());
        QCOMPARE(figure.panels.front().x.unit, std::string("GB/s"));
        QVERIFY(markOf<LineMark>(figure, 0, 1).x.front() >= 1);
    }

    void aTornadoHasTheAxisOfTheGreatestEffectFirst() {
        ChartSettings settings;
        settings.kind = ChartKind::tornado;
        settings.policy = 0;
        const FigureSpec figure = figureOf(tests::twoAxes(), settings);
        const auto& bars = markOf<BarMark>(figure);
        QCOMPARE(bars.bars.size(), std::size_t{2});
        const double base = figure.panels.front().references.at(0).value;
        for (const data::FigureBar& bar : bars.bars)
            QCOMPARE(bar.from, (std::vector<double>{base, base}));
        for (const data::FigureAnnotation& end : figure.panels.front().annotations) {
            const auto axis = static_cast<std::size_t>(std::lround(end.x));
            const data::FigureBar& bar = bars.bars[end.x < static_cast<double>(axis) ? 0 : 1];
            QCOMPARE(end.y, bar.from[axis] + *bar.stack[0].values[axis]);
        }
        QCOMPARE(figure.panels.front().annotations.size(), std::size_t{4});
        const auto effect = [&](std::size_t axis) {
            return std::abs(*bars.bars[0].stack[0].values[axis] - *bars.bars[1].stack[0].values[axis]);
        };
        QVERIFY(effect(0) >= effect(1));
        QCOMPARE(figure.panels.front().references.size(), std::size_t{1});
    }

    void parallelCoordinatesAreDrawnInTheColoursOfPaper() {
        ChartSettings settings;
        settings.kind = ChartKind::parallel;
        const FigureSpec light = figureOf(tests::twoAxes(), settings);
        QApplication::setPalette(ui::widgetPalette(ui::Theme::dark));
        const FigureSpec dark = figureOf(tests::twoAxes(), settings);
        QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
        QVERIFY(markOf<DrawingMark>(light).items.size() > 50);
        QCOMPARE(light, dark);
    }

    void publishedNumbersAreReferencesWithTheirLabel() {
        ChartSettings settings;
        settings.published = true;
        const FigureSpec figure = figureOf(tests::oneAxis(), settings, 0);
        QVERIFY(!figure.panels.front().references.empty());
        QVERIFY(!figure.provenance.published.empty());
        QVERIFY(!figure.provenance.publishedSource.empty());
        const std::string& text = figure.panels.front().references.front().text;
        QCOMPARE(text, std::string("T3: 1.20 (second-hand)"));
        QVERIFY(figure.caption.find("Pati et al., ASPLOS 2024") != std::string::npos);
        settings.published = false;
        QVERIFY(figureOf(tests::oneAxis(), settings, 0).caption.find("Pati") == std::string::npos);
    }
};

RINGSIDE_WINDOW_TEST(TestChartFigure)
#include "tst_chart_figure.moc"
