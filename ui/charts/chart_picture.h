#pragma once

#include "data/evaluations/reference.h"
#include "data/results/metrics.h"
#include "ui/charts/chart_figure.h"
#include "ui/drawing/panel_plan.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

// The contents of charts independent of their size: published values, parallel coordinates, Pareto fronts and tornados.

/// A published value for a policy and this metric.
struct PublishedMark {
    std::size_t policy = 0;
    data::PublishedItem item;
    QString text;  ///< "T3-MCA: 1.30 (published)"
};
std::vector<PublishedMark> publishedMarks(const data::SweepTable& table, const ChartPlan& plan, std::size_t metric);

/// A vertical axis of parallel coordinates: an axis of the sweep, the policies, or a metric.
struct UprightAxis {
    enum class Kind : std::uint8_t { parameter, policy, metric };
    Kind kind{};
    std::size_t which = 0;  ///< index of the axis or metric
    AxisPlan plan;
    std::vector<double> numbers;  ///< of the values of an axis, or of the policies, in the unit of the plan
    double unit = 1;              ///< of a metric
};

/// Returns where a point crosses an axis, 0 to 1; an empty optional if it has no value there, or one that the axis
/// cannot show.
std::optional<double> crossing(const SweepPoints& points, const UprightAxis& axis, std::size_t row);

/// Returns the axes of the sweep that have more than one value, then the policies if there are several, then the
/// metrics.
std::vector<UprightAxis> uprightAxes(const ChartInput& input);

/// A line between two adjacent axes, and the number of points that it represents. Level -1: no value on that axis.
struct Bundle {
    std::size_t policy = 0;
    int from = 0;
    int to = 0;
    std::size_t count = 0;
};

/// Joins points into one line if they cross both axes in the same of `levels` intervals.
std::vector<Bundle> bundled(const SweepPoints& points, const UprightAxis& left, const UprightAxis& right, int levels);

/// A point given by two metrics.
struct ParetoPoint {
    double x = 0, y = 0;
    std::size_t row = 0;
};

/// Returns the indices of the points that no other point dominates (is as good in both metrics and better in one), from
/// left to right. Equal points are either all included or all excluded. Empty if for one of the metrics no direction is
/// better.
std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, data::Better x, data::Better y);

/// A point of the sweep that differs from the base point along one axis only.
struct TornadoPoint {
    std::size_t value = 0;  ///< index of the axis' value
    std::size_t row = 0;
    PointValue metric;
};

/// The effect of an axis around the base point.
struct TornadoBar {
    std::size_t axis = 0;
    std::vector<TornadoPoint> along;  ///< every value of the axis, numbers in rising order
    std::optional<TornadoPoint> low;  ///< the smallest value of the axis that has a result
    std::optional<TornadoPoint> high;
    double effect = 0;  ///< greatest minus least metric along the axis
};

/// The points of a sweep that differ from one base point along one axis each. Nothing is interpolated.
struct Tornado {
    std::size_t policy = 0;
    std::optional<TornadoPoint> base;  ///< empty if the sweep has no such point
    std::vector<TornadoBar> bars;      ///< in the order of the axes
};
Tornado tornadoAround(const SweepPoints& points, const std::vector<std::size_t>& base, std::size_t policy,
                      std::size_t metric);

/// Returns the axes by their greatest effect under any of the policies, largest first; axes with equal effects keep
/// their order.
std::vector<std::size_t> axesByEffect(const std::vector<Tornado>& tornados);

}  // namespace ui
