#pragma once

#include "data/sweep/sweep_document.h"

#include <vector>

namespace data {

/// Returns whether the values of an axis stand in ratios, so that its scale is logarithmic: those of a logarithmic range,
/// and a list of three or more uneven steps of a parameter that is changed by ratios. `values` are the numbers in use,
/// in rising order; all must be above 0 for a logarithmic scale.
bool isByRatio(const AxisColumn& column, const std::vector<double>& values);

}  // namespace data
