#pragma once

#include "engine/api/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Finds lanes by their resource and spans by the time at which they ended. The constructor reads lanes only, not their
/// spans; each search is a binary search. If one GPU stands for all, every GPU has its lanes. Precondition: the trace
/// outlives this object.
class TraceLanes {
public:
    explicit TraceLanes(const Trace& trace);

    const Trace& trace() const { return m_trace; }
    std::uint32_t gpus() const { return m_trace.gpus; }

    /// Returns the lanes of one kind, by index. Empty for a GPU that is not in the trace.
    std::span<const std::uint32_t> lanes(std::uint32_t gpu, LaneKind kind) const;
    /// Returns one lane of a kind; kNone if there is none.
    std::uint32_t lane(std::uint32_t gpu, LaneKind kind, std::uint32_t index) const;

    const std::vector<Span>& spans(std::uint32_t lane) const { return m_trace.lanes[lane].spans; }
    const Span& span(SpanPlace place) const { return m_trace.span(place); }

    /// Returns the last span that ended at or before `end`, of a lane whose spans end in order (slots, channels, links,
    /// instants).
    std::optional<std::uint32_t> lastEndedBy(std::uint32_t lane, TimePoint end) const;
    /// Returns the first span of such a lane that ended exactly at `end`.
    std::optional<std::uint32_t> endedAt(std::uint32_t lane, TimePoint end) const;
    /// Returns the last span, of any lane, that began at or before `start`.
    std::optional<std::uint32_t> lastBegunBy(std::uint32_t lane, TimePoint start) const;

private:
    const Trace& m_trace;
    std::vector<std::vector<std::uint32_t>> m_lanes;  // by recorded GPU, then kind
};

}  // namespace engine
