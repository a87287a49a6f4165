#include "ui/figure/axis_prefix.h"
#include "ui/figure/lint_rules.h"
#include "ui/figure/panel_reach.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
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

/// One of the two axes of a panel.
struct LintedAxis {
    std::size_t panel = 0;
    bool alongX = false;
    DataReach values;
    AxisPlace place;
    QString name() const { return alongX ? tr("horizontal") : tr("vertical"); }
    data::FigureAxis& in(data::FigureSpec& figure) const {
        return alongX ? figure.panels[panel].x : figure.panels[panel].y;
    }
};

void lintPrefixes(const data::FigureSpec& figure, const LintedAxis& axis, std::vector<LintFinding>& findings) {
    const std::string& unit = (axis.alongX ? figure.panels[axis.panel].x : figure.panels[axis.panel].y).unit;
    double largest = 0;
    QString shortened;
    for (const double tick : axis.place.ticks) {
        largest = std::max(largest, std::abs(tick));
        const QString label = tickLabel(tick, std::abs(tick), std::abs(tick));
        if (!label.isEmpty() && label.back().isLetter())
            shortened = label;
    }
    if (shortened.isEmpty() || !prefixOf(unit))
        return;
    LintFinding finding{LintRule::twoPrefixes, false, axis.panel};
    finding.text =
        panelName(figure, axis.panel) + tr("the %1 axis has two prefixes, “%2” beside “%3”: use a larger unit")
                                            .arg(axis.name(), shortened, QString::fromStdString(unit));
    if (const auto larger = largerUnit(unit, largest)) {
        finding.fixText = tr("Use %1").arg(QString::fromStdString(*larger));
        finding.fix = [panel = axis.panel, alongX = axis.alongX, larger = *larger](const data::FigureSpec& spec) {
            data::FigureSpec mended = spec;
            useUnit(mended.panels[panel], alongX, larger);
            return mended;
        };
    }
    findings.push_back(std::move(finding));
}

void lintOutside(const data::FigureSpec& figure, const LintedAxis& axis, std::vector<LintFinding>& findings) {
    const double least = axis.place.logarithmic ? axis.values.leastPositive : axis.values.least;
    if (axis.values.empty() || (least <= axis.place.to && axis.values.most >= axis.place.from))
        return;
    LintFinding finding{LintRule::valuesOutside, false, axis.panel};
    finding.text = panelName(figure, axis.panel) +
                   tr("the %1 axis goes from %2 to %3, and all values are outside (%4 to %5): nothing is to be seen")
                       .arg(axis.name(), QString::number(axis.place.from), QString::number(axis.place.to),
                            QString::number(axis.values.least), QString::number(axis.values.most));
    finding.fixText = tr("Let the axis follow the values");
    finding.fix = [axis](const data::FigureSpec& spec) {
        data::FigureSpec mended = spec;
        data::FigureAxis& own = axis.in(mended);
        own.from.reset();
        own.to.reset();
        own.ticks.clear();
        if (!(axis.values.most > 0))
            own.scale = data::FigureScale::linear;
        return mended;
    };
    findings.push_back(std::move(finding));
}

void lintPlaces(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < std::min(figure.panels.size(), laidOut.panels.size()); ++i) {
        const data::FigurePanel& panel = figure.panels[i];
        const PanelKind kind = kindOf(panel);
        std::vector<LintedAxis> axes;
        if (kind == PanelKind::plain)
            axes.push_back({i, false, valuesOfY(panel), laidOut.panels[i].y});
        if (kind == PanelKind::lanes || (kind == PanelKind::plain && panel.categories.labels.empty()))
            axes.push_back({i, true, reachOfX(panel), laidOut.panels[i].x});
        for (const LintedAxis& axis : axes) {
            lintPrefixes(figure, axis, findings);
            lintOutside(figure, axis, findings);
        }
    }
}

}  // namespace

void lintAxes(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    lintPlaces(figure, laidOut, findings);
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
