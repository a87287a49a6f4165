#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "ui/charts/axis_scale.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/colour_map.h"

using engine::ParameterUnit;
using ui::AxisScale;
using ui::AxisTick;
using ui::ColourScale;

namespace {

QStringList labels(const std::vector<AxisTick>& ticks) {
    QStringList texts;
    for (const AxisTick& tick : ticks)
        texts << QString(tick.label).replace(QChar(0x00a0), u' ');
    return texts;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

class TestAxisScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLinearAxisEndsAtRoundNumbersAroundItsValues() {
        const AxisScale scale = ui::scaleFor({1.13e9, 2.81e9}, false, 5, ParameterUnit::picoseconds);
        QVERIFY(near(scale.from, 1e9) && near(scale.to, 3e9));
        QCOMPARE(labels(ui::ticksOf(scale, 5, ParameterUnit::picoseconds)),
                 QStringList({"1.0 ms", "1.5 ms", "2.0 ms", "2.5 ms", "3.0 ms"}));
    }

    void aLogarithmicAxisHasOneTwoAndFiveInEachDecade() {
        const AxisScale scale{9e9, 1.1e12, true};
        QCOMPARE(labels(ui::ticksOf(scale, 12, ParameterUnit::bytesPerSecond)),
                 QStringList({"10 GB/s", "20 GB/s", "50 GB/s", "100 GB/s", "200 GB/s", "500 GB/s", "1 TB/s"}));
    }

    void manyDecadesAreLabelledByDecadesOnly() {
        const AxisScale scale{1e3, 1e12, true};
        const QStringList texts = labels(ui::ticksOf(scale, 10, ParameterUnit::picoseconds));
        QCOMPARE(texts.first(), QStringLiteral("1 ns"));
        QCOMPARE(texts.last(), QStringLiteral("1 s"));
        QCOMPARE(texts.size(), 10);
    }

    void aLogarithmicAxisOfLessThanAStepStillHasTicks() {
        const AxisScale scale = ui::scaleFor({3.1e9, 4.4e9}, true, 5, ParameterUnit::picoseconds);
        QVERIFY(ui::ticksOf(scale, 5, ParameterUnit::picoseconds).size() >= 2);
    }

    void measuredBytesAreDecimal() {
        const auto bytes = ui::AxisMeasure::ofMetric(ParameterUnit::bytes);
        const AxisScale scale = ui::scaleFor({0, 3.6e6}, false, 4, bytes);
        QCOMPARE(labels(ui::ticksOf(scale, 4, bytes)), QStringList({"0", "1 MB", "2 MB", "3 MB", "4 MB"}));
    }

    void enteredBytesAreBinary() {
        const AxisScale scale = ui::scaleFor({0, 3.6 * 1024 * 1024}, false, 4, ParameterUnit::bytes);
        QCOMPARE(labels(ui::ticksOf(scale, 4, ParameterUnit::bytes)),
                 QStringList({"0", "1 MiB", "2 MiB", "3 MiB", "4 MiB"}));
    }

    void aConstantMetricStandsInTheMiddle() {
        for (const double value : {0.0, 1.0, -4e9}) {
            const AxisScale scale = ui::scaleFor({value, value}, false, 6, ParameterUnit::none);
            QVERIFY(scale.from < value && value < scale.to);
        }
    }

    void noValuesGiveAnAxisNevertheless() {
        for (const bool logarithmic : {false, true}) {
            const AxisScale scale = ui::scaleFor({}, logarithmic, 6, ParameterUnit::none);
            QVERIFY(scale.from < scale.to);
            QVERIFY(!ui::ticksOf(scale, 6, ParameterUnit::none).empty());
        }
    }

    void whatIsNotPositiveHasNoPlaceOnALogarithmicAxis() {
        const AxisScale scale = ui::scaleFor({0, 1, 100}, true, 6, ParameterUnit::none);
        QVERIFY(!scale.shareOf(0));
        QVERIFY(!scale.shareOf(-3));
        QVERIFY(near(scale.shareOf(10).value(), 0.5));
    }

    void valuesThatSpanAFactorOfFiftyWantALogarithmicAxis() {
        QVERIFY(ui::wantsLogarithmic({1, 50}));
        QVERIFY(!ui::wantsLogarithmic({1, 49}));
        QVERIFY(!ui::wantsLogarithmic({0, 1000}));
        QVERIFY(!ui::wantsLogarithmic({}));
    }

    void doublingValuesAreLogSpacedAndEqualStepsAreNot() {
        QVERIFY(ui::isLogSpaced({1, 2, 4, 8}));
        QVERIFY(ui::isLogSpaced({25, 50, 75, 100, 150, 200, 300, 400, 800}));
        QVERIFY(!ui::isLogSpaced({50, 100, 150, 200}));
        QVERIFY(!ui::isLogSpaced({1, 100}));
        QVERIFY(!ui::isLogSpaced({0, 1, 2, 4}));
    }

    void equalRatiosStandEquallyFarApart() {
        const ui::AxisPlaces places = ui::placesOf(tests::blocks());
        QVERIFY(near(places.shares[1] - places.shares[0], places.shares[3] - places.shares[2]));
        QVERIFY(places.shares.front() > 0 && places.shares.back() < 1);
    }

    void oneValueStandsInTheMiddle() {
        QVERIFY(near(ui::placesOf(tests::bandwidths({75})).shares[0], 0.5));
        QVERIFY(near(ui::placesOf(tests::axisOf("machine", {std::string("t3-2x-cu")})).shares[0], 0.5));
    }

    void aSweepsOwnValuesAreWrittenAtItsAxisWhileTheyFit() {
        const ui::AxisPlaces places = ui::placesOf(tests::bandwidths({50, 75, 100}));
        const auto narrow = [](const QString&) { return 40.0; };
        QCOMPARE(labels(ui::ticksOf(places, 600, narrow)), QStringList({"50 GB/s", "75 GB/s", "100 GB/s"}));
        QCOMPARE(labels(ui::ticksOf(places, 60, narrow)), QStringList({"50 GB/s", "100 GB/s"}));
    }

    void manyNumbersGetRoundTicks() {
        std::vector<std::int64_t> many(101);
        for (std::size_t i = 0; i < many.size(); ++i)
            many[i] = 50 + static_cast<std::int64_t>(i);
        const auto ticks = ui::ticksOf(ui::placesOf(tests::bandwidths(many)), 400, [](const QString&) { return 70.0; });
        QCOMPARE(labels(ticks), QStringList({"60 GB/s", "80 GB/s", "100 GB/s", "120 GB/s", "140 GB/s"}));
    }

    void labelsNeverRunIntoEachOther() {
        const auto measure = [](const QString& text) { return 7.0 * static_cast<double>(text.size()); };
        for (const data::SweepAxis& axis :
             {tests::bandwidths({1, 2, 3, 90, 91, 92}), tests::machines(), tests::blocks()}) {
            const auto ticks = ui::ticksOf(ui::placesOf(axis), 150, measure);
            QVERIFY(!ticks.empty());
            for (std::size_t i = 1; i < ticks.size(); ++i) {
                const double room = (ticks[i].share - ticks[i - 1].share) * 150;
                QVERIFY(room + 1e-9 >= (measure(ticks[i].label) + measure(ticks[i - 1].label)) / 2);
            }
        }
    }

    void axesSayTheirGroupAndTheirUnit() {
        QCOMPARE(ui::axisTitle(tests::bandwidths({75})), QStringLiteral("Link: Bandwidth per direction"));
        QCOMPARE(ui::axisValueText(tests::bandwidths({75}), 0),
                 QStringLiteral("75") + QChar(0x00a0) + QStringLiteral("GB/s"));
        data::SweepAxis zipped = tests::machines();
        zipped.columns.push_back(tests::degrees().columns.front());
        QCOMPARE(ui::axisValueText(zipped, 1), QStringLiteral("t3-table-1-75 + 8"));
        QVERIFY(!ui::isNumeric(zipped));
    }

    void speedUpsOnBothSidesOfOnePartThereAndUseAllColours() {
        const ColourScale scale({0.9, 1.4}, ColourScale::Kind::diverging, false, 6, ParameterUnit::none);
        QVERIFY(near(scale.shareOf(1).value(), 0.5) && near(scale.shareOf(1.2).value(), 0.75));
        QVERIFY(near(scale.shareOf(0.9).value(), 0) && near(scale.shareOf(1.4).value(), 1));
        QVERIFY(scale.colour(0.9)->red() > scale.colour(0.9)->blue());   // brown
        QVERIFY(scale.colour(1.3)->green() > scale.colour(1.3)->red());  // green-blue
        std::vector<double> shares;
        for (const ui::AxisTick& tick : scale.ticks())
            shares.push_back(tick.share);
        QVERIFY(std::is_sorted(shares.begin(), shares.end()) && shares.front() > -1e-9 && shares.back() < 1 + 1e-9);
        QCOMPARE(std::count(shares.begin(), shares.end(), 0.5), 1);
    }

    void aLossOfNothingIsNotAsBrownAsALoss() {
        const ColourScale scale({0.9999, 1.4}, ColourScale::Kind::diverging, false, 6, ParameterUnit::none);
        QVERIFY(scale.shareOf(0.9999).value() > 0.49);
    }

    void theLeastAndTheGreatestValueHaveTheFirstAndTheLastColour() {
        for (const bool logarithmic : {false, true}) {
            const ColourScale scale({13, 17, 58.5}, ColourScale::Kind::sequential, logarithmic, 6, ParameterUnit::none);
            QCOMPARE(*scale.colour(13), scale.colourAt(0));
            QCOMPARE(*scale.colour(58.5), scale.colourAt(1));
            for (const ui::AxisTick& tick : scale.ticks())
                QVERIFY(tick.share >= -1e-9 && tick.share <= 1 + 1e-9);
        }
        const ColourScale gains({1.2, 1.3, 1.4}, ColourScale::Kind::diverging, false, 6, ParameterUnit::none);
        QCOMPARE(*gains.colour(1.2), gains.colourAt(0));
        QCOMPARE(*gains.colour(1.4), gains.colourAt(1));
        QVERIFY(near(gains.shareOf(1.3).value(), 0.5));
    }

    void aLargerValueIsALighterColour() {
        const ColourScale scale({1, 2, 3, 4, 5}, ColourScale::Kind::sequential, false, 5, ParameterUnit::none);
        double before = 0;
        for (double value = 1; value <= 5; value += 0.25) {
            const double light = ui::contrast(*scale.colour(value), Qt::black);
            QVERIFY(light > before);
            before = light;
        }
    }

    void coloursOfAnAxisStandOutFromBothBackgroundsAndDiffer() {
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            const QColor background = ui::paletteOf(theme).surface;
            const std::vector<QColor> colours = ui::orderedColours(6, background);
            for (std::size_t i = 0; i < colours.size(); ++i) {
                QVERIFY(ui::contrast(colours[i], background) >= 2.9);
                QVERIFY(i == 0 || colours[i] != colours[i - 1]);
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestAxisScale)
#include "tst_axis_scale.moc"
