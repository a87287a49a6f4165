#pragma once

#include "engine/api/units.h"

#include <algorithm>
#include <cstdint>

namespace engine {

inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

/// Returns floor(value * numerator / denominator), with 128 bits in between.
inline std::int64_t scaledBy(std::int64_t value, std::int64_t numerator, std::int64_t denominator) {
    __extension__ typedef __int128 Wide;
    return static_cast<std::int64_t>(static_cast<Wide>(value) * numerator / denominator);
}

/// Returns floor(amount * 10^12 / perSecond): the time in picoseconds that `amount` takes at a rate. It multiplies once
/// and divides once, so that a truncated period is never multiplied.
inline Duration timeAtRate(std::int64_t amount, std::int64_t perSecond) {
    return {scaledBy(amount, kPicosecondsPerSecond, perSecond)};
}

/// Returns the amount that arrives within `time` at a rate, rounded up; at most 2^62.
inline std::int64_t amountIn(Duration time, std::int64_t perSecond) {
    __extension__ typedef __int128 Wide;
    const Wide amount = (static_cast<Wide>(time.ps) * perSecond + kPicosecondsPerSecond - 1) / kPicosecondsPerSecond;
    return static_cast<std::int64_t>(std::min(amount, Wide{1} << 62));
}

/// Serialises amounts at a rate without drift: each division's remainder is carried into the next, so that the times of
/// successive amounts add up to the time of their sum.
class CarryingRate {
public:
    explicit CarryingRate(std::int64_t perSecond) : m_perSecond(perSecond) {}

    Duration take(std::int64_t amount) {
        __extension__ typedef unsigned __int128 Wide;
        const Wide total = static_cast<Wide>(amount) * static_cast<Wide>(kPicosecondsPerSecond) + m_left;
        if (total <= UINT64_MAX) {  // nearly always: 128-bit division is ten times slower
            const auto narrow = static_cast<std::uint64_t>(total);
            const auto rate = static_cast<std::uint64_t>(m_perSecond);
            m_left = narrow % rate;
            return {static_cast<std::int64_t>(narrow / rate)};
        }
        m_left = static_cast<std::uint64_t>(total % static_cast<Wide>(m_perSecond));
        return {static_cast<std::int64_t>(total / static_cast<Wide>(m_perSecond))};
    }

private:
    std::int64_t m_perSecond;
    std::uint64_t m_left = 0;  // in units of amount / (perSecond * 10^12)
};

}  // namespace engine
