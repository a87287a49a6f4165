#include "ui/charts/chart_picture.h"

#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ui {
namespace {

UprightAxis parameterAxis(const data::SweepAxis& axis, std::size_t which) {
    UprightAxis upright{UprightAxis::Kind::parameter, which, {}, {}, 1};
    const Across across = acrossOf(axis);
    if (across.numbers.empty()) {
        std::vector<QString> labels;
        for (std::size_t value = 0; value < axis.size(); ++value)
            labels.push_back(axisValueText(axis, value));
        upright.plan = evenAxis(std::move(labels), across.axis);
        upright.numbers = upright.plan.place.ticks;
        return upright;
    }
    upright.numbers.resize(axis.size());
    for (std::size_t place = 0; place < across.order.size(); ++place)
        upright.numbers[across.order[place]] = across.numbers[place];
    data::FigureAxis shown = across.axis;
    if (axis.size() <= kMostOwnTicks)
        shown.ticks = across.numbers;
    upright.plan = tightAxis(shown, across.numbers);
    return upright;
}

UprightAxis metricAxis(const ChartInput& input, std::size_t metric) {
    UprightAxis axis{UprightAxis::Kind::metric, metric, {}, {}, input.points->unitOf(metric).size};
    std::vector<double> values = input.points->values(metric);
    for (double& value : values)
        value /= axis.unit;
    data::FigureAxis shown = axisOf(input, metric);
    shown.title = input.points->metricTitle(metric).toStdString();  // titles beside each other have little room
    shown.relativeTo.clear();
    axis.plan = tightAxis(shown, values);
    return axis;
}

TornadoBar barOf(const SweepPoints& points, std::vector<std::size_t> at, std::size_t axis, std::size_t policy,
                 std::size_t metric) {
    TornadoBar bar;
    bar.axis = axis;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const std::size_t value : risingOrder(points.sweep().axes[axis])) {
        at[axis] = value;
        const auto row = points.rowAt(at, policy);
        if (!row)
            continue;
        const TornadoPoint point{value, *row, points.value(*row, metric)};
        bar.along.push_back(point);
        if (point.metric.outcome != Outcome::value)
            continue;
        bar.low = bar.low ? bar.low : point;
        bar.high = point;
        least = std::min(least, point.metric.value);
        most = std::max(most, point.metric.value);
    }
    bar.effect = bar.low ? most - least : 0;
    return bar;
}

}  // namespace

std::vector<PublishedMark> publishedMarks(const data::SweepTable& table, const ChartPlan& plan, std::size_t metric) {
    std::vector<PublishedMark> marks;
    if (metric >= table.metrics.size() || !isSpeedup(table.metrics[metric]))
        return marks;
    for (const std::size_t policy : plan.policies) {
        const std::string& name = table.sweep.policies[policy];
        for (const data::PublishedItem& item : data::publishedItems()) {
            if (item.id == name + "-geomean")
                marks.push_back({policy, item,
                                 QCoreApplication::translate("PublishedMark", "%1: %2 (%3)")
                                     .arg(titleOfPolicy(name), QLocale::c().toString(item.value, 'f', 2),
                                          QString::fromStdString(item.label))});
        }
    }
    return marks;
}

std::optional<double> crossing(const SweepPoints& points, const UprightAxis& axis, std::size_t row) {
    if (axis.kind == UprightAxis::Kind::metric) {
        const PointValue value = points.value(row, axis.which);
        return value.outcome == Outcome::value ? shareOf(axis.plan.place, value.value / axis.unit) : std::nullopt;
    }
    const data::SweepRow& point = points.table().rows[row];
    const std::size_t at = axis.kind == UprightAxis::Kind::policy ? point.policy
                           : axis.which < point.at.size()         ? point.at[axis.which]
                                                                  : axis.numbers.size();
    return at < axis.numbers.size() ? shareOf(axis.plan.place, axis.numbers[at]) : std::nullopt;
}

std::vector<UprightAxis> uprightAxes(const ChartInput& input) {
    std::vector<UprightAxis> axes;
    const data::Sweep& sweep = input.points->sweep();
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        if (sweep.axes[axis].size() > 1)
            axes.push_back(parameterAxis(sweep.axes[axis], axis));
    }
    if (sweep.policies.size() > 1) {
        std::vector<QString> titles;
        for (const std::string& policy : sweep.policies)
            titles.push_back(titleOfPolicy(policy));
        UprightAxis& axis = axes.emplace_back(UprightAxis{UprightAxis::Kind::policy, 0, {}, {}, 1});
        axis.plan =
            evenAxis(std::move(titles), {.title = QCoreApplication::translate("UprightAxis", "Policy").toStdString()});
        axis.numbers = axis.plan.place.ticks;
    }
    for (std::size_t metric = 0; metric < input.points->table().metrics.size(); ++metric)
        axes.push_back(metricAxis(input, metric));
    return axes;
}

std::vector<Bundle> bundled(const SweepPoints& points, const UprightAxis& left, const UprightAxis& right, int levels) {
    const auto policies = points.sweep().policies.size();
    const auto side = static_cast<std::size_t>(levels) + 1;  // plus one level for points without a value
    std::vector<std::size_t> counts(policies * side * side, 0);
    const auto levelOf = [&](const UprightAxis& axis, std::size_t row) -> std::size_t {
        const std::optional<double> share = crossing(points, axis, row);
        return share ? 1 + static_cast<std::size_t>(std::clamp(*share, 0.0, 0.999999) * levels) : 0;
    };
    for (std::size_t row = 0; row < points.table().rows.size(); ++row) {
        const std::size_t policy = points.table().rows[row].policy;
        if (policy < policies)
            ++counts[(policy * side + levelOf(left, row)) * side + levelOf(right, row)];
    }
    std::vector<Bundle> bundles;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0)
            bundles.push_back(
                {i / side / side, static_cast<int>(i / side % side) - 1, static_cast<int>(i % side) - 1, counts[i]});
    }
    return bundles;
}

std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, data::Better x, data::Better y) {
    if (x == data::Better::neither || y == data::Better::neither)
        return {};
    // Costs have the sign that makes smaller better for both metrics.
    const auto costX = [&](std::size_t i) { return x == data::Better::smaller ? points[i].x : -points[i].x; };
    const auto costY = [&](std::size_t i) { return y == data::Better::smaller ? points[i].y : -points[i].y; };
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return costX(a) != costX(b) ? costX(a) < costX(b) : costY(a) < costY(b);
    });
    std::vector<std::size_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t i : order) {
        const bool twin = !front.empty() && costX(front.back()) == costX(i) && costY(front.back()) == costY(i);
        if (costY(i) >= best && !twin)
            continue;
        front.push_back(i);
        best = costY(i);
    }
    std::stable_sort(front.begin(), front.end(),
                     [&](std::size_t a, std::size_t b) { return points[a].x < points[b].x; });
    return front;
}

Tornado tornadoAround(const SweepPoints& points, const std::vector<std::size_t>& base, std::size_t policy,
                      std::size_t metric) {
    Tornado tornado;
    tornado.policy = policy;
    if (const auto row = points.rowAt(base, policy))
        tornado.base = TornadoPoint{0, *row, points.value(*row, metric)};
    for (std::size_t axis = 0; axis < base.size(); ++axis)
        tornado.bars.push_back(barOf(points, base, axis, policy, metric));
    return tornado;
}

std::vector<std::size_t> axesByEffect(const std::vector<Tornado>& tornados) {
    std::vector<double> effects;
    for (const Tornado& tornado : tornados) {
        effects.resize(tornado.bars.size(), 0);
        for (std::size_t axis = 0; axis < tornado.bars.size(); ++axis)
            effects[axis] = std::max(effects[axis], tornado.bars[axis].effect);
    }
    std::vector<std::size_t> axes(effects.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::stable_sort(axes.begin(), axes.end(), [&](auto a, auto b) { return effects[a] > effects[b]; });
    return axes;
}

}  // namespace ui
