#pragma once

#include <cstdint>
#include <vector>

namespace data {

/// The times of one event in two runs.
struct TimeKnot {
    std::int64_t from = 0, to = 0;
    bool operator==(const TimeKnot&) const = default;
};

/// Maps the time of one run to that of another: linearly between knots, and by a constant offset after the last one.
///
/// Time begins at 0 in both runs. A knot that is not later than the one before it in both runs is left out. The map
/// therefore rises strictly from knot to knot, never falls between them, and is exact at knots in both directions.
class TimeMap {
public:
    /// Makes the identity.
    TimeMap() : TimeMap(std::vector<TimeKnot>{}) {}
    /// `knots` are in the order of time.
    explicit TimeMap(const std::vector<TimeKnot>& knots);

    std::int64_t operator()(std::int64_t ps) const;
    /// Returns the inverse map, which is exact at the knots as well.
    TimeMap reversed() const;
    const std::vector<TimeKnot>& knots() const { return m_knots; }
    bool operator==(const TimeMap&) const = default;

private:
    std::vector<TimeKnot> m_knots;  // 0 to 0 first
};

}  // namespace data
