#include "data/document/value_places.h"
#include "data/figure/axis_units.h"
#include "data/figure/figure_spec.h"
#include "ui/drawing/panel_plan.h"
#include "ui/figure/lint_rules.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ui {
namespace {

constexpr double kShortened = 1e4;  // from this value on a tick's label ends with "k" or another letter

template <class Mark>
bool has(const data::FigurePanel& panel) {
    return std::any_of(panel.marks.begin(), panel.marks.end(),
                       [](const data::FigureMark& mark) { return std::holds_alternative<Mark>(mark); });
}

void lintZero(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    const data::FigurePanel& panel = figure.panels[index];
    const bool logarithmic = panel.y.scale == data::FigureScale::logarithmic;
    const bool floating = std::ranges::all_of(panel.marks, [](const data::FigureMark& mark) {
        const auto* bars = std::get_if<data::BarMark>(&mark);
        return bars != nullptr &&
               std::ranges::none_of(bars->bars, [](const data::FigureBar& bar) { return bar.from.empty(); });
    });
    const bool away = !floating && ((panel.y.from && *panel.y.from > 0) || (panel.y.to && *panel.y.to < 0));
    if ((!has<data::BarMark>(panel) && !has<data::AreaMark>(panel)) || (!logarithmic && !away))
        return;
    const QString text =
        (logarithmic
             ? lintText("bars or areas on a logarithmic axis: their lengths are not proportional to their values")
             : lintText("the axis of bars begins at %1, not at zero: differences look larger than they are")
                   .arg(*(panel.y.from ? panel.y.from : panel.y.to)));
    const auto begin = [index](data::FigureSpec& honest) {
        data::FigureAxis& axis = honest.panels[index].y;
        axis.scale = data::FigureScale::linear;
        axis.ticks.clear();
        if (axis.from && *axis.from > 0)
            axis.from = 0;
        if (axis.to && *axis.to < 0)
            axis.to = 0;
    };
    findings.push_back({LintRule::barsNotFromZero, false, index, text, lintText("Begin at zero"), mending(begin)});
}

/// Returns whether the axis names its unit or its reference. Counts need no unit: "Number of GPUs".
bool saysItsUnit(const data::FigureAxis& axis) {
    return !axis.unit.empty() || !axis.relativeTo.empty() || axis.title.starts_with("Number of ");
}

void lintUnit(std::size_t index, const data::FigureAxis& axis, const QString& which,
              std::vector<LintFinding>& findings) {
    if (!axis.title.empty() && saysItsUnit(axis))
        return;
    const QString text =
        (axis.title.empty() ? lintText("the %1 axis has no title").arg(which)
                            : lintText("the %1 axis, “%2”, names neither a unit nor the value that it is normalised to")
                                  .arg(which, QString::fromStdString(axis.title)));
    findings.push_back({LintRule::missingUnit, false, index, text});
}

/// One of the two axes of a panel.
struct LintedAxis {
    std::size_t panel = 0;
    bool alongX = false;
    DataReach values;
    AxisPlace place;
    QString name() const { return alongX ? lintText("horizontal") : lintText("vertical"); }
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
    if (shortened.isEmpty() || !data::hasPrefix(unit))
        return;
    LintFinding finding{LintRule::twoPrefixes, false, axis.panel};
    finding.text = lintText("the %1 axis has two prefixes, “%2” at a tick and “%3” in its title: use a larger unit")
                       .arg(axis.name(), shortened, QString::fromStdString(unit));
    if (const auto larger = data::largerUnit(unit, largest, kShortened)) {
        finding.fixText = lintText("Use %1").arg(QString::fromStdString(*larger));
        finding.fix = mending([panel = axis.panel, alongX = axis.alongX, larger = *larger](data::FigureSpec& mended) {
            data::changeUnit(mended.panels[panel], alongX, larger);
        });
    }
    findings.push_back(std::move(finding));
}

/// Reports values that the axis cuts off: all of them, or those beyond one of its ends.
void lintOutside(const LintedAxis& axis, std::vector<LintFinding>& findings) {
    const double least = axis.place.logarithmic ? axis.values.leastPositive : axis.values.least;
    const double slack = 1e-9 * std::abs(axis.place.to - axis.place.from);
    const bool below = least < axis.place.from - slack;
    const bool above = axis.values.most > axis.place.to + slack;
    const bool empty = least > axis.place.to || axis.values.most < axis.place.from;
    if (axis.values.empty() || (!below && !above && !empty))
        return;
    const QString text =
        (empty
             ? lintText("the %1 axis goes from %2 to %3, but all values are outside (%4 to %5), so the panel is empty")
             : lintText("the %1 axis goes from %2 to %3 and cuts off values, which go from %4 to %5"))
            .arg(axis.name(), QString::number(axis.place.from), QString::number(axis.place.to),
                 QString::number(axis.values.least), QString::number(axis.values.most));
    const auto follow = [axis, empty, below, above](data::FigureSpec& mended) {
        data::FigureAxis& own = axis.in(mended);
        if (empty || below)
            own.from.reset();
        if (empty || above)
            own.to.reset();
        own.ticks.clear();
        if (!(axis.values.most > 0))
            own.scale = data::FigureScale::linear;
    };
    findings.push_back(
        {LintRule::valuesOutside, false, axis.panel, text, lintText("Fit the axis to the values"), mending(follow)});
}

/// Returns axes that may have more labelled ticks than `axis`, whose range is that of `place`, the best first: with the
/// ticks of the layout in place of the author's; with a tick near each end; and, if the scale is logarithmic, from one
/// power of ten to another.
std::vector<data::FigureAxis> withMoreTicks(const data::FigureAxis& axis, const AxisPlace& place) {
    data::FigureAxis automatic = axis, ends = axis, decades = axis;
    automatic.ticks.clear();
    const double step = data::niceStep((place.to - place.from) / 5);
    ends.ticks = {std::ceil(place.from / step) * step, std::floor(place.to / step) * step};
    if (!place.logarithmic)
        return {automatic, ends};
    decades.ticks.clear();
    decades.from = std::pow(10, std::floor(std::log10(place.from)));
    decades.to = std::pow(10, std::ceil(std::log10(place.to)));
    // Around values within a decade, decades would leave most of the panel empty.
    if (place.to < 10 * place.from)
        return {automatic, ends, decades};
    return {automatic, decades, ends};
}

/// Reports an axis without two labelled ticks, from which no reader can tell its scale.
void lintTicks(const data::FigureSpec& figure, const LintedAxis& axis, std::vector<LintFinding>& findings) {
    constexpr std::size_t kLeastTicks = 2;
    const std::vector<double>& ticks = axis.place.ticks;
    if (ticks.size() >= kLeastTicks || axis.values.empty())
        return;
    LintFinding finding{LintRule::fewTicks, false, axis.panel};
    finding.text =
        (ticks.empty()
             ? lintText("the %1 axis has no labelled tick: readers cannot tell its scale").arg(axis.name())
             : lintText("the %1 axis has a single labelled tick, “%2”: readers cannot tell its scale")
                   .arg(axis.name(), tickLabel(ticks.front(), std::abs(ticks.front()), std::abs(ticks.front()))));
    data::FigureSpec mended = figure;
    for (const data::FigureAxis& candidate : withMoreTicks(axis.in(mended), axis.place)) {
        axis.in(mended) = candidate;
        const PanelPlace place = layOut(mended).panels.at(axis.panel);
        if ((axis.alongX ? place.x : place.y).ticks.size() < kLeastTicks)
            continue;
        finding.fixText = lintText("Label more ticks");
        finding.fix = mending([axis, candidate](data::FigureSpec& more) { axis.in(more) = candidate; });
        break;
    }
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
            lintOutside(axis, findings);
            lintTicks(figure, axis, findings);
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
            lintUnit(i, panel.y, lintText("vertical"), findings);
        const bool numbersAcross =
            panel.categories.labels.empty() && (has<data::LineMark>(panel) || has<data::AreaMark>(panel));
        if (numbersAcross || has<data::TimelineMark>(panel))
            lintUnit(i, panel.x, lintText("horizontal"), findings);
        for (const data::FigureMark& mark : panel.marks) {
            if (const auto* heat = std::get_if<data::HeatMark>(&mark)) {
                data::FigureAxis scale;
                scale.title = heat->valueTitle;
                scale.unit = heat->valueUnit;
                lintUnit(i, scale, lintText("colour"), findings);
            }
        }
    }
}

}  // namespace ui
