#pragma once

#include <vector>

namespace data {

/// Returns Spearman's rank correlation of two lists of the same length; equal numbers share the mean of their ranks. NaN
/// if all numbers of a list are equal.
double rankCorrelationOf(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace data
