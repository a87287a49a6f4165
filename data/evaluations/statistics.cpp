#include "data/evaluations/statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace data {
namespace {

/// Returns the rank of each number, counted from 1; equal numbers share the mean of their ranks.
std::vector<double> ranksOf(const std::vector<double>& numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers[a] < numbers[b]; });
    std::vector<double> ranks(numbers.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && numbers[order[to]] == numbers[order[from]])
            ++to;
        for (std::size_t i = from; i < to; ++i)
            ranks[order[i]] = static_cast<double>(from + to + 1) / 2;
        from = to;
    }
    return ranks;
}

}  // namespace

double rankCorrelationOf(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> ranksA = ranksOf(a), ranksB = ranksOf(b);
    const double mean = (static_cast<double>(a.size()) + 1) / 2;
    double both = 0, ofA = 0, ofB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (ranksA[i] - mean) * (ranksB[i] - mean);
        ofA += (ranksA[i] - mean) * (ranksA[i] - mean);
        ofB += (ranksB[i] - mean) * (ranksB[i] - mean);
    }
    return ofA > 0 && ofB > 0 ? both / std::sqrt(ofA * ofB) : std::numeric_limits<double>::quiet_NaN();
}

double quantileOf(std::vector<double> numbers, double share) {
    if (numbers.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(numbers.begin(), numbers.end());
    const double place = share * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, numbers.size() - 1);
    return numbers[below] + (numbers[above] - numbers[below]) * (place - static_cast<double>(below));
}

std::optional<MeanInterval> meanInterval(const std::vector<double>& values) {
    constexpr double kUpper = 0.975;
    if (values.size() < 2)
        return {};
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const boost::math::students_t distribution(count - 1);
    const double half = boost::math::quantile(distribution, kUpper) * std::sqrt(squares / (count - 1) / count);
    return MeanInterval{mean, mean - half, mean + half, values.size()};
}

}  // namespace data
