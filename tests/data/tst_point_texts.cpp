#include "data/sweep/base_name.h"
#include "data/sweep/point_texts.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

SweepTable tableOver(const char* path, std::vector<engine::ParameterValue> values) {
    SweepTable table;
    table.sweep.axes = {{{{path, std::move(values), {}}}}};
    return table;
}

QStringList valuesOf(const SweepTable& table) {
    const PointTexts texts(table);
    QStringList said;
    for (std::size_t step = 0; step < table.sweep.axes.front().size(); ++step)
        said << QString::fromStdString(texts.valueOf(0, 0, step));
    return said;
}

QStringList numbersOf(const char* metric, const std::vector<std::optional<double>>& numbers) {
    SweepTable table;
    table.metrics = {metric};
    for (const std::optional<double>& number : numbers)
        table.rows.push_back({table.rows.size(), {}, 0, PointState::done, {}, {}, {number}});
    const PointTexts texts(table);
    QStringList said;
    for (const std::optional<double>& number : numbers)
        said << (number ? QString::fromStdString(texts.numberOf(0, *number)) : QString());
    return said;
}

}  // namespace

class TestPointTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theValuesOfAnAxisHaveOneUnit() {
        const std::int64_t kib = 1024;
        QCOMPARE(
            valuesOf(tableOver("tracker.held_bytes", {16 * kib, 1024 * kib, 16384 * kib, std::string("unlimited")})),
            QStringList({"16 KiB", "1024 KiB", "16384 KiB", "unlimited"}));
        QCOMPARE(valuesOf(tableOver("link.bandwidth", {std::int64_t{37'500'000'000}, std::int64_t{1'200'000'000'000}})),
                 QStringList({"37.5 GB/s", "1200 GB/s"}));
        QCOMPARE(valuesOf(tableOver("link.latency", {std::int64_t{0}, std::int64_t{500'000}, std::int64_t{1'000'000}})),
                 QStringList({"0 ns", "500 ns", "1000 ns"}));
        QCOMPARE(valuesOf(tableOver("node.memory", {std::int64_t{80'000'000'000}, std::int64_t{100'000'000'000}})),
                 QStringList({"80 GB", "100 GB"}));
    }

    void theUnitOfTheDocumentComesFirst() {
        const auto written = [](const std::string& unit, std::vector<engine::ParameterValue> values) {
            data::SweepTable table = tableOver("link.bandwidth", std::move(values));
            table.sweep.axes.front().columns.front().unit = unit;
            return valuesOf(table);
        };
        const std::int64_t giga = 1'000'000'000;
        QCOMPARE(written("GB/s", {1000 * giga, 2000 * giga}), QStringList({"1000 GB/s", "2000 GB/s"}));
        QCOMPARE(written("TB/s", {450 * giga, 1800 * giga}), QStringList({"0.45 TB/s", "1.8 TB/s"}));
        QCOMPARE(written("", {1000 * giga, 2000 * giga}), QStringList({"1 TB/s", "2 TB/s"}));
        QCOMPARE(written("parsec", {450 * giga, 1800 * giga}), QStringList({"450 GB/s", "1800 GB/s"}));
        // A unit that would need many decimals is not used.
        QCOMPARE(written("TB/s", {std::int64_t{123'456'789}, giga}).front(), QString("123456.789 kB/s"));
    }

    void valuesWithoutAUnitStayAsTheyAre() {
        QCOMPARE(valuesOf(tableOver("tracker.entries", {std::int64_t{64}, std::int64_t{128}})),
                 QStringList({"64", "128"}));
        QCOMPARE(valuesOf(tableOver("arbitration.share", {std::int64_t{1}, std::int64_t{4}})),
                 QStringList({"1:1", "4:1"}));
        QCOMPARE(valuesOf(tableOver("machine", {std::string("nvidia-h100")})), QStringList({"nvidia-h100"}));
    }

    void theNumbersOfAMetricHaveOneUnitAndTheSameDecimals() {
        QCOMPARE(numbersOf("time_ps.total", {812'000'000.0, std::nullopt, 1'240'260'000.0}),
                 QStringList({"812.0 µs", "", "1240.3 µs"}));
        QCOMPARE(numbersOf("speedup_over_sequential", {1.4, 0.987}), QStringList({"1.40", "0.987"}));
    }

    void aTinyNumberDoesNotGiveAllOthersManyDigits() {
        QCOMPARE(numbersOf("time_ps.total", {1'000.0, 2'000'000'000'000.0}), QStringList({"0.0 µs", "2000000.0 µs"}));
    }

    void numbersOfPointsThatHaveNotEndedSetNoUnit() {
        SweepTable table;
        table.metrics = {"time_ps.total"};
        table.rows = {{0, {}, 0, PointState::done, {}, {}, {2e9}}, {1, {}, 0, PointState::missing, {}, {}, {5e3}}};
        QCOMPARE(PointTexts(table).numberOf(0, 2e9), std::string("2.000 ms"));
    }

    void theBaseOfASweepIsNamedWithoutItsPolicyAndWithoutWhatVaries() {
        Sweep sweep;
        sweep.base.explicitValues = {{"machine", std::string("nvidia-h100")},
                                     {"policy.preset", std::string("t3")},
                                     {"tracker.entries", std::int64_t{32}},
                                     {"parallel.tp", std::int64_t{4}}};
        QCOMPARE(baseName(sweep), std::string("t-nlg/fc-2/tp4 on nvidia-h100, entries 32"));
        sweep.axes = tableOver("tracker.entries", {std::int64_t{64}}).sweep.axes;
        QCOMPARE(baseName(sweep), std::string("t-nlg/fc-2/tp4 on nvidia-h100"));
        sweep.of = ResultSubject::footprint;
        QCOMPARE(baseName(sweep), std::string("t-nlg/tp4 on nvidia-h100"));
    }
};

RINGSIDE_TEST(TestPointTexts)
#include "tst_point_texts.moc"
