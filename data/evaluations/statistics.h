#pragma once

#include <utility>
#include <vector>

namespace data {

/// Returns Spearman's rank correlation of two lists of the same length; equal numbers share the mean of their ranks. NaN
/// if all numbers of a list are equal.
double rankCorrelationOf(const std::vector<double>& a, const std::vector<double>& b);

/// Returns the value that a share of the numbers does not exceed, interpolated between neighbours; NaN without numbers.
double quantileOf(std::vector<double> numbers, double share);

/// Returns the median: of an even count, the mean of the two in the middle.
inline double medianOf(std::vector<double> numbers) { return quantileOf(std::move(numbers), 0.5); }

}  // namespace data
