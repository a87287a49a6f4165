#pragma once

#include "data/replay/time_range.h"

#include <algorithm>
#include <cstdint>

namespace ui {

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
