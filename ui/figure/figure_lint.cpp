#include "ui/figure/figure_lint.h"

#include "ui/figure/lint_rules.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("FigureLint", text); }

}  // namespace

QString panelName(const data::FigureSpec& figure, std::size_t panel) {
    if (figure.panels.size() < 2 || panel >= figure.panels.size())
        return {};
    const data::FigurePanel& shown = figure.panels[panel];
    const std::string& title = shown.title.empty() ? shown.y.title : shown.title;
    const QString number = tr("Panel %1").arg(panel + 1);
    return (title.empty() ? number : number + QStringLiteral(", ") + QString::fromStdString(title)) +
           QStringLiteral(": ");
}

std::vector<LintFinding> lint(const data::FigureSpec& figure, const LaidOutFigure& laidOut) {
    std::vector<LintFinding> findings;
    lintList(figure, laidOut, findings);
    lintAxes(figure, laidOut, findings);
    lintSeries(figure, laidOut, findings);
    lintPicture(figure, laidOut, findings);
    lintPublished(figure, findings);
    if (figure.alternative.find_first_not_of(" \t\n") == std::string::npos) {
        LintFinding finding{LintRule::missingAlternative};
        finding.text = tr("No alternative text: ACM asks for a description of every figure");
        findings.push_back(std::move(finding));
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const LintFinding& a, const LintFinding& b) { return a.refused > b.refused; });
    return findings;
}

QString nameOf(LintRule rule) {
    switch (rule) {
    case LintRule::smallText: return tr("text under 6 pt");
    case LintRule::clippedText: return tr("clipped or missing label");
    case LintRule::overlappingText: return tr("overlapping labels");
    case LintRule::barsNotFromZero: return tr("bars not from zero");
    case LintRule::missingUnit: return tr("missing title or unit");
    case LintRule::legendOrder: return tr("legend order");
    case LintRule::sameInGrey: return tr("same in grey print");
    case LintRule::tooManyHues: return tr("more than eight hues");
    case LintRule::rasterInVector: return tr("raster inside vector");
    case LintRule::missingAlternative: return tr("missing alternative text");
    case LintRule::oneColour: return tr("picture in one colour");
    case LintRule::lowContrast: return tr("less contrast than 3:1");
    case LintRule::twoPrefixes: return tr("two prefixes on one axis");
    case LintRule::valuesOutside: return tr("values outside the axis");
    case LintRule::changedMachine: return tr("published values of another machine");
    }
    return {};
}

}  // namespace ui
