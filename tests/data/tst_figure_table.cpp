#include "data/figure/figure_table.h"
#include "tests/data/figure_samples.h"
#include "tests/test_program.h"

#include <QTest>

using namespace data;

namespace {

using Cells = std::vector<std::string>;

const FigureTable& tableOf(const std::vector<FigureTable>& tables, std::size_t panel) {
    for (const FigureTable& table : tables) {
        if (table.panel == panel)
            return table;
    }
    qFatal("no such table");
}

}  // namespace

class TestFigureTable : public QObject {
    Q_OBJECT

    std::vector<FigureTable> m_tables = tablesOf(everyKindOfMark());

private Q_SLOTS:
    void everyMarkWithNumbersHasATableOfItsOwn() {
        QCOMPARE(m_tables.size(), std::size_t{7});  // one panel of the eight is a drawing
        for (std::size_t i = 0; i < m_tables.size(); ++i)
            QCOMPARE(m_tables[i].fileName, "every-kind-" + std::to_string(i + 1) + ".csv");
        FigureSpec one = everyKindOfMark();
        one.panels.resize(1);
        QCOMPARE(tablesOf(one).front().fileName, std::string("every-kind.csv"));
    }

    void barsHaveACategoryAGroupAndTheirSeries() {
        const FigureTable& table = tableOf(m_tables, 0);
        QVERIFY((table.columns ==
                 Cells{"category", "group", "Sequential: GEMM", "Sequential: RS", "T3", "T3: low", "T3: high"}));
        QVERIFY((table.rows[1] == Cells{"FC-2", "T-NLG", "0.5", "0.1", "1.25", "1.2", "1.3"}));
        QVERIFY((table.rows[2] == Cells{"Geomean", "", "", "0.3", "1.375", "1.3", "1.4"}));
    }

    void floatingBarsHaveAColumnWithTheirBeginnings() {
        const FigureTable& table = tableOf(m_tables, 7);
        QVERIFY((table.columns == Cells{"category", "T3: from", "Change"}));
        QVERIFY((table.rows == std::vector<Cells>{{"GEMM", "10", "-2"}, {"Link", "8", "1.5"}}));
    }

    void aMissingValueIsAnEmptyCell() {
        const FigureTable& table = tableOf(m_tables, 1);
        QVERIFY((table.columns == Cells{"Size (MiB)", "CU"}));
        QVERIFY((table.rows[1] == Cells{"10", ""}));
    }

    void stepsEndWithTheLastX() {
        const FigureTable& table = tableOf(m_tables, 2);
        QVERIFY((table.rows == std::vector<Cells>{{"0", "10"}, {"1", "20"}, {"3", ""}}));
    }

    void heatMapsAreTidy() {
        const FigureTable& table = tableOf(m_tables, 4);
        QVERIFY((table.rows[1] == Cells{"8", "128", ""}));
        QVERIFY((table.rows[2] == Cells{"16", "64", "3"}));
    }

    void noTwoColumnsHaveTheSameName() {
        FigureSpec figure = everyKindOfMark();
        auto& bars = std::get<BarMark>(figure.panels[0].marks[0]).bars;
        bars.push_back(bars[1]);
        const FigureTable table = tablesOf(figure).front();
        QCOMPARE(table.columns[7], std::string("T3 (2)"));
    }

    // The CSV is read back cell by cell, and each number has the same bits.
    void csvReadBackIsTheData() {
        FigureTable table;
        table.columns = {"a, b", "say \"x\"", "n"};
        table.rows = {{"1", "two\nlines", "0.30000000000000004"}, {"", "µ", "-1e-300"}};
        QCOMPARE(writeCsv(table), std::string("\"a, b\",\"say \"\"x\"\"\",n\n1,\"two\nlines\",0.30000000000000004\n"
                                              ",µ,-1e-300\n"));
        const std::string text = writeCsv(tableOf(m_tables, 0));
        QVERIFY(text.find("\nFC-2,T-NLG,0.5,0.1,1.25,1.2,1.3\n") != std::string::npos);
        QCOMPARE(std::stod("0.30000000000000004"), 0.1 + 0.2);
    }
};

RINGSIDE_TEST(TestFigureTable)
#include "tst_figure_table.moc"
