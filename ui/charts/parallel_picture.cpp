#include "ui/charts/parallel_picture.h"

#include "ui/charts/sweep_axes.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

UprightAxis metricAxis(const SweepPoints& points, std::size_t metric,
                       const std::function<bool(const std::vector<double>&, std::size_t)>& logarithmic, int mostTicks) {
    UprightAxis axis{UprightAxis::Kind::metric, metric, points.metricTitle(metric), {}, {}};
    const std::vector<double> values = points.values(metric);
    axis.scale = scaleFor(values, logarithmic(values, metric), mostTicks, points.metricMeasure(metric));
    return axis;
}

}  // namespace

std::optional<double> crossing(const SweepPoints& points, const UprightAxis& axis, std::size_t row) {
    const data::SweepRow& point = points.table().rows[row];
    switch (axis.kind) {
    case UprightAxis::Kind::parameter:
        return axis.which < point.at.size() && point.at[axis.which] < axis.places.shares.size()
                   ? std::optional(axis.places.shares[point.at[axis.which]])
                   : std::nullopt;
    case UprightAxis::Kind::policy:
        return point.policy < axis.places.shares.size() ? std::optional(axis.places.shares[point.policy])
                                                        : std::nullopt;
    case UprightAxis::Kind::metric: {
        const PointValue value = points.value(row, axis.which);
        return value.outcome == Outcome::value ? axis.scale.shareOf(value.value) : std::nullopt;
    }
    }
    return std::nullopt;
}

std::vector<UprightAxis> uprightAxes(const SweepPoints& points,
                                     const std::function<bool(const std::vector<double>&, std::size_t)>& logarithmic,
                                     int mostTicks) {
    std::vector<UprightAxis> axes;
    const data::Sweep& sweep = points.sweep();
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        if (sweep.axes[axis].size() > 1)
            axes.push_back(
                {UprightAxis::Kind::parameter, axis, axisTitle(sweep.axes[axis]), placesOf(sweep.axes[axis]), {}});
    }
    if (sweep.policies.size() > 1) {
        std::vector<QString> titles;
        for (const std::string& policy : sweep.policies)
            titles.push_back(policyTitle(policy));
        axes.push_back({UprightAxis::Kind::policy,
                        0,
                        QCoreApplication::translate("UprightAxis", "Policy"),
                        evenPlacesOf(std::move(titles)),
                        {}});
    }
    for (std::size_t metric = 0; metric < points.table().metrics.size(); ++metric)
        axes.push_back(metricAxis(points, metric, logarithmic, mostTicks));
    return axes;
}

std::vector<Bundle> bundled(const SweepPoints& points, const UprightAxis& left, const UprightAxis& right, int levels) {
    const auto policies = points.sweep().policies.size();
    const auto side = static_cast<std::size_t>(levels) + 1;  // and one for no value
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

}  // namespace ui
