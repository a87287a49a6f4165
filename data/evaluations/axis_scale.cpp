#include "data/evaluations/axis_scale.h"

#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>

namespace data {
namespace {

constexpr double kEven = 1e-9;  // difference of even steps, relative to the largest value

bool isEvenlySpaced(const std::vector<double>& values) {
    return std::adjacent_find(values.begin(), values.end(), [&](double a, double b) {
               return std::abs(b - a - (values[1] - values[0])) > kEven * std::abs(values.back());
           }) == values.end();
}

}  // namespace

bool isByRatio(const AxisColumn& column, const std::vector<double>& values) {
    if (values.size() < 2 || !(values.front() > 0))
        return false;
    if (column.range)
        return column.range->logarithmic;
    const engine::Parameter& parameter = *engine::findParameter(column.path);
    return (parameter.logarithmic || parameter.powerOfTwo) && values.size() > 2 && !isEvenlySpaced(values);
}

}  // namespace data
