#include "data/document/bundled_json.h"
#include "data/document/csv_reader.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/own_presets.h"
#include "data/sweep/sweep_plan.h"
#include "tests/data/row_axis.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

using namespace data;
using tests::evaluationOfRows;
using tests::kStepRows;
using tests::readRows;
using tests::rowAxis;
using tests::rowDocument;
using tests::rowItem;

namespace {

const std::string kEachRow = rowItem(R"("as": "each")");

bool axisRefuses(const std::string& axis, const std::string& path, const std::string& text) {
    return tests::saysAt(readRows(rowDocument(kEachRow, axis)).problems, path, text);
}

bool rowsRefuse(const std::string& csv, const std::string& path, const std::string& text) {
    return tests::saysAt(readRows(rowDocument(kEachRow, rowAxis("")), csv).problems, path, text);
}

/// Returns a file with this many rows of different keys; `values` of them have different values.
std::string manyRows(std::size_t rows, std::size_t values) {
    std::string csv = "id,replicas\n";
    for (std::size_t row = 0; row < rows; ++row)
        csv += std::to_string(row) + "," + std::to_string(row % values + 1) + "\n";
    return csv;
}

std::vector<std::string> idsOf(const Reproduction& reproduction) {
    std::vector<std::string> ids;
    for (const ReproducedItem& row : reproduction.items)
        ids.push_back(row.published.id);
    return ids;
}

}  // namespace

class TestRowAxis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theAxisHasAStepForEachSelectedRowAndEqualRowsShareOne() {
        const Evaluation evaluation = evaluationOfRows(rowDocument(kEachRow));
        const EvaluationSweep& sweep = evaluation.sweeps.front();
        QCOMPARE(sweep.sweep.axes.front().columns.front().path, std::string("division.dp"));
        QCOMPARE(sweep.sweep.axes.front().size(), std::size_t{2});
        QCOMPARE(sweep.rows->keys, (std::vector<std::string>{"2", "3", "4"}));
        QCOMPARE(sweep.rows->known, (std::vector<std::string>{"1", "2", "3", "4"}));
        QCOMPARE(evaluation.items.front().points, (std::vector<std::size_t>{0, 0, 1}));
        QCOMPARE(evaluation.items.front().rows, (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(evaluationOfRows(rowDocument(kEachRow, rowAxis(""))).items.front().points.size(), std::size_t{4});
    }

    void allConditionsSelectARow() {
        const Evaluation evaluation =
            evaluationOfRows(rowDocument(kEachRow, rowAxis(R"("where": "fitted=0  model=a")")));
        QCOMPARE(evaluation.sweeps.front().rows->keys, (std::vector<std::string>{"2", "3"}));
    }

    void theRowsOfAnItemAreNamedByTheirKeys() {
        const Reproduction made = reproduce(evaluationOfRows(rowDocument(kEachRow)), {});
        QCOMPARE(idsOf(made), (std::vector<std::string>{"step[id=2]", "step[id=3]", "step[id=4]"}));
        QCOMPARE(made.items[0].value, made.items[1].value);
        QVERIFY(made.items[1].value > made.items[2].value);
        QCOMPARE(made.items[1].points, (std::vector<std::size_t>{0}));
    }

    void anotherAxisStandsBesideTheRows() {
        const std::string axes = rowAxis() + R"(, { "path": "parallel.tp", "values": [1, 2] })";
        const Reproduction made = reproduce(evaluationOfRows(rowDocument(kEachRow, axes)), {});
        QCOMPARE(made.items.size(), std::size_t{6});
        QCOMPARE(idsOf(made)[1], std::string("step[id=3,tp=1]"));
        QCOMPARE(idsOf(made)[2], std::string("step[id=2,tp=2]"));
    }

    void aMeanCountsEachRow() {
        const Reproduction each = reproduce(evaluationOfRows(rowDocument(kEachRow)), {});
        const Reproduction mean = reproduce(evaluationOfRows(rowDocument(rowItem(R"("as": "mean")"))), {});
        QCOMPARE(mean.items.front().value, (2 * each.items[0].value + each.items[2].value) / 3);
        QCOMPARE(mean.items.front().points, (std::vector<std::size_t>{0, 1}));
    }

    void theConstantsAreThoseOfTheSameValuesInTheDocument() {
        const std::string list = R"({ "path": "division.dp", "values": [2, 4] })";
        QCOMPARE(reproduce(evaluationOfRows(rowDocument(kEachRow)), {}).constants,
                 reproduce(evaluationOfRows(rowDocument(kEachRow, list)), {}).constants);
    }

    void whatIsWrongWithTheAxisIsNamed() {
        const std::string at = "sweeps.rows.axes[0]";
        QVERIFY(axisRefuses(R"({ "csv": "../rows.csv" })", at + ".csv", "without a folder"));
        QVERIFY(axisRefuses(R"({ "csv": "other.csv", "key": "id" })", "other.csv", "is not there"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv" })", at + ".key", "missing; the column that names each row"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "id" })", at + ".columns", "at least one parameter"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "id", "columns": {} })", at + ".columns",
                            "at least one parameter"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "name", "columns": { "division.dp": "replicas" } })",
                            at + ".key", "not a column of rows.csv; allowed: id, model, replicas, fitted"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "id", "columns": { "division.dp": "dp" } })",
                            at + ".columns.division.dp", "not a column of rows.csv"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "id", "columns": { "division.replicas": "replicas" } })",
                            at + ".columns.division.replicas", "unknown parameter"));
        QVERIFY(axisRefuses(R"({ "csv": "rows.csv", "key": "id", "columns": { "division.dp": 3 } })",
                            at + ".columns.division.dp", "a string is expected"));
        QVERIFY(axisRefuses(rowAxis(R"("where": "fitted")"), at + ".where", "allowed: COLUMN=VALUE"));
        QVERIFY(axisRefuses(rowAxis(R"("where": "used=0")"), at + ".where", "not a column of rows.csv"));
        QVERIFY(axisRefuses(rowAxis(R"("where": "fitted=2")"), at + ".where", "selects no row"));
        QVERIFY(axisRefuses(rowAxis(R"("colour": 1)"), at + ".colour", ""));
        QVERIFY(axisRefuses(rowAxis() + ", " + rowAxis(), "sweeps.rows.axes[1]", "allowed: one in each sweep"));
        const std::string policies = R"({ "csv": "rows.csv", "key": "id", "columns": { "policy.preset": "model" } })";
        QVERIFY(tests::saysAt(readRows(rowDocument(kEachRow, policies), "id,model\n1,t3\n").problems,
                              at + ".columns.policy.preset", "policies are not an axis"));
    }

    void whatIsWrongWithTheFileIsNamedWithLineAndColumn() {
        QVERIFY(rowsRefuse("id,replicas\n1,2\n2,many\n", "rows.csv:3 replicas", ""));
        QVERIFY(rowsRefuse("id,replicas\n1,2\n2,0\n", "rows.csv:3 replicas", ""));
        QVERIFY(rowsRefuse("id,replicas\n1,2\n2\n", "rows.csv:3", "2 are expected"));
        QVERIFY(rowsRefuse("id,replicas\n1,2\n2,3\n1,4\n", "rows.csv:4 id", "the same key as in line 2"));
        QVERIFY(rowsRefuse("id,replicas\n1,2\n,3\n", "rows.csv:3 id", "cannot name a row; allowed: letters"));
        QVERIFY(rowsRefuse("id,replicas\na b,2\n", "rows.csv:2 id", "cannot name a row"));
        QVERIFY(rowsRefuse("id,replicas,replicas\n1,2,3\n", "rows.csv:1", "two columns have this name"));
        const std::string model = R"({ "csv": "rows.csv", "key": "id", "columns": { "workload.model": "model" } })";
        QVERIFY(axisRefuses(model, "rows.csv:3 model", "unknown"));
    }

    void everyPointCountsAsOftenAsItHasRows() {
        const std::string document = rowDocument(kEachRow, rowAxis(""));
        QVERIFY(readRows(document, manyRows(kMostEvaluationPoints, kMostEvaluationPoints)).problems.empty());
        QVERIFY(rowsRefuse(manyRows(kMostEvaluationPoints + 1, 1), "sweeps.rows.axes[0]", "allowed: up to 5000"));
        const std::string axes = rowAxis("") + R"(, { "path": "parallel.tp", "values": [1, 2] })";
        QVERIFY(readRows(rowDocument(kEachRow, axes), manyRows(kMostEvaluationPoints / 2, 1)).problems.empty());
        QVERIFY(
            tests::saysAt(readRows(rowDocument(kEachRow, axes), manyRows(kMostEvaluationPoints / 2 + 1, 1)).problems,
                          "sweeps.rows", "too many; allowed: up to 5000 in all sweeps"));
        QVERIFY(rowsRefuse(manyRows(100'001, 1), "rows.csv", "too many; allowed: up to 100000 rows"));
    }

    void theFileIsReadBesideItsDocument() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("steps.json").toStdString();
        std::ofstream(path) << rowDocument(kEachRow);
        QVERIFY(
            tests::contains(tests::described(readEvaluationFile(path, OwnPresets("")).problems), "cannot be opened"));
        std::ofstream(folder.filePath("rows.csv").toStdString()) << kStepRows;
        QVERIFY(readEvaluationFile(path, OwnPresets("")).problems.empty());
    }

    void theBundledConfigurationsOfStepsAreRowsAndKeepTheirNotice() {
        const auto bundled = std::ranges::find(bundledTableTexts(), std::string("steps"), &BundledText::name);
        QVERIFY(bundled != bundledTableTexts().end());
        QVERIFY(tests::contains(bundled->text, "Copyright (c) 2024, VIA Research Group at KAIST"));
        QVERIFY(tests::contains(bundled->text, "THE SOFTWARE IS PROVIDED \"AS IS\""));
        engine::Problems problems;
        const CsvTable table = readCsv(bundled->text, {"steps.csv", "id"}, problems);
        QVERIFY2(problems.empty(), tests::described(problems).c_str());
        const auto numberIn = [&](const CsvLine& row, const char* column) {
            return std::stoi(row.cells.at(table.columnNamed(column).value()));
        };
        for (const CsvLine& row : table.rows) {
            QCOMPARE(numberIn(row, "tp") * numberIn(row, "dp") * numberIn(row, "pp"), numberIn(row, "gpus"));
            QCOMPARE(numberIn(row, "calibrated"), numberIn(row, "id") % 14 == 1 ? 1 : 0);
        }
    }

    void a109RowsFitIntoTwoSweepsAndTheTwoEqualOnesShareAPoint() {
        const auto rowsWhere = [](const std::string& where) {
            const std::string axis = R"({ "csv": "steps.csv", "key": "id", "columns": {
                "workload.hidden": "hidden", "workload.heads": "heads", "workload.layers": "layers",
                "workload.sequence": "sequence", "workload.batch": "batch", "division.dp": "dp", "division.pp": "pp",
                "division.microbatches": "microbatches", "link.bandwidth": "link_bandwidth" }, "where": )" +
                                     ("\"" + where + "\" }");
            const EvaluationReading reading = readEvaluation(rowDocument(kEachRow, axis), "test");
            return reading.problems.empty() ? *reading.evaluation.sweeps.front().rows : EvaluationRows{};
        };
        QCOMPARE(rowsWhere("calibrated=0").keys.size(), std::size_t{101});
        QCOMPARE(rowsWhere("calibrated=0").steps.size(), std::size_t{100});
        QCOMPARE(rowsWhere("calibrated=1").keys.size(), std::size_t{8});
        QCOMPARE(rowsWhere("calibrated=1").known.size(), std::size_t{109});
    }

    void aSweepOfItsOwnHasNoAxisFromAFile() {
        const SweepReading reading = readSweep(R"({ "axes": [ )" + rowAxis() + R"( ], "policies": ["t3"] })", "test");
        QVERIFY(tests::saysAt(reading.problems, "axes[0].csv", ""));
    }
};

RINGSIDE_TEST(TestRowAxis)
#include "tst_row_axis.moc"
