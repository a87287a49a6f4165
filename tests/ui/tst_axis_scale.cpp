#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "ui/charts/chart_figure.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/drawing/heat_scale.h"
#include "ui/look/colour_map.h"

using engine::ParameterUnit;
using ui::AxisTick;
using ui::HeatScale;

namespace {

QStringList labels(const std::vector<AxisTick>& ticks) {
    QStringList texts;
    for (const AxisTick& tick : ticks)
        texts << QString(tick.label).replace(QChar(0x00a0), u' ');
    return texts;
}

HeatScale scaleOf(const data::FigureValues& values, std::optional<double> middle = {}, data::FigureScale scale = {},
                  ui::Ground ground = ui::Theme::light) {
    data::HeatMark mark{{"a"}, values, {}, {}};
    mark.middle = middle;
    return {mark, ground, scale};
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

class TestAxisScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuredBytesAreDecimalAndEnteredBytesAreBinary() {
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::bytes, true, 3.6e6).name), QStringLiteral("MB"));
        QCOMPARE(ui::axisUnitFor(ParameterUnit::bytes, true, 3.6e6).size, 1e6);
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::bytes, false, 3.6e6).name), QStringLiteral("MiB"));
        QCOMPARE(ui::axisUnitFor(ParameterUnit::bytes, false, 3.6e6).size, 1048576.0);
    }

    void theUnitOfAnAxisIsTheLargestThatIsNotLargerThanItsNumbers() {
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::picoseconds, true, 2.81e9).name), QStringLiteral("ms"));
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::bytesPerSecond, false, 1e12).name), QStringLiteral("TB/s"));
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::bytesPerSecond, false, 999e9).name), QStringLiteral("GB/s"));
        QCOMPARE(QString(ui::axisUnitFor(ParameterUnit::none, false, 1e12).name), QString());
    }

    void aTightAxisEndsAtItsValuesAndHasRoundTicksBetween() {
        const ui::AxisPlan plan = ui::tightAxis({}, {1.13, 2.81});
        QVERIFY(near(plan.place.from, 1.13) && near(plan.place.to, 2.81));
        QCOMPARE(labels(ui::ticksOf(plan, 400, [](const QString&) { return 10.0; })),
                 QStringList({"1.5", "2.0", "2.5"}));
    }

    void aConstantMetricStandsInTheMiddle() {
        for (const double value : {1.0, -4e9}) {
            const ui::AxisPlace place = ui::tightAxis({}, {value, value}).place;
            QVERIFY(place.from < value && value < place.to);
        }
        const ui::AxisPlace zero = ui::tightAxis({}, {0, 0}).place;
        QVERIFY(zero.from <= 0 && zero.to > 0);
    }

    void noValuesGiveAnAxisNevertheless() {
        for (const auto scale : {data::FigureScale::linear, data::FigureScale::logarithmic}) {
            const ui::AxisPlan plan = ui::tightAxis({.scale = scale}, {});
            QVERIFY(plan.place.from < plan.place.to);
            QVERIFY(!plan.labels.empty());
        }
    }

    void whatIsNotPositiveHasNoPlaceOnALogarithmicAxis() {
        const ui::AxisPlace place = ui::tightAxis({.scale = data::FigureScale::logarithmic}, {0, 1, 100}).place;
        QVERIFY(!ui::shareOf(place, 0));
        QVERIFY(!ui::shareOf(place, -3));
        QVERIFY(near(ui::shareOf(place, 10).value(), 0.5));
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

    void numbersOfAnAxisRiseInOneUnitAndWordsKeepTheirOrder() {
        const ui::Across numbers = ui::acrossOf(tests::bandwidths({100, 50, 75}));
        QCOMPARE(numbers.numbers, (std::vector<double>{50, 75, 100}));
        QCOMPARE(numbers.order, (std::vector<std::size_t>{1, 2, 0}));
        QCOMPARE(numbers.labels, (std::vector<std::string>{"50", "75", "100"}));
        QCOMPARE(numbers.axis.unit, std::string("GB/s"));
        QVERIFY(ui::acrossOf(tests::blocks()).axis.scale == data::FigureScale::logarithmic);
        const ui::Across words = ui::acrossOf(tests::machines());
        QVERIFY(words.numbers.empty());
        QCOMPARE(words.labels.front(), std::string("t3-table-1"));
    }

    void wordsStandEquallyFarApart() {
        const ui::AxisPlan plan = ui::evenAxis({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        const auto ticks = ui::ticksOf(plan, 300, [](const QString&) { return 10.0; });
        QCOMPARE(labels(ticks), QStringList({"a", "b", "c"}));
        QVERIFY(near(ticks[0].share, 1.0 / 6) && near(ticks[1].share, 0.5) && near(ticks[2].share, 5.0 / 6));
        QVERIFY(near(
            ui::ticksOf(ui::evenAxis({QStringLiteral("a")}), 300, [](const QString&) { return 10.0; })[0].share, 0.5));
    }

    void labelsNeverRunIntoEachOther() {
        const auto measure = [](const QString& text) { return 7.0 * static_cast<double>(text.size()); };
        ui::AxisPlan crowded = ui::tightAxis({.ticks = {1, 2, 3, 90, 91, 92}}, {1, 92});
        for (const ui::AxisPlan& plan :
             {crowded, ui::evenAxis(std::vector<QString>(40, QStringLiteral("word"))), ui::tightAxis({}, {1, 2})}) {
            const auto ticks = ui::ticksOf(plan, 150, measure);
            QVERIFY(!ticks.empty());
            for (std::size_t i = 1; i < ticks.size(); ++i) {
                const double room = (ticks[i].share - ticks[i - 1].share) * 150;
                QVERIFY(room + 1e-9 >= (measure(ticks[i].label) + measure(ticks[i - 1].label)) / 2);
            }
        }
        QCOMPARE(labels(ui::ticksOf(crowded, 150, measure)), QStringList({"1", "90"}));
    }

    void aTitleThatIsTooLongLosesItsGroupThenItsMiddleAndNeverItsUnitOrValue() {
        const ui::ChartStyle style{&ui::paletteOf(ui::Theme::light), QApplication::font(), 16, 1};
        const QString title = QStringLiteral("Link: Bandwidth per direction (GB/s)");
        QCOMPARE(ui::shortened(title, 1000, style), title);
        const double whole = style.text(title);
        QCOMPARE(ui::shortened(title, whole * 0.98, style), QStringLiteral("Bandwidth per direction (GB/s)"));
        const QString less = ui::shortened(title, whole * 0.5, style);
        QVERIFY(less.startsWith(u'B') && less.contains(QChar(0x2026)) && less.endsWith(QStringLiteral(" (GB/s)")));
        QVERIFY(ui::shortened(QStringLiteral("DMA: Tiles of a block = 16"), whole * 0.4, style)
                    .endsWith(QStringLiteral(" = 16")));
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
        const HeatScale scale = scaleOf({0.9, 1.4}, 1.0);
        QVERIFY(near(scale.shareOf(1).value(), 0.5) && near(scale.shareOf(1.2).value(), 0.75));
        QVERIFY(near(scale.shareOf(0.9).value(), 0) && near(scale.shareOf(1.4).value(), 1));
        QVERIFY(scale.colour(0.9)->red() > scale.colour(0.9)->blue());   // brown
        QVERIFY(scale.colour(1.3)->green() > scale.colour(1.3)->red());  // green-blue
        std::vector<double> shares;
        for (const double tick : scale.axis({}, 200, 6).place.ticks)
            shares.push_back(scale.shareOf(tick).value());
        QVERIFY(std::is_sorted(shares.begin(), shares.end()) && shares.front() > -1e-9 && shares.back() < 1 + 1e-9);
        QCOMPARE(std::count(shares.begin(), shares.end(), 0.5), 1);
    }

    void greyPrintHasNoHuesThatPart() {
        const HeatScale scale = scaleOf({0.9, 1.4}, 1.0, {}, data::FigureTheme::greyPrint);
        double before = 2;
        for (double value = 0.9; value <= 1.4; value += 0.1) {
            QVERIFY(ui::greyOf(*scale.colour(value)) < before);
            before = ui::greyOf(*scale.colour(value));
        }
    }

    void theLeastAndTheGreatestValueHaveTheFirstAndTheLastColour() {
        for (const auto kind : {data::FigureScale::linear, data::FigureScale::logarithmic}) {
            const HeatScale scale = scaleOf({13, 17, 58.5}, {}, kind);
            QCOMPARE(*scale.colour(13), scale.colourAt(0));
            QCOMPARE(*scale.colour(58.5), scale.colourAt(1));
            for (const double tick : scale.axis({}, 200, 6).place.ticks)
                QVERIFY(*scale.shareOf(tick) >= -1e-9 && *scale.shareOf(tick) <= 1 + 1e-9);
        }
        const HeatScale gains = scaleOf({1.2, 1.3, 1.4}, 1.0);
        QCOMPARE(*gains.colour(1.2), gains.colourAt(0));
        QCOMPARE(*gains.colour(1.4), gains.colourAt(1));
        QVERIFY(near(gains.shareOf(1.3).value(), 0.5));
    }

    void theEndsOfTheScaleMayBeThoseOfAllPanels() {
        data::HeatMark mark{{"a"}, {2.0, 3.0}, {}, {}};
        mark.from = 1;
        mark.to = 5;
        const HeatScale scale(mark, ui::Theme::light);
        QVERIFY(near(scale.shareOf(2).value(), 0.25) && near(scale.shareOf(3).value(), 0.5));
    }

    void aLargerValueIsALighterColour() {
        const HeatScale scale = scaleOf({1, 2, 3, 4, 5});
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
