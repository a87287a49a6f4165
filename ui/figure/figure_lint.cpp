#include "ui/figure/figure_lint.h"

#include "ui/figure/lint_rules.h"

#include <algorithm>

namespace ui {
namespace {

QString panelName(const data::FigureSpec& figure, std::size_t panel) {
    if (figure.panels.size() < 2 || panel >= figure.panels.size())
        return {};
    const data::FigurePanel& shown = figure.panels[panel];
    const std::string& title = shown.title.empty() ? shown.y.title : shown.title;
    const QString number = lintText("Panel %1").arg(panel + 1);
    return (title.empty() ? number : number + QStringLiteral(", ") + QString::fromStdString(title)) +
           QStringLiteral(": ");
}

}  // namespace

std::vector<LintFinding> lint(const data::FigureSpec& figure, const LaidOutFigure& laidOut) {
    std::vector<LintFinding> findings;
    lintList(figure, laidOut, findings);
    lintAxes(figure, laidOut, findings);
    lintSeries(figure, laidOut, findings);
    lintPicture(figure, laidOut, findings);
    lintPublished(figure, findings);
    if (figure.alternative.find_first_not_of(" \t\n") == std::string::npos) {
        findings.push_back({.rule = LintRule::missingAlternative,
                            .text = lintText("No alternative text: ACM asks for a description of every figure")});
    }
    for (LintFinding& finding : findings) {
        if (finding.panel)
            finding.text.prepend(panelName(figure, *finding.panel));
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const LintFinding& a, const LintFinding& b) { return a.refused > b.refused; });
    return findings;
}

QString nameOf(LintRule rule) {
    switch (rule) {
    case LintRule::smallText: return lintText("text under 6 pt");
    case LintRule::clippedText: return lintText("clipped or missing label");
    case LintRule::overlappingText: return lintText("overlapping labels");
    case LintRule::barsNotFromZero: return lintText("bars not from zero");
    case LintRule::missingUnit: return lintText("missing title or unit");
    case LintRule::legendOrder: return lintText("legend order");
    case LintRule::sameInGrey: return lintText("same in grey print");
    case LintRule::tooManyHues: return lintText("more than eight hues");
    case LintRule::rasterInVector: return lintText("raster inside vector");
    case LintRule::missingAlternative: return lintText("missing alternative text");
    case LintRule::oneColour: return lintText("picture in one colour");
    case LintRule::lowContrast: return lintText("less contrast than 3:1");
    case LintRule::twoPrefixes: return lintText("two prefixes on one axis");
    case LintRule::valuesOutside: return lintText("values outside the axis");
    case LintRule::changedMachine: return lintText("published values of another machine");
    }
    return {};
}

}  // namespace ui
