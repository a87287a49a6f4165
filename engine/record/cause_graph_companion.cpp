// The edges of a companion's vertices. The trace of a companion's collective has steps or transfers, packets and DRAM
// requests, and that of a pass inside memory only DRAM's service of its pieces. The spans of its GEMMs are like those of
// the own GEMM, and cause_graph_gemm.cpp finds their edges.
#include "engine/record/cause_graph.h"

#include <algorithm>

namespace engine {

bool CauseGraph::onOneCu(std::uint32_t laneA, std::uint32_t laneB) const {
    const std::vector<Lane>& lanes = m_lanes.trace().lanes;
    return laneA < lanes.size() && laneB < lanes.size() &&
           lanes[laneA].index / m_slotsOfCu == lanes[laneB].index / m_slotsOfCu;
}

// Returns whether the companion ends later than the own work of that GPU.
bool CauseGraph::endsLater(std::uint32_t gpu) const {
    return hasCompanion() && times(gpu).companionEnd > times(gpu).ownEnd;
}

void CauseGraph::ofCompanionEnd(const CauseVertex& later, Causes& causes) const {
    if (hasCompanionGemm(m_experiment))
        return ofCopyEnd(later, causes);
    if (const auto passed = passedAt(later, later.at))
        return causes.add(later, *passed);
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::companion))
        if (const auto step = m_lanes.lastEndedBy(lane, later.at);
            step && m_lanes.spans(lane)[*step].end == later.at &&
            m_lanes.spans(lane)[*step].kind == SpanKind::companionStep)
            return causes.add(later, at(VertexKind::stepEnded, later, {lane, *step}, later.at));
    if (addCompanionArrival(later, causes))
        return;
    if (const auto sent = sentAt(later))
        causes.add(later, *sent);
}

// Adds the last store of all copies, which is written back.
void CauseGraph::ofCopyEnd(const CauseVertex& later, Causes& causes) const {
    const TimePoint served{later.at.ps - m_experiment.memory.latency.ps};
    for (std::uint32_t copy = 1; copy <= m_lanes.trace().companionCopies; ++copy) {
        const auto kernel = static_cast<std::uint8_t>(copy);
        const auto request = requestAt(later.gpu, {served, Stream::compute, false, 0, kNever, kernel});
        if (!request)
            continue;
        const TimePoint asked = askedAt(*request);
        auto by = releasedAt(later, asked, kernel);
        if (!by)
            by = loadIssuedAt(later, asked);
        if (by)
            return causes.add(later, *by, *request, asked);
    }
}

// Returns the piece of a pass inside memory that ended at `when`; if several channels ended one, that of the first.
std::optional<CauseVertex> CauseGraph::passedAt(const CauseVertex& like, TimePoint when) const {
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::dramChannel)) {
        const auto served = m_lanes.endedAt(lane, when);
        if (served && m_lanes.spans(lane)[*served].kind == SpanKind::dramPass)
            return at(VertexKind::passed, like, {lane, *served}, when);
    }
    return std::nullopt;
}

// Adds the end of the piece before in the same channel, at which this one was handed over; the first piece was handed
// over when the companion began.
void CauseGraph::ofPassed(const CauseVertex& later, Causes& causes) const {
    const TimePoint asked = askedAt(later.place);
    const auto before = m_lanes.endedAt(later.place.lane, asked);
    const bool followsPiece =
        before && *before != later.place.span && m_lanes.spans(later.place.lane)[*before].kind == SpanKind::dramPass;
    causes.add(later,
               followsPiece ? at(VertexKind::passed, later, {later.place.lane, *before}, asked) : beginning(later),
               later.place, asked);
}

// Adds the arrival whose data were written: the write landed one latency after its service, and was requested at the
// arrival.
bool CauseGraph::addCompanionArrival(const CauseVertex& later, Causes& causes) const {
    const TimePoint end{later.at.ps - m_experiment.memory.latency.ps};
    const auto request = requestAt(later.gpu, {end, Stream::communication, false, 0, kNever, collectiveOf(later)});
    if (!request)
        return false;
    const TimePoint asked = askedAt(*request);
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::linkIn)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto first = m_lanes.endedAt(lane, asked);
        for (std::uint32_t i = first.value_or(0); first && i < all.size() && all[i].end == asked; ++i) {
            if (!isPacketOf(later, all[i]))
                continue;
            causes.add(later, at(VertexKind::arrived, later, {lane, i}, asked), *request, asked);
            return true;
        }
    }
    return false;
}

// Returns the step or the transfer that began last by then.
std::optional<CauseVertex> CauseGraph::companionWorkAt(const CauseVertex& like, TimePoint when) const {
    std::optional<CauseVertex> last;
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::companion)) {
        const auto begun = m_lanes.lastBegunBy(lane, when);
        if (!begun)
            continue;
        const Span& span = m_lanes.spans(lane)[*begun];
        if (span.kind != SpanKind::companionStep && span.kind != SpanKind::companionTransfer)
            continue;
        const VertexKind kind = span.kind == SpanKind::companionStep ? VertexKind::stepBegun : VertexKind::taken;
        if (!last || span.start > last->at)
            last = at(kind, like, {lane, *begun}, span.start);
    }
    return last;
}

// Adds the end of the step before, or the run's beginning for the first step. The time in between is a wait for room: a
// kernel that is one of two has to wait for room twice.
void CauseGraph::ofCompanionStepBegin(const CauseVertex& later, Causes& causes) const {
    if (later.place.span == 0)
        return causes.add(later, beginning(later));
    const SpanPlace before{later.place.lane, later.place.span - 1};
    causes.add(later, at(VertexKind::stepEnded, later, before, m_lanes.span(before).end));
}

void CauseGraph::ofCompanionStepEnd(const CauseVertex& later, Causes& causes) const {
    if (addCompanionArrival(later, causes))
        return;
    if (const auto sent = sentAt(later))
        return causes.add(later, *sent);
    causes.add(later, at(VertexKind::stepBegun, later, later.place, m_lanes.span(later.place).start));
}

void CauseGraph::ofCompanionRead(const CauseVertex& later, Causes& causes) const {
    const TimePoint asked = askedAt(later.place);
    if (const auto work = companionWorkAt(later, asked))
        causes.add(later, *work, later.place, asked);
}

// Adds the arrival of the transfer's chunk, or the run's beginning if the chunk was there from the beginning.
void CauseGraph::ofCompanionTransfer(const CauseVertex& later, Causes& causes) const {
    const std::uint32_t chunk = m_lanes.span(later.place).second;
    std::optional<CauseVertex> last;
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::linkIn)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto by = m_lanes.lastEndedBy(lane, later.at);
        for (std::uint32_t i = by ? *by + 1 : 0; i-- > 0;) {
            if (last && all[i].end <= last->at)
                break;
            if (!isPacketOf(later, all[i]) || all[i].second != chunk)
                continue;
            last = at(VertexKind::arrived, later, {lane, i}, all[i].end);
            break;
        }
    }
    causes.add(later, last ? *last : beginning(later));
}

void CauseGraph::addCompanionHandedIn(const CauseVertex& later, Causes& causes) const {
    const Span& packet = m_lanes.span(later.place);
    if (const auto back = readBackAt(later, packet.start, packet.first, 0))
        return causes.add(later, *back);
    if (const auto passedOn = arrivedAt(later, packet.start, packet.first))
        return causes.add(later, *passedOn);
    if (const auto work = companionWorkAt(later, packet.start))
        causes.add(later, *work);
}

}  // namespace engine
