#include "data/evaluations/measured_file.h"
#include "data/evaluations/reproduce.h"
#include "data/evaluations/statistics.h"
#include "tests/data/row_axis.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace data;
using tests::evaluationOfRows;
using tests::readRows;
using tests::rowAxis;
using tests::rowDocument;
using tests::rowItem;

namespace {

/// Ours are 80, 80 and 56 GB. The file also has a row that the sweep leaves out, in another order.
const std::string kMeasured = "# by nobody\ngigabytes,id,notes\n70,4,\n50,1,\n100,2,cold\n64,3,warm\n";

/// Returns an item that is compared with the measured file.
std::string comparedItem(const std::string& mean, const std::string& more = {}, const std::string& role = "visible") {
    return rowItem(R"("as": ")" + mean +
                       R"(", "label": "derived", "against": { "column": "gigabytes", "unit": "GB" })" +
                       (more.empty() ? "" : ", " + more),
                   role);
}

Evaluation attached(const std::string& document, const std::string& csv = kMeasured) {
    engine::Problems problems;
    Evaluation evaluation = withMeasured(evaluationOfRows(document), csv, "measured.csv", problems);
    if (!problems.empty())
        qFatal("%s", tests::described(problems).c_str());
    return evaluation;
}

/// Returns the only row of a mean over the rows with these measured numbers.
ReproducedItem comparedWith(const std::string& mean, const std::string& csv, const std::string& axis = rowAxis()) {
    return reproduce(attached(rowDocument(comparedItem(mean), axis), csv), {}).items.front();
}

bool itemRefuses(const std::string& item, const std::string& path, const std::string& text,
                 const std::string& axis = rowAxis()) {
    return tests::saysAt(readRows(rowDocument(item, axis)).problems, "items[0]." + path, text);
}

bool fileRefuses(const std::string& csv, const std::string& path, const std::string& text) {
    engine::Problems problems;
    withMeasured(evaluationOfRows(rowDocument(comparedItem("each"))), csv, "measured.csv", problems);
    return tests::saysAt(problems, path, text);
}

bool isAbout(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

class TestMeasuredFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAFileRowsShowOursAndAreNotJudged() {
        const std::string tolerance = R"("tolerance": "1 %")";
        const Reproduction made =
            reproduce(evaluationOfRows(rowDocument(comparedItem("each", tolerance, "exact"))), {});
        QCOMPARE(made.items.size(), std::size_t{3});
        for (const ReproducedItem& row : made.items) {
            QVERIFY(row.value > 0 && !row.valueText.empty() && std::isnan(row.published.value));
            QCOMPARE(row.note, std::string("no measured steps attached"));
            QVERIFY(row.verdict == RowVerdict::unpublished && !row.holds());
        }
        for (const char* mean : {"mean-error", "rank-correlation"}) {
            const ReproducedItem row = reproduce(evaluationOfRows(rowDocument(comparedItem(mean))), {}).items.front();
            QVERIFY(std::isnan(row.value) && row.verdict == RowVerdict::unpublished);
            QCOMPARE(row.note, std::string("no measured steps attached"));
        }
    }

    void numbersAreJoinedByKeyWhateverTheirOrder() {
        const Reproduction made = reproduce(attached(rowDocument(comparedItem("each"))), {});
        QCOMPARE(made.items[0].published.id, std::string("step[id=2]"));
        QCOMPARE(made.items[0].value, 80e9);
        QCOMPARE(made.items[0].publishedText, std::string("100 GB"));
        QVERIFY(isAbout(made.items[0].difference, -0.2));
        QVERIFY(isAbout(made.items[1].difference, 0.25));  // the same point as row 2, measured twice
        QVERIFY(isAbout(made.items[2].difference, -0.2));
        const std::string where = rowAxis(R"("where": "id=4")");
        QVERIFY(
            isAbout(reproduce(attached(rowDocument(comparedItem("value"), where)), {}).items.front().difference, -0.2));
    }

    void rowsAreJudgedOnBothSidesOfTheirTolerance() {
        const auto verdictWith = [](const std::string& tolerance) {
            const std::string item = comparedItem("each", "\"tolerance\": \"" + tolerance + "\"");
            return reproduce(attached(rowDocument(item)), {}).items.front().verdict;
        };
        QVERIFY(verdictWith("20 %") == RowVerdict::holds);
        QVERIFY(verdictWith("19.9 %") == RowVerdict::fails);
    }

    void theMeanErrorIsThatOfAllRows() {
        const ReproducedItem row = comparedWith("mean-error", kMeasured);
        QVERIFY(isAbout(row.value, (0.2 + 0.25 + 0.2) / 3));
        QCOMPARE(row.valueText, std::string("21.7 %"));
        QVERIFY(row.note.empty() && std::isnan(row.difference) && row.verdict == RowVerdict::notJudged);
    }

    void ratiosAreComparedWithNumbersWithoutAUnit() {
        // Halves of the rows by row 4: 80/56, 80/56 and 1.
        const std::string item = rowItem(R"("as": "mean-error", "label": "derived", "against": { "column": "ratio" },
            "over": { "where": "division.dp=4" })");
        const Reproduction made = reproduce(attached(rowDocument(item), "id,ratio\n2,1\n3,1\n4,1\n"), {});
        QVERIFY(isAbout(made.items.front().value, 2 * (80.0 / 56 - 1) / 3));
        const std::string saving = item.substr(0, item.rfind('}')) + R"(, "saving": true })";
        const Reproduction saved = reproduce(attached(rowDocument(saving), "id,ratio\n2,1\n3,1\n4,1\n"), {});
        QVERIFY(isAbout(saved.items.front().value, (2 * (80.0 / 56) + 1) / 3));
    }

    void theRankCorrelationGivesEqualNumbersTheMeanOfTheirRanks() {
        // Ours have the ranks 2.5, 2.5 and 1.
        QVERIFY(isAbout(comparedWith("rank-correlation", "id,gigabytes\n2,9\n3,8\n4,7\n").value, std::sqrt(0.75)));
        QVERIFY(isAbout(comparedWith("rank-correlation", "id,gigabytes\n2,9\n3,9\n4,7\n").value, 1));
        QVERIFY(isAbout(comparedWith("rank-correlation", "id,gigabytes\n2,1\n3,1\n4,7\n").value, -1));
        QVERIFY(isAbout(rankCorrelationOf({1, 2, 3, 4}, {10, 30, 20, 40}), 0.8));
    }

    void fewOrEqualNumbersHaveNoRankCorrelationAndSaySo() {
        const ReproducedItem equal = comparedWith("rank-correlation", "id,gigabytes\n2,7\n3,7\n4,7\n");
        QVERIFY(std::isnan(equal.value) && tests::contains(equal.note, "all numbers are equal"));
        const ReproducedItem few =
            comparedWith("rank-correlation", kMeasured, rowAxis(R"("where": "model=a fitted=0")"));
        QVERIFY(std::isnan(few.value) && tests::contains(few.note, "fewer than 3 points"));
        const ReproducedItem three = comparedWith("rank-correlation", kMeasured, rowAxis(R"("where": "fitted=0")"));
        QVERIFY(!std::isnan(three.value));
    }

    void theConstantsDoNotDependOnTheFile() {
        const std::string document = rowDocument(comparedItem("each"));
        QCOMPARE(reproduce(attached(document), {}).constants, reproduce(evaluationOfRows(document), {}).constants);
    }

    void blindRowsAreComparedOnlyUnderTheFrozenConstants() {
        const std::string constants = reproduce(evaluationOfRows(rowDocument(comparedItem("each"))), {}).constants;
        const auto rowWith = [](const std::string& mean, const std::string& frozen) {
            const std::string document =
                rowDocument(comparedItem(mean, {}, "blind"), rowAxis(), R"("frozen": ")" + frozen + R"(", )");
            return reproduce(attached(document), {}).items.front();
        };
        QVERIFY(isAbout(rowWith("each", constants).difference, -0.2));
        QVERIFY(rowWith("mean-error", constants).value > 0.2);
        QVERIFY(rowWith("each", "000000000000").value > 0);
        for (const char* mean : {"each", "mean-error", "rank-correlation"}) {
            const ReproducedItem row = rowWith(mean, "000000000000");
            QVERIFY(row.verdict == RowVerdict::constantsChanged && std::isnan(row.difference));
            QVERIFY(std::isnan(row.value) == (std::string(mean) != "each"));
        }
    }

    void whatIsWrongWithAnItemIsNamed() {
        QVERIFY(itemRefuses(rowItem(R"("as": "mean-error")"), "against", "missing; mean-error compares"));
        QVERIFY(
            itemRefuses(rowItem(R"("as": "each", "against": { "column": "s", "unit": "GB" })"), "label", "missing"));
        QVERIFY(itemRefuses(comparedItem("geomean"), "as", "allowed: value, each, mean-error, rank-correlation"));
        QVERIFY(itemRefuses(comparedItem("each", R"("published": ["1", "1", "1"])"), "published",
                            "the numbers come from the measured file"));
        QVERIFY(itemRefuses(comparedItem("mean-error", R"("tolerance": "1 %")"), "tolerance", "no published number"));
        QVERIFY(itemRefuses(comparedItem("each"), "against", "has no keys",
                            R"({ "path": "division.dp", "values": [2, 4] })"));
        const auto against = [](const std::string& keys) {
            return rowItem(R"("as": "each", "label": "derived", "against": )" + keys);
        };
        QVERIFY(itemRefuses(against("3"), "against", "an object"));
        QVERIFY(itemRefuses(against("{}"), "against.column", "missing"));
        QVERIFY(itemRefuses(against(R"({ "column": "s" })"), "against.unit", "missing; the unit"));
        QVERIFY(itemRefuses(against(R"({ "column": "s", "unit": "s" })"), "against.unit", ""));
        QVERIFY(itemRefuses(against(R"({ "column": "s", "unit": "GB", "key": "id" })"), "against.key", ""));
        QVERIFY(itemRefuses(against(R"({ "column": "s", "unit": "GB" }, "over": { "where": "division.dp=4" })"),
                            "against.unit", "a ratio has no unit"));
    }

    void whatIsWrongWithTheFileIsNamed() {
        QVERIFY(fileRefuses("", "measured.csv", "is empty"));
        QVERIFY(fileRefuses("key,gigabytes\n2,1\n", "measured.csv:1",
                            "this column is missing; it has the keys of rows.csv"));
        QVERIFY(fileRefuses("id,GB\n2,1\n3,1\n4,1\n", "measured.csv:1", "it has the numbers for the item step"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n4,1\n", "measured.csv", "has no row with the key 3 in the column id"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3,1\n4,1\n5,1\n", "measured.csv:5 id", "not a key of rows.csv"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3,1\n4,1\n2,1\n", "measured.csv:5 id", "the same key as in line 2"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3,fast\n4,1\n", "measured.csv:3 gigabytes",
                            "not a number; a number above 0 in GB"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3,0\n4,1\n", "measured.csv:3 gigabytes", "not above 0"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3\n4,1\n", "measured.csv:3", "2 are expected"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1\n3,\n4,1\n", "measured.csv:3 gigabytes", "is missing"));
        QVERIFY(fileRefuses("id,gigabytes\n2,1,5\n3,1\n4,1\n", "measured.csv:2", "numbers have a decimal point"));
        QVERIFY(fileRefuses("id,gigabytes\n2,\"1,5\"\n3,1\n4,1\n", "measured.csv:2 gigabytes", "has a decimal comma"));
        QVERIFY(fileRefuses("id;gigabytes\n2;1\n3;1\n4;1\n", "measured.csv:1", "semicolons; commas are expected"));
        QVERIFY(fileRefuses("2,1\n3,1\n4,1\n", "measured.csv:1", "the first line names the columns"));
        QVERIFY(fileRefuses("id,gigabytes,id\n2,1,2\n3,1,3\n4,1,4\n", "measured.csv:1", "two columns have this name"));
        engine::Problems problems;
        withMeasured(evaluationOfRows(rowDocument(rowItem(R"("as": "each")"))), kMeasured, "measured.csv", problems);
        QVERIFY(tests::saysAt(problems, "measured.csv", "no item has \"against\""));
    }

    void aMeanErrorMayBeClaimed() {
        const auto holds = [](const std::string& most) {
            std::string item = comparedItem("mean-error");
            const std::string role = R"("role": "visible")";
            const std::size_t at = item.find(role);
            if (at == std::string::npos)
                qFatal("the item has another role: %s", item.c_str());
            item.replace(at, role.size(), "\"at_most\": \"" + most + "\"");
            return reproduce(attached(rowDocument(item)), {}).items.front().holds();
        };
        QCOMPARE(holds("1000 %"), std::optional(true));
        QCOMPARE(holds("0.001 %"), std::optional(false));
    }

    void aByteOrderMarkIsPassedOver() {
        engine::Problems problems;
        const Evaluation evaluation = evaluationOfRows(rowDocument(comparedItem("each")));
        const Evaluation attached =
            withMeasured(evaluation, "\xef\xbb\xbfid,gigabytes\n2,1\n3,1\n4,1\n", "measured.csv", problems);
        QVERIFY(problems.empty() && attached.items.front().published.size() == 3);
    }

    void aMillionRowsAreRefusedWithOneMessage() {
        std::string csv = "id,gigabytes\n";
        for (int row = 0; row < 1'000'000; ++row)
            csv += std::to_string(row) + ",1\n";
        engine::Problems problems;
        withMeasured(evaluationOfRows(rowDocument(comparedItem("each"))), csv, "measured.csv", problems);
        QVERIFY(tests::saysAt(problems, "measured.csv", "too many; allowed: up to 100000 rows"));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().value, std::string("1000000 rows"));
    }

    void aRangeThatIsNotFiniteIsRefused() {
        engine::Problems problems;
        const std::string item = comparedItem("each", R"("tolerance": "900 %")");
        withMeasured(evaluationOfRows(rowDocument(item)), "id,gigabytes\n2,1e299\n3,1\n4,1\n", "measured.csv",
                     problems);
        QVERIFY(tests::saysAt(problems, "measured.csv", "must be finite"));
    }

    void aFileIsReadByItsPath() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("measured.csv").toStdString();
        const Evaluation evaluation = evaluationOfRows(rowDocument(comparedItem("each")));
        engine::Problems problems;
        withMeasuredFile(evaluation, path, problems);
        QVERIFY(tests::contains(tests::described(problems), "cannot be opened"));
        std::ofstream(path) << kMeasured;
        problems.clear();
        QCOMPARE(withMeasuredFile(evaluation, path, problems).items.front().published.size(), std::size_t{3});
        QVERIFY(problems.empty());
    }
};

RINGSIDE_TEST(TestMeasuredFile)
#include "tst_measured_file.moc"
