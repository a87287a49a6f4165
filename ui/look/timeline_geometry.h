#pragma once

#include "data/replay/time_range.h"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ui {

/// Time to pixel and back. The origin is subtracted as whole picoseconds before anything is scaled, so that
/// a picosecond at the end of a long run is as sharp as one at its start.
struct TimelineGeometry {
    /// What a view shows at least: 10 ns, which is less than one DRAM burst of the finest detail.
    static constexpr std::int64_t kShortestRange = 10'000;

    data::TimeRange range;
    double left = 0;   ///< x of the range's start
    double width = 1;  ///< x extent of the range
    double pixel = 1;  ///< size of one device pixel in widget coordinates: 0.5 at 2x

    double xOf(std::int64_t ps) const;
    std::int64_t timeAt(double x) const;
    /// Left edge of the device pixel that holds the moment.
    double columnOf(std::int64_t ps) const;
    double psPerPixel() const { return static_cast<double>(range.span()) * pixel / width; }

    /// The range that shows `factor` times more detail (2: half as much time) with the moment at `x` staying there.
    /// Where the run's edge or the shortest range is in the way, the moment stays as near as it can.
    data::TimeRange zoomed(double x, double factor, std::int64_t runEnd) const;
    data::TimeRange panned(double pixels, std::int64_t runEnd) const;
};

struct Tick {
    std::int64_t ps = 0;
    QString label;
};

/// Ticks at 1, 2 or 5 times a power of ten, at most `most` steps of them, all in one unit with as many decimals as it takes.
std::vector<Tick> timeTicks(data::TimeRange range, int most);

/// Returns the part of `range` that lies within a run that ends at `end`: it is empty beyond. The axis of the picture can
/// be longer than the run, where a pinned or compared run lasts longer; there the run is over, not idle.
inline data::TimeRange withinRun(data::TimeRange range, std::int64_t end) {
    const std::int64_t start = std::clamp<std::int64_t>(range.start, 0, end);
    return {start, std::clamp<std::int64_t>(range.end, start, end)};
}

/// Returns the window of `width` around `ps`, as far as it lies within the run.
inline data::TimeRange windowAround(std::int64_t ps, std::int64_t width, std::int64_t end) {
    return withinRun({ps - width / 2, ps - width / 2 + width}, end);
}

}  // namespace ui
