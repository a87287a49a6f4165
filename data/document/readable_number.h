#pragma once

#include <cstdint>
#include <string>

namespace data {

// Numbers as people read them, with few digits and a unit behind a no-break space. The window has these texts
// (ui/look/format), and the player of web pages makes the same (web/player/format). Halves round away from zero.

/// A number and its unit as two texts, so that a headline can set them in two sizes.
struct ReadableNumber {
    std::string value;
    std::string unit;
    std::string text() const;  ///< joined by a no-break space
};

/// Returns a time in the unit that keeps the number between 1 and 1000: "1.234 ms", "312.4 µs". `digits` is the number of
/// significant digits.
ReadableNumber readableTime(std::int64_t ps, int digits = 4);

/// Returns a size in decimal units, as data sheets do: "67.1 MB".
ReadableNumber readableBytes(std::int64_t bytes);

/// Returns a fraction in whole percent: "81 %".
ReadableNumber readablePercent(double fraction);

/// Returns a number with this many decimals, at most six. Precondition: its magnitude is below 10^9.
std::string readableDecimals(double value, int decimals);

}  // namespace data
