#include "data/figure/figure_document.h"
#include "ui/figure/lint_rules.h"

#include <algorithm>

namespace ui {
namespace {

/// Marks that a label says to be published, in whatever way they were read.
bool isPublishedMark(const data::FigureReference& reference) { return !reference.label.empty(); }

bool hasPublishedMarks(const data::FigureSpec& figure) {
    return std::any_of(figure.panels.begin(), figure.panels.end(), [](const data::FigurePanel& panel) {
        return std::any_of(panel.references.begin(), panel.references.end(), isPublishedMark);
    });
}

}  // namespace

void lintPublished(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    if (figure.provenance.published.empty() || !hasPublishedMarks(figure))
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
         .text = lintText("published values are marked, which are of another machine than was simulated (%1): leave "
                          "the marks out, or simulate the published machine")
                     .arg(QString::fromStdString(changed)),
         .fixText = lintText("Leave the published marks out"),
         .fix = mending(leaveOut)});
}

}  // namespace ui
