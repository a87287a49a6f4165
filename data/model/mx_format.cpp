#include "data/model/mx_format.h"

#include <algorithm>
#include <cmath>

namespace data {
namespace {

constexpr int kLowestExponent = -127;  // of the 8 bits, and that of a block of zeros

int exponentOf(float number) { return number == 0 ? kLowestExponent : std::max(std::ilogb(number), kLowestExponent); }

}  // namespace

std::optional<MxBlock> quantised(std::span<const float, kMxBlock> numbers, const MxFormat& format) {
    if (!std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }))
        return std::nullopt;
    MxBlock block;
    block.exponent = exponentOf(*std::ranges::max_element(numbers, {}, [](float number) { return std::abs(number); }));
    const auto isLow = [&](std::size_t i) { return exponentOf(numbers[i]) < block.exponent; };
    const long most = (1L << (format.mantissaBits - 1)) - 1;
    for (std::size_t pair = 0; pair < block.shifts.size(); ++pair)
        block.shifts.at(pair) = isLow(kMxPair * pair) && isLow(kMxPair * pair + 1);
    for (std::size_t i = 0; i < kMxBlock; ++i) {
        const double steps = static_cast<double>(numbers[i]) / stepAt(block, i, format);
        block.mantissas.at(i) = static_cast<std::int8_t>(std::clamp(std::lround(steps), -most, most));
    }
    return block;
}

float stepAt(const MxBlock& block, std::size_t index, const MxFormat& format) {
    const int shift = block.shifts.at(index / kMxPair) ? 1 : 0;
    return std::ldexp(1.0F, block.exponent - shift - format.mantissaBits + 2);
}

std::array<float, kMxBlock> numbersOf(const MxBlock& block, const MxFormat& format) {
    std::array<float, kMxBlock> numbers{};
    for (std::size_t i = 0; i < kMxBlock; ++i)
        numbers.at(i) = static_cast<float>(block.mantissas.at(i)) * stepAt(block, i, format);
    return numbers;
}

}  // namespace data
