#pragma once

#include "data/measured/measured_trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace data {

/// A time interval [start, end) in ps.
struct TimeInterval {
    std::int64_t start = 0, end = 0;
    bool operator==(const TimeInterval&) const = default;
};

/// A union of intervals: sorted, and none touches the next.
class IntervalUnion {
public:
    /// Adds an interval that begins no earlier than those before. Empty intervals are passed over.
    void add(const TimeInterval& interval);
    const std::vector<TimeInterval>& intervals() const { return m_intervals; }
    std::int64_t length() const;
    /// Returns how much of an interval lies in this union.
    std::int64_t overlapWith(const TimeInterval& interval) const;

private:
    std::vector<TimeInterval> m_intervals;
};

/// Returns the intervals that are in both.
IntervalUnion bothOf(const IntervalUnion& a, const IntervalUnion& b);
/// Returns the intervals that are in one of them.
IntervalUnion eitherOf(const IntervalUnion& a, const IntervalUnion& b);

/// The unions of the spans of one rank over all streams, for the chosen steps.
struct MeasuredUnions {
    IntervalUnion compute, communication, memory;
    std::int64_t start = 0, end = 0;  ///< least start and greatest end of the spans
    std::size_t spans = 0;

    std::int64_t length() const { return end - start; }
};
MeasuredUnions unionsOf(const MeasuredTrace& trace, const StepChoice& steps);

/// Where the time of one rank goes, in ps. |X| is the length of the union of the spans of X: C compute, K communication,
/// by kernel or by copy engine, M other copies and fills. span = compute + exposed + memory + idle, exactly.
struct IntervalReport {
    std::int64_t span = 0;           ///< T: greatest end - least start
    std::int64_t compute = 0;        ///< |C|
    std::int64_t communication = 0;  ///< |K|
    std::int64_t overlapped = 0;     ///< |C and K|
    std::int64_t exposed = 0;        ///< |K| - |C and K|
    std::int64_t memory = 0;         ///< |M without (C or K)|
    std::int64_t idle = 0;           ///< T - |C or K or M|

    bool operator==(const IntervalReport&) const = default;
    /// Returns overlapped / communication, as Holistic Trace Analysis and torchtitan count it; an empty optional without
    /// communication.
    std::optional<double> overlap() const;
};
IntervalReport intervalReportOf(const MeasuredUnions& unions);

}  // namespace data
