#pragma once

#include "engine/api/units.h"

#include <cstdint>
#include <vector>

namespace data {

/// How long one resource has been busy up to any moment, in the time of one binary search.
/// It makes a lane's utilisation exact at every zoom: nothing is sampled or averaged beforehand.
class BusyCurve {
public:
    /// Intervals come sorted and never overlap; an empty one is ignored.
    void add(engine::TimePoint start, engine::TimePoint end);
    std::int64_t busyUntil(std::int64_t ps) const;
    bool empty() const { return m_intervals.empty(); }

private:
    struct Interval {
        std::int64_t start, end, before;
    };
    std::vector<Interval> m_intervals;
};

/// Several resources of a kind, such as the channels of a memory.
class Utilisation {
public:
    BusyCurve& addResource() { return m_curves.emplace_back(); }
    bool empty() const { return m_curves.empty(); }
    /// Busy time of all of them together up to `ps`.
    std::int64_t busyUntil(std::int64_t ps) const;
    /// 0 to 1, the mean over the resources and over [start, end).
    double fraction(std::int64_t start, std::int64_t end) const;
    std::size_t resources() const { return m_curves.size(); }

private:
    std::vector<BusyCurve> m_curves;
};

}  // namespace data
