#pragma once

#include "engine/api/units.h"

#include <cstdint>
#include <vector>

namespace data {

/// Returns how long one resource has been busy up to any moment, by one binary search. Utilisation is therefore exact
/// at every zoom: nothing is sampled or averaged in advance.
class BusyCurve {
public:
    /// Adds an interval. Intervals must be added sorted and must not overlap; an empty one is ignored.
    void add(engine::TimePoint start, engine::TimePoint end);
    std::int64_t busyUntil(std::int64_t ps) const;
    bool empty() const { return m_intervals.empty(); }

private:
    struct Interval {
        std::int64_t start, end, before;
    };
    std::vector<Interval> m_intervals;
};

/// The utilisation of several resources of a kind, such as the channels of a memory.
class Utilisation {
public:
    BusyCurve& addResource() { return m_curves.emplace_back(); }
    bool empty() const { return m_curves.empty(); }
    /// Returns the busy time of all resources together up to `ps`.
    std::int64_t busyUntil(std::int64_t ps) const;
    /// Returns the mean over the resources of the busy share of [start, end), 0 to 1.
    double fraction(std::int64_t start, std::int64_t end) const;
    std::size_t resources() const { return m_curves.size(); }

private:
    std::vector<BusyCurve> m_curves;
};

}  // namespace data
