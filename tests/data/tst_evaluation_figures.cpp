#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/reproduce.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_gallery.h"
#include "data/results/metrics.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

using namespace data;

namespace {

/// Two bandwidths and two blocks under two policies; index = 4 x bandwidth + 2 x block + policy.
const std::string kChartSweep =
    R"("sweeps": { "a": { "base": { "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512,
    "batch": 1 }, "parallel": { "tp": 4 }, "detail": { "level": "interactive" } },
    "axes": [ { "path": "link.bandwidth", "values": ["200 GB/s", "50 GB/s", "100 GB/s"] },
              { "path": "dma.block_tiles", "values": [1, 2] } ], "policies": ["sequential", "t3"] } })";
const std::string kChartItems = R"("items": [
    { "id": "mean", "what": "all", "metric": "time_ps.total", "policy": "sequential", "over": {"policy": "t3"},
      "as": "geomean", "published": "1.25", "label": "published", "role": "context" },
    { "id": "most", "what": "best", "metric": "time_ps.total", "policy": "sequential", "over": {"policy": "t3"},
      "as": "max", "published": "1.50", "label": "second-hand", "role": "context" },
    { "id": "time", "what": "a time", "metric": "time_ps.total", "policy": "t3", "as": "max", "role": "context" },
    { "id": "each", "what": "each", "metric": "speedup_over_sequential", "policy": "t3", "where": "dma.block_tiles=2",
      "as": "each", "published": ["1.1", "1.2", "1.3"], "label": "derived", "role": "context" } ])";
const std::string kChart =
    R"({ "name": "f", "mark": "bars", "x": "link.bandwidth", "y": "speedup_over_sequential", "policies": ["t3"] })";

std::string chartDocument(const std::string& figures) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "Small", "source": "a paper", )" + kChartSweep +
           ", " + kChartItems + R"(, "figures": [ )" + figures + " ] }";
}

/// Returns kChart with more keys.
std::string chartWith(const std::string& more) { return kChart.substr(0, kChart.size() - 2) + ", " + more + " }"; }

Evaluation charted(const std::string& figure) {
    EvaluationReading reading = readEvaluation(chartDocument(figure), "test");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    reading.evaluation.name = "small";
    return std::move(reading.evaluation);
}

bool refusesChart(const std::string& figures, const std::string& path, const std::string& text) {
    return tests::saysAt(readEvaluation(chartDocument(figures), "test").problems, path, text);
}

/// Returns the figure of a document after all points were run.
FigureSpec chartMade(const std::string& figure) {
    const Evaluation evaluation = charted(figure);
    const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduce(evaluation, {}));
    for (const engine::Problem& problem : problemsOf(spec))
        qWarning("%s", engine::describe(problem).c_str());
    return spec;
}

/// Returns a document with a sweep of runs and a sweep of footprints, which do not depend on the policy. Two items read
/// the footprints.
std::string footprintDocument(const std::string& figure) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "States", "sweeps": {
    "runs": { "base": { "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512, "batch": 1 },
      "parallel": { "tp": 4 }, "detail": { "level": "interactive" } },
      "axes": [ { "path": "dma.block_tiles", "values": [1, 2] } ], "policies": ["sequential", "t3"] },
    "states": { "of": "footprint", "base": { "division": { "weights": 7500000000, "dp": 64 }, "parallel": { "tp": 1 } },
      "axes": [ { "path": "division.sharding", "values": ["none", "weights"] } ] } },
  "items": [
    { "id": "states", "what": "states", "of": "states", "metric": "footprint_bytes.total", "as": "each",
      "published": ["120 GB", "1.88 GB"], "label": "published", "role": "exact" },
    { "id": "speed-up", "what": "speed-up", "of": "runs", "metric": "speedup_over_sequential", "policy": "t3",
      "as": "geomean", "published": "1.2", "label": "published", "role": "context" } ],
  "figures": [ )" +
           figure + " ] }";
}

/// Returns a figure of the footprints.
std::string footprintChart(const std::string& y, const std::string& more = {}) {
    return R"({ "name": "f", "of": "states", "mark": "bars", "x": "division.sharding", "y": ")" + y + "\"" + more +
           " }";
}

engine::Problems footprintProblems(const std::string& figure) {
    return readEvaluation(footprintDocument(figure), "test").problems;
}

const FigureSeries& barSeries(const FigureSpec& spec, std::size_t bar) {
    return std::get<BarMark>(spec.panels.front().marks.front()).bars.at(bar).stack.front();
}

/// Returns the value of a point in the tables. The figures of these tests read only one metric.
double speedupAt(const Reproduction& reproduction, std::size_t index) {
    const SweepTable& table = reproduction.tables.front();
    const auto found = std::ranges::find(table.metrics, "speedup_over_sequential");
    return *table.rows[index].values[static_cast<std::size_t>(found - table.metrics.begin())];
}

bool isNear(double a, double b) { return std::abs(a - b) < 1e-9 * std::abs(b); }

}  // namespace

class TestEvaluationFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFigureIsReadWithItsDefaults() {
        const EvaluationFigure figure = charted(kChart).figures.front();
        QCOMPARE(figure.name, std::string("f"));
        QVERIFY(figure.mark == EvaluationMark::bars && figure.mean == EvaluationMean::geomean && !figure.all);
        QCOMPARE(figure.points, (std::vector<std::size_t>{1, 3, 5, 7, 9, 11}));
        const EvaluationFigure chosen =
            charted(chartWith(R"("where": "dma.block_tiles=2", "as": "max", "all": true)")).figures.front();
        QCOMPARE(chosen.points, (std::vector<std::size_t>{3, 7, 11}));
        QVERIFY(chosen.mean == EvaluationMean::max && chosen.all);
    }

    void seedsGiveMeansWithTheirIntervalsUnlessTheFigureDrawsThem() {
        const auto document = [](const std::string& more) {
            return R"({ "format": "ringside-evaluation", "version": 1, "title": "Seeds", "sweeps": { "a": { "base": {
    "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512, "batch": 1 },
    "parallel": { "tp": 4 }, "detail": { "level": "interactive" }, "cu": { "start_jitter": "2 us" } },
    "axes": [ { "path": "link.bandwidth", "values": ["50 GB/s", "100 GB/s"] }, { "path": "seed", "values": [1, 2, 3] } ],
    "policies": ["t3"] } }, "items": [ { "id": "time", "what": "a time", "metric": "time_ps.total", "policy": "t3",
    "as": "max", "role": "context" } ], "figures": [ { "name": "f", "mark": "lines", "x": "link.bandwidth",
    "y": "speedup_over_sequential")" +
                   more + " } ] }";
        };
        EvaluationReading reading = readEvaluation(document(""), "test");
        QVERIFY(reading.problems.empty());
        const Evaluation& evaluation = reading.evaluation;
        const Reproduction reproduction = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY(problemsOf(spec).empty());
        const FigureSeries& line = std::get<LineMark>(spec.panels.front().marks.front()).series.front();
        const double a = speedupAt(reproduction, 0), b = speedupAt(reproduction, 1), c = speedupAt(reproduction, 2);
        QVERIFY(a != b || b != c);
        const double mean = (a + b + c) / 3;
        const double deviation =
            std::sqrt(((a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean)) / 2);
        QVERIFY(isNear(*line.values[0], mean));
        QVERIFY(std::abs(*line.high[0] - mean - 4.302653 * deviation / std::sqrt(3)) < 1e-6);  // Student's t, n = 3
        QVERIFY(std::abs(mean - *line.low[0] - (*line.high[0] - mean)) < 1e-9);
        QCOMPARE(line.samples, 3);
        QVERIFY2(spec.caption.find("means over 3 seeds, error bars are 95 % confidence intervals") != std::string::npos,
                 spec.caption.c_str());
        reading = readEvaluation(document(R"(, "series": "seed")"), "test");
        const FigureSpec apart = chartOf(reading.evaluation, reading.evaluation.figures.front(), reproduction);
        const auto& lines = std::get<LineMark>(apart.panels.front().marks.front());
        QCOMPARE(lines.series.size(), std::size_t{3});
        QVERIFY(lines.series.front().low.empty() && apart.caption.find("seeds") == std::string::npos);
    }

    void eachValueOfSeriesHasItsLine() {
        const std::string figure =
            R"({ "name": "f", "mark": "lines", "x": "link.bandwidth", "y": "speedup_over_sequential",
            "policies": ["t3"], "series": "dma.block_tiles", "labels": { "x": "Link", "y": "Gain over all" } })";
        const Evaluation evaluation = charted(figure);
        const Reproduction reproduction = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY(problemsOf(spec).empty());
        const auto& lines = std::get<LineMark>(spec.panels.front().marks.front());
        QCOMPARE(lines.series.size(), std::size_t{2});
        QCOMPARE(lines.x, (std::vector<double>{50, 100, 200}));
        // 50 GB/s is the second bandwidth of the document: points 4 to 7; t3 is the second policy.
        QVERIFY(isNear(*lines.series[0].values[0], speedupAt(reproduction, 5)));
        QVERIFY(isNear(*lines.series[1].values[0], speedupAt(reproduction, 7)));
        QVERIFY(lines.series[0].name.ends_with(" 1") && lines.series[1].name.ends_with(" 2"));
        QCOMPARE(lines.series[1].meaning, std::string("series/1"));
        QCOMPARE(spec.panels.front().x.title, std::string("Link"));
        QCOMPARE(spec.panels.front().y.title, std::string("Gain over all"));
        QVERIFY(spec.legend != FigureLegend::none);
        QVERIFY(tests::contains(spec.caption, "a line for each value of"));
    }

    void severalPoliciesHaveASeriesForEachValue() {
        const FigureSpec spec =
            chartMade(R"({ "name": "f", "mark": "bars", "x": "link.bandwidth", "y": "speedup_over_sequential",
            "series": "dma.block_tiles" })");
        const auto& bars = std::get<BarMark>(spec.panels.front().marks.front()).bars;
        QCOMPARE(bars.size(), std::size_t{4});
        QVERIFY(bars[0].stack.front().name.starts_with("Sequential, ") &&
                bars[3].stack.front().name.starts_with("T3, "));
    }

    void panelsDivideThePointsAndShareTheirRange() {
        const std::string figure =
            R"({ "name": "f", "mark": "lines", "x": "dma.block_tiles", "y": "speedup_over_sequential",
            "policies": ["t3"], "panels": "link.bandwidth" })";
        const Evaluation evaluation = charted(figure);
        const Reproduction reproduction = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY(problemsOf(spec).empty());
        QCOMPARE(spec.panels.size(), std::size_t{3});
        QCOMPARE(spec.panels[1].title, std::string("50 GB/s"));  // in the order of the document
        double least = 1e9, most = 0;
        for (std::size_t panel = 0; panel < 3; ++panel) {
            for (std::size_t block = 0; block < 2; ++block) {
                const double value = speedupAt(reproduction, 4 * panel + 2 * block + 1);
                QVERIFY(isNear(*std::get<LineMark>(spec.panels[panel].marks.front()).series[0].values[block], value));
                least = std::min(least, value);
                most = std::max(most, value);
            }
            QVERIFY(spec.panels[panel].y.from == spec.panels[0].y.from &&
                    spec.panels[panel].y.to == spec.panels[0].y.to);
        }
        QVERIFY(*spec.panels[0].y.from <= least && *spec.panels[0].y.to >= most);
    }

    void anItemMayStandAlongY() {
        // The item "each" has the speed-ups of t3 with blocks of 2, for each bandwidth.
        const std::string figure = R"({ "name": "f", "mark": "lines", "x": "link.bandwidth", "y": "each" })";
        const Evaluation evaluation = charted(figure);
        const Reproduction reproduction = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY(problemsOf(spec).empty());
        const auto& lines = std::get<LineMark>(spec.panels.front().marks.front());
        QCOMPARE(lines.series.size(), std::size_t{1});
        QVERIFY(isNear(*lines.series[0].values[0], speedupAt(reproduction, 7)));
        QVERIFY(isNear(*lines.series[0].values[2], speedupAt(reproduction, 3)));
        QCOMPARE(spec.panels.front().y.title, std::string("each"));
    }

    void itemsWithOneNumberAreBarsBesideThePublishedOnes() {
        const std::string figure = R"({ "name": "f", "mark": "bars", "y": ["mean", "most"] })";
        const Evaluation evaluation = charted(figure);
        const Reproduction reproduction = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY(problemsOf(spec).empty());
        const FigurePanel& panel = spec.panels.front();
        QCOMPARE(panel.categories.labels, (std::vector<std::string>{"all", "best"}));
        QVERIFY(isNear(*barSeries(spec, 0).values[0], reproduction.items[0].value));
        QVERIFY(isNear(*barSeries(spec, 0).values[1], reproduction.items[1].value));
        QCOMPARE(panel.references.size(), std::size_t{2});
        QCOMPARE(panel.references[1].value, 1.5);
        QVERIFY(panel.references[1].category == std::size_t{1} && panel.references[1].bar == std::size_t{0});
        QVERIFY(tests::contains(spec.caption, "all and best"));
        QVERIFY(tests::contains(spec.caption, "most"));
    }

    void divisionsThatAreNotThereAreRefused() {
        QVERIFY(refusesChart(chartWith(R"("series": "link.latency")"), "figures[0].series", "allowed: link.bandwidth"));
        QVERIFY(refusesChart(chartWith(R"("series": "link.bandwidth")"), "figures[0].series",
                             "divides the points already"));
        QVERIFY(refusesChart(chartWith(R"("series": "dma.block_tiles", "panels": "dma.block_tiles")"),
                             "figures[0].panels", "divides the points already"));
        QVERIFY(refusesChart(chartWith(R"("series": "dma.block_tiles", "references": ["mean"])"),
                             "figures[0].references", "without series and panels"));
        QVERIFY(refusesChart(chartWith(R"("labels": { "z": "a" })"), "figures[0].labels.z", "unknown key"));
        const auto refusesItems = [](const std::string& more, const std::string& path, const std::string& text) {
            return refusesChart(R"({ "name": "f", "mark": "bars", )" + more + " }", path, text);
        };
        QVERIFY(refusesItems(R"("y": ["mean", "nothing"])", "figures[0].y[1]", "not an item"));
        QVERIFY(refusesItems(R"("y": ["mean", "mean"])", "figures[0].y[1]", "named twice"));
        QVERIFY(refusesItems(R"("y": ["mean", "time"])", "figures[0].y[1]", "another unit"));
        QVERIFY(refusesItems(R"("y": ["mean", "each"])", "figures[0].y[1]", "items of one kind"));
        QVERIFY(refusesItems(R"("y": [])", "figures[0].y", "at least one item"));
        QVERIFY(refusesItems(R"("y": ["mean"], "x": "link.bandwidth")", "figures[0].x", "divided by nothing"));
        QVERIFY(refusesItems(R"("y": ["mean"], "policies": ["t3"])", "figures[0].policies", "say this"));
        QVERIFY(refusesItems(R"("y": "each")", "figures[0].x", "an axis of the sweep is expected"));
        QVERIFY(refusesChart(R"({ "name": "f", "mark": "lines", "y": ["mean"] })", "figures[0].mark", "are bars"));
    }

    void whatIsWrongIsReportedByPathAllAtOnce() {
        QVERIFY(refusesChart(chartWith(R"("of": "b")"), "figures[0].of", "not a sweep of this evaluation; allowed: a"));
        QVERIFY(
            refusesChart(chartWith(R"("as": "each")"), "figures[0].as", "allowed: geomean, mean, median, min, max"));
        QVERIFY(refusesChart(chartWith(R"("references": ["nothing"])"), "figures[0].references[0]", "not an item"));
        QVERIFY(refusesChart(chartWith(R"("references": ["time"])"), "figures[0].references[0]", "another unit"));
        QVERIFY(refusesChart(chartWith(R"("references": ["mean", "mean"])"), "figures[0].references[1]", "twice"));
        QVERIFY(refusesChart(chartWith(R"("where": "dma.block_tiles=8")"), "figures[0].where", "selects no point"));
        QVERIFY(refusesChart(chartWith(R"("colour": "red")"), "figures[0].colour", ""));
        QVERIFY(refusesChart(kChart + ", " + kChart, "figures[1].name", "two figures have this name"));
        QVERIFY(refusesChart("3", "figures[0]", "wrong type"));
        const std::string wrong =
            R"({ "name": "A b", "mark": "pie", "x": "link.latency", "y": "speed", "policies": ["t4"] })";
        QVERIFY(refusesChart(wrong, "figures[0].name", "allowed: small letters"));
        QVERIFY(refusesChart(wrong, "figures[0].mark", "allowed: bars, lines"));
        QVERIFY(refusesChart(wrong, "figures[0].x", "allowed: link.bandwidth, dma.block_tiles"));
        QVERIFY(refusesChart(wrong, "figures[0].y", ""));
        QVERIFY(refusesChart(wrong, "figures[0].policies[0]", "allowed: sequential, t3"));
        for (const char* key : {"name", "mark", "x", "y"})
            QVERIFY(refusesChart("{}", std::string("figures[0].") + key, "missing"));
    }

    void aLineHasNoPlaceForAllPointsNorForANumberOfEachPoint() {
        const std::string line =
            R"({ "name": "f", "mark": "lines", "x": "link.bandwidth", "y": "speedup_over_sequential", )";
        QVERIFY(refusesChart(line + R"("all": true })", "figures[0].all", "only with bars"));
        QVERIFY(refusesChart(line + R"("references": ["each"] })", "figures[0].references[0]", "for each point"));
        QVERIFY(readEvaluation(chartDocument(line + R"("references": ["mean"] })"), "test").problems.empty());
    }

    void aFigureShowsNumbersOfItsOwnSweep() {
        const std::string ofRuns = R"({ "name": "f", "of": "runs", "mark": "bars", "x": "dma.block_tiles", "y": )";
        QVERIFY(footprintProblems(footprintChart("footprint_bytes.total")).empty());
        QVERIFY(footprintProblems(ofRuns + R"("time_ps.total" })").empty());
        QVERIFY(tests::saysAt(footprintProblems(footprintChart("time_ps.exposed_communication")), "figures[0].y",
                              "not a number of footprint but of run"));
        QVERIFY(tests::saysAt(footprintProblems(ofRuns + R"("footprint_bytes.total" })"), "figures[0].y",
                              "not a number of run but of footprint"));
        QVERIFY(tests::saysAt(footprintProblems(footprintChart("footprint_bytes.totl")), "figures[0].y",
                              "did you mean footprint_bytes.total"));
        // Only the unknown sweep is reported: the metric may belong to any sweep.
        const engine::Problems lost = footprintProblems(
            R"({ "name": "f", "of": "b", "mark": "bars", "x": "dma.block_tiles", "y": "footprint_bytes.total" })");
        QCOMPARE(lost.size(), std::size_t{1});
        QCOMPARE(lost.front().path, std::string("figures[0].of"));
    }

    void aFigureOfFootprintsHasNoPolicies() {
        for (const char* policies :
             {R"(, "policies": ["sequential"])", R"(, "policies": [])", R"(, "policies": "t3")"}) {
            const engine::Problems problems = footprintProblems(footprintChart("footprint_bytes.total", policies));
            QVERIFY(tests::saysAt(problems, "figures[0].policies", "a footprint depends on no policy; leave it out"));
            QCOMPARE(problems.size(), std::size_t{1});
        }
        for (const char* mark : {"bars", "lines"}) {
            std::string figure = footprintChart("footprint_bytes.total");
            figure.replace(figure.find("bars"), 4, mark);
            EvaluationReading reading = readEvaluation(footprintDocument(figure), "test");
            QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
            const Evaluation& evaluation = reading.evaluation;
            const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), reproduce(evaluation, {}));
            QVERIFY2(problemsOf(spec).empty(), tests::described(problemsOf(spec)).c_str());
            QVERIFY(spec.legend == FigureLegend::none);
            const FigureMark& drawn = spec.panels.front().marks.front();
            const auto* line = std::get_if<LineMark>(&drawn);
            const FigureSeries& series = line != nullptr ? line->series.front() : barSeries(spec, 0);
            QCOMPARE(series.name, findMetric("footprint_bytes.total")->label);
            QCOMPARE(series.values.size(), std::size_t{2});
            QVERIFY(isNear(*series.values[0], 120) && *series.values[1] < 2);
            QCOMPARE(spec.provenance.experiments.front().name,
                     std::string("7500000000 weights/tp1 footprint division.sharding=none"));
            QVERIFY(tests::contains(spec.caption, "Computed by Ringside"));
            QVERIFY2(tests::contains(spec.alternative, "Footprint: 120 GB, 1.88 GB."), spec.alternative.c_str());
            for (const std::string& reported :
                 {spec.title, spec.caption, spec.alternative, spec.provenance.experiments.front().name})
                for (const char* word : {"policy", "sequential", "Sequential", "Simulated"})
                    QVERIFY2(!tests::contains(reported, word), reported.c_str());
        }
    }

    void numbersOfEachFootprintStandAtTheirBars() {
        const EvaluationReading reading = readEvaluation(
            footprintDocument(footprintChart("footprint_bytes.total", R"(, "references": ["states"])")), "test");
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        const Evaluation& evaluation = reading.evaluation;
        const std::vector<FigureReference> marks =
            chartOf(evaluation, evaluation.figures.front(), reproduce(evaluation, {})).panels.front().references;
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0].category, std::optional<std::size_t>(0));
        QCOMPARE(marks[0].bar, std::optional<std::size_t>(0));
        QCOMPARE(marks[0].value, 120.0);
        QCOMPARE(marks[1].category, std::optional<std::size_t>(1));
        QCOMPARE(marks[1].text, std::string("Published: 1.88 GB"));
        QVERIFY(
            tests::saysAt(footprintProblems(footprintChart("footprint_bytes.total", R"(, "references": ["speed-up"])")),
                          "figures[0].references[0]", "another unit"));
    }

    void theSweepReadsWhatAFigureShows() {
        const Evaluation evaluation =
            charted(R"({ "name": "f", "mark": "bars", "x": "link.bandwidth", "y": "dram_bytes.total" })");
        const std::vector<std::string> metrics = metricsOf(evaluation, 0);
        QVERIFY(std::ranges::find(metrics, "dram_bytes.total") != metrics.end());
    }

    void barsAreMeansOfThePointsAtTheirPlaceInRisingOrder() {
        const Evaluation evaluation = charted(chartWith(R"("all": true)"));
        const Reproduction ran = reproduce(evaluation, {});
        const FigureSpec spec = chartOf(evaluation, evaluation.figures.front(), ran);
        QVERIFY(problemsOf(spec).empty());
        QVERIFY(readFigure(writeFigure(spec), "a figure").figure == spec);
        QCOMPARE(spec.name, std::string("small-f"));
        QCOMPARE(spec.panels.front().categories.labels,
                 (std::vector<std::string>{"50 GB/s", "100 GB/s", "200 GB/s", "All"}));
        const FigureValues& values = barSeries(spec, 0).values;
        // 50 GB/s is the second value of the axis.
        QVERIFY(isNear(*values[0], std::sqrt(speedupAt(ran, 5) * speedupAt(ran, 7))));
        QVERIFY(isNear(*values[2], std::sqrt(speedupAt(ran, 1) * speedupAt(ran, 3))));
        double product = 1;
        for (const std::size_t index : {1, 3, 5, 7, 9, 11})
            product *= speedupAt(ran, index);
        QVERIFY(isNear(*values[3], std::pow(product, 1.0 / 6)));
        QCOMPARE(spec.provenance.experiments.size(), std::size_t{6});
    }

    void aPointThatWasNotRunMakesAGapAndNoOtherNumber() {
        const Evaluation evaluation = charted(chartWith(R"("all": true)"));
        Reproduction ran = reproduce(evaluation, {});
        ran.tables.front().rows[7].state = PointState::missing;
        const FigureValues values = barSeries(chartOf(evaluation, evaluation.figures.front(), ran), 0).values;
        QVERIFY(!values[0] && values[1] && values[2] && !values[3]);
        ReproduceOptions kept;
        kept.keptOnly = true;
        QVERIFY(!hasValues(chartOf(evaluation, evaluation.figures.front(), reproduce(evaluation, kept))));
        QVERIFY(hasValues(chartOf(evaluation, evaluation.figures.front(), ran)));
    }

    void aNumberOfAllPointsStandsAtTheirBarAndAnyOtherIsALine() {
        const std::vector<FigureReference> marks =
            chartMade(chartWith(R"("all": true, "references": ["mean", "most"])")).panels.front().references;
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0].category, std::optional<std::size_t>(3));
        QCOMPARE(marks[0].bar, std::optional<std::size_t>(0));
        QCOMPARE(marks[0].value, 1.25);
        QCOMPARE(marks[0].text, std::string("Published: 1.25"));
        // The best case is not a geometric mean.
        QVERIFY(!marks[1].category);
        QCOMPARE(marks[1].text, std::string("most, published: 1.50"));
        QCOMPARE(marks[1].label, std::string("second-hand"));
    }

    void numbersOfEachPointStandAtBarsThatShowThemAlone() {
        const FigureSpec alone = chartMade(chartWith(R"("where": "dma.block_tiles=2", "references": ["each"])"));
        const std::vector<FigureReference>& marks = alone.panels.front().references;
        QCOMPARE(marks.size(), std::size_t{3});
        // The document lists the bandwidths in the order 200, 50, 100.
        QCOMPARE(marks[0].category, std::optional<std::size_t>(2));
        QCOMPARE(marks[1].category, std::optional<std::size_t>(0));
        QCOMPARE(marks[1].value, 1.2);
        QVERIFY(chartMade(chartWith(R"("references": ["each"])")).panels.front().references.empty());
    }

    void aLineGoesOverNumbersInTheirUnit() {
        const FigureSpec spec =
            chartMade(R"({ "name": "f", "mark": "lines", "x": "link.bandwidth", "y": "time_ps.total", "as": "mean" })");
        const FigurePanel& panel = spec.panels.front();
        QVERIFY(problemsOf(spec).empty());
        QCOMPARE(panel.x.unit, std::string("GB/s"));
        QCOMPARE(std::get<LineMark>(panel.marks.front()).x, (std::vector<double>{50, 100, 200}));
        QVERIFY(!panel.y.unit.empty() && panel.y.unit != "ps");
        QCOMPARE(std::get<LineMark>(panel.marks.front()).series.size(), std::size_t{2});
    }

    void theGalleryKnowsFiguresOfBundledEvaluations() {
        for (const Evaluation& evaluation : evaluations())
            for (const EvaluationFigure& figure : evaluation.figures) {
                const std::string name = chartName(evaluation, figure);
                const GalleryEntry* entry = findGalleryEntry(name);
                QVERIFY2(entry != nullptr, name.c_str());
                QCOMPARE(std::string(entry->title), chartTitle(evaluation, figure));
                QCOMPARE(std::ranges::count(galleryEntries(), name, &GalleryEntry::name), 1);
            }
        for (const char* name : {"t3-speed-up", "zero-states"})
            QVERIFY(findGalleryEntry(name) != nullptr);
    }

    void whatIsKeptIsReadWithoutSimulatingAndRowsComeWhileItRuns() {
        const QTemporaryDir folder;
        const Evaluation evaluation = charted(kChart);
        ReproduceOptions options;
        options.store = folder.filePath(QStringLiteral("s.sqlite")).toStdString();
        options.keptOnly = true;
        const Reproduction before = reproduce(evaluation, options);
        QVERIFY(std::isnan(before.items.front().value) && before.items.front().note == "not run");
        QVERIFY(before.cases.empty() && !before.stopped);
        options.keptOnly = false;
        std::vector<std::vector<ReproducedItem>> reported;
        options.rows = [&](std::vector<ReproducedItem> rows) { reported.push_back(std::move(rows)); };
        const Reproduction ran = reproduce(evaluation, options);
        QVERIFY(!reported.empty());
        QCOMPARE(reported.front().size(), ran.items.size());
        options.keptOnly = true;
        const Reproduction after = reproduce(evaluation, options);
        QCOMPARE(after.items.front().value, ran.items.front().value);
        QCOMPARE(after.constants, ran.constants);
        QCOMPARE(after.cases.size(), ran.cases.size());
    }
};

RINGSIDE_TEST(TestEvaluationFigures)
#include "tst_evaluation_figures.moc"
