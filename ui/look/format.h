#pragma once

#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <QString>

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace ui {

/// Text of engine and data, which is UTF-8, as the window shows it.
inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// "T3-MCA"; the name itself where there is no such policy.
QString titleOfPolicy(std::string_view name);

/// Each problem on a line of its own.
QString text(const engine::Problems& problems);

/// A unit, and how many of the smallest one it is.
struct ScaledUnit {
    double size;
    const char* name;
};
/// Units of a time in picoseconds, from the largest.
inline constexpr std::array<ScaledUnit, 5> kTimeUnits{{{1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}, {1e3, "ns"}, {1, "ps"}}};

/// Returns the first of `units`, which begin with the largest, that `magnitude` reaches; the last where it reaches none.
const ScaledUnit& unitFor(std::span<const ScaledUnit> units, double magnitude);

/// Returns the picoseconds of a unit of time as people type it, "us" for "µs" too; 0 for any other word.
double psPerUnit(const QString& typed);

/// A number and its unit, apart, so that a headline can set them in two sizes.
struct Quantity {
    QString value;
    QString unit;
    QString text() const;  ///< joined by a no-break space
};

/// The unit that keeps the number between 1 and 1000: "1.234 ms", "312.4 µs". `digits` are significant ones.
Quantity timeQuantity(std::int64_t ps, int digits = 4);
QString formatTime(std::int64_t ps, int digits = 4);

/// For a running clock: unit and number of decimals follow from `scalePs`, so that nothing jumps.
QString formatTimeSteady(std::int64_t ps, std::int64_t scalePs);

/// "67.1 MB", decimal as the data sheets write it.
QString formatBytes(std::int64_t bytes);
QString formatPercent(double fraction);
QString formatCount(std::int64_t count);  ///< "48 213", thin groups

/// "0.8 s", "12 s", "3 min", "2 h 5 min": a guess needs no more digits.
QString formatWait(std::chrono::nanoseconds wait);

/// Returns a number that was typed without a unit with the unit of `shown`, so that "300" over "450 GB/s" means
/// 300 GB/s. Returns `typed` where it has a unit, is no number, or `shown` has no unit of this parameter.
QString withUnitOf(const engine::Parameter& parameter, const QString& typed, const QString& shown);

/// Tells how to get a first run. It holds whether the Run button can be pressed or an entry in the form keeps it from
/// that.
QString runHint();

/// Returns what every picture says before the first run.
QString noRunHint();

}  // namespace ui
