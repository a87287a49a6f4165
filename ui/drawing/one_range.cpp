#include "ui/drawing/one_range.h"

#include <algorithm>
#include <limits>

namespace ui {
namespace {

using Axis = data::FigureAxis data::FigurePanel::*;
using End = std::optional<double> data::FigureAxis::*;

/// Returns whether an axis of a panel has a range that follows from its values.
bool hasRange(const PanelPlan& plan, Axis axis) {
    const data::FigureAxis& own = plan.panel->*axis;
    const bool alongX = axis == Axis(&data::FigurePanel::x);
    const bool numeric =
        plan.kind == PanelKind::plain ? !(alongX && plan.categorical) : plan.kind == PanelKind::lanes && alongX;
    return numeric && !titleOf(own).isEmpty() && !own.breakFrom;
}

bool sharesRange(const data::FigureAxis& a, const data::FigureAxis& b) {
    return a.title == b.title && a.unit == b.unit && a.relativeTo == b.relativeTo && a.scale == b.scale;
}

void include(DataReach& all, const DataReach& more) {
    all.least = std::min(all.least, more.least);
    all.most = std::max(all.most, more.most);
    all.leastPositive = std::min(all.leastPositive, more.leastPositive);
    all.fromZero = all.fromZero || more.fromZero;
    all.padded = all.padded || more.padded;
    all.tight = all.tight && more.tight;
    all.unusable = all.unusable || more.unusable;
    all.headroom.insert(all.headroom.end(), more.headroom.begin(), more.headroom.end());
    all.footroom.insert(all.footroom.end(), more.footroom.begin(), more.footroom.end());
}

/// Returns the range over the values of panels. Their texts have room in the shortest of them.
AxisPlace rangeOver(const std::vector<const PanelPlan*>& plans, Axis axis, const FigureMeasure& measure) {
    const bool alongX = axis == Axis(&data::FigurePanel::x);
    DataReach all;
    all.tight = true;
    double shortest = std::numeric_limits<double>::infinity();
    for (const PanelPlan* plan : plans) {
        include(all, alongX ? reachOfX(*plan->panel) : reachOfY(*plan, plan->perUnit(), measure));
        shortest = std::min(shortest, alongX ? plan->plot.width() : plan->plot.height());
    }
    data::FigureAxis free;
    free.scale = (plans.front()->panel->*axis).scale;
    return planAxis(free, all, shortest, intervalsFor(shortest, measure)).place;
}

/// Sets one end of an axis of these panels, whose axes share a range, unless the axis sets it itself.
void setEnd(data::FigureSpec& figure, std::vector<const PanelPlan*> plans, Axis axis, End end,
            const FigureMeasure& measure) {
    std::erase_if(plans, [&](const PanelPlan* plan) { return (plan->panel->*axis.*end).has_value(); });
    if (plans.size() < 2)
        return;
    const AxisPlace place = rangeOver(plans, axis, measure);
    for (const PanelPlan* plan : plans)
        figure.panels[plan->index].*axis.*end = end == End(&data::FigureAxis::from) ? place.from : place.to;
}

}  // namespace

data::FigureSpec withOneRange(data::FigureSpec figure, const std::vector<PanelPlan>& plans,
                              const FigureMeasure& measure) {
    for (const Axis axis : {&data::FigurePanel::x, &data::FigurePanel::y}) {
        std::vector<const PanelPlan*> left;
        for (const PanelPlan& plan : plans) {
            if (hasRange(plan, axis))
                left.push_back(&plan);
        }
        while (!left.empty()) {
            const data::FigureAxis& first = left.front()->panel->*axis;
            const auto others = std::stable_partition(left.begin(), left.end(), [&](const PanelPlan* plan) {
                return sharesRange(plan->panel->*axis, first);
            });
            const std::vector<const PanelPlan*> same(left.begin(), others);
            setEnd(figure, same, axis, &data::FigureAxis::from, measure);
            setEnd(figure, same, axis, &data::FigureAxis::to, measure);
            left.erase(left.begin(), others);
        }
    }
    return figure;
}

}  // namespace ui
