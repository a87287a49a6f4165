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

/// Converts UTF-8 text of the engine and of `data` to a QString.
inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Returns the title of a policy, such as "T3-MCA", or `name` itself if there is no such policy.
QString titleOfPolicy(std::string_view name);
/// Returns the title of a bundled model, such as "T-NLG"; of any other model its name.
QString titleOfModel(std::string_view name);

/// Returns the problems as text, one line for each.
QString text(const engine::Problems& problems);

/// A unit, and its size in multiples of the smallest unit.
struct ScaledUnit {
    double size;
    const char* name;
};
/// Units of a time in picoseconds, from the largest.
inline constexpr std::array<ScaledUnit, 5> kTimeUnits{{{1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}, {1e3, "ns"}, {1, "ps"}}};

/// Returns the first of `units`, sorted from the largest, that is not larger than `magnitude`; the last one if all are
/// larger.
const ScaledUnit& unitFor(std::span<const ScaledUnit> units, double magnitude);

/// Returns the number of picoseconds in a unit of time as people type it ("us" as well as "µs"), or 0 for any other
/// word.
double psPerUnit(const QString& typed);

/// A number and its unit as two texts, so that a headline can set them in two sizes.
struct Quantity {
    QString value;
    QString unit;
    QString text() const;  ///< joined by a no-break space
};

/// Formats a time in the unit that keeps the number between 1 and 1000: "1.234 ms", "312.4 µs". `digits` is the number
/// of significant digits.
Quantity timeQuantity(std::int64_t ps, int digits = 4);
QString formatTime(std::int64_t ps, int digits = 4);

/// Formats the time of a running clock. `scalePs` decides the unit and the number of decimals, so that the text keeps
/// its width while the time changes.
QString formatTimeSteady(std::int64_t ps, std::int64_t scalePs);

/// Formats a size in decimal units, as data sheets do: "67.1 MB".
QString formatBytes(std::int64_t bytes);
QString formatPercent(double fraction);
QString formatCount(std::int64_t count);  ///< "48 213", grouped by thin spaces

/// Formats an estimated waiting time with few digits: "0.8 s", "12 s", "3 min", "2 h 5 min".
QString formatWait(std::chrono::nanoseconds wait);

/// Adds the unit of `shown` to a number that was typed without one: "300" typed over "450 GB/s" means 300 GB/s. Returns
/// `typed` unchanged if it has a unit, if it is not a number, or if `shown` has no unit of this parameter.
QString withUnitOf(const engine::Parameter& parameter, const QString& typed, const QString& shown);

/// Returns the sentence that explains how to get a first run. The sentence is true both when the Run button is enabled
/// and when a wrong entry in the form disables it.
QString runHint();

/// Returns the text that every picture shows before the first run.
QString noRunHint();

}  // namespace ui
