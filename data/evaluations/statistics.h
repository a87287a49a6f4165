#pragma once

#include <cstddef>
#include <optional>
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

/// The mean of a sample with its 95 % confidence interval by Student's t.
struct MeanInterval {
    double mean = 0, low = 0, high = 0;
    std::size_t samples = 0;
};

/// Returns the interval; an empty optional for fewer than two values.
std::optional<MeanInterval> meanInterval(const std::vector<double>& values);

}  // namespace data
