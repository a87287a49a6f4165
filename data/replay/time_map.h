#pragma once

#include <cstdint>
#include <vector>

namespace data {

/// The same thing at its moment in two runs.
struct TimeKnot {
    std::int64_t from = 0, to = 0;
    bool operator==(const TimeKnot&) const = default;
};

/// From the time of one run to that of another: straight between knots, and in step with the clock behind the last one.
///
/// Time begins at 0 in both. A knot that does not come later than the one before it in both runs says nothing that a
/// cursor could follow, and is left out; so the map rises strictly at knots, never falls between them, and is exact at
/// them in both directions.
class TimeMap {
public:
    /// The same time in both.
    TimeMap() : TimeMap(std::vector<TimeKnot>{}) {}
    /// In the order of time.
    explicit TimeMap(const std::vector<TimeKnot>& knots);

    std::int64_t operator()(std::int64_t ps) const;
    /// The way back: exact where this one is.
    TimeMap reversed() const;
    const std::vector<TimeKnot>& knots() const { return m_knots; }
    bool operator==(const TimeMap&) const = default;

private:
    std::vector<TimeKnot> m_knots;  // 0 to 0 first
};

}  // namespace data
