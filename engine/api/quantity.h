#pragma once

#include "engine/api/parameters.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine {

/// A unit that a person may write behind a number.
struct UnitName {
    std::string_view text;    ///< "GB/s"
    std::int64_t factor = 1;  ///< base units in one of it
    bool shown = true;        ///< false: understood, but never written ("us" for "µs")
};

/// All spellings of a unit, smallest first. Empty for ParameterUnit::none.
std::span<const UnitName> unitNames(ParameterUnit unit);

/// Returns how many base units are in one of the unit that is written `text`, or an empty optional for no such unit. A
/// letter's case matters where it decides between bits and bytes only: "gbit/s" and "Gb/s" are bits, "gB/s" and "GB/S"
/// are bytes, and "gb/s", which could mean either, is none. Bits need no entry in `unitNames`.
std::optional<std::int64_t> unitFactor(ParameterUnit unit, std::string_view text);

/// Says what is wrong with a unit for which `unitFactor` returns nothing, and what could be written in its place.
std::string unitProblem(ParameterUnit unit, std::string_view text);

/// What became of a number in text.
struct WholeNumber {
    enum class State { whole, rounded, tooLarge };
    std::int64_t value = 0;  ///< meaningless when tooLarge
    State state = State::whole;
};

/// A decimal number in text, split without rounding: "1.50e3" is 150 x 10^1.
struct Decimal {
    bool negative = false;
    std::uint64_t digits = 0;
    int exponent = 0;
    bool inexact = false;  ///< more digits were written than are kept
};

/// Reads a decimal number at the start of `text` and removes it from there; nothing when there is none.
/// "inf", "nan" and hexadecimal are no numbers here.
std::optional<Decimal> readDecimal(std::string_view& text);

/// decimal x factor as a whole number, computed exactly and rounded to the nearest at the very end.
WholeNumber timesFactor(const Decimal& decimal, std::int64_t factor);

/// value / factor as exact decimal text, when that has at most `maxFraction` decimals.
std::optional<std::string> exactQuotient(std::int64_t value, std::int64_t factor, int maxFraction);

/// The shortest text that reads back to the same double.
std::string shortestText(double value);

}  // namespace engine
