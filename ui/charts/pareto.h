#pragma once

#include "data/results/metrics.h"

#include <cstddef>
#include <vector>

namespace ui {

/// A point by two metrics.
struct ParetoPoint {
    double x = 0, y = 0;
    std::size_t row = 0;
};

/// Positions of the points that no other one beats: none is as good in both and better in one. From left to right; equal
/// points are all on it or none is. Empty where a metric is neither good nor bad: then there is nothing to prefer.
std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, data::Better x, data::Better y);

}  // namespace ui
