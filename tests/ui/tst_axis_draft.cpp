#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "ui/shared/axis_draft.h"

using ui::AxisDraft;
using ui::AxisKind;

namespace {

AxisDraft list(const char* path, const char* values) {
    return {AxisKind::list, {{path, QString::fromLatin1(values)}}, {}, {}, {}};
}

}  // namespace

class TestAxisDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyParameterHasADefaultAxisThatCanBeRead() {
        for (const engine::Parameter& p : engine::parameters()) {
            if (p.path == "policy.preset")
                continue;
            const AxisDraft draft = ui::defaultAxis(p, p.defaultValue);
            const ui::AxisReading reading = ui::readAxis(draft);
            QVERIFY2(reading.problem.isEmpty(),
                     qPrintable(QString::fromStdString(p.path) + QStringLiteral(": ") + reading.problem));
            QVERIFY2(reading.axis.size() >= 1, p.path.c_str());
            for (const engine::ParameterValue& value : reading.axis.columns.front().values)
                QVERIFY2(!engine::check(p, value), p.path.c_str());
        }
    }

    void whatIsTunedByRatioVariesByRatioWithTheValueItselfInTheMiddle() {
        const engine::Parameter& bandwidth = tests::parameter("link.bandwidth");
        const AxisDraft draft = ui::defaultAxis(bandwidth, engine::ParameterValue(std::int64_t{75'000'000'000}));
        QCOMPARE(draft.kind, AxisKind::logarithmic);
        const ui::AxisReading reading = ui::readAxis(draft);
        QCOMPARE(reading.axis.size(), std::size_t{7});
        QVERIFY(reading.axis.columns.front().values[3] == engine::ParameterValue(std::int64_t{75'000'000'000}));
    }

    void aChoiceVariesOverAllItsWords() {
        const engine::Parameter& arbitration = tests::parameter("arbitration.policy");
        const ui::AxisReading reading =
            ui::readAxis(ui::defaultAxis(arbitration, engine::ParameterValue(arbitration.words.front())));
        QCOMPARE(reading.axis.size(), arbitration.words.size());
    }

    void numbersWithoutAUnitHaveThatOfTheirNeighbours() {
        const auto valuesOf = [](const AxisDraft& draft) { return ui::readAxis(draft).axis.columns.front().values; };
        const auto wanted = valuesOf(list("link.bandwidth", "50 GB/s, 100 GB/s, 2 TB/s"));
        QCOMPARE(wanted.size(), std::size_t{3});
        QVERIFY(valuesOf(list("link.bandwidth", "50, 100 GB/s, 2 TB/s")) == wanted);
        QVERIFY(valuesOf(list("link.bandwidth", "50 GB/s, 100, 2000")) == wanted);
        QVERIFY(valuesOf({AxisKind::linear, {{"link.latency", {}}}, "1", "3 us", "3"}) ==
                valuesOf(list("link.latency", "1 us, 2 us, 3 us")));
        QVERIFY(valuesOf({AxisKind::linear, {{"link.latency", {}}}, "1 us", "3", "3"}) ==
                valuesOf(list("link.latency", "1 us, 2 us, 3 us")));
        QVERIFY(valuesOf(list("dma.block_tiles", "1, 2, 4")).size() == 3);
    }

    void aDraftOfAnAxisReadsBackToTheSameAxis() {
        for (const AxisDraft& draft :
             {list("link.bandwidth", "25 GB/s, 75 GB/s, 150 GB/s"), list("dma.block_tiles", "1, 2, 4"),
              AxisDraft{AxisKind::logarithmic, {{"link.bandwidth", {}}}, "25 GB/s", "400 GB/s", "9"},
              AxisDraft{AxisKind::zipped, {{"parallel.tp", "4, 8"}, {"link.latency", "500 ns, 1 us"}}, {}, {}, {}}}) {
            const ui::AxisReading reading = ui::readAxis(draft);
            QVERIFY2(reading.problem.isEmpty(), qPrintable(reading.problem));
            QVERIFY(ui::readAxis(ui::draftOf(reading.axis)).axis == reading.axis);
        }
    }

    void whatCannotBeReadIsNamedWithWhatIsAllowed() {
        const QString problem = ui::readAxis(list("link.bandwidth", "25 GB/s, fast")).problem;
        QVERIFY2(problem.contains(QStringLiteral("fast")), qPrintable(problem));
        QVERIFY(!ui::readAxis(list("dma.block_tiles", "")).problem.isEmpty());
        QVERIFY(!ui::readAxis({AxisKind::linear, {{"dma.block_tiles", {}}}, "1", "8", "many"}).problem.isEmpty());
    }

    void zippedListsOfDifferentLengthsAreRefusedWithBothLengths() {
        const QString problem =
            ui::readAxis({AxisKind::zipped, {{"parallel.tp", "4, 8"}, {"link.latency", "500 ns"}}, {}, {}, {}}).problem;
        QVERIFY2(problem.contains(QStringLiteral("2 values")) && problem.contains(QStringLiteral("has 1")),
                 qPrintable(problem));
    }

    void aRangeBecomesTheListOfItsValuesAndAListARangeFromFirstToLast() {
        const AxisDraft range{AxisKind::linear, {{"dma.block_tiles", {}}}, "1", "4", "4"};
        const AxisDraft asList = ui::withKind(range, AxisKind::list);
        QCOMPARE(asList.columns.front().values, QStringLiteral("1, 2, 3, 4"));
        QVERIFY(ui::withKind(asList, AxisKind::linear) == range);
    }
};

RINGSIDE_WINDOW_TEST(TestAxisDraft)
#include "tst_axis_draft.moc"
