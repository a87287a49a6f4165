#pragma once

#include "engine/api/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// A span by its place in a trace.
struct SpanPlace {
    std::uint32_t lane = kNone;
    std::uint32_t span = kNone;
    bool operator==(const SpanPlace&) const = default;
};

/// Finds lanes by what they show and spans by the moment at which they ended. Building it looks at lanes only, never at
/// their spans; what is found costs a binary search. Where one GPU stands for all, every GPU has its lanes.
/// Precondition: the trace outlives it.
class TraceLanes {
public:
    explicit TraceLanes(const Trace& trace);

    const Trace& trace() const { return m_trace; }
    std::uint32_t gpus() const { return m_trace.gpus; }
    /// Which of the recorded GPUs shows GPU `gpu`.
    std::uint32_t recorded(std::uint32_t gpu) const { return m_trace.mirrored ? 0 : gpu; }

    /// Lanes of one kind, by their index. Empty for a GPU that is not in the trace.
    std::span<const std::uint32_t> lanes(std::uint32_t gpu, LaneKind kind) const;
    /// kNone: there is none.
    std::uint32_t lane(std::uint32_t gpu, LaneKind kind, std::uint32_t index) const;

    const std::vector<Span>& spans(std::uint32_t lane) const { return m_trace.lanes[lane].spans; }
    const Span& span(SpanPlace place) const { return m_trace.lanes[place.lane].spans[place.span]; }

    /// The last span of a lane whose spans end in their order (slots, channels, links, instants) that ended at `end` or
    /// before.
    std::optional<std::uint32_t> lastEndedBy(std::uint32_t lane, TimePoint end) const;
    /// The first that ended exactly then.
    std::optional<std::uint32_t> endedAt(std::uint32_t lane, TimePoint end) const;
    /// The last span of any lane that began at `start` or before.
    std::optional<std::uint32_t> lastBegunBy(std::uint32_t lane, TimePoint start) const;

private:
    const Trace& m_trace;
    std::vector<std::vector<std::uint32_t>> m_lanes;  // by recorded GPU, then kind
};

}  // namespace engine
