#pragma once

#include "ui/charts/axis_scale.h"
#include "ui/charts/sweep_points.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

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

}  // namespace ui
