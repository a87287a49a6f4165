// The edges of a GEMM's workgroups, loads and K-steps.
#include "engine/record/cause_graph.h"

#include <algorithm>

namespace engine {

// Returns the number of K-steps in `prefetch` elements, at least one.
std::uint32_t CauseGraph::prefetchedSteps(std::uint32_t gpu, std::uint8_t kernel) const {
    const GemmConfig& gemm = kernel == kOwnKernel ? m_ownTiling : m_companionTiling;
    const std::int64_t steps = std::max<std::int64_t>(1, m_places.steps(gpu, kernel));
    const std::int64_t each = std::max<std::int64_t>(1, gemm.kStep);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>((gemm.prefetch.value() + each - 1) / each, 1, steps));
}

std::optional<CauseVertex> CauseGraph::computedStep(const CauseVertex& like, SpanPlace workgroup,
                                                    std::uint32_t step) const {
    const std::uint8_t kernel = kernelOf(workgroup);
    const TimePoint done = m_places.computed(like.gpu, m_lanes.span(workgroup).first, step, kernel);
    if (done == kNever)
        return std::nullopt;
    CauseVertex vertex = at(VertexKind::computed, like, workgroup, done);
    vertex.phase = gemmPhaseOf(kernel);
    vertex.part = step;
    return vertex;
}

// Returns the load of a K-step. A slot's loads are in the order of their issue, K-step by K-step; only loads that were
// issued together may have changed places.
std::optional<CauseVertex> CauseGraph::loadOf(const CauseVertex& like, SpanPlace workgroup, std::uint32_t step) const {
    const Span& of = m_lanes.span(workgroup);
    const std::uint32_t lane = m_lanes.lane(like.gpu, LaneKind::loads, m_lanes.trace().lanes[workgroup.lane].index);
    if (lane == kNone)
        return std::nullopt;
    const std::vector<Span>& all = m_lanes.spans(lane);
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const Span& load) { return load.start < of.start; });
    const auto found = [&](auto load) {
        CauseVertex vertex =
            at(VertexKind::loaded, like, {lane, static_cast<std::uint32_t>(load - all.begin())}, load->end);
        vertex.phase = gemmPhaseOf(of.peer);
        return vertex;
    };
    const auto is = [&](const Span& load) {
        return load.first == of.first && load.second == step && load.peer == of.peer;
    };
    if (all.end() - first > static_cast<std::ptrdiff_t>(step) && is(first[step]))
        return found(first + step);
    const auto last = std::find_if(first, all.end(), [&](const Span& load) { return load.start > of.end; });
    const auto load = std::find_if(first, last, is);
    return load == last ? std::nullopt : std::optional(found(load));
}

// Returns the vertex at which a load was issued: the K-step `prefetch` before it was done or, for the first loads, the
// workgroup began.
std::optional<CauseVertex> CauseGraph::issueOf(const CauseVertex& loaded) const {
    const Span& load = m_lanes.span(loaded.place);
    const auto workgroup = m_places.workgroup(loaded.gpu, load.first, load.peer);
    if (!workgroup)
        return std::nullopt;
    const std::uint32_t depth = prefetchedSteps(loaded.gpu, load.peer);
    if (load.second >= depth)
        return computedStep(loaded, *workgroup, load.second - depth);
    CauseVertex begun = at(VertexKind::workgroupBegun, loaded, *workgroup, load.start);
    begun.phase = gemmPhaseOf(load.peer);
    return begun;
}

std::optional<CauseVertex> CauseGraph::loadIssuedAt(const CauseVertex& like, TimePoint when) const {
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::loads))
        if (const auto load = m_lanes.lastBegunBy(lane, when); load && m_lanes.spans(lane)[*load].start == when)
            return issueOf(at(VertexKind::loaded, like, {lane, *load}, when));
    return std::nullopt;
}

void CauseGraph::ofWorkgroupBegin(const CauseVertex& later, Causes& causes) const {
    const Span& workgroup = m_lanes.span(later.place);
    const bool consumes = m_parts.consumes && workgroup.peer == kOwnKernel;
    CauseVertex gather = later;
    gather.phase = WorkPhase::allGather;
    if (consumes && m_parts.gatherByDma && later.at > workgroup.start)
        if (const auto input = landedAt(gather, later.at, kAnyTile, SpanKind::arrivalLanded))
            return causes.add(later, *input);
    if (const auto piece = pieceBefore(later))
        return causes.add(later, *piece);
    if (const auto before = madeRoom(later))
        return causes.add(later, *before);
    if (consumes && !m_parts.gatherByDma && !m_parts.byCopies)
        for (const TimePoint ended : {workgroup.start, std::min(workgroup.start, times(later.gpu).allGatherEnd)})
            if (const auto input = collectiveEndedAt(later, ended, WorkPhase::allGather))
                return causes.add(later, *input);
    causes.add(later, beginning(later));
}

// Returns that for which a workgroup's own piece waited, if the workgroup began when that was launched: the end of the
// piece before it in its queue, or the copy of a chunk that it reads.
std::optional<CauseVertex> CauseGraph::pieceBefore(const CauseVertex& begun) const {
    const Trace& trace = m_lanes.trace();
    const Span& workgroup = m_lanes.span(begun.place);
    if (trace.pieces.empty() || workgroup.peer != kOwnKernel)
        return std::nullopt;
    const std::vector<PieceTimes>& pieces = trace.pieces[trace.recorded(begun.gpu)];
    const std::size_t piece = pieceOf(pieces, workgroup.second);
    const auto queues = static_cast<std::size_t>(m_experiment.policy.queues);
    if (pieces[piece].launched != workgroup.start)
        return std::nullopt;
    if (m_parts.consumes) {
        CauseVertex gather = begun;
        gather.phase = WorkPhase::allGather;
        const TimePoint offered = pieces[piece].launched - m_experiment.launch.kernel;
        if (const auto came = landedAt(gather, offered, kAnyTile, SpanKind::arrivalLanded))
            return came;
    }
    if (piece < queues)
        return std::nullopt;
    CauseVertex ended = at(VertexKind::gemmEnded, begun, {}, pieces[piece - queues].landed);
    ended.phase = WorkPhase::gemm;
    return ended;
}

// Finds when the output was in memory: with the piece that has the tile's workgroup or, without pieces, with the tile's
// last granule.
void CauseGraph::readProduced() {
    const Trace& trace = m_lanes.trace();
    m_produced.assign(trace.recordedGpus(), std::vector<Produced>(trace.output.tiles()));
    for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
        const Lane& of = trace.lanes[lane];
        if (of.kind != (trace.pieces.empty() ? LaneKind::landings : LaneKind::workgroupSlot))
            continue;
        for (std::uint32_t i = 0; i < of.spans.size(); ++i) {
            const Span& span = of.spans[i];
            if (of.gpu >= m_produced.size() || span.first >= m_produced[of.gpu].size())
                continue;
            Produced& tile = m_produced[of.gpu][span.first];
            if (span.kind == SpanKind::storeLanded && (tile.at == kNever || tile.at < span.end))
                tile = {span.end, {lane, i}};
            if (span.kind == SpanKind::workgroup && span.peer == kOwnKernel) {
                const std::vector<PieceTimes>& pieces = trace.pieces[of.gpu];
                tile.at = pieces[pieceOf(pieces, span.second)].landed;
            }
        }
    }
}

// Returns the last of the tiles' landings of which the kernel knew after `after` and by `by`.
std::optional<CauseVertex> CauseGraph::lastProduced(const CauseVertex& like, Tiles tiles, TimePoint after,
                                                    TimePoint by) const {
    if (m_produced.empty())
        return std::nullopt;
    const std::vector<Produced>& all = m_produced[m_lanes.trace().recorded(like.gpu)];
    const Produced* last = nullptr;
    for (std::uint32_t tile = tiles.first; tile < std::min<std::size_t>(tiles.second, all.size()); ++tile) {
        if (all[tile].at == kNever)
            continue;
        const TimePoint known = all[tile].at + m_experiment.policy.signalLatency;
        if (known > after && known <= by && (last == nullptr || all[tile].at > last->at))
            last = &all[tile];
    }
    if (last == nullptr)
        return std::nullopt;
    const bool byPiece = last->landing.lane == kNone;
    CauseVertex landed = at(byPiece ? VertexKind::gemmEnded : VertexKind::landed, like, last->landing, last->at);
    landed.phase = WorkPhase::gemm;
    return landed;
}

CauseGraph::Tiles CauseGraph::chunkTiles(std::uint32_t chunk) const {
    const std::vector<std::uint32_t>& first = m_lanes.trace().output.chunkTile;
    return chunk + std::size_t{1} < first.size() ? Tiles{first[chunk], first[chunk + 1]} : kAnyTile;
}

// Returns the workgroup of the same kernel that had this workgroup's place before. If another kernel had the CU in
// between, that is the last workgroup before then: the kernel has waited for room there ever since.
std::optional<CauseVertex> CauseGraph::madeRoom(const CauseVertex& begun) const {
    const TimePoint start = m_lanes.span(begun.place).start;
    if (begun.place.span > 0) {
        const SpanPlace before{begun.place.lane, begun.place.span - 1};
        const Span& span = m_lanes.span(before);
        if (span.end == start && span.kind == SpanKind::workgroup && span.peer == kernelOf(begun.place))
            return at(VertexKind::released, begun, before, start);
    }
    if (!hasCompanion())
        return std::nullopt;
    std::optional<CauseVertex> last;
    for (const std::uint32_t lane : m_lanes.lanes(begun.gpu, LaneKind::workgroupSlot)) {
        if (!onOneCu(lane, begun.place.lane))
            continue;
        auto span = m_lanes.lastEndedBy(lane, start);
        while (span && (m_lanes.spans(lane)[*span].kind != SpanKind::workgroup ||
                        m_lanes.spans(lane)[*span].peer != kernelOf(begun.place)))
            span = *span == 0 ? std::nullopt : std::optional(*span - 1);
        if (span && (!last || m_lanes.spans(lane)[*span].end > last->at))
            last = at(VertexKind::released, begun, {lane, *span}, m_lanes.spans(lane)[*span].end);
    }
    return last;
}

// Returns the issue of the request that brought the last of the data, by this workgroup or by another before it. The
// request is identified by its end, because latencies are constant. If there is none, all data were in the cache, but a
// hit may have waited in its slice until a request of its channel was done.
void CauseGraph::ofLoaded(const CauseVertex& later, Causes& causes) const {
    const auto issue = issueOf(later);
    if (!issue)
        return;
    const TimePoint cached = cachedAt(later);
    const TimePoint end{cached.ps - m_experiment.memory.latency.ps};
    const TimePoint issued = m_lanes.span(later.place).start;
    if (const auto request = requestAt(later.gpu, {end, Stream::compute, true, 0, issued, kernelOf(later.place)}))
        return causes.add(later, *issue, *request, issued);
    if (const auto before = m_experiment.llc.queue && cached > issued ? servedUntil(later.gpu, cached) : std::nullopt)
        return causes.add(later, *issue, *before, issued);
    causes.add(later, *issue);
}

SpanPlace CauseGraph::workgroupOf(const CauseVertex& loaded) const {
    const Span& load = m_lanes.span(loaded.place);
    return m_places.workgroup(loaded.gpu, load.first, load.peer).value_or(SpanPlace{});
}

TimePoint CauseGraph::cachedAt(const CauseVertex& loaded) const {
    const Span& load = m_lanes.span(loaded.place);
    const TimePoint cached = m_places.cached(loaded.gpu, load.first, load.second, load.peer);
    return cached == kNever ? loaded.at - m_experiment.llc.latency : cached;
}

// A K-step began when its data were there and the K-step before it in the pipe was done.
std::vector<Busy> CauseGraph::computingOf(const CauseVertex& like, SpanPlace workgroup, TimePoint from,
                                          TimePoint to) const {
    struct Step {
        TimePoint done;
        SpanPlace workgroup;
        std::uint32_t number;
    };
    std::vector<Step>
        steps;  // the last that was done by `from`, those until `to`, and the first after it, of each slot
    const std::uint32_t slots = m_slotsOfCu, own = m_lanes.trace().lanes[workgroup.lane].index;
    for (std::uint32_t slot = own / slots * slots; slot < (own / slots + 1) * slots; ++slot) {
        const std::uint32_t lane = m_lanes.lane(like.gpu, LaneKind::workgroupSlot, slot);
        const auto last = lane == kNone ? std::nullopt : m_lanes.lastBegunBy(lane, to);
        for (std::uint32_t i = last ? *last + 1 : 0; i-- > 0;) {
            const Span& resident = m_lanes.spans(lane)[i];
            if (resident.kind != SpanKind::workgroup)
                continue;
            const SpanPlace place{lane, i};
            const auto before = m_places.lastComputedBefore(like.gpu, resident.first, {from.ps + 1}, resident.peer);
            for (std::uint32_t step = before.value_or(0); step < m_places.steps(like.gpu, resident.peer); ++step) {
                const TimePoint done = m_places.computed(like.gpu, resident.first, step, resident.peer);
                if (done == kNever)
                    break;
                steps.push_back({done, place, step});
                if (done >= to)
                    break;
            }
            if (resident.end <= from)
                break;
        }
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.done < b.done; });
    std::vector<Busy> busy;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].done <= from)
            continue;
        const auto load = loadOf(like, steps[i].workgroup, steps[i].number);
        const TimePoint ready = load ? load->at : TimePoint{};
        const TimePoint begun = std::max({ready, i == 0 ? from : steps[i - 1].done, from});
        if (begun < std::min(steps[i].done, to))
            busy.push_back({begun, std::min(steps[i].done, to)});
    }
    return busy;
}

void CauseGraph::ofComputed(const CauseVertex& later, Causes& causes) const {
    if (later.part > 0)
        if (const auto before = computedStep(later, later.place, later.part - 1))
            causes.add(later, *before);
    addPipe(later, causes);
    if (const auto load = loadOf(later, later.place, later.part))
        causes.add(later, *load);
}

// Adds the K-step that was in the CU's pipe before: the last one of another of its workgroups, of any kernel.
void CauseGraph::addPipe(const CauseVertex& later, Causes& causes) const {
    const std::uint32_t slots = m_slotsOfCu;
    const std::uint32_t own = m_lanes.trace().lanes[later.place.lane].index;
    std::optional<CauseVertex> last;
    for (std::uint32_t slot = own / slots * slots; slot < (own / slots + 1) * slots; ++slot) {
        const std::uint32_t lane = slot == own ? kNone : m_lanes.lane(later.gpu, LaneKind::workgroupSlot, slot);
        const auto resident = lane == kNone ? std::nullopt : m_lanes.lastBegunBy(lane, later.at);
        // A workgroup that has just begun may not have computed yet.
        for (std::uint32_t back = 0; resident && back < 2 && back <= *resident; ++back) {
            const SpanPlace place{lane, *resident - back};
            const Span& other = m_lanes.span(place);
            const auto step = other.kind == SpanKind::workgroup
                                  ? m_places.lastComputedBefore(later.gpu, other.first, later.at, other.peer)
                                  : std::nullopt;
            if (!step)
                continue;
            const auto done = computedStep(later, place, *step);
            if (done && (!last || done->at > last->at))
                last = done;
            break;
        }
    }
    if (last)
        causes.add(later, *last);
}

void CauseGraph::ofReleased(const CauseVertex& later, Causes& causes) const {
    const std::uint8_t kernel = kernelOf(later.place);
    const std::uint32_t steps = m_places.steps(later.gpu, kernel);
    if (steps == 0)
        return;
    const auto last = computedStep(later, later.place, steps - 1);
    if (!last)
        return;
    causes.add(later, *last);
    // A workgroup that may leave its slot before its stores are taken waits there for those of the tile before.
    if (m_experiment.gemm.accumulators > 1 && later.place.span > 0) {
        const SpanPlace before{later.place.lane, later.place.span - 1};
        if (m_lanes.span(before).kind == SpanKind::workgroup && m_places.storesTaken(later.gpu, before) == later.at)
            causes.add(later, released(later, before));
    }
    if (kernel == kOwnKernel && last->at + m_experiment.gemm.epilogue < later.at)
        if (const auto freed = setFreedAt(later, later.at, m_lanes.span(later.place).first))
            causes.add(later, *freed);
}

// Adds the last store of the GEMM: written back, sent, or only handed over.
void CauseGraph::ofGemmEnd(const CauseVertex& later, Causes& causes) const {
    const TimePoint served{later.at.ps - m_experiment.memory.latency.ps};
    if (const auto request = requestAt(later.gpu, {served, Stream::compute, false})) {
        const TimePoint asked = askedAt(*request);
        // A line that was evicted before its data arrived was evicted by a load or a store of that time.
        auto by = releasedAt(later, asked);
        if (!by)
            by = loadIssuedAt(later, asked);
        if (by)
            return causes.add(later, *by, *request, asked);
    }
    if (auto sent = sentAt(later)) {
        sent->phase = scatterPhase();
        return causes.add(later, *sent);
    }
    if (const auto released = releasedAt(later, later.at))
        causes.add(later, *released);
}

}  // namespace engine
