#pragma once

#include "data/replay/time_range.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

struct Tick {
    std::int64_t ps = 0;
    QString label;
};

/// Ticks at 1, 2 or 5 times a power of ten, at most `most` steps of them, all in one unit with as many decimals as it takes.
std::vector<Tick> timeTicks(data::TimeRange range, int most);

}  // namespace ui
