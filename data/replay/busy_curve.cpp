#include "data/replay/busy_curve.h"

#include <algorithm>

namespace data {

void BusyCurve::add(engine::TimePoint start, engine::TimePoint end) {
    if (end <= start)
        return;
    if (m_intervals.empty()) {
        m_intervals.push_back({start.ps, end.ps, 0});
        return;
    }
    Interval& last = m_intervals.back();
    // Intervals that touch are joined, which keeps the curve small and changes no result.
    if (last.end == start.ps) {
        last.end = end.ps;
        return;
    }
    m_intervals.push_back({start.ps, end.ps, last.before + (last.end - last.start)});
}

std::int64_t BusyCurve::busyUntil(std::int64_t ps) const {
    const auto after = std::upper_bound(m_intervals.begin(), m_intervals.end(), ps,
                                        [](std::int64_t time, const Interval& i) { return time < i.start; });
    if (after == m_intervals.begin())
        return 0;
    const Interval& interval = *std::prev(after);
    return interval.before + std::min(ps, interval.end) - interval.start;
}

std::int64_t Utilisation::busyUntil(std::int64_t ps) const {
    std::int64_t busy = 0;
    for (const BusyCurve& curve : m_curves)
        busy += curve.busyUntil(ps);
    return busy;
}

double Utilisation::fraction(std::int64_t start, std::int64_t end) const {
    if (m_curves.empty() || end <= start)
        return 0;
    const double busy = static_cast<double>(busyUntil(end) - busyUntil(start));
    return busy / (static_cast<double>(end - start) * static_cast<double>(m_curves.size()));
}

}  // namespace data
