#include "ui/figure/figure_lint.h"

#include "data/evaluations/reference.h"
#include "data/figure/figure_document.h"
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

/// Returns whether a reference is a published value: only published values have a label, such as "second-hand".
bool isPublishedMark(const data::FigureReference& reference) { return !reference.label.empty(); }

bool hasPublishedMarks(const data::FigureSpec& figure) {
    return std::any_of(figure.panels.begin(), figure.panels.end(), [](const data::FigurePanel& panel) {
        return std::any_of(panel.references.begin(), panel.references.end(), isPublishedMark);
    });
}

/// Reports published values that are shown beside runs on another machine.
void lintPublished(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    // The machine of T3's numbers is the default one; other evaluations state the machines of theirs.
    const bool ofT3 = figure.provenance.publishedSource == data::publishedSource();
    if (figure.provenance.published.empty() || !ofT3 || !hasPublishedMarks(figure))
        return;
    const std::string changed = data::changedMachine(figure.provenance);
    if (changed.empty())
        return;
    const auto leaveOut = [](data::FigureSpec& without) {
        for (data::FigurePanel& panel : without.panels)
            std::erase_if(panel.references, isPublishedMark);
    };
    findings.push_back(
        {.rule = LintRule::changedMachine,
         .text = lintText("the published values are of another machine than the simulated one (%1): leave their marks "
                          "out, or simulate the published machine")
                     .arg(QString::fromStdString(changed)),
         .fixText = lintText("Leave published values out"),
         .fix = mending(leaveOut)});
}

/// Reports notices of the runs that the caption does not have: under which conditions the numbers hold.
void lintNotices(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    for (const engine::Notice& notice : figure.provenance.notices) {
        if (figure.caption.find(notice.text) != std::string::npos)
            continue;
        const std::string sentence = " Notice (" + notice.path + "): " + notice.text + ".";
        findings.push_back({.rule = LintRule::noticeLeftOut,
                            .text = lintText("a notice of the runs (%1) is not in the caption: %2")
                                        .arg(QString::fromStdString(notice.path), QString::fromStdString(notice.text)),
                            .fixText = lintText("Add it to the caption"),
                            .fix = mending([sentence](data::FigureSpec& said) { said.caption += sentence; })});
    }
}

}  // namespace

std::vector<LintFinding> lint(const data::FigureSpec& figure, const LaidOutFigure& laidOut) {
    std::vector<LintFinding> findings;
    lintList(figure, laidOut, findings);
    lintAxes(figure, laidOut, findings);
    lintSeries(figure, laidOut, findings);
    lintMarks(figure, laidOut, findings);
    lintPicture(figure, laidOut, findings);
    lintPublished(figure, findings);
    lintNotices(figure, findings);
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
    static constexpr const char* kNames[]{"text under 6 pt",
                                          "clipped or missing label",
                                          "overlapping labels",
                                          "bars not from zero",
                                          "missing title or unit",
                                          "legend order",
                                          "same in grey print",
                                          "more than eight hues",
                                          "raster inside vector",
                                          "missing alternative text",
                                          "picture in one colour",
                                          "less contrast than 3:1",
                                          "two prefixes on one axis",
                                          "values outside the axis",
                                          "published values of another machine",
                                          "fewer than two labelled ticks",
                                          "higher than a page",
                                          "small text on a slide",
                                          "lines on one another",
                                          "error bars without a word",
                                          "no whole dash in the legend",
                                          "notice of the runs left out",
                                          "two fonts in one figure",
                                          "error bars only in words"};
    return lintText(kNames[static_cast<std::size_t>(rule)]);
}

}  // namespace ui
