// The part of Flow about companions and collective kernels on CUs: the span before and after on the same resource, and
// both ends of a link.
#include "data/replay/flow.h"

#include <iterator>

namespace data {

using engine::LaneKind;
using engine::SpanKind;

bool Flow::isBeside(SpanRef ref) const {
    const engine::Span& span = this->span(ref);
    return span.kind == SpanKind::collectiveWorkgroup || engine::kernelOf(span) != engine::kOwnKernel;
}

// Returns the span `places` further on in the lane, of any kernel: it used the same resource before or after.
std::optional<Flow::Step> Flow::ofLane(SpanRef ref, std::int64_t places) const {
    const std::int64_t at = std::int64_t{ref.span} + places;
    if (at < 0 || at >= std::ssize(lane(ref).spans))
        return std::nullopt;
    return stepOf({ref.gpu, ref.lane, static_cast<std::uint32_t>(at)});
}

std::optional<Flow::Step> Flow::besideForward(SpanRef ref) const {
    switch (span(ref).kind) {
    case SpanKind::load: return loadedWorkgroup(ref);
    case SpanKind::companionPacket:
        return lane(ref).kind == LaneKind::linkOut ? acrossCompanionLink(ref) : companionWorkAfter(ref);
    case SpanKind::workgroup:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionWave:
    case SpanKind::dramPass:
    case SpanKind::copy: return ofLane(ref, 1);
    default: return std::nullopt;
    }
}

std::optional<Flow::Step> Flow::besideBack(SpanRef ref) const {
    switch (span(ref).kind) {
    case SpanKind::companionPacket:
        return lane(ref).kind == LaneKind::linkIn ? acrossCompanionLink(ref) : companionWorkAt(ref, span(ref).start);
    case SpanKind::workgroup:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionWave:
    case SpanKind::dramPass:
    case SpanKind::copy: return ofLane(ref, -1);
    default: return std::nullopt;
    }
}

std::optional<Flow::Step> Flow::loadedWorkgroup(SpanRef load) const {
    const engine::Span& loaded = span(load);
    for (const std::uint32_t i : lanes().lanes(load.gpu, LaneKind::workgroupSlot)) {
        const engine::Lane& slot = trace().lanes[i];
        if (slot.index != lane(load).index)
            continue;
        const auto at = SpanList(slot.spans).at(loaded.start.ps);
        if (at && slot.spans[*at].first == loaded.first && slot.spans[*at].peer == loaded.peer)
            return Step{{load.gpu, i, static_cast<std::uint32_t>(*at)}, std::nullopt};
    }
    return std::nullopt;
}

// Returns the companion's step or transfer on the packet's GPU that began last, at `when` or before.
std::optional<Flow::Step> Flow::companionWorkAt(SpanRef packet, engine::TimePoint when) const {
    std::optional<Step> last;
    for (const std::uint32_t i : lanes().lanes(packet.gpu, LaneKind::companion)) {
        const auto begun = lanes().lastBegunBy(i, when);
        if (!begun)
            continue;
        const SpanRef found{packet.gpu, i, *begun};
        if (!last || span(last->ref).start < span(found).start)
            last = Step{found, std::nullopt};
    }
    return last;
}

// Returns the work that continues where the packet arrives, or that comes next.
std::optional<Flow::Step> Flow::companionWorkAfter(SpanRef packet) const {
    const auto last = companionWorkAt(packet, span(packet).end);
    return last && span(last->ref).end < span(packet).end ? ofLane(last->ref, 1) : last;
}

// Returns the other end of a packet's way over a link. A link keeps the order of its packets. In a mirrored trace, a
// packet that goes d GPUs further arrives on the recorded GPU as a packet from the GPU N-d places further.
std::optional<Flow::Step> Flow::acrossCompanionLink(SpanRef ref) const {
    if (!m_places.mirrored()) {
        const auto there = acrossLink(ref);
        return there && span(there->ref).kind == SpanKind::companionPacket ? there : std::nullopt;
    }
    const std::uint32_t gpus = m_places.gpus(), places = span(ref).peer;
    const LaneKind opposite = lane(ref).kind == LaneKind::linkOut ? LaneKind::linkIn : LaneKind::linkOut;
    for (const std::uint32_t i : lanes().lanes(ref.gpu, opposite)) {
        const engine::Lane& there = trace().lanes[i];
        if (ref.span >= there.spans.size())
            continue;
        const engine::Span& same = there.spans[ref.span];
        if (same.kind == SpanKind::companionPacket && (same.peer + places) % gpus == 0)
            return Step{{(ref.gpu + places) % gpus, i, ref.span}, std::nullopt};
    }
    return std::nullopt;
}

}  // namespace data
