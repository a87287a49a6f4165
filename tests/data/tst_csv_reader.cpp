#include "data/document/csv_reader.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <string>
#include <vector>

using namespace data;

namespace {

using Cells = std::vector<std::string>;

CsvTable csvTableOf(const std::string& text) {
    engine::Problems problems;
    CsvTable table = readCsv(text, {"rows.csv", "id,seconds"}, problems);
    if (!problems.empty())
        qFatal("%s", tests::described(problems).c_str());
    return table;
}

bool csvRefuses(const std::string& text, const std::string& path, const std::string& what) {
    engine::Problems problems;
    readCsv(text, {"rows.csv", "id,seconds"}, problems);
    return tests::saysAt(problems, path, what);
}

std::string csvWith(std::size_t rows) {
    std::string text = "id\n";
    for (std::size_t row = 0; row < rows; ++row)
        text += "1\n";
    return text;
}

}  // namespace

class TestCsvReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quotesKeepCommasBlanksQuotesAndLineBreaks() {
        const CsvTable table = csvTableOf("id,what\n1, plain text \n2,\" a, \"\"b\"\" \"\n3,\"two\nlines\"\n4,\"\"\n");
        QCOMPARE(table.heading.cells, (Cells{"id", "what"}));
        QCOMPARE(table.rows.size(), std::size_t{4});
        QCOMPARE(table.rows[0].cells[1], std::string("plain text"));
        QCOMPARE(table.rows[1].cells[1], std::string(" a, \"b\" "));
        QCOMPARE(table.rows[2].cells[1], std::string("two\nlines"));
        QCOMPARE(table.rows[3].cells[1], std::string());
        QCOMPARE(table.rows[3].number, std::size_t{6});  // the line break in quotes counts
    }

    void linesThatBeginWithAHashAreCommentsAndCellsInQuotesAreNot() {
        const CsvTable table =
            csvTableOf("# A \"note, which is not closed\n\nid,what\n  # another\n\"#1\",#2\n#\n2,#\n");
        QCOMPARE(table.heading.number, std::size_t{3});
        QCOMPARE(table.rows.size(), std::size_t{2});
        QCOMPARE(table.rows[0].cells, (Cells{"#1", "#2"}));
        QCOMPARE(table.rows[1].cells, (Cells{"2", "#"}));
        QVERIFY(csvRefuses("# only a note\n", "rows.csv", "is empty"));
    }

    void linesMayEndAsOnEverySystemAndTheLastOneNeedNotEnd() {
        for (const std::string end : {"\n", "\r\n", "\r"}) {
            const CsvTable table = csvTableOf("\xef\xbb\xbfid,s" + end + "# x" + end + end + "1,2" + end + "3,4");
            QCOMPARE(table.heading.cells, (Cells{"id", "s"}));
            QCOMPARE(table.rows.size(), std::size_t{2});
            QCOMPARE(table.rows[1].cells, (Cells{"3", "4"}));
            QCOMPARE(table.placeOf(table.rows[1]), std::string("rows.csv:5"));
            QCOMPARE(table.placeOf(table.rows[1], 1), std::string("rows.csv:5 s"));
        }
    }

    void columnsAreFoundByTheirName() {
        const CsvTable table = csvTableOf("id,s\n1,2\n");
        QCOMPARE(table.columnNamed("s"), std::optional<std::size_t>(1));
        QVERIFY(!table.columnNamed("S"));
    }

    void whatIsWrongIsNamedWithItsLine() {
        QVERIFY(csvRefuses("", "rows.csv",
                           "is empty; a line with the names of the columns is expected, such as "
                           "id,seconds"));
        QVERIFY(csvRefuses("id\n", "rows.csv", "at least one row"));
        QVERIFY(csvRefuses("id;s\n1;2\n", "rows.csv:1", "divided by semicolons"));
        QVERIFY(csvRefuses("id,s,id\n1,2,3\n", "rows.csv:1", "two columns have this name"));
        QVERIFY(csvRefuses("id,s\n1,2\n3\n", "rows.csv:3", "2 are expected, one for each column"));
        QVERIFY(csvRefuses("id,s\n1,2,5\n", "rows.csv:2", "numbers have a decimal point"));
        QVERIFY(csvRefuses("id,s\n1,2\n3,\"4\n5,6\n", "rows.csv:3", "is not closed"));
        QVERIFY(csvRefuses("id,\"s\n5,6\n", "rows.csv:1", "is not closed"));
    }

    void aFileWithoutNamesOfColumnsIsRefusedAtItsFirstLine() {
        engine::Problems problems;
        readCsv("# times\na,80\nb,56\n", {"rows.csv", "id,s"}, problems);
        QVERIFY(tests::saysAt(problems, "rows.csv:2", "the first line names the columns, such as id,s"));
        QCOMPARE(problems.size(), std::size_t{1});
        problems.clear();
        readCsv("id,2nd\na,80\n", {"rows.csv", "id,s"}, problems);  // a name may begin with a digit
        QVERIFY(problems.empty());
    }

    void aTextInUtf16IsNamedAndNotTakenForColumns() {
        for (const std::string& mark : {std::string("\xff\xfe"), std::string("\xfe\xff")}) {
            engine::Problems problems;
            readCsv(mark + std::string("i\0d\0,\0s\0\n\0", 10), {"rows.csv", "id,s"}, problems);
            QVERIFY(tests::saysAt(problems, "rows.csv", "UTF-8 is expected"));
            QCOMPARE(problems.size(), std::size_t{1});
        }
    }

    void asManyRowsAsAllowedAreReadAndOfMoreNone() {
        QCOMPARE(csvTableOf(csvWith(kMostCsvRows)).rows.size(), kMostCsvRows);
        engine::Problems problems;
        const CsvTable table = readCsv(csvWith(kMostCsvRows + 1), {"rows.csv", "id"}, problems);
        QVERIFY(table.rows.empty());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().value, std::string("100001 rows"));
        QVERIFY(tests::saysAt(problems, "rows.csv", "too many; allowed: up to 100000 rows"));
    }

    void problemsAreBoundedHoweverManyRowsAreWrong() {
        std::string text = "id,s\n";
        for (int row = 0; row < 1000; ++row)
            text += "1\n";
        engine::Problems problems;
        readCsv(text, {"rows.csv", "id,s"}, problems);
        QCOMPARE(problems.size(), std::size_t{50});
    }
};

RINGSIDE_TEST(TestCsvReader)
#include "tst_csv_reader.moc"
