#include "data/replay/time_map.h"

#include <algorithm>

namespace data {
namespace {

__extension__ using WidePs = __int128;  // picoseconds of a second, squared, do not fit into 64 bits

/// Scales a time, rounded to the nearest picosecond. Preconditions: both ranges are positive, and 0 <= `ps` <= `from`.
std::int64_t scaledPs(std::int64_t ps, std::int64_t from, std::int64_t to) {
    return static_cast<std::int64_t>((static_cast<WidePs>(ps) * to * 2 + from) / (static_cast<WidePs>(from) * 2));
}

}  // namespace

TimeMap::TimeMap(const std::vector<TimeKnot>& knots) : m_knots{{0, 0}} {
    for (const TimeKnot& knot : knots) {
        if (knot.from > m_knots.back().from && knot.to > m_knots.back().to)
            m_knots.push_back(knot);
    }
}

std::int64_t TimeMap::operator()(std::int64_t ps) const {
    if (ps >= m_knots.back().from)
        return m_knots.back().to + (ps - m_knots.back().from);
    if (ps <= 0)
        return ps;
    const auto after = std::upper_bound(m_knots.begin(), m_knots.end(), ps,
                                        [](std::int64_t value, const TimeKnot& knot) { return value < knot.from; });
    const TimeKnot& a = *(after - 1);
    return a.to + scaledPs(ps - a.from, after->from - a.from, after->to - a.to);
}

TimeMap TimeMap::reversed() const {
    TimeMap back;
    for (std::size_t i = 1; i < m_knots.size(); ++i)
        back.m_knots.push_back({m_knots[i].to, m_knots[i].from});
    return back;
}

}  // namespace data
