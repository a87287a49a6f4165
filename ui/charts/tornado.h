#pragma once

#include "ui/charts/sweep_points.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

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
