#include "ui/figure/figure_lint.h"

#include "data/evaluations/reference.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_size.h"
#include "tests/data/figure_samples.h"
#include "tests/ui/window_test.h"

#include <QTest>

#include <algorithm>
#include <functional>

namespace {

using namespace data;
using engine::ParameterValue;
using ui::LintFinding;
using ui::LintRule;

std::vector<LintFinding> findingsOf(const FigureSpec& figure) { return ui::lint(figure, ui::layOut(figure)); }

const LintFinding* found(const std::vector<LintFinding>& findings, LintRule rule) {
    const auto at =
        std::find_if(findings.begin(), findings.end(), [rule](const LintFinding& f) { return f.rule == rule; });
    return at == findings.end() ? nullptr : &*at;
}

FigureSeries series(const std::string& name, const std::string& meaning) {
    return {name, meaning, {1.0, 2.0}, {}, {}, 0};
}

/// Returns a figure without findings: two stacked bars in two categories.
FigureSpec clean() {
    FigureSpec figure;
    figure.name = "clean";
    figure.alternative = "Two bars.";
    FigurePanel panel;
    panel.categories.labels = {"OP", "FC-2"};
    panel.y.title = "Runtime";
    panel.y.relativeTo = "Sequential";
    panel.marks = {BarMark{{{"", {series("GEMM", "gemm"), series("RS", "reduce-scatter")}}}, false}};
    figure.panels = {panel};
    return figure;
}

BarMark& barsOf(FigureSpec& figure) { return std::get<BarMark>(figure.panels[0].marks[0]); }

FigureSpec cleanLines() {
    FigureSpec figure = clean();
    FigurePanel& panel = figure.panels[0];
    panel.categories = {};
    panel.x.title = "Size";
    panel.x.unit = "MiB";
    panel.marks = {LineMark{{1, 2}, {series("CU", "series/0"), series("NMC", "series/1")}, true, true}};
    std::get<LineMark>(panel.marks[0]).series[1].values = {2.0, 1.0};
    return figure;
}

}  // namespace

class TestFigureLint : public QObject {
    Q_OBJECT

    /// Checks that the figure has the finding, and that the fix removes it.
    void isFound(const FigureSpec& figure, LintRule rule, const QString& words, bool mended) {
        const auto findings = findingsOf(figure);
        const LintFinding* finding = found(findings, rule);
        QVERIFY2(finding != nullptr, qPrintable(ui::nameOf(rule)));
        QVERIFY2(finding->text.contains(words), qPrintable(finding->text));
        QCOMPARE(finding->fix != nullptr, mended);
        QCOMPARE(!finding->fixText.isEmpty(), mended);
        if (mended)
            QVERIFY(found(findingsOf(finding->fix(figure)), rule) == nullptr);
    }

private Q_SLOTS:
    void aCleanFigureHasNoFinding() {
        for (const FigureSpec& figure : {clean(), cleanLines()}) {
            for (const LintFinding& finding : findingsOf(figure))
                QFAIL(qPrintable(finding.text));
        }
    }

    void textUnderSixPointsIsFoundAndSixIsNot() {
        FigureSpec figure = clean();
        figure.panels[0].marks = {DrawingMark{200, 100, {DrawingText{10, 50, "GPU 0", 7, {}, 0xff000000, 0}}}};
        figure.panels[0].categories = {};
        QVERIFY(found(findingsOf(figure), LintRule::smallText) == nullptr);
        std::get<DrawingMark>(figure.panels[0].marks[0]).width = 400;
        std::get<DrawingMark>(figure.panels[0].marks[0]).height = 200;
        isFound(figure, LintRule::smallText, QStringLiteral("GPU 0"), true);
        figure.size = FigureSize::acmText;
        QVERIFY(found(findingsOf(figure), LintRule::smallText) == nullptr);
    }

    void bothEdgesOfSmallText() {
        ui::LaidOutFigure laidOut;
        laidOut.list.page = {240, 100};
        for (const double size : {6.0, 5.98}) {
            ui::TextItem text;
            text.at = {100, 50};
            text.text = QStringLiteral("tick");
            text.size = {size};
            text.width = 10;
            laidOut.list.items = {{text, ui::FigurePart::axis, 0, {}, {}, {}}};
            QCOMPARE(found(ui::lint(clean(), laidOut), LintRule::smallText) != nullptr, size < 6);
        }
    }

    // A reader objects to it; no checker sees it.
    void textThatLeavesThePageOrCoversAnotherIsFound() {
        ui::LaidOutFigure laidOut;
        laidOut.list.page = {240, 100};
        const auto put = [&](double x, const char* words) {
            ui::TextItem text;
            text.at = {x, 50};
            text.text = QLatin1String(words);
            text.width = 30;
            laidOut.list.items.push_back({text, ui::FigurePart::category, 0, {}, {}, {}});
        };
        put(10, "left");
        put(41, "right");
        QVERIFY(ui::lint(clean(), laidOut).empty());
        put(60, "over");
        put(215, "outside");
        const auto findings = ui::lint(clean(), laidOut);
        const LintFinding* overlap = found(findings, LintRule::overlappingText);
        QVERIFY(overlap && !overlap->refused && overlap->text.contains(QStringLiteral("“right” and “over”")));
        const LintFinding* clipped = found(findings, LintRule::clippedText);
        QVERIFY(clipped && !clipped->refused && clipped->text.contains(QStringLiteral("outside")));
    }

    // If labels are turned by 45 degrees, the boxes of neighbours overlap, but not their letters.
    void slantedLabelsSideBySideDoNotOverlap() {
        ui::LaidOutFigure laidOut;
        laidOut.list.page = {240, 100};
        for (int i = 0; i < 4; ++i) {
            ui::TextItem text;
            text.at = {60.0 + 12 * i, 50};
            text.text = QStringLiteral("a long label");
            text.width = 40;
            text.align = ui::TextAlign::right;
            text.angle = -45;
            laidOut.list.items.push_back({text, ui::FigurePart::category, 0, {}, {}, {}});
        }
        QVERIFY(ui::lint(clean(), laidOut).empty());
    }

    void barsThatDoNotBeginAtZeroAreFound() {
        FigureSpec figure = clean();
        figure.panels[0].y.from = 0;
        QVERIFY(findingsOf(figure).empty());
        figure.panels[0].y.from = 0.5;
        isFound(figure, LintRule::barsNotFromZero, QStringLiteral("0.5"), true);
        figure.panels[0].y.from.reset();
        figure.panels[0].y.scale = FigureScale::logarithmic;
        isFound(figure, LintRule::barsNotFromZero, QStringLiteral("logarithmic"), true);
        FigureSpec lines = cleanLines();
        lines.panels[0].y.from = 0.5;
        QVERIFY(findingsOf(lines).empty());
        figure.panels[0].y.scale = FigureScale::linear;
        figure.panels[0].y.from = 0.5;
        barsOf(figure).bars[0].from = {1, 2};
        QVERIFY(found(findingsOf(figure), LintRule::barsNotFromZero) == nullptr);
    }

    void anAxisWithoutUnitIsFoundUnlessItCounts() {
        FigureSpec figure = cleanLines();
        figure.panels[0].x.unit.clear();
        isFound(figure, LintRule::missingUnit, QStringLiteral("Size"), false);
        figure.panels[0].x.title = "Number of GPUs";
        QVERIFY(findingsOf(figure).empty());
        figure.panels[0].y.relativeTo.clear();
        isFound(figure, LintRule::missingUnit, QStringLiteral("Runtime"), false);
    }

    void partsStackedInAnotherOrderThanTheLegendAreFound() {
        FigureSpec figure = clean();
        FigureBar other = barsOf(figure).bars[0];
        std::swap(other.stack[0], other.stack[1]);
        barsOf(figure).bars.push_back(other);
        isFound(figure, LintRule::legendOrder, QStringLiteral("order"), true);
        figure.legend = FigureLegend::right;
        isFound(figure, LintRule::legendOrder, QStringLiteral("order"), true);
    }

    void seriesThatAGreyPrinterMakesEqualAreFound() {
        FigureSpec figure = clean();
        barsOf(figure).bars[0].stack[1].meaning = "gemm";
        isFound(figure, LintRule::sameInGrey, QStringLiteral("“GEMM” and “RS”"), true);
        figure.theme = FigureTheme::darkSlide;  // a slide is not printed
        QVERIFY(findingsOf(figure).empty());
        auto& stack = barsOf(figure).bars[0].stack;
        figure.theme = FigureTheme::paper;
        stack = {{"OP", "gemm", {1.0, {}}, {}, {}, 0}, {"FC-2", "gemm", {{}, 2.0}, {}, {}, 0}};
        QVERIFY(found(findingsOf(figure), LintRule::sameInGrey) == nullptr);  // the categories name the bars
        stack[1].name = "RS";
        stack.push_back({"AG", "gemm", {1.0, 2.0}, {}, {}, 0});
        isFound(figure, LintRule::sameInGrey, QStringLiteral("“RS” and “AG”"), true);
        FigureSpec lines = cleanLines();
        std::get<LineMark>(lines.panels[0].marks[0]).series[1].meaning = "series/0";
        isFound(lines, LintRule::sameInGrey, QStringLiteral("“CU” and “NMC”"), true);
    }

    void theNinthHueIsOneTooMany() {
        FigureSpec figure = cleanLines();
        figure.size = FigureSize::acmText;
        auto& lines = std::get<LineMark>(figure.panels[0].marks[0]).series;
        lines.clear();
        for (int i = 0; i < 8; ++i)
            lines.push_back(series("line " + std::to_string(i), "series/" + std::to_string(i)));
        QVERIFY(found(findingsOf(figure), LintRule::tooManyHues) == nullptr);
        lines.push_back(series("line 8", "series/8"));
        isFound(figure, LintRule::tooManyHues, QStringLiteral("9 hues"), false);
    }

    void aHeatMapAsAnImageIsFound() {
        FigureSpec figure = clean();
        figure.panels[0].marks = {HeatMark{{"a", "b"}, {1.0, 2.0, 3.0, 4.0}, "Time", "µs", false, true}};
        isFound(figure, LintRule::rasterInVector, QStringLiteral("image"), true);
    }

    void aFigureWithoutAlternativeTextIsFound() {
        FigureSpec figure = clean();
        figure.alternative = " \n";
        isFound(figure, LintRule::missingAlternative, QStringLiteral("ACM"), false);
    }

    void aPictureInOneColourIsFoundAndOneInTwoIsNot() {
        const auto square = [](double x, double side, DrawingColour colour) {
            return DrawingShape{{{x, 0}, {x + side, 0}, {x + side, side}, {x, side}}, true, colour, {}};
        };
        FigureSpec figure = clean();
        figure.panels[0].categories = {};
        // A grey background and a key of another colour do not count as a second state.
        DrawingMark drawing{
            240, 100, {square(0, 100, 0xffcccccc), square(0, 50, 0xff0072b2), square(100, 4, 0xffe69f00)}};
        figure.panels[0].marks = {drawing};
        isFound(figure, LintRule::oneColour, QStringLiteral("move the cursor"), false);
        drawing.items.emplace_back(square(50, 30, 0xffe69f00));
        figure.panels[0].marks = {drawing};
        QVERIFY(found(findingsOf(figure), LintRule::oneColour) == nullptr);
    }

    void aTimelineAndAHeatMapOfOneColourAreFound() {
        FigureSpec figure = clean();
        figure.panels[0].categories = {};
        figure.panels[0].x = {"Time", "µs", "", FigureScale::linear, {}, {}, {}};
        TimelineMark timeline{{{"CU", ""}}, {{0, 0, 1, "gemm", ""}, {0, 2, 3, "gemm", ""}}};
        figure.panels[0].marks = {timeline};
        QVERIFY(found(findingsOf(figure), LintRule::oneColour) != nullptr);
        timeline.spans[1].meaning = "dma";
        figure.panels[0].marks = {timeline};
        QVERIFY(found(findingsOf(figure), LintRule::oneColour) == nullptr);
        for (const double last : {1.0, 2.0}) {
            figure.panels[0].categories.labels = {"a", "b"};
            figure.panels[0].marks = {HeatMark{{"r"}, {1.0, last}, "Time", "µs", false, false}};
            QCOMPARE(found(findingsOf(figure), LintRule::oneColour) != nullptr, last == 1);
        }
    }

    void wordsNeedAContrastOfThreeToOneToWhatIsBehindThem() {
        for (const auto& [grey, faint] : {std::pair{0x94, false}, std::pair{0x95, true}}) {
            ui::LaidOutFigure laidOut;
            laidOut.list.page = {240, 100};
            ui::TextItem text;
            text.at = {100, 50};
            text.text = QStringLiteral("tick");
            text.width = 10;
            text.colour = QColor(grey, grey, grey);
            laidOut.list.items = {{text, ui::FigurePart::axis, 0, {}, {}, {}}};
            const auto findings = ui::lint(clean(), laidOut);
            const LintFinding* finding = found(findings, LintRule::lowContrast);
            QCOMPARE(finding != nullptr, faint);
            QVERIFY(!faint || finding->text.contains(QStringLiteral("“tick” has a contrast of 2.99:1 ")));
            // The text can be read over a black bar.
            ui::RectItem bar;
            bar.box = QRectF(90, 30, 40, 40);
            bar.fill = ui::FigureFill{};
            bar.fill->colour = Qt::black;
            laidOut.list.items.insert(laidOut.list.items.begin(), {bar, ui::FigurePart::mark, 0, {}, {}, {}});
            QVERIFY(found(ui::lint(clean(), laidOut), LintRule::lowContrast) == nullptr);
        }
    }

    void aPictureOfPaperOnADarkSlideIsFound() {
        FigureSpec figure = clean();
        figure.panels[0].categories = {};
        figure.panels[0].marks = {DrawingMark{240, 100, {DrawingText{10, 50, "GPU 0", 7, {}, 0xff202020, 0}}}};
        QVERIFY(found(findingsOf(figure), LintRule::lowContrast) == nullptr);
        figure.theme = FigureTheme::darkSlide;
        isFound(figure, LintRule::lowContrast, QStringLiteral("“GPU 0”"), false);
    }

    void aPrefixInTheUnitAndOneInTheLabelsAreFound() {
        FigureSpec figure = cleanLines();
        auto& line = std::get<LineMark>(figure.panels[0].marks[0]);
        figure.panels[0].x.unit = "KiB";
        line.x = {1000, 9000};
        QVERIFY(findingsOf(figure).empty());
        line.x = {1000, 20480};
        isFound(figure, LintRule::twoPrefixes, QStringLiteral("“KiB” in its title"), true);
        const FigureSpec mended = found(findingsOf(figure), LintRule::twoPrefixes)->fix(figure);
        QCOMPARE(mended.panels[0].x.unit, std::string("MiB"));
        QCOMPARE(std::get<LineMark>(mended.panels[0].marks[0]).x[1], 20.0);
        figure.panels[0].x.unit = "B";
        QVERIFY(findingsOf(figure).empty());
    }

    void anAxisThatShowsNoValueIsFound() {
        FigureSpec figure = cleanLines();  // values 1 and 2
        FigureAxis& axis = figure.panels[0].y;
        axis.from = 2.5;
        axis.to = 5;
        isFound(figure, LintRule::valuesOutside, QStringLiteral("2.5 to 5"), true);
        axis = cleanLines().panels[0].y;
        figure.panels[0].x.from = 0;
        figure.panels[0].x.to = 0.5;
        isFound(figure, LintRule::valuesOutside, QStringLiteral("horizontal"), true);
    }

    void valuesThatAnAxisCutsOffAreFound() {
        for (const bool alongX : {false, true}) {
            for (const FigureScale scale : {FigureScale::linear, FigureScale::logarithmic}) {
                FigureSpec figure = cleanLines();  // from 1 to 2 along both axes
                FigureAxis& axis = alongX ? figure.panels[0].x : figure.panels[0].y;
                const QString name = alongX ? QStringLiteral("horizontal axis") : QStringLiteral("vertical axis");
                axis.scale = scale;
                axis.from = 1;
                axis.to = 2;
                QVERIFY(found(findingsOf(figure), LintRule::valuesOutside) == nullptr);
                axis.to = 1.99;
                isFound(figure, LintRule::valuesOutside, name + QStringLiteral(" goes from 1 to 1.99 and cuts off"),
                        true);
                axis.to = 2;
                axis.from = 1.01;
                isFound(figure, LintRule::valuesOutside, name + QStringLiteral(" goes from 1.01 to 2 and cuts off"),
                        true);
                // The end that cuts off nothing stays.
                axis.to = 5;
                const FigureSpec mended = found(findingsOf(figure), LintRule::valuesOutside)->fix(figure);
                const FigureAxis& fitted = alongX ? mended.panels[0].x : mended.panels[0].y;
                QVERIFY(!fitted.from && fitted.to == 5.0);
            }
        }
        FigureSpec bars = clean();  // stacks of 2 and 4
        bars.panels[0].y.to = 4;
        QVERIFY(findingsOf(bars).empty());
        bars.panels[0].y.to = 3.9;
        isFound(bars, LintRule::valuesOutside, QStringLiteral("values, which go from 2 to 4"), true);
    }

    void spansThatATimeAxisCutsOffAreFound() {
        FigureSpec figure = clean();
        figure.panels = {FigurePanel{}};
        figure.panels[0].x.title = "Time";
        figure.panels[0].x.unit = "µs";
        figure.panels[0].marks = {TimelineMark{{{"CU", "GPU 0"}}, {{0, 10, 300, "gemm", ""}}}};
        figure.panels[0].x.from = 0;
        figure.panels[0].x.to = 300;
        QVERIFY(found(findingsOf(figure), LintRule::valuesOutside) == nullptr);
        figure.panels[0].x.to = 200;
        isFound(figure, LintRule::valuesOutside, QStringLiteral("cuts off values"), true);
    }

    void anAxisWithoutTwoLabelledTicksIsFound() {
        for (const bool alongX : {false, true}) {
            for (const FigureScale scale : {FigureScale::logarithmic, FigureScale::linear}) {
                FigureSpec figure = cleanLines();
                FigureAxis& axis = alongX ? figure.panels[0].x : figure.panels[0].y;
                axis.scale = scale;
                axis.ticks = {1, 2};
                QVERIFY(found(findingsOf(figure), LintRule::fewTicks) == nullptr);
                axis.ticks = {2};
                isFound(figure, LintRule::fewTicks, QStringLiteral("has a single labelled tick, “2”"), true);
                axis.ticks = {7};
                isFound(figure, LintRule::fewTicks, QStringLiteral("has no labelled tick"), true);
            }
        }
    }

    // Low panels have few ticks, and on a logarithmic axis even one or none.
    void everyAxisWithFewTicksGetsMore() {
        int met = 0;
        for (const double height : {60.0, 70.0, 85.0, 110.0, 200.0}) {
            for (const auto& [least, most] :
                 {std::pair(0.95, 1.3), {3.0, 30.0}, {1.5, 80.0}, {11.0, 19.0}, {2.0, 2000.0}}) {
                FigureSpec figure = cleanLines();
                figure.height = height;
                figure.panels[0].y.scale = FigureScale::logarithmic;
                for (FigureSeries& one : std::get<LineMark>(figure.panels[0].marks[0]).series)
                    one.values = {least, most};
                if (found(findingsOf(figure), LintRule::fewTicks) == nullptr)
                    continue;
                ++met;
                isFound(figure, LintRule::fewTicks, QStringLiteral("labelled tick"), true);
            }
        }
        QVERIFY(met > 0);
    }

    void publishedValuesBesideAnotherMachineAreFound() {
        FigureSpec figure = clean();
        figure.panels[0].references = {{1.3, "Published", "published", 1, 0}};
        figure.provenance.published = {{"t3-mca-geomean", "published", 1.3}};
        figure.provenance.publishedSource = data::publishedSource();
        const auto experiment = [](const char* path, ParameterValue value) {
            ExperimentDraft draft;
            draft.explicitValues[path] = std::move(value);
            return FigureProvenance::Experiment{path, std::string(64, '0'), writeDraft(draft)};
        };
        figure.provenance.experiments = {experiment("policy.preset", std::string("t3")),
                                         experiment("parallel.tp", std::int64_t{16})};
        QVERIFY(found(findingsOf(figure), LintRule::changedMachine) == nullptr);
        figure.provenance.experiments.push_back(experiment("link.bandwidth", std::int64_t{75'000'000'000}));
        isFound(figure, LintRule::changedMachine, QStringLiteral("link.bandwidth = 75 GB/s"), true);
        figure.provenance.publishedSource = "another paper, which has other machines";
        QVERIFY(found(findingsOf(figure), LintRule::changedMachine) == nullptr);
        figure.provenance.publishedSource = data::publishedSource();
        figure.panels[0].references.front().label.clear();  // a mark of the user
        QVERIFY(found(findingsOf(figure), LintRule::changedMachine) == nullptr);
    }

    void aFigureHigherThanAPageIsFoundUnlessItIsASlide() {
        FigureSpec figure = clean();
        figure.height = 640;
        QVERIFY(findingsOf(figure).empty());
        figure.height = 641;
        isFound(figure, LintRule::tallFigure, QStringLiteral("641 pt high; a page has room for 640 pt"), true);
        // The smallest change is to give the height up, which leaves the width of the column.
        const FigureSpec mended = found(findingsOf(figure), LintRule::tallFigure)->fix(figure);
        QCOMPARE(mended.size, figure.size);
        figure.size = FigureSize::slide;
        QVERIFY(found(findingsOf(figure), LintRule::tallFigure) == nullptr);
    }

    void textBelowTwoThirdsOfASlidesUsualTextIsFound() {
        for (const double size : {12.0, 11.9}) {
            FigureSpec figure = clean();
            figure.size = FigureSize::slide;
            ui::LaidOutFigure laidOut;
            laidOut.list.page = {960, 540};
            ui::TextItem text;
            text.at = {100, 50};
            text.text = QStringLiteral("Stage 0");
            text.size = {size};
            text.width = 30;
            laidOut.list.items = {{text, ui::FigurePart::category, 0, {}, {}, {}}};
            const auto findings = ui::lint(figure, laidOut);
            const LintFinding* finding = found(findings, LintRule::smallOnSlide);
            QCOMPARE(finding != nullptr, size < 12);
            QVERIFY(!finding || (finding->text.contains(QStringLiteral("“Stage 0”")) && !finding->refused));
            QVERIFY(found(ui::lint(clean(), laidOut), LintRule::smallOnSlide) == nullptr);  // on paper
        }
    }

    void namesOnASlideAreNeverSmallerThanTheRoomCanRead() {
        FigureSpec figure = clean();
        figure.size = FigureSize::slide;
        figure.panels[0].categories.labels.clear();
        for (int i = 0; i < 60; ++i)
            figure.panels[0].categories.labels.push_back("case " + std::to_string(i));
        for (FigureSeries& part : barsOf(figure).bars[0].stack)
            part.values.assign(60, 1.0);
        const auto findings = findingsOf(figure);
        QVERIFY(found(findings, LintRule::smallOnSlide) == nullptr);
        QVERIFY(found(findings, LintRule::clippedText) != nullptr);  // some names had no room
    }

    void linesOnOneAnotherAreFoundByBothNames() {
        const auto withGap = [](double gap) {
            FigureSpec figure = cleanLines();
            figure.panels[0].y.from = 0;
            figure.panels[0].y.to = 10;
            auto& lines = std::get<LineMark>(figure.panels[0].marks[0]).series;
            lines[0].values = {1.0, 5.0};
            lines[1].values = {1.0 + gap, 5.0 + gap};
            return figure;
        };
        isFound(withGap(0), LintRule::sameLines, QStringLiteral("“CU” and “NMC” lie on one another"), true);
        // The plot is 82 points high and 10 units, a line is 1.1 points wide.
        const double unit = ui::layOut(withGap(0)).panels[0].plot.height() / 10;
        QVERIFY(found(findingsOf(withGap(1.09 / unit)), LintRule::sameLines) != nullptr);
        QVERIFY(found(findingsOf(withGap(1.11 / unit)), LintRule::sameLines) == nullptr);
        FigureSpec figure = withGap(0);
        auto& lines = std::get<LineMark>(figure.panels[0].marks[0]).series;
        lines[1].values[1] = 9.0;  // they part
        QVERIFY(found(findingsOf(figure), LintRule::sameLines) == nullptr);
        lines[1].values = {1.0, {}};  // a single point is a marker
        QVERIFY(found(findingsOf(figure), LintRule::sameLines) == nullptr);
        figure = withGap(0);
        figure.caption = "CU and NMC coincide.";
        QVERIFY(found(findingsOf(figure), LintRule::sameLines) == nullptr);
        figure.caption = "CU and NMC differ.";
        QVERIFY(found(findingsOf(figure), LintRule::sameLines) != nullptr);
    }

    void errorBarsNeedAWordInCaptionOrLegend() {
        FigureSpec figure = clean();
        FigureSeries& top = barsOf(figure).bars[0].stack[1];
        top.low = {0.9, 1.9};
        top.high = {1.1, 2.1};
        top.samples = 8;
        isFound(figure, LintRule::unexplainedWhiskers, QStringLiteral("“RS” has error bars"), false);
        for (const char* words : {"Bars are 95 % intervals.", "With the standard deviation.", "Whiskers: n = 8.",
                                  "From the smallest to the largest value.", "Min to max of eight runs."}) {
            figure.caption = words;
            QVERIFY2(found(findingsOf(figure), LintRule::unexplainedWhiskers) == nullptr, words);
        }
        for (const char* words : {"The mean of eight runs.", "An orange in a minute."}) {
            figure.caption = words;
            QVERIFY2(found(findingsOf(figure), LintRule::unexplainedWhiskers) != nullptr, words);
        }
        top.name = "RS, mean and range";
        QVERIFY(found(findingsOf(figure), LintRule::unexplainedWhiskers) == nullptr);
        FigureSpec lines = cleanLines();
        QVERIFY(found(findingsOf(lines), LintRule::unexplainedWhiskers) == nullptr);
        FigureSeries& line = std::get<LineMark>(lines.panels[0].marks[0]).series[0];
        line.low = {0.9, 1.9};
        line.high = {1.1, 2.1};
        isFound(lines, LintRule::unexplainedWhiskers, QStringLiteral("“CU”"), false);
    }

    void aSampleOfTheLegendNeedsAWholeDash() {
        const auto findingIn = [](double length, bool marker) {
            ui::LaidOutFigure laidOut;
            laidOut.list.page = {240, 100};
            ui::PolylineItem line;
            line.points = {{50, 50}, {50 + length, 50}};
            line.pen.dash = {6, 2};
            laidOut.list.items = {{line, ui::FigurePart::legend, {}, {}, {}, {}}};
            if (marker) {
                const QRectF dot(50 + length / 2 - 1.6, 48.4, 3.2, 3.2);
                laidOut.list.items.push_back({ui::EllipseItem{dot, {}, {}}, ui::FigurePart::legend, {}, {}, {}, {}});
            }
            ui::TextItem text;
            text.at = {100, 50};
            text.text = QStringLiteral("DMA");
            text.width = 10;
            laidOut.list.items.push_back({text, ui::FigurePart::legend, {}, {}, {}, {}});
            const auto findings = ui::lint(clean(), laidOut);
            const LintFinding* finding = found(findings, LintRule::noWholeDash);
            return finding ? finding->text : QString();
        };
        QVERIFY(findingIn(6.3, false).contains(QStringLiteral("“DMA” shows no whole dash")));
        QVERIFY(findingIn(6.5, false).isEmpty());
        QVERIFY(!findingIn(15, true).isEmpty());  // the marker hides the first gap
        QVERIFY(findingIn(18, true).isEmpty());
    }

    void everySampleOfTheLegendShowsItsDash() {
        for (const FigureSizePreset& size : figureSizes()) {
            for (const std::string& theme : figureThemeNames()) {
                for (int i = 0; i < 10; ++i) {
                    FigureSpec figure = cleanLines();
                    figure.size = size.size;
                    figure.theme = *figureThemeNamed(theme);
                    auto& lines = std::get<LineMark>(figure.panels[0].marks[0]);
                    lines.markers = i % 2 == 0;
                    lines.series[1].values = {2.0, 1.0};
                    lines.series[0].meaning = "series/" + std::to_string(i);
                    lines.series[1].meaning = i < 5 ? "policy/t3" : "attention";
                    QVERIFY(found(findingsOf(figure), LintRule::noWholeDash) == nullptr);
                }
            }
        }
    }

    void aNoticeOfTheRunsHasToBeInTheCaption() {
        FigureSpec figure = clean();
        figure.provenance.notices = {{"tracker.held_bytes", "up to 5 MiB waited"}};
        isFound(figure, LintRule::noticeLeftOut, QStringLiteral("(tracker.held_bytes)"), true);
        figure.caption = "Runtime; up to 5 MiB waited at the tracker.";
        QVERIFY(found(findingsOf(figure), LintRule::noticeLeftOut) == nullptr);
        const FigureReading reading = readFigure(writeFigure(figure), "spec.json");
        QVERIFY(reading.problems.empty() && reading.figure->provenance.notices == figure.provenance.notices);
    }

    // A column has no room for the numbers of so many bars, but room for the bars.
    void theSmallestChangeThatHelpsIsOffered() {
        FigureSpec figure = clean();
        figure.panels[0].categories.labels.clear();
        barsOf(figure).valuesWritten = true;
        figure.panels[0].categories.labels.assign(30, "i");
        barsOf(figure).bars = {{"", {series("GEMM", "gemm")}}};
        barsOf(figure).bars[0].stack[0].values.assign(30, 1.25);
        const auto findings = findingsOf(figure);
        const LintFinding* finding = found(findings, LintRule::clippedText);
        QVERIFY(finding != nullptr);
        QCOMPARE(finding->fixText, QStringLiteral("Leave values out"));
        QCOMPARE(finding->fix(figure).size, figure.size);
        // Names have no smaller change: the full width comes last.
        barsOf(figure).valuesWritten = false;
        for (std::string& label : figure.panels[0].categories.labels)
            label = "a long name";
        for (const LintFinding& one : findingsOf(figure)) {
            if (one.rule == LintRule::clippedText && one.fix)
                QCOMPARE(one.fixText, QStringLiteral("Use the full width"));
        }
    }

    void whatCheckersRefuseComesFirst() {
        FigureSpec figure = clean();
        figure.alternative.clear();
        ui::LaidOutFigure laidOut = ui::layOut(figure);
        laidOut.shortfalls.push_back({0, QStringLiteral("label left out")});
        ui::TextItem text;
        text.at = {100, 20};
        text.text = QStringLiteral("tiny");
        text.size = {5};
        text.width = 10;
        laidOut.list.items.push_back({text, ui::FigurePart::annotation, 0, {}, {}, {}});
        const auto findings = ui::lint(figure, laidOut);
        QCOMPARE(findings.size(), std::size_t{3});
        QVERIFY(findings.front().refused && findings.front().rule == LintRule::smallText);
        QVERIFY(!findings[1].refused && !findings[2].refused);
    }
};

RINGSIDE_WINDOW_TEST(TestFigureLint)
#include "tst_figure_lint.moc"
