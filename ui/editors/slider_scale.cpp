#include "ui/editors/slider_scale.h"

#include "data/document/value_places.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kReach = 16;
constexpr double kEvenReach = 8;      // of scales in equal parts, which begin at the least that is allowed
constexpr double kWidestRatio = 1e6;  // of a scale that begins at 0: below a millionth of its end it is 0
constexpr int kDigits = 3;

// Three digits that differ from one position to the next are all that a slider can say.
double rounded(double value) {
    if (value == 0)
        return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (kDigits - 1));
    // Dividing by the inverse keeps 0.35 what a person would type: 35 * 0.01 is not.
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

double SliderScale::valueAt(int position) const {
    const double share = static_cast<double>(std::clamp(position, 0, kPositions)) / kPositions;
    if (position <= 0)
        return zeroFirst ? 0 : low;
    if (position >= kPositions)
        return high;
    double value = logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
    if (powerOfTwo)
        return std::clamp(std::exp2(std::round(std::log2(value))), low, high);
    value = whole && value < 1e3 ? std::round(value) : rounded(value);
    return std::clamp(value, low, high);
}

int SliderScale::positionOf(double value) const {
    if (!(value > low))
        return 0;
    if (value >= high)
        return kPositions;
    const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return static_cast<int>(std::lround(share * kPositions));
}

engine::ParameterValue SliderScale::parameterValueAt(int position) const {
    const double value = valueAt(position);
    return whole ? engine::ParameterValue(static_cast<std::int64_t>(std::llround(value))) : value;
}

SliderScale sliderScale(const engine::Parameter& parameter, const engine::ParameterValue& preset,
                        const engine::ParameterValue& current) {
    SliderScale scale;
    scale.low = parameter.minimum;
    scale.high = parameter.maximum;
    scale.logarithmic = parameter.logarithmic || parameter.powerOfTwo;
    scale.powerOfTwo = parameter.powerOfTwo;
    scale.whole = parameter.kind == engine::ParameterKind::integer;
    const std::optional<double> middle = data::numberOf(preset);
    if (scale.logarithmic && middle && *middle > 0) {
        scale.low = std::max(scale.low, *middle / kReach);
        scale.high = std::min(scale.high, *middle * kReach);
    }
    if (!scale.logarithmic && middle && *middle > 0)
        scale.high = std::min(scale.high, *middle * kEvenReach);
    const std::optional<double> value = data::numberOf(current);
    if (value && *value > 0) {
        scale.low = std::min(scale.low, std::max(*value, parameter.minimum));
        scale.high = std::max(scale.high, std::min(*value, parameter.maximum));
    }
    if (scale.logarithmic && scale.low <= 0)
        scale.low = std::max(scale.whole ? 1.0 : 0.0, scale.high / kWidestRatio);
    if (scale.whole) {
        scale.low = std::ceil(scale.low);
        scale.high = std::floor(scale.high);
    }
    scale.zeroFirst = scale.logarithmic && parameter.minimum <= 0;
    return scale;
}

}  // namespace ui
