#pragma once

#include "data/results/metrics.h"

#include <string>

namespace data {

/// Formats a value for a column of values: with the unit and the decimals that `like` has, "1240.3 µs" like "812.0 µs".
/// Ratios and counts have the format of formatMetric.
std::string formatMetricLike(const Metric& metric, double value, double like);

}  // namespace data
