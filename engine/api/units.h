#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace engine {

/// A difference of simulated times in integer picoseconds. It is signed, so that any difference is an ordinary value.
/// All times are whole picoseconds: the same experiment gives the same bits on every machine and number of threads.
struct Duration {
    std::int64_t ps = 0;

    constexpr auto operator<=>(const Duration&) const = default;
    constexpr Duration& operator+=(Duration other) {
        ps += other.ps;
        return *this;
    }
    constexpr Duration& operator-=(Duration other) {
        ps -= other.ps;
        return *this;
    }
    friend constexpr Duration operator+(Duration a, Duration b) { return {a.ps + b.ps}; }
    friend constexpr Duration operator-(Duration a, Duration b) { return {a.ps - b.ps}; }
    friend constexpr Duration operator*(Duration a, std::int64_t factor) { return {a.ps * factor}; }
    friend constexpr Duration operator*(std::int64_t factor, Duration a) { return {a.ps * factor}; }
};

/// A point in simulated time: picoseconds since the experiment began.
struct TimePoint {
    std::int64_t ps = 0;

    constexpr auto operator<=>(const TimePoint&) const = default;
    friend constexpr TimePoint operator+(TimePoint t, Duration d) { return {t.ps + d.ps}; }
    friend constexpr TimePoint operator-(TimePoint t, Duration d) { return {t.ps - d.ps}; }
    friend constexpr Duration operator-(TimePoint a, TimePoint b) { return {a.ps - b.ps}; }
};

/// The latest point in time that can be represented; as the time of an event it means "not scheduled".
inline constexpr TimePoint kNever{std::numeric_limits<std::int64_t>::max()};

/// A number of bytes.
struct Bytes {
    std::int64_t count = 0;

    constexpr auto operator<=>(const Bytes&) const = default;
    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        return *this;
    }
    constexpr Bytes& operator-=(Bytes other) {
        count -= other.count;
        return *this;
    }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
    friend constexpr Bytes operator*(Bytes a, std::int64_t factor) { return {a.count * factor}; }
};

/// Bytes per second.
struct Bandwidth {
    std::int64_t bytesPerSecond = 0;

    constexpr auto operator<=>(const Bandwidth&) const = default;
};

/// Cycles per second.
struct Frequency {
    std::int64_t hertz = 0;

    constexpr auto operator<=>(const Frequency&) const = default;
};

inline namespace literals {
constexpr Duration operator""_ps(unsigned long long v) { return {static_cast<std::int64_t>(v)}; }
constexpr Duration operator""_ns(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1'000}; }
constexpr Duration operator""_us(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1'000'000}; }
constexpr Bytes operator""_B(unsigned long long v) { return {static_cast<std::int64_t>(v)}; }
constexpr Bytes operator""_KiB(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1024}; }
constexpr Bytes operator""_MiB(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1024 * 1024}; }
constexpr Bandwidth operator""_GBps(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1'000'000'000}; }
constexpr Frequency operator""_MHz(unsigned long long v) { return {static_cast<std::int64_t>(v) * 1'000'000}; }
}  // namespace literals

}  // namespace engine
