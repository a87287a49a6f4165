#include "data/document/readable_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace data {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00a0";

struct ReadableUnit {
    double size;
    std::string_view name;
};
constexpr std::array<ReadableUnit, 5> kReadableTimes{{{1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}, {1e3, "ns"}, {1, "ps"}}};
constexpr std::array<ReadableUnit, 6> kReadableSizes{
    {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};

/// Returns a quantity in the first unit, from the largest, that is not larger than it. The smallest unit has no decimals.
ReadableNumber inUnit(double quantity, std::span<const ReadableUnit> units, int digits) {
    const auto unit = std::find_if(units.begin(), units.end() - 1,
                                   [&](const ReadableUnit& one) { return std::abs(quantity) >= one.size; });
    const double value = quantity / unit->size, magnitude = std::abs(value);
    const int whole = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    const int decimals = unit->size == 1 ? 0 : std::max(0, digits - whole);
    return {readableDecimals(value, decimals), std::string(unit->name)};
}

}  // namespace

std::string ReadableNumber::text() const { return unit.empty() ? value : value + std::string(kNoBreakSpace) + unit; }

ReadableNumber readableTime(std::int64_t ps, int digits) {
    return ps == 0 ? ReadableNumber{"0", "ns"} : inUnit(static_cast<double>(ps), kReadableTimes, digits);
}

ReadableNumber readableBytes(std::int64_t bytes) { return inUnit(static_cast<double>(bytes), kReadableSizes, 3); }

ReadableNumber readablePercent(double fraction) { return {readableDecimals(100 * fraction, 0), "%"}; }

std::string readableDecimals(double value, int decimals) {
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    std::int64_t power = 1;
    for (int i = 0; i < decimals; ++i)
        power *= 10;
    // The product is exact in a long double, so that a half is recognised: std::to_chars would round it to even.
    const long double scaled = std::abs(static_cast<long double>(value)) * static_cast<long double>(power);
    const long double below = std::floor(scaled);
    const auto rounded = static_cast<std::int64_t>(below) + (scaled - below >= 0.5L ? 1 : 0);
    std::string text = std::to_string(rounded / power);
    if (decimals > 0) {
        const std::string fraction = std::to_string(rounded % power);
        text += "." + std::string(static_cast<std::size_t>(decimals) - fraction.size(), '0') + fraction;
    }
    return (value < 0 && rounded > 0 ? "-" : "") + text;
}

}  // namespace data
