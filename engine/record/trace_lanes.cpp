#include "engine/api/trace_lanes.h"

#include <algorithm>

namespace engine {

TraceLanes::TraceLanes(const Trace& trace) : m_trace(trace) {
    const std::size_t recorded = trace.recordedGpus();
    m_lanes.resize(recorded * kLaneKinds);
    for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
        const Lane& lane = trace.lanes[i];
        if (lane.gpu < recorded)
            m_lanes[lane.gpu * kLaneKinds + static_cast<std::size_t>(lane.kind)].push_back(i);
    }
}

std::span<const std::uint32_t> TraceLanes::lanes(std::uint32_t gpu, LaneKind kind) const {
    const std::size_t at = m_trace.recorded(gpu) * kLaneKinds + static_cast<std::size_t>(kind);
    return at < m_lanes.size() ? std::span<const std::uint32_t>(m_lanes[at]) : std::span<const std::uint32_t>();
}

std::uint32_t TraceLanes::lane(std::uint32_t gpu, LaneKind kind, std::uint32_t index) const {
    const std::span<const std::uint32_t> all = lanes(gpu, kind);
    if (index < all.size() && m_trace.lanes[all[index]].index == index)
        return all[index];
    const auto found =
        std::find_if(all.begin(), all.end(), [&](std::uint32_t i) { return m_trace.lanes[i].index == index; });
    return found == all.end() ? kNone : *found;
}

std::optional<std::uint32_t> TraceLanes::lastEndedBy(std::uint32_t lane, TimePoint end) const {
    const std::vector<Span>& all = spans(lane);
    const auto after = std::partition_point(all.begin(), all.end(), [&](const Span& span) { return span.end <= end; });
    if (after == all.begin())
        return std::nullopt;
    return static_cast<std::uint32_t>(after - all.begin() - 1);
}

std::optional<std::uint32_t> TraceLanes::endedAt(std::uint32_t lane, TimePoint end) const {
    const std::vector<Span>& all = spans(lane);
    const auto at = std::partition_point(all.begin(), all.end(), [&](const Span& span) { return span.end < end; });
    if (at == all.end() || at->end != end)
        return std::nullopt;
    return static_cast<std::uint32_t>(at - all.begin());
}

std::optional<std::uint32_t> TraceLanes::lastBegunBy(std::uint32_t lane, TimePoint start) const {
    const std::vector<Span>& all = spans(lane);
    const auto after =
        std::partition_point(all.begin(), all.end(), [&](const Span& span) { return span.start <= start; });
    if (after == all.begin())
        return std::nullopt;
    return static_cast<std::uint32_t>(after - all.begin() - 1);
}

}  // namespace engine
