#include "data/experiment/experiment_document.h"
#include "data/sweep/results_table.h"
#include "tests/test_program.h"

#include <QtTest>

#include <limits>

using namespace data;

namespace {

SweepTable sampleTable() {
    SweepTable table;
    table.sweep.axes = {{{{"link.bandwidth", {std::int64_t{75'000'000'000}, std::int64_t{150'000'000'000}}}}},
                        {{{"machine", {std::string("t3-table-1"), std::string("a \"quick\", wide one")}},
                          {"memory.update_cost", {1.4, 1.0}}}}};
    table.sweep.policies = {"t3"};
    table.metrics = {"time_ps.total", "speedup_over_sequential"};
    table.rows = {{0, {0, 0}, 0, PointState::done, "", 7, {2'018'709'608.0, 1.2032220688771795}},
                  {1, {0, 1}, 0, PointState::done, "", 8, {1e9, std::nullopt}},
                  {2, {1, 0}, 0, PointState::failed, "two\nlines", std::nullopt, {std::nullopt, std::nullopt}},
                  {3, {1, 1}, 0, PointState::missing, "", std::nullopt, {std::nullopt, std::nullopt}}};
    table.rows[1].notices = {{"tracker.held_bytes", "up to 5 MiB waited"}, {"machine", "a, b"}};
    return table;
}

}  // namespace

class TestResultsTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPointIsALineWhateverBecameOfIt() {
        QCOMPARE(writeCsv(resultsOf(sampleTable())),
                 std::string("link.bandwidth,machine,memory.update_cost,policy,time_ps.total,speedup_over_sequential,"
                             "state,reason,notices\n"
                             "75000000000,t3-table-1,1.4,t3,2018709608,1.2032220688771795,done,,\n"
                             "75000000000,\"a \"\"quick\"\", wide one\",1,t3,1000000000,,done,,"
                             "\"tracker.held_bytes: up to 5 MiB waited; machine: a, b\"\n"
                             "150000000000,t3-table-1,1.4,t3,,,failed,\"two\nlines\",\n"
                             "150000000000,\"a \"\"quick\"\", wide one\",1,t3,,,missing,,\n"));
    }

    void noticesOfPointsAreToldOnceWithTheirNumberAndTheFirstPoint() {
        SweepTable table = sampleTable();
        table.rows[2].notices = {{"tracker.held_bytes", "up to 9 MiB waited"}};
        QCOMPARE(noticesOf(table),
                 (engine::Notices{{"tracker.held_bytes",
                                   "2 of 4 points, first link.bandwidth=75 GB/s machine=a \"quick\", wide one "
                                   "memory.update_cost=1 t3: up to 5 MiB waited"},
                                  {"machine", "1 of 4 points, first link.bandwidth=75 GB/s machine=a \"quick\", wide "
                                              "one memory.update_cost=1 t3: a, b"}}));
        // A figure tells only what its numbers depend on, of its own points.
        QCOMPARE(qualifyingNotices(table, {2, 3}),
                 (engine::Notices{{"tracker.held_bytes", "1 of 2 points, first link.bandwidth=150 GB/s "
                                                         "machine=t3-table-1 memory.update_cost=1.4 t3: up to 9 MiB "
                                                         "waited"}}));
        QCOMPARE(qualifyingNotices(table, {0, 3}), engine::Notices());
        table.rows[3].notices = table.rows[2].notices;
        QVERIFY(qualifyingNotices(table, {2, 3}).front().text.starts_with("all 2 points, first "));
        QCOMPARE(qualifyingNotices(table, {2}).front().text, std::string("up to 9 MiB waited"));
    }

    void jsonLeavesOutWhatIsNotThere() {
        SweepTable table = sampleTable();
        table.rows.erase(table.rows.begin());
        table.rows.erase(table.rows.begin(), table.rows.end() - 1);
        QCOMPARE(writeJson(resultsOf(table)), std::string("[\n  {\n    \"link.bandwidth\": 150000000000,\n"
                                                          "    \"machine\": \"a \\\"quick\\\", wide one\",\n"
                                                          "    \"memory.update_cost\": 1,\n    \"policy\": \"t3\",\n"
                                                          "    \"state\": \"missing\"\n  }\n]\n"));
        QCOMPARE(writeJson({}), std::string("[]\n"));
    }

    void runsAreLinesWithTheColumnsThatWereRead() {
        CatalogueRow row;
        row.name = "t-nlg/fc-2/tp8 t3";
        row.policy = "t3";
        row.engineVersion = "0.1.1";
        row.createdUnixMs = 4711;
        row.note = "a, b";
        row.tags = {"draft", "paper"};
        row.values = {2000.0, "unlimited"};
        const std::vector<std::string> columns{"time_ps.total", "dma.window"};
        QCOMPARE(writeCsv(resultsOf(std::span(&row, 1), columns)),
                 std::string("name,policy,time_ps.total,dma.window,note,tags,engine_version\n"
                             "t-nlg/fc-2/tp8 t3,t3,2000,unlimited,\"a, b\",draft paper,0.1.1\n"));
    }

    void numbersKeepEveryDigitAndHaveNoExponentWhereTheyAreWhole() {
        ResultsTable table{{"x"}, {}};
        for (const double number : {1e15, 0.1, -3.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
            table.rows.push_back({number});
        QCOMPARE(writeCsv(table), std::string("x\n1000000000000000\n0.1\n-3\n1e+300\n\n"));
    }

    void aCellIsQuotedWhereItHasTo() {
        QCOMPARE(csvCell("plain words"), std::string("plain words"));
        QCOMPARE(csvCell("a,b"), std::string("\"a,b\""));
        QCOMPARE(csvCell("say \"so\""), std::string("\"say \"\"so\"\"\""));
        QCOMPARE(csvCell("a\nb"), std::string("\"a\nb\""));
        QCOMPARE(csvCell("a\r\u202e\x1b"), std::string("a\\u000d\\u202e\\u001b"));
    }

    void aTextIsNoFormulaForASpreadsheet() {
        QCOMPARE(csvCell("=1+1"), std::string("'=1+1"));
        QCOMPARE(csvCell("=HYPERLINK(\"a\",\"b\")"), std::string("\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""));
        QCOMPARE(csvCell("+A1"), std::string("'+A1"));
        QCOMPARE(csvCell("-2+3"), std::string("'-2+3"));
        QCOMPARE(csvCell("@SUM(A1)"), std::string("'@SUM(A1)"));
        QCOMPARE(csvCell("\t=1"), std::string("'\t=1"));
        QCOMPARE(csvCell("-x"), std::string("'-x"));
        QCOMPARE(csvCell("1=2"), std::string("1=2"));
    }

    void aNumberStaysANumber() {
        for (const char* number : {"-1", "+1", "-1.5e-9", "-48.9 %", "+3%", "-0", "1e999", "-1e999"})
            QCOMPARE(csvCell(number), std::string(number));
        QCOMPARE(csvCell("-1 us"), std::string("'-1 us"));
        QCOMPARE(csvCell("+-1"), std::string("'+-1"));
        QCOMPARE(csvCell("-"), std::string("'-"));
    }
};

RINGSIDE_TEST(TestResultsTable)
#include "tst_results_table.moc"
