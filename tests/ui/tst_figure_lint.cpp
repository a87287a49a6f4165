#include "ui/figure/figure_lint.h"

#include "tests/data/figure_samples.h"

#include <QTest>

#include <algorithm>
#include <functional>

namespace {

using namespace data;
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

/// Two stacked bars in two categories, nothing to object to.
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
    return figure;
}

}  // namespace

class TestFigureLint : public QObject {
    Q_OBJECT

    /// Has the finding, and no longer has it after its fix.
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
            text.size = size;
            text.width = 10;
            laidOut.list.items = {{text, ui::FigurePart::axis, 0, {}, {}, {}}};
            QCOMPARE(found(ui::lint(clean(), laidOut), LintRule::smallText) != nullptr, size < 6);
        }
    }

    void textThatLeavesThePageOrCoversAnotherIsRefused() {
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
        QVERIFY(overlap && overlap->refused && overlap->text.contains(QStringLiteral("“right” and “over”")));
        const LintFinding* clipped = found(findings, LintRule::clippedText);
        QVERIFY(clipped && clipped->refused && clipped->text.contains(QStringLiteral("outside")));
    }

    // Turned by 45 degrees neighbouring labels share the boxes around them, not their letters.
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
        figure.theme = FigureTheme::darkSlide;  // is not printed
        QVERIFY(findingsOf(figure).empty());
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

    void whatCheckersRefuseComesFirst() {
        FigureSpec figure = clean();
        figure.alternative.clear();
        ui::LaidOutFigure laidOut = ui::layOut(figure);
        laidOut.shortfalls.push_back({0, QStringLiteral("label left out")});
        const auto findings = ui::lint(figure, laidOut);
        QCOMPARE(findings.size(), std::size_t{2});
        QVERIFY(findings.front().refused && findings.front().rule == LintRule::clippedText);
        QVERIFY(!findings.back().refused);
    }
};

QTEST_MAIN(TestFigureLint)
#include "tst_figure_lint.moc"
