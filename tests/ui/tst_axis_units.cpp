#include "data/figure/axis_units.h"

#include "tests/test_program.h"
#include "tests/ui/sample_figures.h"

#include <QTest>

#include <algorithm>

using namespace data;
using namespace ui;

namespace {

FigurePanel linesIn(const char* unit) {
    FigurePanel panel = tests::lines().panels.front();
    panel.x.unit = unit;
    panel.x.from = 1.5;
    panel.x.ticks = {1.8, 3};
    std::get<LineMark>(panel.marks.front()).x = {1.8, 0.9, 7, 500, 3, 0.3};
    return panel;
}

}  // namespace

class TestAxisUnits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherPrefixConvertsTheValuesAndTheAxis() {
        FigurePanel panel = linesIn("TB/s");
        const FigurePanel before = panel;
        QVERIFY(changeUnit(panel, true, "GB/s") == UnitChange::rescaled);
        QCOMPARE(panel.x.unit, std::string("GB/s"));
        QVERIFY(std::get<LineMark>(panel.marks.front()).x ==
                (std::vector<double>{1800, 900, 7000, 500'000, 3000, 300}));
        QVERIFY(panel.x.from == 1500.0 && panel.x.ticks == (std::vector<double>{1800, 3000}));
        QCOMPARE(panel.annotations.front().x, 48'000.0);
        QVERIFY(panel.y == before.y);
        QVERIFY(std::get<LineMark>(panel.marks.front()).series == std::get<LineMark>(before.marks.front()).series);
        QVERIFY(changeUnit(panel, true, "TB/s") == UnitChange::rescaled);
        QVERIFY(panel == before);  // to the last digit
    }

    void theOtherAxisConvertsBarsBoxesErrorsAndReferences() {
        FigurePanel bars = tests::errorBars().panels.front();
        bars.references = {{8, "limit", "", {}, {}}};
        bars.annotations = {{0, 1, "rising", 2, 3}};
        QVERIFY(changeUnit(bars, false, "µs") == UnitChange::rescaled);
        const FigureSeries& series = std::get<BarMark>(bars.marks.front()).bars[0].stack[0];
        QVERIFY(series.values[0] == 12'100.0 && series.low[1] == 7900.0 && series.high[1] == 8600.0);
        QVERIFY(!series.values[2]);
        QCOMPARE(bars.references.front().value, 8000.0);
        QVERIFY((bars.annotations.front() == FigureAnnotation{0, 1000, "rising", 2, 3000}));
        FigurePanel boxes = tests::boxes().panels.front();
        boxes.y.unit = "s";
        QVERIFY(changeUnit(boxes, false, "ms") == UnitChange::rescaled);
        QCOMPARE(std::get<BoxMark>(boxes.marks.front()).groups[0].boxes[0]->median, 1180.0);
        FigurePanel floating = tests::waterfall().panels.front();
        QVERIFY(changeUnit(floating, false, "ns") == UnitChange::rescaled);
        QVERIFY(std::get<BarMark>(floating.marks.front()).bars[0].from == (std::vector<double>{1e5, 1.04e5, 8.4e4}));
        FigurePanel timeline = tests::timeline().panels.front();
        QVERIFY(changeUnit(timeline, true, "ms") == UnitChange::rescaled);
        QCOMPARE(std::get<TimelineMark>(timeline.marks.front()).spans[0].to, 0.08);
    }

    void binaryAndDecimalPrefixesAreOfOneQuantity() {
        FigurePanel panel = linesIn("GiB");
        QVERIFY(changeUnit(panel, true, "MB") == UnitChange::rescaled);
        QVERIFY(std::abs(std::get<LineMark>(panel.marks.front()).x[4] - 3 * 1073.741824) < 1e-9);
    }

    void anotherQuantityIsRefusedAndChangesNothing() {
        for (const char* other : {"ms", "TB", "bit/s", "FLOP/s", "GB/", "columns", ""}) {
            FigurePanel panel = linesIn("TB/s");
            QVERIFY2(changeUnit(panel, true, other) == UnitChange::refused, other);
            QVERIFY(panel == linesIn("TB/s"));
        }
        FigurePanel counted = linesIn("columns");
        QVERIFY(changeUnit(counted, true, "GB/s") == UnitChange::refused);
    }

    void aUnitOfUnknownQuantityIsAName() {
        FigurePanel panel = linesIn("columns");
        QVERIFY(changeUnit(panel, true, "columns of the output") == UnitChange::relabelled);
        FigurePanel bare = linesIn("");
        QVERIFY(changeUnit(bare, true, "GB/s") == UnitChange::relabelled);
        QVERIFY(bare == linesIn("GB/s"));
    }

    void aSpellingOfTheSameUnitConvertsNothing() {
        FigurePanel panel = linesIn("µs");
        QVERIFY(changeUnit(panel, true, "us") == UnitChange::relabelled);
        QVERIFY(panel == linesIn("us"));
        QVERIFY(changeUnit(panel, true, "ms") == UnitChange::rescaled);
        QCOMPARE(std::get<LineMark>(panel.marks.front()).x[3], 0.5);
    }

    void namesAlongTheAxisCannotBeConverted() {
        FigurePanel panel = tests::errorBars().panels.front();
        panel.x.unit = "MiB";
        const FigurePanel before = panel;
        QVERIFY(changeUnit(panel, true, "GiB") == UnitChange::refused);
        QVERIFY(panel == before);
    }

    void theUnitsOfAQuantityAreThoseThatAreTaken() {
        const std::vector<std::string> units = unitsLike("TB/s");
        QVERIFY(std::find(units.begin(), units.end(), "GB/s") != units.end());
        QVERIFY(std::find(units.begin(), units.end(), "TB/s") == units.end());
        for (const std::string& unit : units) {
            FigurePanel panel = linesIn("TB/s");
            QVERIFY2(changeUnit(panel, true, unit) == UnitChange::rescaled, unit.c_str());
        }
        QVERIFY(unitsLike("columns").empty());
    }
};

RINGSIDE_TEST(TestAxisUnits)
#include "tst_axis_units.moc"
