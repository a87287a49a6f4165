#pragma once

#include "engine/api/parameters.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine {

/// A unit that a user may write behind a number.
struct UnitName {
    std::string_view text;    ///< "GB/s"
    std::int64_t factor = 1;  ///< number of base units in this unit
    bool shown = true;        ///< false: understood in input, but never written ("us" for "µs")
};

/// Returns all spellings of a unit, smallest unit first. Empty for ParameterUnit::none.
std::span<const UnitName> unitNames(ParameterUnit unit);

/// Returns the number of base units in the unit that is spelled `text`, or an empty optional if there is no such unit.
/// The case of a letter matters only if it decides between bits and bytes: "gbit/s" and "Gb/s" are bits, "gB/s" and
/// "GB/S" are bytes, and "gb/s", which could mean either, is no unit. Bits need no entry in `unitNames`.
std::optional<std::int64_t> unitFactor(ParameterUnit unit, std::string_view text);

/// Describes what is wrong with a unit for which `unitFactor` returns an empty optional, and names allowed spellings.
std::string unitProblem(ParameterUnit unit, std::string_view text);

/// A whole number converted from text, with the accuracy of the conversion.
struct WholeNumber {
    enum class State { whole, rounded, tooLarge };
    std::int64_t value = 0;  ///< meaningless when tooLarge
    State state = State::whole;
};

/// A decimal number read from text without rounding: "1.50e3" is 150 x 10^1.
struct Decimal {
    bool negative = false;
    std::uint64_t digits = 0;
    int exponent = 0;
    bool inexact = false;  ///< the text had more digits than are kept
};

/// Reads a decimal number at the start of `text` and removes it from `text`. Returns an empty optional if there is
/// none. "inf", "nan" and hexadecimal numbers are not accepted.
std::optional<Decimal> readDecimal(std::string_view& text);

/// Returns decimal x factor as a whole number, computed exactly and rounded to the nearest only at the end.
WholeNumber timesFactor(const Decimal& decimal, std::int64_t factor);

/// Returns value / factor as exact decimal text, or an empty optional if that needs more than `maxFraction` decimals.
std::optional<std::string> exactQuotient(std::int64_t value, std::int64_t factor, int maxFraction);

/// Returns the shortest text that parses back to the same double.
std::string shortestText(double value);

}  // namespace engine
