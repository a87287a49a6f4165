#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace data {

/// A stretch of a run, in picoseconds, divided into periods of one length. The last one ends with the stretch, so that
/// it may be shorter.
struct Periods {
    std::int64_t length = 1, end = 1;
    std::int64_t start = 0;

    std::size_t count() const { return static_cast<std::size_t>((end - start + length - 1) / length); }
    std::int64_t begin(std::size_t period) const { return start + static_cast<std::int64_t>(period) * length; }
    std::int64_t endOf(std::size_t period) const { return std::min(end, begin(period) + length); }
    std::int64_t lengthOf(std::size_t period) const { return endOf(period) - begin(period); }
    bool has(std::int64_t ps) const { return start <= ps && ps < end; }
    /// Returns the period that has a time; the first or the last one for times before or after all.
    std::size_t at(std::int64_t ps) const {
        return static_cast<std::size_t>((std::clamp(ps, start, end - 1) - start) / length);
    }
    bool operator==(const Periods&) const = default;
};

/// Divides [from, to) among the periods: calls `take(period, picoseconds)` for each that has a part of it.
template <class Take>
void divide(const Periods& periods, std::int64_t from, std::int64_t to, const Take& take) {
    from = std::max(from, periods.start);
    to = std::min(to, periods.end);
    if (from >= to)
        return;
    const std::size_t last = periods.at(to - 1);
    for (std::size_t period = periods.at(from); period <= last; ++period)
        take(period, std::min(to, periods.endOf(period)) - std::max(from, periods.begin(period)));
}

}  // namespace data
