#include "engine/record/cause_graph.h"

#include "engine/api/chunk_route.h"
#include "engine/workload/gemm_shape.h"

#include <boost/graph/graph_concepts.hpp>

#include <algorithm>

namespace engine {

BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<CauseGraph>));

CauseGraph::CauseGraph(const Trace& trace, const Experiment& experiment)
    : m_experiment(experiment), m_lanes(trace), m_parts(runPartsOf(experiment)),
      m_scatterByDma(experiment.policy.mapping == OutputMapping::remoteDma && !m_parts.consumes),
      m_slotsOfCu(static_cast<std::uint32_t>(std::max<std::int64_t>(1, slotsOfCu(experiment)))),
      m_places(m_lanes, experiment.dma.blockTiles, m_scatterByDma, m_parts.gatherByDma) {
    for (std::uint32_t gpu = 0; gpu < (trace.mirrored ? 1 : trace.gpus); ++gpu)
        m_trackedOrders.emplace_back(trace.output, routesOf(experiment, gpu), m_parts.fused());
    if (experiment.companion.operation == CompanionOperation::gemm)
        m_companionTiling = companionTilingOf(experiment);
    m_topology = topologyOf(experiment);
    if (trace.mirrored)
        return;
    for (std::uint32_t node = 0; node < m_topology.nodes.size(); ++node) {
        m_linksFrom.push_back(m_topology.linksFrom(node));
        m_linksTo.push_back(m_topology.linksTo(node));
    }
}

std::pair<CauseIterator, CauseIterator> out_edges(const Moment& moment, const CauseGraph& graph) {
    const Causes causes = graph.causesOf(moment);
    return {{causes, 0}, {causes, causes.count}};
}

std::size_t out_degree(const Moment& moment, const CauseGraph& graph) { return graph.causesOf(moment).count; }

Causes CauseGraph::causesOf(const Moment& later) const {
    Causes causes;
    switch (later.kind) {
    case MomentKind::runBegun:
    case MomentKind::lost: break;
    case MomentKind::runEnded: ofEnd(later, causes); break;
    case MomentKind::collectiveBegun: ofCollectiveBegin(later, causes); break;
    case MomentKind::gemmEnded: ofGemmEnd(later, causes); break;
    case MomentKind::workgroupBegun: ofWorkgroupBegin(later, causes); break;
    case MomentKind::loaded: ofLoaded(later, causes); break;
    case MomentKind::computed: ofComputed(later, causes); break;
    case MomentKind::released: ofReleased(later, causes); break;
    case MomentKind::landed:
    case MomentKind::setFreed: ofLanded(later, causes); break;
    case MomentKind::readBack: ofReadBack(later, causes); break;
    case MomentKind::sent: ofSent(later, causes); break;
    case MomentKind::arrived: ofArrived(later, causes); break;
    case MomentKind::triggered: ofTriggered(later, causes); break;
    case MomentKind::taken: ofTaken(later, causes); break;
    case MomentKind::stepBegun: ofStepBegin(later, causes); break;
    case MomentKind::stepEnded: ofStepEnd(later, causes); break;
    }
    return causes;
}

Moment CauseGraph::at(MomentKind kind, const Moment& like, SpanPlace place, TimePoint when) const {
    return {when, like.gpu, place, kNone, kind, like.phase};
}

bool CauseGraph::byDma(WorkPhase phase) const {
    return phase == WorkPhase::allGather ? m_parts.gatherByDma : m_scatterByDma;
}

const PhaseTimes& CauseGraph::times(std::uint32_t gpu) const {
    const std::vector<PhaseTimes>& all = m_lanes.trace().phases;
    const std::uint32_t recorded = m_lanes.recorded(gpu);
    return recorded < all.size() ? all[recorded] : m_noTimes;
}

// A trace tells when parts ended; a GPU may go on sending and serving after its last one.
std::uint32_t CauseGraph::lastGpu() const {
    const Trace& trace = m_lanes.trace();
    std::uint32_t last = 0;
    TimePoint lastEnd;
    for (std::uint32_t gpu = 0; gpu < trace.gpus && !trace.mirrored; ++gpu) {
        TimePoint end = std::max({times(gpu).gemmEnd, times(gpu).reduceScatterEnd, times(gpu).allGatherEnd});
        if (hasCompanion())
            end = std::max({end, times(gpu).ownEnd, times(gpu).companionEnd});
        for (const LaneKind kind : {LaneKind::linkOut, LaneKind::dramChannel})
            for (const std::uint32_t lane : m_lanes.lanes(gpu, kind))
                if (!m_lanes.spans(lane).empty() && m_lanes.spans(lane).back().end <= trace.end)
                    end = std::max(end, m_lanes.spans(lane).back().end);
        if (end > lastEnd) {
            last = gpu;
            lastEnd = end;
        }
    }
    return last;
}

Moment CauseGraph::end() const {
    Moment moment;
    moment.at = m_lanes.trace().end;
    moment.gpu = lastGpu();
    moment.kind = MomentKind::runEnded;
    moment.phase = endsLater(moment.gpu)                    ? WorkPhase::companion
                   : m_parts.allGather && !m_parts.consumes ? WorkPhase::allGather
                   : m_parts.scatters()                     ? scatterPhase()
                                                            : WorkPhase::gemm;
    return moment;
}

// Searches strictly earlier times, so that a walk always comes nearer to the beginning.
Moment CauseGraph::lastBefore(const Moment& later) const {
    Moment last = beginning(later);
    const TimePoint before{later.at.ps - 1};
    const auto take = [&](MomentKind kind, SpanPlace place, WorkPhase phase) {
        const TimePoint end = m_lanes.span(place).end;
        if (end > last.at && end <= before) {
            last = at(kind, later, place, end);
            last.phase = phase;
        }
    };
    const bool own = later.phase != WorkPhase::companion;
    const WorkPhase phase = later.phase == WorkPhase::gemm ? scatterPhase() : later.phase;
    const std::uint32_t kernels = own ? 1 : m_lanes.trace().companionCopies + 1;
    for (std::uint32_t kernel = own ? kOwnKernel : 1; kernel < kernels; ++kernel)
        if (const auto released = m_places.lastReleasedBefore(later.gpu, later.at, static_cast<std::uint8_t>(kernel)))
            take(MomentKind::released, *released, gemmPhaseOf(static_cast<std::uint8_t>(kernel)));
    const std::pair<LaneKind, MomentKind> kinds[] = {{LaneKind::landings, MomentKind::landed},
                                                     {LaneKind::linkIn, MomentKind::arrived},
                                                     {LaneKind::linkOut, MomentKind::sent}};
    for (const auto& [shown, kind] : kinds) {
        for (const std::uint32_t lane : m_lanes.lanes(later.gpu, shown)) {
            auto span = m_lanes.lastEndedBy(lane, before);
            while (span && (engine::kernelOf(m_lanes.spans(lane)[*span]) == kOwnKernel) != own)
                span = *span == 0 ? std::nullopt : std::optional(*span - 1);
            if (span)
                take(kind, {lane, *span}, phase);
        }
    }
    if (last.kind == MomentKind::landed && m_lanes.span(last.place).kind == SpanKind::storeLanded)
        last.phase = WorkPhase::gemm;
    return last;
}

void CauseGraph::ofEnd(const Moment& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionEnd(later, causes);
    if (m_parts.allGather)
        if (const auto ended = collectiveEndedAt(later, later.at, WorkPhase::allGather))
            return causes.add(later, *ended);
    if (m_parts.scatters())
        if (const auto ended = collectiveEndedAt(later, later.at, scatterPhase()))
            return causes.add(later, *ended);
    Moment gemm = at(MomentKind::gemmEnded, later, {}, later.at);
    gemm.phase = WorkPhase::gemm;
    if (m_parts.gemm && times(later.gpu).gemmEnd == later.at)
        return causes.add(later, gemm);
    if (const auto sent = sentAt(later))
        causes.add(later, *sent);
}

// Finds the end of a collective: the last step of a kernel, or the landing that completed the data of tracker and DMA.
std::optional<Moment> CauseGraph::collectiveEndedAt(const Moment& like, TimePoint when, WorkPhase phase) const {
    Moment there = like;
    there.phase = phase;
    if (byDma(phase))
        return landedAt(there, when);
    const LaneKind kind = phase == WorkPhase::allGather ? LaneKind::allGather : LaneKind::reduceScatter;
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, kind))
        if (const auto step = m_lanes.lastEndedBy(lane, when); step && m_lanes.spans(lane)[*step].end == when)
            return at(MomentKind::stepEnded, there, {lane, *step}, when);
    return std::nullopt;
}

void CauseGraph::ofCollectiveBegin(const Moment& later, Causes& causes) const {
    const PhaseTimes& when = times(later.gpu);
    const bool gathers = later.phase == WorkPhase::allGather;
    if (gathers && !m_parts.consumes && m_parts.scatters() && when.reduceScatterEnd == later.at)
        if (const auto ended = collectiveEndedAt(later, later.at, scatterPhase()))
            return causes.add(later, *ended);
    const bool beside = m_experiment.policy.start == CommunicationStart::concurrent || (gathers && m_parts.consumes);
    if (m_parts.gemm && !beside && when.gemmEnd == later.at) {
        Moment gemm = at(MomentKind::gemmEnded, later, {}, later.at);
        gemm.phase = WorkPhase::gemm;
        return causes.add(later, gemm);
    }
    // A part that comes first begins with the run, or later by its GPU's start skew.
    if (beside || !m_parts.gemm)
        causes.add(later, beginning(later));
}

}  // namespace engine
