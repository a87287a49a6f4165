#pragma once

#include <cstdint>

namespace data {

/// A range of simulated time in picoseconds.
struct TimeRange {
    std::int64_t start = 0;
    std::int64_t end = 1;
    std::int64_t span() const { return end - start; }
    bool operator==(const TimeRange&) const = default;
};

}  // namespace data
