#include "data/figure/figure_published.h"
#include "ui/figure/lint_rules.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString publishedTr(const char* text) { return QCoreApplication::translate("FigureLint", text); }

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
    LintFinding finding{LintRule::changedMachine};
    finding.text =
        publishedTr("published values are marked, which are of another machine than was simulated (%1): leave "
                    "the marks out, or simulate the published machine")
            .arg(QString::fromStdString(changed));
    finding.fixText = publishedTr("Leave the published marks out");
    finding.fix = [](const data::FigureSpec& spec) {
        data::FigureSpec without = spec;
        for (data::FigurePanel& panel : without.panels)
            std::erase_if(panel.references, isPublishedMark);
        return without;
    };
    findings.push_back(std::move(finding));
}

}  // namespace ui
