#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <span>

namespace ui {

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

}  // namespace ui
