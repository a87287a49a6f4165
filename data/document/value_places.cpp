#include "data/document/value_places.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace data {

using engine::ParameterKind;
using engine::ParameterValue;

double roundedTo(double value, int digits) {
    std::array<char, 64> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
    double result = value;
    std::from_chars(text.data(), written.ptr, result);
    return result;
}

double niceStep(double step) {
    constexpr double kHair = 1e-9;
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= step * (1 - kHair))
            return factor * power;
    }
    return 10 * power;
}

std::int64_t wholeNiceStep(std::int64_t span, std::int64_t most, std::int64_t least) {
    for (std::int64_t power = least;; power *= 10) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (span / (power * factor) <= std::max<std::int64_t>(1, most))
                return power * factor;
        }
    }
}

std::string fixedNumber(double value, int decimals) {
    std::array<char, 400> text{};  // the largest double has 309 digits
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

std::string signedNumber(double value, int decimals) {
    const std::string number = fixedNumber(std::abs(value), decimals);
    const bool isZero = number.find_first_not_of("0.") == std::string::npos;
    return (isZero ? "" : value < 0 ? "-" : "+") + number;
}

std::string groupedNumber(std::int64_t value) {
    constexpr std::size_t kGroup = 3;
    std::string text = std::to_string(value);
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = text.size(); at > first + kGroup;)
        text.insert(at -= kGroup, 1, ',');
    return text;
}

std::string percentText(double fraction, int decimals) {
    const std::string text = fixedNumber(100 * fraction, decimals);
    const bool isZero = text.find_first_not_of("-0.") == std::string::npos;
    return (isZero && text.starts_with('-') ? text.substr(1) : text) + " %";
}

std::optional<double> numberOf(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value))
        return *real;
    return std::nullopt;
}

ValuePlaces::ValuePlaces(const engine::Parameter& parameter, const ParameterValue& from, const ParameterValue& to,
                         double tolerance)
    : m_parameter(parameter),
      m_byRatio((parameter.logarithmic || parameter.powerOfTwo) && std::min(*numberOf(from), *numberOf(to)) > 0),
      m_from(coordinate(*numberOf(from))), m_to(coordinate(*numberOf(to))),
      m_tolerance(m_byRatio ? std::log1p(tolerance) : tolerance * std::abs(m_to - m_from)) {}

double ValuePlaces::coordinate(double value) const { return m_byRatio ? std::log(value) : value; }

double ValuePlaces::valueAt(double coordinate) const { return m_byRatio ? std::exp(coordinate) : coordinate; }

double ValuePlaces::shareOf(const ParameterValue& value) const {
    return (coordinate(*numberOf(value)) - m_from) / (m_to - m_from);
}

int ValuePlaces::halvings() const {
    return std::max(0, static_cast<int>(std::ceil(std::log2(std::abs(m_to - m_from) / m_tolerance))));
}

std::optional<ParameterValue> ValuePlaces::between(const ParameterValue& a, const ParameterValue& b) const {
    const double low = std::min(*numberOf(a), *numberOf(b)), high = std::max(*numberOf(a), *numberOf(b));
    const double start = coordinate(low), way = coordinate(high) - start;
    // A hair more than the tolerance is the tolerance: logarithms are rounded.
    if (way <= m_tolerance * (1 + 1e-9))
        return std::nullopt;
    const double middle = valueAt(start + way / 2);
    if (m_parameter.powerOfTwo) {
        const double power = std::exp2(std::round(std::log2(middle)));
        const auto inside = power > low && power < high ? power : std::exp2(std::floor(std::log2(middle)));
        return inside > low && inside < high ? std::optional<ParameterValue>(static_cast<std::int64_t>(inside))
                                             : std::nullopt;
    }
    // The shortest number in the middle third: "50 GB/s" halves as well as 49.7713 does.
    const double first = valueAt(start + way / 3), last = valueAt(start + way * 2 / 3);
    double value = middle;
    constexpr int kMostDigits = 12;
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        const double brief = roundedTo(middle, digits);
        if (brief >= first && brief <= last) {
            value = brief;
            break;
        }
    }
    if (m_parameter.kind == ParameterKind::real)
        return value > low && value < high ? std::optional<ParameterValue>(value) : std::nullopt;
    for (const double whole : {std::round(value), std::floor(middle), std::ceil(middle)}) {
        if (whole > low && whole < high)
            return static_cast<std::int64_t>(whole);
    }
    return std::nullopt;
}

}  // namespace data
