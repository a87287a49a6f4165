#include "ui/drawing/panel_plan.h"

#include "ui/drawing/figure_text.h"
#include "ui/drawing/mark_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kGroupGap = 0.5;       // units of x between groups of categories
constexpr double kLoneBar = 0.62;       // of a category
constexpr double kBarsTogether = 0.84;  // of a category
constexpr double kFarthest = 50;        // in lengths of the axis: beyond this, the writers' numbers would overflow

std::optional<double> clamped(std::optional<double> share) {
    return share ? std::optional(std::clamp(*share, -kFarthest, kFarthest)) : std::nullopt;
}

void placeCategories(PanelPlan& plan) {
    const std::size_t count = categoriesOf(*plan.panel);
    plan.centres.clear();
    double gap = 0;
    std::size_t group = 0, left = 0;
    const auto& groups = plan.panel->categories.groups;
    for (std::size_t i = 0; i < count; ++i) {
        while (left == 0 && group < groups.size()) {
            gap += group > 0 && plan.kind != PanelKind::cells ? kGroupGap : 0;
            left = groups[group++].count;
        }
        left -= left > 0 ? 1 : 0;
        plan.centres.push_back(static_cast<double>(i) + gap);
    }
    plan.x.place = {-0.5, plan.centres.empty() ? 0.5 : plan.centres.back() + 0.5, false, {}};
    plan.x.labels.clear();
    plan.x.title = titleOf(plan.panel->x);
}

/// Puts `count` bars side by side in every category, with a small gap between them.
void placeBars(PanelPlan& plan, std::size_t mark, std::size_t count, double gapShare) {
    if (count == 0)
        return;
    const double together = count == 1 ? kLoneBar : kBarsTogether;
    const double slot = together / static_cast<double>(count);
    const double gap = count == 1 ? 0 : slot * gapShare;
    for (std::size_t category = 0; category < plan.centres.size(); ++category) {
        for (std::size_t bar = 0; bar < count; ++bar) {
            const double left = plan.centres[category] - together / 2 + slot * static_cast<double>(bar);
            plan.bars.push_back({mark, bar, category, left + gap / 2, left + slot - gap / 2});
        }
    }
}

/// Returns the gap between bars side by side, as a share of their slots: more where marks of reference values extend
/// beyond the sides of single bars.
double gapShareOf(const PanelPlan& plan, const data::BarMark& bars, const FigureMeasure& measure) {
    const double usual = namesBars(bars) ? 0.16 : 0.06;
    const auto& references = plan.panel->references;
    const bool marked = std::any_of(references.begin(), references.end(),
                                    [](const auto& reference) { return reference.category && reference.bar; });
    if (!marked || bars.bars.empty())
        return usual;
    const double slot = kBarsTogether / static_cast<double>(bars.bars.size()) * plan.perUnit();
    const double room = measure.of(2 * kMarkBeyond) / 0.9;
    return std::clamp(room / slot, usual, 0.4);
}

void placeAllBars(PanelPlan& plan, const FigureMeasure& measure) {
    plan.bars.clear();
    for (std::size_t i = 0; i < plan.panel->marks.size(); ++i) {
        if (const auto* bars = std::get_if<data::BarMark>(&plan.panel->marks[i]))
            placeBars(plan, i, bars->bars.size(), gapShareOf(plan, *bars, measure));
        else if (const auto* boxes = std::get_if<data::BoxMark>(&plan.panel->marks[i]))
            placeBars(plan, i, boxes->groups.size(), 0.22);
    }
}

/// Returns the ticks whose label keeps a distance to the label before it.
std::vector<double> ticksApart(const AxisPlan& plan, double length, const FigureMeasure& measure) {
    std::vector<double> kept;
    double end = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < plan.labels.size(); ++i) {
        const double at = shareOf(plan.place, plan.place.ticks[i]).value_or(0) * length;
        const double half = (textWidth(plan.labels[i], measure.textSize) + measure.of(4)) / 2;
        if (at - half < end)
            continue;
        kept.push_back(plan.place.ticks[i]);
        end = at + half;
    }
    return kept;
}

/// Plans a horizontal axis with as many ticks as possible without crowding their labels.
AxisPlan planLevelAxis(const data::FigureAxis& axis, const DataReach& reach, double length,
                       const FigureMeasure& measure) {
    int most = std::max(1, static_cast<int>(length / measure.of(measure.screen ? 28 : 22)));
    for (;; --most) {
        AxisPlan plan = planAxis(axis, reach, length, most);
        bool apart = true;
        for (std::size_t i = 1; i < plan.labels.size(); ++i) {
            const double distance = (shareOf(plan.place, plan.place.ticks[i]).value_or(0) -
                                     shareOf(plan.place, plan.place.ticks[i - 1]).value_or(0)) *
                                    length;
            const double widths =
                textWidth(plan.labels[i - 1], measure.textSize) + textWidth(plan.labels[i], measure.textSize);
            apart = apart && widths / 2 + measure.of(4) <= distance;
        }
        if (!apart && measure.screen && !axis.ticks.empty()) {
            data::FigureAxis fitting = axis;
            fitting.ticks = ticksApart(plan, length, measure);
            return planAxis(fitting, reach, length, most);
        }
        if (!apart && most > 1)
            continue;
        if (plan.labels.empty() && axis.ticks.empty() && plan.place.logarithmic) {
            data::FigureAxis own = axis;  // too short for linear ticks between two decades
            own.ticks = {std::pow(10, std::ceil(std::log10(plan.place.from)))};
            return planAxis(own, reach, length, 1);
        }
        return plan;
    }
}

/// Breaks a title into lines of at most `room`. Returns an empty list if four lines are not enough.
QStringList brokenTitle(const QString& title, double room, const FigureMeasure& measure) {
    const QStringList one = wrapped(title, room, 1, measure.textSize);
    if (!one.isEmpty())
        return one;
    // Break before the unit if possible.
    const qsizetype unit = title.indexOf(QStringLiteral(" ("));
    const QStringList parted{title.left(unit), title.mid(unit + 1)};
    if (unit > 0 && widestOf(parted, measure.textSize) <= room)
        return parted;
    return evenlyWrapped(title, room, 4, measure.textSize);
}

double bottomOf(const PanelPlan& plan, const FigureMeasure& measure) {
    double bottom = measure.of(1);
    if (plan.categorical)
        bottom = plan.names.empty() ? bottom : measure.of(2) + heightOf(plan.names, measure);
    else if (plan.namesShown)
        bottom = measure.of(4.5) + lineHeightOf(measure.textSize);
    bottom += measure.strip();
    if (plan.xTitleShown && !plan.x.title.isEmpty())
        bottom += lineHeightOf(measure.textSize) + measure.of(0.5);
    return bottom;
}

/// Breaks and places the y title: beside the plots that share it, or, if they are too low, beside the plots and the
/// texts below them.
void breakTitle(PanelPlan& plan, double own, const FigureMeasure& measure) {
    const double height = own + plan.titleBelow;
    plan.yTitle.clear();
    plan.titleDrop = plan.titleBelow / 2;
    if (!plan.yTitleShown || plan.y.title.isEmpty())
        return;
    plan.yTitle = brokenTitle(plan.y.title, std::max(height + measure.of(6), measure.of(30)), measure);
    if (!plan.yTitle.isEmpty())
        return;
    const double below = bottomOf(plan, measure);
    plan.titleDrop = (plan.titleBelow + below) / 2;
    plan.yTitle = brokenTitle(plan.y.title, std::max(height + below, measure.of(30)), measure);
    if (plan.yTitle.isEmpty())
        plan.yTitle = QStringList{plan.y.title};
}

double leftOf(const PanelPlan& plan, const FigureMeasure& measure) {
    double left = 0;
    if (plan.kind == PanelKind::plain)
        left = widestOf(QStringList(plan.y.labels.begin(), plan.y.labels.end()), measure.textSize) + measure.of(4.5);
    else if (!plan.rows.labels.empty())
        left = plan.rows.labelWidth + plan.rows.groupWidth + measure.of(3);
    if (!plan.yTitle.isEmpty())
        left += static_cast<double>(plan.yTitle.size()) * lineHeightOf(measure.textSize) + measure.of(1.5);
    return left;
}

void sumUp(PanelPlan& plan, const QSizeF& plot, const FigureMeasure& measure) {
    double title = plan.panel->title.empty() ? 0 : lineHeightOf(measure.textSize) + measure.of(1);
    if (plan.kind == PanelKind::rows)
        title = heightOverRows(plan, measure);
    if (plan.kind == PanelKind::drawing) {
        plan.need = QMarginsF(0, title, 0, 0);
        return;
    }
    double right = measure.of(1.5), left = leftOf(plan, measure);
    if (!plan.categorical && !plan.x.labels.empty()) {
        const auto overhang = [&](std::size_t i, double end) {
            const double share = shareOf(plan.x.place, plan.x.place.ticks[i]).value_or(0);
            return textWidth(plan.x.labels[i], measure.textSize) / 2 - std::abs(end - share) * plot.width();
        };
        right = std::max(right, overhang(plan.x.labels.size() - 1, 1));
        left = std::max(left, overhang(0, 0));
    }
    for (const LabelLevel::Name& name : plan.names.apart.names) {
        const double half = plan.names.apart.turned ? 0 : widestOf(name.lines, plan.names.apart.size) / 2;
        right = std::max(right, half - (plan.x.place.to - name.centre) * plan.perUnit());
    }
    if (plan.colours)
        right += plan.colours->width;
    if (plan.kind == PanelKind::rows)
        right += widthOfColumns(plan, measure);
    const double top = plan.kind == PanelKind::plain ? ascentOf(measure.textSize) - capHeightOf(measure.textSize) / 2
                                                     : measure.of(0.5);
    plan.need = QMarginsF(left, title + top, right, bottomOf(plan, measure));
}

}  // namespace

std::optional<double> PanelPlan::xAt(double value) const {
    const std::optional<double> share = clamped(shareOf(x.place, value));
    return share ? std::optional(plot.left() + *share * plot.width()) : std::nullopt;
}

std::optional<double> PanelPlan::yAt(double value) const {
    const std::optional<double> share = clamped(shareOf(y.place, value));
    return share ? std::optional(plot.bottom() - *share * plot.height()) : std::nullopt;
}

double PanelPlan::xCentre(std::size_t category) const {
    return category < centres.size() ? centres[category] : static_cast<double>(category);
}

std::optional<QPointF> PanelPlace::at(double across, double value) const {
    const auto category = static_cast<std::size_t>(across);
    if (!rows.empty()) {
        const std::optional<double> share = shareOf(x, value);
        return share && category < rows.size()
                   ? std::optional(QPointF(plot.left() + *share * plot.width(), rows[category].center().y()))
                   : std::nullopt;
    }
    const std::optional<double> right = shareOf(x, category < centres.size() ? centres[category] : across);
    const std::optional<double> up = shareOf(y, value);
    if (!right || !up)
        return std::nullopt;
    return QPointF(plot.left() + *right * plot.width(), plot.bottom() - *up * plot.height());
}

PanelPlace PanelPlan::place() const {
    PanelPlace place{plot, x.place, y.place, centres, bars, {}};
    for (std::size_t row = 0; kind == PanelKind::rows && row < centres.size(); ++row)
        place.rows.emplace_back(QPointF(plot.left() - need.left(), *yAt(centres[row] - 0.5)),
                                QPointF(plot.right() + need.right(), *yAt(centres[row] + 0.5)));
    return place;
}

int intervalsFor(double length, const FigureMeasure& measure) {
    return std::clamp(static_cast<int>(length / measure.of(17)), 1, 8);
}

PanelKind kindOf(const data::FigurePanel& panel) {
    PanelKind kind = PanelKind::plain;
    for (const data::FigureMark& mark : panel.marks) {
        if (std::holds_alternative<data::TimelineMark>(mark))
            return PanelKind::lanes;
        if (std::holds_alternative<data::HeatMark>(mark))
            kind = PanelKind::cells;
        else if (std::holds_alternative<data::DrawingMark>(mark) && panel.marks.size() == 1)
            kind = PanelKind::drawing;
    }
    return kind;
}

std::size_t rowsOf(const data::FigurePanel& panel) {
    std::size_t rows = 0;
    for (const data::FigureMark& mark : panel.marks) {
        if (const auto* heat = std::get_if<data::HeatMark>(&mark))
            rows = std::max(rows, heat->rows.size());
        else if (const auto* timeline = std::get_if<data::TimelineMark>(&mark))
            rows = std::max(rows, timeline->lanes.size());
    }
    return rows;
}

void planPanel(PanelPlan& plan, const QSizeF& plot, const FigureMeasure& measure) {
    plan.kind = liesInRows(*plan.panel, measure) ? PanelKind::rows : kindOf(*plan.panel);
    plan.categorical = plan.kind != PanelKind::lanes && categoriesOf(*plan.panel) > 0;
    plan.plot = QRectF(QPointF(0, 0), plot);
    if (plan.kind == PanelKind::drawing)
        return sumUp(plan, plot, measure);
    if (plan.categorical) {
        placeCategories(plan);
        placeAllBars(plan, measure);
        if (plan.kind != PanelKind::rows)
            planNames(plan, plan.perUnit(), measure);
    } else {
        plan.x = planLevelAxis(plan.panel->x, reachOfX(*plan.panel), plot.width(), measure);
    }
    if (plan.kind == PanelKind::plain) {
        plan.y = planAxis(plan.panel->y, reachOfY(plan, plan.perUnit(), measure), plot.height(),
                          intervalsFor(plot.height(), measure));
    } else {
        planRows(plan, plot.height(), measure);
    }
    if (plan.kind == PanelKind::rows) {
        plan.categorical = false;
        plan.x = planLevelAxis(plan.panel->y, reachOfRows(*plan.panel, measure), plot.width(), measure);
        plan.namesShown = plan.xTitleShown = measure.screen->rows->axis;
    }
    plan.colours = planColourScale(*plan.panel, plot.height(), measure);
    breakTitle(plan, plot.height(), measure);
    sumUp(plan, plot, measure);
}

}  // namespace ui
