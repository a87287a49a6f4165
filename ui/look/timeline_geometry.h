#pragma once

#include "data/replay/time_range.h"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ui {

/// Converts between time and pixels. The origin is subtracted in whole picoseconds before scaling, so that a picosecond
/// at the end of a long run is as precise as one at its start.
struct TimelineGeometry {
    /// The shortest visible range: 10 ns, which is less than one DRAM burst of the finest detail.
    static constexpr std::int64_t kShortestRange = 10'000;

    data::TimeRange range;
    double left = 0;   ///< x coordinate of the range's start
    double width = 1;  ///< x extent of the range
    double pixel = 1;  ///< size of one device pixel in widget coordinates: 0.5 at 2x

    double xOf(std::int64_t ps) const;
    std::int64_t timeAt(double x) const;
    /// Returns the left edge of the device pixel that contains the time `ps`.
    double columnOf(std::int64_t ps) const;
    double psPerPixel() const { return static_cast<double>(range.span()) * pixel / width; }

    /// Returns the visible range after zooming by `factor` (2: half as much time), with the time at `x` staying at `x`.
    /// At the edges of the run and at the shortest range, that time stays as close to `x` as possible.
    data::TimeRange zoomed(double x, double factor, std::int64_t runEnd) const;
    data::TimeRange panned(double pixels, std::int64_t runEnd) const;
};

struct Tick {
    std::int64_t ps = 0;
    QString label;
};

/// Returns ticks at 1, 2 or 5 times a power of ten, with at most `most` intervals, all in one unit and with as many
/// decimals as the steps require.
std::vector<Tick> timeTicks(data::TimeRange range, int most);

/// Returns the part of `range` that lies within a run that ends at `end`; empty if the range begins after the end. The
/// time axis can be longer than the run, because a pinned or compared run can last longer; there the run is over, not
/// idle.
inline data::TimeRange withinRun(data::TimeRange range, std::int64_t end) {
    const std::int64_t start = std::clamp<std::int64_t>(range.start, 0, end);
    return {start, std::clamp<std::int64_t>(range.end, start, end)};
}

/// Returns the window of length `width` centred on `ps`, clipped to the run.
inline data::TimeRange windowAround(std::int64_t ps, std::int64_t width, std::int64_t end) {
    return withinRun({ps - width / 2, ps - width / 2 + width}, end);
}

}  // namespace ui
