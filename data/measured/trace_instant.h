#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A point in time as a trace writes it: microseconds since an epoch, with digits after the point. A time of Unix in
/// microseconds with three decimals has more digits than a double, and in picoseconds more than 64 bits, so the parts are
/// kept apart.
struct TraceInstant {
    std::int64_t microseconds = 0;
    std::int64_t picoseconds = 0;  ///< beyond the microseconds: 0 to 999,999

    auto operator<=>(const TraceInstant&) const = default;
};

inline constexpr std::int64_t kPsPerMicrosecond = 1'000'000;

/// Times further from the epoch than this are refused (120 years, in microseconds).
inline constexpr std::int64_t kLatestMicrosecond = 4'000'000'000'000'000;

/// Reads a number in microseconds, digit by digit: "1698765432123456.789", "-1.5", "1.7e15". Digits beyond a picosecond
/// are rounded. Returns an empty optional for anything else and for times beyond kLatestMicrosecond.
std::optional<TraceInstant> instantOf(std::string_view digits);
/// Does the same for whole microseconds.
std::optional<TraceInstant> instantOf(std::int64_t microseconds);

/// Returns a - b.
TraceInstant differenceOf(const TraceInstant& a, const TraceInstant& b);
/// Returns a + picoseconds.
TraceInstant later(const TraceInstant& a, std::int64_t picoseconds);
/// Returns a difference in picoseconds; an empty optional if it is longer than ten days, so that sums of a few
/// fit into 64 bits.
std::optional<std::int64_t> picosecondsOf(const TraceInstant& difference);
/// Returns a + b; the largest number if that is beyond 64 bits. Precondition: neither is negative.
constexpr std::int64_t sumOfTimes(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return a > kMost - b ? kMost : a + b;
}
/// Returns a difference in microseconds, with as many decimals as it needs: "1000000", "-0.5".
std::string microsecondsText(const TraceInstant& difference);

}  // namespace data
