#pragma once

#include "data/results/metrics.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_settings.h"
#include "ui/charts/sweep_points.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

// What charts draw of a sweep, before they have a size: lines, parallel coordinates, Pareto fronts and tornados.

struct SeriesPoint {
    double x = 0;  ///< 0 to 1 along the axis
    std::size_t row = 0;
    PointValue value;
};

/// The points of one policy, at one value of the second axis where there is one, from left to right.
struct LineSeries {
    std::size_t policy = 0;
    std::optional<std::size_t> second;
    std::vector<SeriesPoint> points;
};

struct LinePanel {
    QString title;  ///< "DMA: Tiles a block = 4"; empty when there is one panel
    std::vector<LineSeries> series;
};

/// What lines, grouped lines and small multiples draw, before it has a size.
struct LinePicture {
    AxisPlaces across;
    QString acrossTitle;
    std::vector<LinePanel> panels;
    std::vector<double> values() const;
    std::vector<std::size_t> rows() const;
};
LinePicture linePicture(const SweepPoints& points, const ChartPlan& plan, std::size_t metric);

/// The stretches of a series between its gaps, in shares of both axes. What the scale cannot hold is a gap, too.
std::vector<std::vector<QPointF>> stretchesOf(const LineSeries& series, const AxisScale& scale);

/// At most four points for each of `columns` columns: first, least, greatest and last, so that no peak gets lost.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, std::size_t columns);

/// A published figure for a policy under this metric.
struct PublishedMark {
    std::size_t policy = 0;
    double value = 0;
    QString label;  ///< "T3-MCA: 1.30, geomean (published)"
};
std::vector<PublishedMark> publishedMarks(const data::SweepTable& table, const ChartPlan& plan, std::size_t metric);

/// One of the upright axes: an axis of the sweep, the policies, or a metric.
struct UprightAxis {
    enum class Kind : std::uint8_t { parameter, policy, metric };
    Kind kind{};
    std::size_t which = 0;  ///< axis or metric
    QString title;
    AxisPlaces places;  ///< of axes and policies
    AxisScale scale;    ///< of metrics
};

/// Where a point crosses an axis: 0 to 1; nothing where it has no value there, or none that the axis can hold.
std::optional<double> crossing(const SweepPoints& points, const UprightAxis& axis, std::size_t row);

/// Axes of the sweep that have more than one value, then the policies where there are several, then the metrics.
std::vector<UprightAxis> uprightAxes(const SweepPoints& points,
                                     const std::function<bool(const std::vector<double>&, std::size_t)>& logarithmic,
                                     int mostTicks);

/// A line between two neighbouring axes, and how many points it stands for. Level -1: no value there.
struct Bundle {
    std::size_t policy = 0;
    int from = 0;
    int to = 0;
    std::size_t count = 0;
};

/// Points whose crossings of both axes fall into the same of `levels` stretches are one line.
std::vector<Bundle> bundled(const SweepPoints& points, const UprightAxis& left, const UprightAxis& right, int levels);

/// A point by two metrics.
struct ParetoPoint {
    double x = 0, y = 0;
    std::size_t row = 0;
};

/// Positions of the points that no other one beats: none is as good in both and better in one. From left to right; equal
/// points are all on it or none is. Empty where a metric is neither good nor bad: then there is nothing to prefer.
std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, data::Better x, data::Better y);

/// One point of the sweep that differs from the base point in one axis only.
struct TornadoPoint {
    std::size_t value = 0;  ///< of the axis
    std::size_t row = 0;
    PointValue metric;
};

/// What an axis does around the base point.
struct TornadoBar {
    std::size_t axis = 0;
    std::vector<TornadoPoint> along;  ///< every value of the axis, numbers rising
    std::optional<TornadoPoint> low;  ///< the smallest value of the axis that has a result
    std::optional<TornadoPoint> high;
    double effect = 0;  ///< from the least metric along the axis to the greatest
};

/// The sweep's own points through one base point, each along one axis. Nothing is interpolated.
struct Tornado {
    std::size_t policy = 0;
    std::optional<TornadoPoint> base;  ///< nothing where the sweep has no such point
    std::vector<TornadoBar> bars;      ///< in the order of the axes
};
Tornado tornadoAround(const SweepPoints& points, const std::vector<std::size_t>& base, std::size_t policy,
                      std::size_t metric);

/// The axes by their greatest effect under any of the policies, largest first; equal ones in their own order.
std::vector<std::size_t> axesByEffect(const std::vector<Tornado>& tornados);

}  // namespace ui
