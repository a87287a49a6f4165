#include "data/measured/trace_instant.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace data {
namespace {

constexpr int kDecimalsOfPs = 6;  // of a microsecond
constexpr int kDecimalBase = 10;

/// Returns the instant with its picoseconds between 0 and 999,999.
TraceInstant normalised(std::int64_t microseconds, std::int64_t picoseconds) {
    microseconds += picoseconds / kPsPerMicrosecond;
    picoseconds %= kPsPerMicrosecond;
    if (picoseconds < 0) {
        picoseconds += kPsPerMicrosecond;
        --microseconds;
    }
    return {microseconds, picoseconds};
}

/// The digits of a decimal number without its sign, and how many of them are before the point.
struct DecimalDigits {
    static constexpr std::size_t kMostDigits = 64;
    std::array<char, kMostDigits> digits{};  ///< without zeros at the beginning; digits beyond the last are dropped
    int count = 0;
    int before = 0;  ///< may be negative, or larger than count

    int at(int place) const { return place < 0 || place >= count ? 0 : digits[static_cast<std::size_t>(place)] - '0'; }
};

std::optional<DecimalDigits> digitsIn(std::string_view text) {
    constexpr int kGreatestExponent = 400;
    DecimalDigits number;
    bool point = false, any = false;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        any = true;
        if (c == '0' && number.count == 0) {
            number.before -= point ? 1 : 0;
            continue;
        }
        if (static_cast<std::size_t>(number.count) < DecimalDigits::kMostDigits)
            number.digits[static_cast<std::size_t>(number.count++)] = c;
        number.before += point ? 0 : 1;
    }
    if (!any)
        return std::nullopt;
    if (i < text.size()) {
        if (text[i] != 'e' && text[i] != 'E')
            return std::nullopt;
        ++i;
        if (i < text.size() && text[i] == '+')
            ++i;
        int exponent = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + i, end, exponent);
        if (read.ptr != end || read.ec != std::errc{} || exponent > kGreatestExponent || exponent < -kGreatestExponent)
            return std::nullopt;
        number.before += exponent;
    }
    return number;
}

}  // namespace

std::optional<TraceInstant> instantOf(std::string_view digits) {
    constexpr int kMostWhole = 16, kRoundsUp = 5;
    const bool negative = digits.starts_with('-');
    if (negative)
        digits.remove_prefix(1);
    const auto number = digitsIn(digits);
    if (!number || (number->count > 0 && number->before > kMostWhole))
        return std::nullopt;
    std::int64_t microseconds = 0, picoseconds = 0;
    for (int i = 0; i < number->before; ++i)
        microseconds = microseconds * kDecimalBase + number->at(i);
    for (int i = 0; i < kDecimalsOfPs; ++i)
        picoseconds = picoseconds * kDecimalBase + number->at(number->before + i);
    picoseconds += number->at(number->before + kDecimalsOfPs) >= kRoundsUp ? 1 : 0;
    if (microseconds > kLatestMicrosecond)
        return std::nullopt;
    return negative ? normalised(-microseconds, -picoseconds) : normalised(microseconds, picoseconds);
}

std::optional<TraceInstant> instantOf(std::int64_t microseconds) {
    if (microseconds > kLatestMicrosecond || microseconds < -kLatestMicrosecond)
        return std::nullopt;
    return TraceInstant{microseconds, 0};
}

TraceInstant differenceOf(const TraceInstant& a, const TraceInstant& b) {
    return normalised(a.microseconds - b.microseconds, a.picoseconds - b.picoseconds);
}

TraceInstant later(const TraceInstant& a, std::int64_t picoseconds) {
    return normalised(a.microseconds + picoseconds / kPsPerMicrosecond,
                      a.picoseconds + picoseconds % kPsPerMicrosecond);
}

std::optional<std::int64_t> picosecondsOf(const TraceInstant& difference) {
    constexpr std::int64_t kTenDays = std::int64_t{10} * 24 * 3600 * 1'000'000;
    if (difference.microseconds > kTenDays || difference.microseconds < -kTenDays)
        return std::nullopt;
    return difference.microseconds * kPsPerMicrosecond + difference.picoseconds;
}

std::string microsecondsText(const TraceInstant& difference) {
    const bool negative = difference.microseconds < 0;
    const TraceInstant positive = negative ? normalised(-difference.microseconds, -difference.picoseconds) : difference;
    std::string text = (negative ? "-" : "") + std::to_string(positive.microseconds);
    if (positive.picoseconds != 0) {
        std::string decimals = std::to_string(positive.picoseconds);
        decimals.insert(0, static_cast<std::size_t>(kDecimalsOfPs) - decimals.size(), '0');
        decimals.erase(decimals.find_last_not_of('0') + 1);
        text += "." + decimals;
    }
    return text;
}

}  // namespace data
