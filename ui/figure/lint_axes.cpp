#include "ui/figure/lint_rules.h"

#include <QCoreApplication>

#include <algorithm>
#include <variant>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("FigureLint", text); }

template <class Mark>
bool has(const data::FigurePanel& panel) {
    return std::any_of(panel.marks.begin(), panel.marks.end(),
                       [](const data::FigureMark& mark) { return std::holds_alternative<Mark>(mark); });
}

void lintZero(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    const data::FigurePanel& panel = figure.panels[index];
    const bool logarithmic = panel.y.scale == data::FigureScale::logarithmic;
    const bool away = (panel.y.from && *panel.y.from > 0) || (panel.y.to && *panel.y.to < 0);
    if ((!has<data::BarMark>(panel) && !has<data::AreaMark>(panel)) || (!logarithmic && !away))
        return;
    LintFinding finding{LintRule::barsNotFromZero, false, index};
    finding.text =
        panelName(figure, index) +
        (logarithmic ? tr("filled from a logarithmic axis: lengths are no longer what they stand for")
                     : tr("the axis of bars begins at %1, not at zero: differences look larger than they are")
                           .arg(*(panel.y.from ? panel.y.from : panel.y.to)));
    finding.fixText = tr("Begin at zero");
    finding.fix = [index](const data::FigureSpec& spec) {
        data::FigureSpec honest = spec;
        data::FigureAxis& axis = honest.panels[index].y;
        axis.scale = data::FigureScale::linear;
        axis.ticks.clear();
        if (axis.from && *axis.from > 0)
            axis.from = 0;
        if (axis.to && *axis.to < 0)
            axis.to = 0;
        return honest;
    };
    findings.push_back(std::move(finding));
}

/// Counts need no unit: "Number of GPUs".
bool saysItsUnit(const data::FigureAxis& axis) {
    return !axis.unit.empty() || !axis.relativeTo.empty() || axis.title.starts_with("Number of ");
}

void lintUnit(const data::FigureSpec& figure, std::size_t index, const data::FigureAxis& axis, const QString& which,
              std::vector<LintFinding>& findings) {
    if (!axis.title.empty() && saysItsUnit(axis))
        return;
    LintFinding finding{LintRule::missingUnit, false, index};
    finding.text = panelName(figure, index) +
                   (axis.title.empty() ? tr("the %1 axis has no title").arg(which)
                                       : tr("the %1 axis, “%2”, has neither a unit nor what it is normalised to")
                                             .arg(which, QString::fromStdString(axis.title)));
    findings.push_back(std::move(finding));
}

}  // namespace

void lintAxes(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const data::FigurePanel& panel = figure.panels[i];
        const bool valued = has<data::BarMark>(panel) || has<data::LineMark>(panel) || has<data::AreaMark>(panel) ||
                            has<data::BoxMark>(panel);
        lintZero(figure, i, findings);
        if (valued)
            lintUnit(figure, i, panel.y, tr("vertical"), findings);
        const bool numbersAcross =
            panel.categories.labels.empty() && (has<data::LineMark>(panel) || has<data::AreaMark>(panel));
        if (numbersAcross || has<data::TimelineMark>(panel))
            lintUnit(figure, i, panel.x, tr("horizontal"), findings);
        for (const data::FigureMark& mark : panel.marks) {
            if (const auto* heat = std::get_if<data::HeatMark>(&mark)) {
                data::FigureAxis scale;
                scale.title = heat->valueTitle;
                scale.unit = heat->valueUnit;
                lintUnit(figure, i, scale, tr("colour"), findings);
            }
        }
    }
}

}  // namespace ui
