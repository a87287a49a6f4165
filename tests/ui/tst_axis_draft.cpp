#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "data/document/value_places.h"
#include "ui/shared/axis_draft.h"

using ui::AxisDraft;
using ui::AxisKind;

namespace {

AxisDraft list(const char* path, const char* values) {
    return {AxisKind::list, {{path, QString::fromLatin1(values)}}, {}, {}, {}};
}

/// Returns the values of an axis as a list: "1, 2, 4".
QString valuesOf(const AxisDraft& draft) {
    const ui::AxisReading reading = ui::readAxis(draft);
    QStringList texts;
    for (const data::AxisColumn& column : reading.axis.columns) {
        for (const engine::ParameterValue& value : column.values)
            texts << QString::fromStdString(engine::formatValue(*engine::findParameter(column.path), value));
    }
    return texts.join(QStringLiteral(", "));
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
        QCOMPARE(valuesOf(draft), QStringLiteral("18.75 GB/s, 37.5 GB/s, 75 GB/s, 150 GB/s, 300 GB/s"));
    }

    void aDefaultAxisHasTheValuesThatAPersonWouldChoose() {
        const auto values = [](const char* path, const engine::ParameterValue& current) {
            return valuesOf(ui::defaultAxis(tests::parameter(path), current));
        };
        const auto words = [](const char* word) { return engine::ParameterValue(std::string(word)); };
        QCOMPARE(values("tracker.entries", std::int64_t{256}), QStringLiteral("64, 128, 256, 512, 1024"));
        QCOMPARE(values("tracker.held_bytes", words("unlimited")),
                 QStringLiteral("16 KiB, 64 KiB, 256 KiB, 1 MiB, 4 MiB, 16 MiB"));
        QCOMPARE(values("dma.engines", std::int64_t{1}), QStringLiteral("1, 2, 4, 8, 16"));
        QCOMPARE(values("cu.slots", std::int64_t{63}), QStringLiteral("1, 2, 4, 8, 16, 32, 64"));
        QCOMPARE(values("dma.block_tiles", std::int64_t{6}), QStringLiteral("3, 6, 12, 24, 48"));
        QCOMPARE(values("collective.start_latency", std::int64_t{0}),
                 QStringLiteral("100 ns, 200 ns, 400 ns, 800 ns, 1.6 µs, 3.2 µs, 6.4 µs"));
        QCOMPARE(values("node.memory", words("unlimited")), QStringLiteral("16 GiB, 32 GiB, 64 GiB, 128 GiB, 256 GiB"));
        QCOMPARE(values("seed", std::int64_t{1}), QStringLiteral("1, 2, 3, 4, 5"));
    }

    void noDefaultAxisOfARatioIsWiderThanElevenDoublings() {
        for (const engine::Parameter& p : engine::parameters()) {
            const AxisDraft draft = ui::defaultAxis(p, p.defaultValue);
            if (draft.kind != AxisKind::logarithmic)
                continue;
            const auto& values = ui::readAxis(draft).axis.columns.front().values;
            QVERIFY2(*data::numberOf(values.back()) <= 2048 * *data::numberOf(values.front()), p.path.c_str());
            QVERIFY2(values.size() <= 7, p.path.c_str());
        }
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
