#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tests {

/// Random numbers that are the same on every machine and with every standard library: SplitMix64 with our own
/// distributions.
class RandomNumbers {
public:
    RandomNumbers(std::uint64_t seed, std::uint64_t stream) : m_state(seed) { m_state = next() ^ (stream * kOddStep); }

    std::uint64_t next() {
        m_state += kOddStep;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    /// Returns a number from 0 to below 1.
    double fraction() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    bool withChance(double chance) { return fraction() < chance; }

    /// Returns a number from `first` to `last`, both included.
    std::int64_t between(std::int64_t first, std::int64_t last) {
        const auto many = static_cast<std::uint64_t>(last - first) + 1;
        return first + static_cast<std::int64_t>(next() % many);
    }

    double between(double low, double high) { return low + fraction() * (high - low); }

    /// Returns a number for which equal ratios are equally likely. Precondition: 0 < low <= high.
    double byRatio(double low, double high) { return low * std::exp(fraction() * std::log(high / low)); }

    template <typename T>
    const T& oneOf(std::span<const T> values) {
        return values[static_cast<std::size_t>(next() % values.size())];
    }

private:
    static constexpr std::uint64_t kOddStep = 0x9e3779b97f4a7c15U;

    std::uint64_t m_state;
};

}  // namespace tests
