#include "data/evaluations/measured_answer.h"
#include "data/evaluations/measured_table.h"
#include "data/experiment/own_presets.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_table.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace data;

namespace {

const std::string kHeading = "machine,matrix.m,value\n";

MeasuredKind times(bool valuesMayBeMissing = false) {
    return {"rows.csv", findMetric("time_ps.total"), "µs", valuesMayBeMissing, 5};
}

MeasuredTable tableOf(const std::string& csv, const MeasuredKind& kind = times()) {
    engine::Problems problems;
    MeasuredTable table = readMeasuredTable(csv, kind, problems);
    if (!problems.empty())
        qWarning("%s", tests::described(problems).c_str());
    return problems.empty() ? table : MeasuredTable{};
}

/// Returns whether reading the table finds a problem at this path with this text.
bool refuses(const std::string& csv, const std::string& path, const std::string& text) {
    engine::Problems problems;
    readMeasuredTable(csv, times(), problems);
    return tests::saysAt(problems, path, text);
}

std::string documentWith(const std::string& table) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "Rows", "measured": [ )" + table + " ] }";
}

std::string tableWith(const std::string& more) {
    return R"({ "id": "rows", "what": "Two machines", "file": "rows.csv", "base": { "workload": { "sublayer": "gemm" } },
    "policy": "sequential", "metric": "time_ps.total", "unit": "µs", "label": "second-hand", "role": "visible")" +
           more + " }";
}

const std::string kRows =
    kHeading + "nvidia-a100,1024,10\nnvidia-a100,2048,20\nnvidia-h100,1024,5\nnvidia-h100,2048,8\n";

EvaluationReading readingOf(const std::string& document, const std::string& csv = kRows) {
    return readEvaluation(document, "test", nullptr, [&](const std::string& file, engine::Problems& problems) {
        if (file != "rows.csv")
            problems.push_back({file, "", "is not there"});
        return csv;
    });
}

Evaluation evaluationOf(const std::string& document, const std::string& csv = kRows) {
    EvaluationReading reading = readingOf(document, csv);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::move(reading.evaluation);
}

/// Returns the rows of an evaluation whose points have ended with these times in µs; an empty optional has not been
/// run.
std::vector<ReproducedItem> rowsWith(const Evaluation& evaluation, const std::vector<std::optional<double>>& times) {
    std::vector<ReproducedItem> rows;
    const EvaluationItem& item = evaluation.items.front();
    for (std::size_t i = 0; i < times.size(); ++i) {
        ReproducedItem row;
        row.published = {item.id + "[m=" + std::to_string(i) + "]", item.what, item.published[i].value, item.label};
        row.points = {i};
        row.role = item.role;
        row.value = times[i] ? *times[i] * 1e6 : std::nan("");
        row.difference = row.value / row.published.value - 1;
        row.note = times[i] ? "" : "not run";
        row.verdict = times[i] ? RowVerdict::notJudged : RowVerdict::notRun;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

class TestMeasuredRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTableHasAStepForEachRowAndTheValueAsItIsWritten() {
        const MeasuredTable table =
            tableOf("\xef\xbb\xbfmachine, workload.bytes ,value,what\r\n"
                    "nvidia-a100,64 MiB,36.50,\"cold, then warm\"\r\n\r\n\"nvidia-a100\",8192,7\r\n"
                    "nvidia-h100,8192,7e2,\n");
        QCOMPARE(table.values.size(), std::size_t{0});  // the second row has three cells
        const MeasuredTable read =
            tableOf("\xef\xbb\xbfmachine, workload.bytes ,value,what\r\n"
                    "nvidia-a100,64 MiB,36.50,\"cold, then warm\"\r\n\r\n\"nvidia-a100\",8192,7,\r\n"
                    "nvidia-h100,8192,7e2,\n");
        QCOMPARE(read.axis.columns.size(), std::size_t{2});
        QCOMPARE(read.axis.columns[1].path, std::string("workload.bytes"));
        QVERIFY(read.axis.columns[1].values[0] == engine::ParameterValue(std::int64_t{64} << 20));
        QCOMPARE(read.values[0].text, std::string("36.50 µs"));
        QCOMPARE(read.values[0].value, 36.5e6);
        QCOMPARE(read.values[0].digit, 1e4);
        QCOMPARE(read.values[2].value, 700e6);
    }

    void aMissingColumnIsNamed() {
        QVERIFY(refuses("machine,matrix.m\nnvidia-a100,1024\n", "rows.csv:1", "this column is missing"));
        QVERIFY(refuses("value\n10\n", "rows.csv:1", "no column is a parameter"));
        QVERIFY(refuses("machine,matrx.m,value\n", "rows.csv:1", "did you mean matrix.m"));
        QVERIFY(refuses("machine,machine,value\n", "rows.csv:1", "two columns have this name"));
        QVERIFY(refuses("", "rows.csv", "is empty"));
        QVERIFY(refuses(kHeading, "rows.csv", "at least one row"));
        QVERIFY(refuses("machine;matrix.m;value\n", "rows.csv:1", "divided by semicolons"));
        QVERIFY(tableOf("machine,matrix.m\nnvidia-a100,1024\n", times(true)).values.empty());
    }

    void commentLinesAreNoRows() {
        QCOMPARE(tableOf("# who measured\n" + kHeading + "# cold\nnvidia-a100,1024,10\n").values.size(),
                 std::size_t{1});
    }

    void aDoubledRowIsNamedWithTheFirstOne() {
        QVERIFY(refuses(kHeading + "nvidia-a100,1024,10\nnvidia-a100,1 024,10\n", "rows.csv:3 matrix.m", ""));
        QVERIFY(refuses(kHeading + "nvidia-a100,1024,10\nnvidia-h100,1024,9\nnvidia-a100,1024,11\n", "rows.csv:4",
                        "the same experiment as line 2"));
    }

    void wordsForNumbersAndADecimalCommaAreNamedWithTheirCell() {
        QVERIFY(
            refuses(kHeading + "nvidia-a100,1024,fast\n", "rows.csv:2 value", "not a number; a number above 0 in µs"));
        QVERIFY(refuses(kHeading + "nvidia-a100,1024,\"36,5\"\n", "rows.csv:2 value", "has a decimal comma"));
        QVERIFY(refuses(kHeading + "nvidia-a100,1024,36,5\n", "rows.csv:2", "numbers have a decimal point"));
        QVERIFY(refuses(kHeading + "nvidia-a100,many,10\n", "rows.csv:2 matrix.m", ""));
        QVERIFY(refuses(kHeading + "nvidia-a100,1024,\n", "rows.csv:2 value", "is missing"));
        for (const char* number : {"0", "-1", "1e400", "nan", "inf", "10us"})
            QVERIFY2(refuses(kHeading + "nvidia-a100,1024," + number + "\n", "rows.csv:2 value", "a number above 0"),
                     number);
        QVERIFY(refuses(kHeading + "nvidia-a100,1024\n", "rows.csv:2", "3 are expected"));
    }

    void asManyRowsAsAllowedAreReadAndOneMoreIsNot() {
        std::string csv = kHeading;
        for (int row = 1; row <= 5; ++row)
            csv += "nvidia-a100," + std::to_string(row) + ",10\n";
        QCOMPARE(tableOf(csv).values.size(), std::size_t{5});
        QVERIFY(refuses(csv + "nvidia-a100,6,10\n", "rows.csv", "allowed: up to 5"));
    }

    void aMillionRowsAreCountedAndRefused() {
        std::string csv = "matrix.m,value\n";
        for (int row = 1; row <= 1'000'000; ++row)
            csv += "1,1\n";
        engine::Problems problems;
        MeasuredKind kind = times();
        kind.mostRows = kMostEvaluationPoints;
        readMeasuredTable(csv, kind, problems);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.back().value, std::string("1000000 rows"));
        QVERIFY(tests::saysAt(problems, "rows.csv", "too many; allowed: up to 5000"));
    }

    void aTableMakesASweepAnItemAndAFigure() {
        const Evaluation evaluation = evaluationOf(documentWith(tableWith("")));
        QCOMPARE(evaluation.sweeps.size(), std::size_t{1});
        QCOMPARE(evaluation.sweeps.front().name, std::string("rows"));
        QCOMPARE(evaluation.items.size(), std::size_t{1});
        const EvaluationItem& item = evaluation.items.front();
        QVERIFY(item.mean == EvaluationMean::each && item.role == EvaluationRole::visible);
        QCOMPARE(item.published.size(), std::size_t{4});
        QCOMPARE(item.points.size(), std::size_t{4});
        QCOMPARE(evaluation.measured.front().targets.front().points, item.points);
        QVERIFY(evaluation.figures.front().mark == EvaluationMark::correlation);
        QCOMPARE(evaluation.figures.front().name, std::string("rows"));
    }

    void whatIsWrongWithATableIsNamed() {
        const auto says = [](const std::string& document, const std::string& path, const std::string& text,
                             const std::string& csv = kRows) {
            return tests::saysAt(readingOf(document, csv).problems, path, text);
        };
        QVERIFY(says(documentWith("3"), "measured[0]", "a table {...} is expected"));
        QVERIFY(says(documentWith(R"({ "id": "rows" })"), "measured[0].file", "missing"));
        QVERIFY(says(documentWith(R"({ "id": "rows" })"), "measured[0].label", "missing"));
        QVERIFY(
            says(documentWith(R"({ "id": "rows", "file": "../rows.csv" })"), "measured[0].file", "without a folder"));
        QVERIFY(says(documentWith(R"({ "id": "rows", "file": "other.csv", "metric": "time_ps.total", "unit": "ms",
            "label": "derived", "role": "visible" })"),
                     "other.csv", "is not there"));
        QVERIFY(says(documentWith(tableWith(R"(, "colour": 1)")), "measured[0].colour", ""));
        QVERIFY(says(documentWith(tableWith("") + ", " + tableWith("")), "measured[1].id",
                     "a sweep or a table has this name"));
        QVERIFY(says(documentWith(tableWith("")), "rows.csv:2 machine", "", kHeading + "nvidia-z9,1,1\n"));
        QVERIFY(says(documentWith(tableWith(R"(, "targets": [])")), "measured[0].targets", "at least one target"));
        QVERIFY(says(documentWith(tableWith(R"(, "targets": [ { "each": "near" } ])")), "measured[0].targets[0].each",
                     "not a share"));
        QVERIFY(says(documentWith(tableWith(R"(, "targets": [ { "where": "matrix.m>9999" } ])")),
                     "measured[0].targets[0].where", "selects no point"));
        QVERIFY(says(R"({ "format": "ringside-evaluation", "version": 1, "title": "Rows", "measured": [] })",
                     "measured", "at least one table"));
    }

    void aTableIsReadBesideItsDocument() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("rows.json").toStdString();
        std::ofstream(path) << documentWith(tableWith(""));
        QVERIFY(
            tests::contains(tests::described(readEvaluationFile(path, OwnPresets("")).problems), "cannot be opened"));
        std::ofstream(folder.filePath("rows.csv").toStdString()) << kRows;
        const EvaluationReading reading = readEvaluationFile(path, OwnPresets(""));
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        QCOMPARE(reading.evaluation.items.front().published.size(), std::size_t{4});
    }

    void biasMedianPercentileAndRankAreThoseOfTheRows() {
        const Evaluation evaluation = evaluationOf(documentWith(tableWith("")));
        // Ratios 2 and 0.5 on the A100, 1.2 and 1.1 on the H100.
        const std::vector<MeasuredAnswer> answers =
            measuredAnswers(evaluation, rowsWith(evaluation, {20.0, 10.0, 6.0, 8.8}), true);
        QCOMPARE(answers.size(), std::size_t{3});
        const MeasuredAnswer& a100 = answers[0];
        QCOMPARE(a100.machine, std::string("nvidia-a100"));
        QCOMPARE(a100.n, std::size_t{2});
        QVERIFY(std::abs(a100.bias - 1) < 1e-12);
        QVERIFY(std::abs(a100.median - 0.75) < 1e-12);
        QVERIFY(std::abs(a100.p90 - 0.95) < 1e-12);
        QVERIFY(std::abs(a100.rank - -1) < 1e-12);
        QVERIFY(std::abs(a100.worst - 1) < 1e-12);
        QCOMPARE(a100.worstRow, std::string("rows[m=0]"));
        QVERIFY(std::abs(answers[1].bias - std::sqrt(1.2 * 1.1)) < 1e-12);
        QVERIFY(std::abs(answers[1].rank - 1) < 1e-12);
        QVERIFY(answers[2].machine.empty() && answers[2].n == 4);
        QVERIFY(std::abs(answers[2].rank - 0.8) < 1e-12);
        QVERIFY(!a100.holds);  // nothing is demanded
        QCOMPARE(
            sentenceOf(answers[1]),
            std::string(
                "2 rows: bias +14.9 %, median error 15.0 %, 90 % of the rows within 19.0 %, rank correlation 1.000"));
    }

    void aTargetIsDemandedOfEachMachineOnBothSidesOfItsLimit() {
        const Evaluation evaluation = evaluationOf(
            documentWith(tableWith(R"(, "targets": [ { "median": "15 %", "bias": "16 %", "each": "20 %" } ])")));
        const auto answersOf = [&](const std::vector<std::optional<double>>& times, bool asWritten = true) {
            return measuredAnswers(evaluation, rowsWith(evaluation, times), asWritten);
        };
        std::vector<MeasuredAnswer> answers = answersOf({10.0, 20.0, 6.0, 8.8});
        QVERIFY(answers[0].holds == true && answers[1].holds == true && !answers[2].holds);
        answers = answersOf({10.0, 20.0, 6.01, 8.8});
        QVERIFY(answers[0].holds == true && answers[1].holds == false);
        QCOMPARE(answers[1].failure,
                 std::string("median error 15.1 %, allowed: up to 15.0 %; worst row 20.2 %, allowed: up to 20.0 %"));
        QVERIFY(!answersOf({10.0, 20.0, 6.01, 8.8}, false)[1].holds);
        answers = answersOf({10.0, std::nullopt, 6.0, 8.8});
        QVERIFY(!answers[0].holds && answers[0].n == 1 && answers[0].rows == 2);
    }

    void targetsSelectTheirRowsByParameters() {
        const Evaluation evaluation = evaluationOf(documentWith(tableWith(
            R"(, "targets": [ { "id": "large", "where": "matrix.m>=2048", "each": "10 %" }, { "id": "small", "where": "matrix.m<2048" } ])")));
        const std::vector<MeasuredAnswer> answers =
            measuredAnswers(evaluation, rowsWith(evaluation, {20.0, 21.0, 6.0, 10.0}), true);
        QCOMPARE(answers.size(), std::size_t{6});
        QVERIFY(answers[0].target == "large" && answers[0].n == 1 && answers[0].holds == true);
        QVERIFY(answers[1].holds == false);
        QVERIFY(answers[3].target == "small" && std::abs(answers[3].bias - 2) < 1e-12 && !answers[3].holds);
        QVERIFY(std::isnan(answers[3].rank));
    }

    void theFigureHasAPointForEachRowASeriesForEachMachineAndTheLineOfEqualNumbers() {
        const Evaluation evaluation = evaluationOf(documentWith(tableWith("")));
        Reproduction reproduction;
        reproduction.items = rowsWith(evaluation, {20.0, 10.0, 6.0, std::nullopt});
        reproduction.tables.push_back({evaluation.sweeps.front().sweep, {}, {"time_ps.total"}, {}});
        const FigureSpec figure = chartOf(evaluation, evaluation.figures.front(), reproduction);
        QVERIFY2(problemsOf(figure).empty(), tests::described(problemsOf(figure)).c_str());
        const FigurePanel& panel = figure.panels.front();
        QVERIFY(panel.x.scale == FigureScale::logarithmic && panel.y.scale == FigureScale::logarithmic);
        QVERIFY(panel.x.from == panel.y.from && panel.x.to == panel.y.to);
        const auto& points = std::get<LineMark>(panel.marks.back());
        QCOMPARE(points.x, (std::vector<double>{10, 20, 5}));
        QCOMPARE(points.series.size(), std::size_t{2});
        QCOMPARE(points.series[0].values, (FigureValues{20.0, 10.0, std::nullopt}));
        QCOMPARE(points.series[1].values, (FigureValues{std::nullopt, std::nullopt, 6.0}));
        const auto& equal = std::get<LineMark>(panel.marks.front());
        QCOMPARE(equal.series.front().values.front(), std::optional(equal.x.front()));
        QVERIFY(tests::contains(figure.caption, "2 rows: bias 0.0 %") &&
                tests::contains(figure.caption, "1 of 2 rows"));
        reproduction.items = rowsWith(evaluation, {std::nullopt, std::nullopt, std::nullopt, std::nullopt});
        QVERIFY(!hasValues(chartOf(evaluation, evaluation.figures.front(), reproduction)));
    }

    void reproducingATableGivesItsRowsAndItsAnswers() {
        const std::string small = R"({ "id": "rows", "file": "rows.csv", "base": { "workload": { "sublayer": "gemm" },
            "matrix": { "m": 256, "n": 256 }, "detail": { "level": "interactive" } }, "policy": "sequential",
            "metric": "time_ps.total", "unit": "µs", "label": "derived", "role": "visible", "targets": [ { "each": "1 %" } ] })";
        const Evaluation evaluation = evaluationOf(documentWith(small), "matrix.k,value\n256,0.001\n512,0.002\n");
        const Reproduction reproduction = reproduce(evaluation, {});
        QCOMPARE(reproduction.items.size(), std::size_t{2});
        QCOMPARE(reproduction.items[1].published.id, std::string("rows[k=512]"));
        QVERIFY(reproduction.items[0].difference > 1);
        QCOMPARE(reproduction.measured.size(), std::size_t{1});
        QCOMPARE(reproduction.measured.front().n, std::size_t{2});
        QVERIFY(reproduction.measured.front().holds == false);
        QVERIFY(tests::contains(writeReproduction(reproduction), "\"median_error\""));
    }

    void eachBundledTableBelongsToAnEvaluation() {
        std::size_t tables = 0;
        for (const Evaluation& evaluation : evaluations()) {
            for (const EvaluationMeasured& measured : evaluation.measured) {
                ++tables;
                QVERIFY2(evaluation.items[measured.item].published.size() >= 1, measured.file.c_str());
            }
        }
        QVERIFY(tables >= 5);
        for (const char* name : {"gemms", "collectives", "overlap"})
            QVERIFY2(findEvaluation(name) != nullptr && !findEvaluation(name)->measured.empty(), name);
    }
};

RINGSIDE_TEST(TestMeasuredRows)
#include "tst_measured_rows.moc"
