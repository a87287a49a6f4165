#pragma once

#include "engine/api/weight_copies.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace data {

/// A format with shared micro-exponents: blocks of 16 numbers share an exponent, two numbers beside each other share a
/// shift by one bit, and each has a signed mantissa (AMD's guide to AIE-ML v2; not the formats of OCP).
struct MxFormat {
    std::string_view word;  ///< as in engine::kWeightFormats
    int mantissaBits = 0;   ///< m, with the sign
};
inline constexpr std::array kMxFormats{MxFormat{"mx9", 8}, MxFormat{"mx6", 5}, MxFormat{"mx4", 3}};

inline constexpr std::size_t kMxBlock = 16;  ///< numbers of a block
inline constexpr std::size_t kMxPair = 2;    ///< numbers that share a shift
inline constexpr int kMxExponentBits = 8;

/// Returns the bits of a block: exponent, shifts and mantissas.
constexpr std::size_t bitsOfBlock(const MxFormat& format) {
    return kMxExponentBits + kMxBlock / kMxPair + kMxBlock * static_cast<std::size_t>(format.mantissaBits);
}

/// A block of numbers in such a format.
struct MxBlock {
    int exponent = 0;                               ///< E: the largest one of the numbers, -127 to 127
    std::array<bool, kMxBlock / kMxPair> shifts{};  ///< of a pair whose exponents are both below E
    std::array<std::int8_t, kMxBlock> mantissas{};  ///< q

    bool operator==(const MxBlock&) const = default;
};

/// Returns the block: q is x / 2^(E - shift) x 2^(m - 2), rounded, halves away from zero, and clipped to the range of m
/// bits that is symmetric about zero. An empty optional if a number is not finite, because no format has such numbers.
std::optional<MxBlock> quantised(std::span<const float, kMxBlock> numbers, const MxFormat& format);

/// Returns the distance of neighbouring values of the pair that holds number `index` of a block.
float stepAt(const MxBlock& block, std::size_t index, const MxFormat& format);

/// Returns the numbers that a block stands for.
std::array<float, kMxBlock> numbersOf(const MxBlock& block, const MxFormat& format);

}  // namespace data
