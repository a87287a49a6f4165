// The part of Flow about links, and about runs whose data do not go around a ring.
#include "data/replay/flow.h"

namespace data {

using engine::LaneKind;
using engine::SpanKind;

// Returns the index of a lane's link in the topology, which lists the links of a node in the order of its lanes.
std::optional<std::uint32_t> Flow::linkOf(const engine::Lane& lane) const {
    if (!m_topology)
        return std::nullopt;
    const std::vector<std::uint32_t> links =
        lane.kind == LaneKind::linkOut ? m_topology->linksFrom(lane.gpu) : m_topology->linksTo(lane.gpu);
    return lane.index < links.size() ? std::optional(links[lane.index]) : std::nullopt;
}

std::string Flow::linkEnd(SpanRef ref) const {
    const bool out = lane(ref).kind == LaneKind::linkOut;
    const auto link = linkOf(lane(ref));
    if (!link)
        return "GPU " + std::to_string(out ? m_places.neighbour(ref.gpu) : m_places.upstream(ref.gpu));
    const std::uint32_t node = out ? m_topology->links[*link].to : m_topology->links[*link].from;
    // In a mirrored trace the far end of another GPU's link is that of the recorded GPU's link, shifted by the distance
    // of the two GPUs.
    const std::uint32_t turned =
        m_places.mirrored() && node < m_places.gpus() ? (node + ref.gpu) % m_places.gpus() : node;
    return m_topology->nodes[turned].name;
}

// Returns the same packet at the other end of its link. A link keeps the order of its packets, so the packet has the
// same index in both lanes.
std::optional<Flow::Step> Flow::acrossLink(SpanRef ref) const {
    const engine::Lane& here = lane(ref);
    const bool out = here.kind == LaneKind::linkOut;
    const auto link = m_places.mirrored() ? std::nullopt : linkOf(here);
    if (!link)
        return std::nullopt;
    const std::uint32_t other = out ? m_topology->links[*link].to : m_topology->links[*link].from;
    for (const std::uint32_t i : lanes().lanes(other, out ? LaneKind::linkIn : LaneKind::linkOut)) {
        const engine::Lane& there = trace().lanes[i];
        if (linkOf(there) != link || ref.span >= there.spans.size())
            continue;
        const engine::Span& packet = span(ref);
        const engine::Span& same = there.spans[ref.span];
        const bool isSame = same.first == packet.first && same.bytes == packet.bytes;
        return isSame ? std::optional(Step{{other, i, ref.span}, same.first}) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<Flow::Step> Flow::localForward(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    switch (span.kind) {
    case SpanKind::gemmWave: {
        const SpanRef next{ref.gpu, ref.lane, ref.span + 1};
        return contains(next) ? std::optional(Step{next, std::nullopt}) : std::nullopt;
    }
    case SpanKind::load: return at(ref.gpu, here.workgroup(span.first), span.first);
    case SpanKind::workgroup: return at(ref.gpu, here.store(span.first), span.first);
    case SpanKind::linkPacket: return lane(ref).kind == LaneKind::linkOut ? acrossLink(ref) : std::nullopt;
    default: return std::nullopt;
    }
}

std::optional<Flow::Step> Flow::localBack(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    switch (span.kind) {
    case SpanKind::gemmWave:
    case SpanKind::workgroup:
        return ref.span == 0 ? std::nullopt : std::optional(Step{{ref.gpu, ref.lane, ref.span - 1}, std::nullopt});
    case SpanKind::store:
    case SpanKind::storeLanded: return at(ref.gpu, here.workgroup(span.first), span.first);
    case SpanKind::linkPacket: return lane(ref).kind == LaneKind::linkIn ? acrossLink(ref) : std::nullopt;
    default: return std::nullopt;
    }
}

}  // namespace data
