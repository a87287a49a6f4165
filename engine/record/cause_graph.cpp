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
      m_places(m_lanes, experiment.dma.blockTiles, m_scatterByDma, m_parts.gatherByDma), m_mapping(experiment) {
    for (std::uint32_t gpu = 0; gpu < (trace.mirrored ? 1 : trace.gpus); ++gpu)
        m_trackedOrders.emplace_back(trace.output, routesOf(experiment, gpu), m_parts.fused());
    if (hasOwnGemm(experiment.workload.sublayer))
        m_ownTiling = tilingOf(experiment);
    if (hasCompanionGemm(experiment))
        m_companionTiling = companionTilingOf(experiment);
    m_topology = topologyOf(experiment);
    if (m_parts.asProduced)
        readProduced();
    if (trace.mirrored)
        return;
    for (std::uint32_t node = 0; node < m_topology.nodes.size(); ++node) {
        m_linksFrom.push_back(m_topology.linksFrom(node));
        m_linksTo.push_back(m_topology.linksTo(node));
    }
}

std::pair<CauseIterator, CauseIterator> out_edges(const CauseVertex& vertex, const CauseGraph& graph) {
    const Causes causes = graph.causesOf(vertex);
    return {{causes, 0}, {causes, causes.count}};
}

std::size_t out_degree(const CauseVertex& vertex, const CauseGraph& graph) { return graph.causesOf(vertex).count; }

Causes CauseGraph::causesOf(const CauseVertex& later) const {
    Causes causes;
    switch (later.kind) {
    case VertexKind::runBegun:
    case VertexKind::lost: break;
    case VertexKind::runEnded: ofEnd(later, causes); break;
    case VertexKind::collectiveBegun: ofCollectiveBegin(later, causes); break;
    case VertexKind::gemmEnded: ofGemmEnd(later, causes); break;
    case VertexKind::workgroupBegun: ofWorkgroupBegin(later, causes); break;
    case VertexKind::loaded: ofLoaded(later, causes); break;
    case VertexKind::computed: ofComputed(later, causes); break;
    case VertexKind::released: ofReleased(later, causes); break;
    case VertexKind::landed:
    case VertexKind::setFreed: ofLanded(later, causes); break;
    case VertexKind::readBack: ofReadBack(later, causes); break;
    case VertexKind::sent: ofSent(later, causes); break;
    case VertexKind::arrived: ofArrived(later, causes); break;
    case VertexKind::triggered: ofTriggered(later, causes); break;
    case VertexKind::taken: ofTaken(later, causes); break;
    case VertexKind::stepBegun: ofStepBegin(later, causes); break;
    case VertexKind::stepEnded: ofStepEnd(later, causes); break;
    case VertexKind::accessServed: addAccess(later, later.at, causes); break;
    case VertexKind::passed: ofPassed(later, causes); break;
    }
    return causes;
}

CauseVertex CauseGraph::at(VertexKind kind, const CauseVertex& like, SpanPlace place, TimePoint when) const {
    return {when, like.gpu, place, kNone, kind, like.phase};
}

bool CauseGraph::byDma(WorkPhase phase) const {
    return phase == WorkPhase::allGather ? m_parts.gatherByDma : m_scatterByDma;
}

const PhaseTimes& CauseGraph::times(std::uint32_t gpu) const {
    const std::vector<PhaseTimes>& all = m_lanes.trace().phases;
    const std::uint32_t recorded = m_lanes.trace().recorded(gpu);
    return recorded < all.size() ? all[recorded] : m_noTimes;
}

// A trace shows when parts ended; a GPU may continue to send and to serve memory after its last part.
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

CauseVertex CauseGraph::end() const {
    CauseVertex vertex;
    vertex.at = m_lanes.trace().end;
    vertex.gpu = lastGpu();
    vertex.kind = VertexKind::runEnded;
    vertex.phase = isAccess()                               ? WorkPhase::access
                   : endsLater(vertex.gpu)                  ? WorkPhase::companion
                   : m_parts.allGather && !m_parts.consumes ? WorkPhase::allGather
                   : m_parts.scatters()                     ? scatterPhase()
                                                            : WorkPhase::gemm;
    return vertex;
}

// Searches strictly earlier times, so that a walk always comes nearer to the beginning.
CauseVertex CauseGraph::lastBefore(const CauseVertex& later) const {
    CauseVertex last = beginning(later);
    const TimePoint before{later.at.ps - 1};
    const auto take = [&](VertexKind kind, SpanPlace place, WorkPhase phase) {
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
            take(VertexKind::released, *released, gemmPhaseOf(static_cast<std::uint8_t>(kernel)));
    const std::pair<LaneKind, VertexKind> kinds[] = {{LaneKind::landings, VertexKind::landed},
                                                     {LaneKind::linkIn, VertexKind::arrived},
                                                     {LaneKind::linkOut, VertexKind::sent}};
    for (const auto& [shown, kind] : kinds) {
        for (const std::uint32_t lane : m_lanes.lanes(later.gpu, shown)) {
            auto span = m_lanes.lastEndedBy(lane, before);
            while (span && (engine::kernelOf(m_lanes.spans(lane)[*span]) == kOwnKernel) != own)
                span = *span == 0 ? std::nullopt : std::optional(*span - 1);
            if (span)
                take(kind, {lane, *span}, phase);
        }
    }
    if (last.kind == VertexKind::landed && m_lanes.span(last.place).kind == SpanKind::storeLanded)
        last.phase = WorkPhase::gemm;
    return last;
}

void CauseGraph::ofEnd(const CauseVertex& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionEnd(later, causes);
    if (isAccess())
        return addAccess(later, later.at - m_experiment.memory.latency, causes);
    if (m_parts.allGather)
        if (const auto ended = collectiveEndedAt(later, later.at, WorkPhase::allGather))
            return causes.add(later, *ended);
    if (m_parts.scatters())
        if (const auto ended = collectiveEndedAt(later, later.at, scatterPhase()))
            return causes.add(later, *ended);
    CauseVertex gemm = at(VertexKind::gemmEnded, later, {}, later.at);
    gemm.phase = WorkPhase::gemm;
    if (m_parts.gemm && times(later.gpu).gemmEnd == later.at)
        return causes.add(later, gemm);
    if (const auto sent = sentAt(later))
        causes.add(later, *sent);
}

// Finds the end of a collective: the last step of a kernel, or the landing that completed the data of tracker and DMA.
std::optional<CauseVertex> CauseGraph::collectiveEndedAt(const CauseVertex& like, TimePoint when,
                                                         WorkPhase phase) const {
    CauseVertex there = like;
    there.phase = phase;
    if (byDma(phase))
        return landedAt(there, when);
    const LaneKind kind = phase == WorkPhase::allGather ? LaneKind::allGather : LaneKind::reduceScatter;
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, kind))
        if (const auto step = m_lanes.lastEndedBy(lane, when); step && m_lanes.spans(lane)[*step].end == when)
            return at(VertexKind::stepEnded, there, {lane, *step}, when);
    return std::nullopt;
}

void CauseGraph::ofCollectiveBegin(const CauseVertex& later, Causes& causes) const {
    const PhaseTimes& when = times(later.gpu);
    const bool gathers = later.phase == WorkPhase::allGather;
    if (gathers && !m_parts.consumes && m_parts.scatters() && when.reduceScatterEnd == later.at)
        if (const auto ended = collectiveEndedAt(later, later.at, scatterPhase()))
            return causes.add(later, *ended);
    const bool beside = m_experiment.policy.start == CommunicationStart::concurrent || (gathers && m_parts.consumes);
    const bool afterGemm = m_parts.gemm && !beside && (gathers || !m_parts.asProduced);
    if (afterGemm && when.gemmEnd == later.at) {
        CauseVertex gemm = at(VertexKind::gemmEnded, later, {}, later.at);
        gemm.phase = WorkPhase::gemm;
        return causes.add(later, gemm);
    }
    if (m_parts.asProduced && !gathers)
        if (const auto first = lastProduced(later, kAnyTile, {later.at.ps - 1}, later.at))
            return causes.add(later, *first);
    // A part that comes first begins with the run, or later by its GPU's start skew.
    if (beside || !m_parts.gemm || (m_parts.asProduced && !gathers))
        causes.add(later, beginning(later));
}

}  // namespace engine
