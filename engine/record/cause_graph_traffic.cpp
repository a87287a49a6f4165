// The edges of data in memory, links, tracker, DMA and collective kernels.
#include "engine/kernel/rate.h"
#include "engine/record/cause_graph.h"

#include <algorithm>
#include <cstdlib>

namespace engine {

namespace {

bool isIn(std::uint32_t tile, std::pair<std::uint32_t, std::uint32_t> tiles) {
    return tile >= tiles.first && tile < tiles.second;
}

}  // namespace

TimePoint CauseGraph::askedAt(SpanPlace request) const {
    const Lane& lane = m_lanes.trace().lanes[request.lane];
    const TimePoint start = lane.spans[request.span].start;
    return request.span < lane.askedAt.size() ? std::min(lane.askedAt[request.span], start) : start;
}

// Returns the request that matches `wanted`; if several channels finished one at that time, the first from the wanted
// channel on.
std::optional<SpanPlace> CauseGraph::requestAt(std::uint32_t gpu, const Wanted& wanted) const {
    const std::span<const std::uint32_t> channels = m_lanes.lanes(gpu, LaneKind::dramChannel);
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const std::uint32_t lane = channels[(wanted.channel + i) % channels.size()];
        const auto served = m_lanes.endedAt(lane, wanted.end);
        if (!served)
            continue;
        const Span& span = m_lanes.spans(lane)[*served];
        const bool fits = span.first == static_cast<std::uint32_t>(wanted.stream) &&
                          (span.kind == SpanKind::dramRead) == wanted.reads && span.peer == wanted.kernel;
        if (fits && askedAt({lane, *served}) <= wanted.askedBy)
            return SpanPlace{lane, *served};
    }
    return std::nullopt;
}

// Returns the request that a channel finished at `when`; if several channels did, that of the first.
std::optional<SpanPlace> CauseGraph::servedUntil(std::uint32_t gpu, TimePoint when) const {
    for (const std::uint32_t lane : m_lanes.lanes(gpu, LaneKind::dramChannel))
        if (const auto served = m_lanes.endedAt(lane, when))
            return SpanPlace{lane, *served};
    return std::nullopt;
}

// Adds the request of an access pattern whose service ended at `ended`. It was issued when the service of an earlier one
// ended, at the beginning, or at its cycle.
void CauseGraph::addAccess(const CauseVertex& later, TimePoint ended, Causes& causes) const {
    const auto request =
        later.kind == VertexKind::accessServed ? std::optional(later.place) : servedUntil(later.gpu, ended);
    if (!request)
        return;
    const TimePoint asked = askedAt(*request);
    const auto before = servedUntil(later.gpu, asked);
    causes.add(later, before ? at(VertexKind::accessServed, later, *before, asked) : beginning(later), *request, asked);
}

std::optional<CauseVertex> CauseGraph::landedAt(const CauseVertex& like, TimePoint when, Tiles tiles,
                                                std::optional<SpanKind> kind) const {
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::landings)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto first = m_lanes.endedAt(lane, when);
        for (std::uint32_t i = first.value_or(0); first && i < all.size() && all[i].end == when; ++i) {
            if (!isIn(all[i].first, tiles) || (kind && all[i].kind != *kind))
                continue;
            CauseVertex landed = at(VertexKind::landed, like, {lane, i}, when);
            if (all[i].kind == SpanKind::storeLanded)
                landed.phase = WorkPhase::gemm;
            return landed;
        }
    }
    return std::nullopt;
}

// Returns the last arrival that had landed by `when`, in a step that began at `begun`: the kernel was handling the
// piece to which it belongs.
std::optional<CauseVertex> CauseGraph::pieceHandledAt(const CauseVertex& like, TimePoint begun, TimePoint when) const {
    std::optional<SpanPlace> last;
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::landings)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto by = m_lanes.lastEndedBy(lane, when);
        for (std::uint32_t i = by ? *by + 1 : 0; i-- > 0 && all[i].end >= begun;) {
            if (all[i].kind != SpanKind::arrivalLanded)
                continue;
            if (!last || all[i].end > m_lanes.span(*last).end)
                last = SpanPlace{lane, i};
            break;
        }
    }
    return last ? std::optional(at(VertexKind::landed, like, *last, m_lanes.span(*last).end)) : std::nullopt;
}

// Returns whether a kernel reads a tile to add up a sum that stays. With pieces that begins before the step of the
// sums.
bool CauseGraph::addsPiece(const CauseVertex& read, const Span& step) const {
    if (!m_experiment.collective.piece || read.part == kNone || read.phase != WorkPhase::reduceScatter)
        return false;
    const std::uint32_t own = (read.gpu + m_lanes.gpus() - 1) % m_lanes.gpus();
    return m_places.chunkOf(read.part) == own && step.second != own;
}

std::uint32_t CauseGraph::setOf(const CauseVertex& like, std::uint32_t tile) const {
    const TrackedOrder& order = m_trackedOrders[m_lanes.trace().recorded(like.gpu)];
    return order.positionOf(tile, like.phase == WorkPhase::allGather) %
           static_cast<std::uint32_t>(std::max<std::int64_t>(1, m_experiment.tracker.entries));
}

// Returns the landing that completed an older tile of the set and so freed the entry for which `tile` waited.
std::optional<CauseVertex> CauseGraph::setFreedAt(const CauseVertex& like, TimePoint when, std::uint32_t tile) const {
    CauseVertex there = like;
    if (there.phase == WorkPhase::gemm)
        there.phase = scatterPhase();
    const std::uint32_t set = setOf(there, tile);
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::landings)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto first = m_lanes.endedAt(lane, when);
        for (std::uint32_t i = first.value_or(0); first && i < all.size() && all[i].end == when; ++i)
            if (all[i].first != tile && setOf(there, all[i].first) == set)
                return at(VertexKind::setFreed, there, {lane, i}, when);
    }
    return std::nullopt;
}

SpanPlace CauseGraph::trackedTile(const CauseVertex& freed) const {
    const std::uint32_t tile = m_lanes.span(freed.place).first;
    for (const std::uint32_t lane : m_lanes.lanes(freed.gpu, LaneKind::tracker)) {
        const auto last = m_lanes.lastBegunBy(lane, freed.at);
        for (std::uint32_t i = last ? *last + 1 : 0; i-- > 0;) {
            const Span& span = m_lanes.spans(lane)[i];
            if (span.kind == SpanKind::trackedTile && span.first == tile && span.end == freed.at)
                return {lane, i};
        }
    }
    return {};
}

std::optional<CauseVertex> CauseGraph::readBackAt(const CauseVertex& like, TimePoint when, std::uint32_t tile,
                                                  std::uint32_t channel) const {
    const TimePoint end{when.ps - m_experiment.memory.latency.ps};
    const auto request = requestAt(like.gpu, {end, Stream::communication, true, channel, kNever, collectiveOf(like)});
    if (!request)
        return std::nullopt;
    CauseVertex back = at(VertexKind::readBack, like, *request, when);
    back.part = tile;
    return back;
}

std::optional<CauseVertex> CauseGraph::arrivedAt(const CauseVertex& like, TimePoint when, std::uint32_t tile) const {
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::linkIn)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto first = m_lanes.endedAt(lane, when);
        for (std::uint32_t i = first.value_or(0); first && i < all.size() && all[i].end == when; ++i)
            if (all[i].first == tile && isPacketOf(like, all[i]))
                return at(VertexKind::arrived, like, {lane, i}, when);
    }
    return std::nullopt;
}

std::optional<CauseVertex> CauseGraph::lastArrivedBefore(const CauseVertex& like, TimePoint when,
                                                         const Span& landing) const {
    const auto part = static_cast<std::uint16_t>(m_places.firstGranule(landing.first) + landing.second);
    std::optional<CauseVertex> last;
    for (const std::uint32_t lane : m_lanes.lanes(like.gpu, LaneKind::linkIn)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto by = m_lanes.lastEndedBy(lane, when);
        for (std::uint32_t i = by ? *by + 1 : 0; i-- > 0;) {
            if (last && all[i].end <= last->at)
                break;
            if (all[i].first != landing.first || all[i].part != part || !isPacketOf(like, all[i]))
                continue;
            last = at(VertexKind::arrived, like, {lane, i}, all[i].end);
            break;
        }
    }
    return last;
}

CauseVertex CauseGraph::released(const CauseVertex& like, SpanPlace workgroup) const {
    CauseVertex released = at(VertexKind::released, like, workgroup, m_places.storesTaken(like.gpu, workgroup));
    released.phase = gemmPhaseOf(kernelOf(workgroup));
    return released;
}

std::optional<CauseVertex> CauseGraph::releasedAt(const CauseVertex& like, TimePoint when, std::uint8_t kernel) const {
    const auto workgroup = m_places.releasedAt(like.gpu, when, kernel);
    return workgroup ? std::optional(released(like, *workgroup)) : std::nullopt;
}

// Adds the causes of a landing. Every write lands one latency after its service.
void CauseGraph::ofLanded(const CauseVertex& later, Causes& causes) const {
    const Span& landing = m_lanes.span(later.place);
    const bool isStore = landing.kind == SpanKind::storeLanded;
    const TimePoint end{later.at.ps - m_experiment.memory.latency.ps};
    const std::uint32_t channel = m_lanes.trace().lanes[later.place.lane].index;
    const auto request = requestAt(later.gpu, {end, isStore ? Stream::compute : Stream::communication, false, channel});
    if (!request)
        return;
    const TimePoint asked = askedAt(*request);
    std::optional<CauseVertex> by;
    if (landing.kind == SpanKind::sumLanded) {
        by = readBackAt(later, asked, landing.first, channel);
    } else if (isStore) {
        const auto workgroup = m_places.workgroup(later.gpu, landing.first);
        if (workgroup && m_places.storesTaken(later.gpu, *workgroup) == asked)
            by = at(VertexKind::released, later, *workgroup, asked);
    } else {
        by = arrivedAt(later, asked, landing.first);
        if (!by && byDma(later.phase))
            by = setFreedAt(later, asked, landing.first);
        if (!by)
            by = lastArrivedBefore(later, asked, landing);
    }
    if (by)
        causes.add(later, *by, *request, asked);
}

void CauseGraph::ofReadBack(const CauseVertex& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionRead(later, causes);
    const TimePoint asked = askedAt(later.place);
    if (byDma(later.phase))
        return addIssueByDma(later, asked, causes);
    if (const auto copy = copyAt(later, asked))
        return addIssueByCopy(later, *copy, asked, causes);
    const bool gathers = later.phase == WorkPhase::allGather;
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, gathers ? LaneKind::allGather : LaneKind::reduceScatter)) {
        const auto step = m_lanes.lastBegunBy(lane, asked);
        if (!step)
            continue;
        const Span& span = m_lanes.spans(lane)[*step];
        if (addsPiece(later, span))
            if (const auto handled = pieceHandledAt(later, span.start, asked))
                return causes.add(later, *handled, later.place, asked);
        if (!gathers) {
            const Tiles tiles = later.part != kNone ? Tiles{later.part, later.part + 1} : chunkTiles(span.second);
            if (const auto produced = lastProduced(later, tiles, span.start, asked))
                return causes.add(later, *produced, later.place, asked);
        }
        causes.add(later, at(VertexKind::stepBegun, later, {lane, *step}, span.start), later.place, asked);
    }
}

// Returns the copy that had an engine and read a tile, or any data, at `asked`; the one that began last.
std::optional<SpanPlace> CauseGraph::copyAt(const CauseVertex& read, TimePoint asked) const {
    std::optional<SpanPlace> last;
    if (!m_parts.byCopies)
        return last;
    for (const std::uint32_t lane : m_lanes.lanes(read.gpu, LaneKind::dma)) {
        const auto begun = m_lanes.lastBegunBy(lane, asked);
        if (!begun)
            continue;
        const Span& copy = m_lanes.spans(lane)[*begun];
        const bool fits = read.part == kNone || m_places.chunkOf(read.part) == copy.second;
        if (fits && copy.end >= asked && (!last || copy.start > m_lanes.span(*last).start))
            last = SpanPlace{lane, *begun};
    }
    return last;
}

// Adds the cause of a read by a copy. It reads all data at once when it gets its engine. With a window, it reads on
// whenever bytes have left.
void CauseGraph::addIssueByCopy(const CauseVertex& later, SpanPlace copy, TimePoint asked, Causes& causes) const {
    const TimePoint taken = m_lanes.span(copy).start;
    if (taken != asked)
        if (const auto sent = sentAt(at(VertexKind::sent, later, {}, asked)))
            return causes.add(later, *sent, later.place, asked);
    causes.add(later, at(VertexKind::taken, later, copy, taken), later.place, asked);
}

// Adds what a copy waited for: its engine, until the last byte of the copy before had left; its data; or the begin of
// the collective.
void CauseGraph::ofCopyTaken(const CauseVertex& later, Causes& causes) const {
    const Span& copy = m_lanes.span(later.place);
    if (later.place.span > 0 && m_lanes.span({later.place.lane, later.place.span - 1}).end == later.at)
        if (const auto sent = sentAt(later))
            return causes.add(later, *sent);
    if (later.phase != WorkPhase::allGather)
        if (const auto produced = lastProduced(later, {copy.first, copy.first + 1}, {-1}, later.at))
            return causes.add(later, *produced);
    const PhaseTimes& when = times(later.gpu);
    const TimePoint begun = later.phase == WorkPhase::allGather ? when.allGatherStart : when.reduceScatterStart;
    causes.add(later, at(VertexKind::collectiveBegun, later, {}, std::min(begun, later.at)));
}

// Adds the cause of a read by DMA. Without a window, DMA reads a whole block at once when an engine takes it. With a
// window, it reads on whenever data return.
void CauseGraph::addIssueByDma(const CauseVertex& later, TimePoint asked, Causes& causes) const {
    std::optional<SpanPlace> block;
    if (later.part != kNone)
        block = m_places.transfer(later.gpu, later.phase, later.part);
    if (!block)
        for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::dma))
            if (const auto last = m_lanes.lastBegunBy(lane, asked);
                last && (!block || m_lanes.spans(lane)[*last].start > m_lanes.span(*block).start))
                block = SpanPlace{lane, *last};
    if (block && m_lanes.span(*block).start != asked)
        if (const auto room = readBackAt(later, asked, kNone, 0))
            return causes.add(later, *room, later.place, asked);
    if (block)
        causes.add(later, at(VertexKind::taken, later, *block, m_lanes.span(*block).start), later.place, asked);
}

// Returns a packet that left this GPU at that time.
std::optional<CauseVertex> CauseGraph::sentAt(const CauseVertex& later) const {
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::linkOut))
        if (const auto packet = m_lanes.endedAt(lane, later.at);
            packet && isPacketOf(later, m_lanes.spans(lane)[*packet]))
            return at(VertexKind::sent, later, {lane, *packet}, later.at);
    return std::nullopt;
}

void CauseGraph::ofSent(const CauseVertex& later, Causes& causes) const {
    addBusyLink(later, causes);
    if (causes.count == 0 && later.phase == WorkPhase::companion)
        return addCompanionHandedIn(later, causes);
    if (causes.count == 0)
        addHandedIn(later, causes);
    if (causes.count == 0 && m_experiment.tracker.heldBytes)
        addCredit(later, causes);
}

// Returns the collective to which a packet belongs. Links carry both collectives one after the other, so it compares
// with the time at which the second begins on the GPU. That is wrong only for packets of the first collective that wait
// until then.
WorkPhase CauseGraph::phaseOnLink(const CauseVertex& like, TimePoint when) const {
    if (!m_parts.allGather)
        return scatterPhase();
    if (m_parts.consumes || !m_parts.scatters())
        return WorkPhase::allGather;
    if (like.phase == scatterPhase())
        return like.phase;
    return when < times(like.gpu).allGatherStart ? scatterPhase() : WorkPhase::allGather;
}

// Returns when the links that share a GPU's egress may begin the next packet.
TimePoint CauseGraph::egressFreeAfter(std::uint32_t gpu, const Span& packet) const {
    const LinkConfig& link = m_experiment.link;
    const std::int64_t each = link.packet.value_or(m_experiment.detail.granule).count;
    const std::int64_t wire =
        packet.bytes + link.header.count * ((packet.bytes + each - 1) / std::max<std::int64_t>(1, each));
    return packet.start +
           timeAtRate(wire,
                      std::max<std::int64_t>(1, egressOf(asOnGpu(m_experiment, gpu), m_topology, gpu).bytesPerSecond));
}

// Adds the preceding packet, if this one could begin only when that had left. It was on this link, or on another that
// shares the GPU's egress, whose rounding is carried from packet to packet.
void CauseGraph::addBusyLink(const CauseVertex& later, Causes& causes) const {
    constexpr std::int64_t kRounding = 2;
    const TimePoint start = m_lanes.span(later.place).start;
    const auto add = [&](SpanPlace before) {
        CauseVertex sent = at(VertexKind::sent, later, before, start);
        const bool own = kernelOf(before) == kOwnKernel;
        sent.phase = own ? phaseOnLink(later, m_lanes.span(before).start) : WorkPhase::companion;
        causes.add(later, sent);
    };
    if (later.place.span > 0) {
        const SpanPlace before{later.place.lane, later.place.span - 1};
        if (m_lanes.span(before).end == start)
            return add(before);
    }
    if (m_lanes.trace().mirrored || m_experiment.topology.egress != TopologyEgress::shared)
        return;
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::linkOut)) {
        const auto before = m_lanes.lastBegunBy(lane, {start.ps - 1});
        if (!before)
            continue;
        const TimePoint free = egressFreeAfter(later.gpu, m_lanes.spans(lane)[*before]);
        if (std::abs(free.ps - start.ps) <= kRounding)
            return add({lane, *before});
    }
}

// Returns the collective to which a read belongs: that of the DMA transfer in whose time it was requested, otherwise
// the one whose kernel was at work.
WorkPhase CauseGraph::phaseOfRead(const CauseVertex& back) const {
    if (!m_parts.allGather || m_parts.consumes || !m_parts.scatters())
        return m_parts.allGather ? WorkPhase::allGather : scatterPhase();
    const TimePoint asked = askedAt(back.place);
    for (const WorkPhase phase : {scatterPhase(), WorkPhase::allGather}) {
        const auto transfer = byDma(phase) ? m_places.transfer(back.gpu, phase, back.part) : std::nullopt;
        if (transfer && m_lanes.span(*transfer).start <= asked && asked <= m_lanes.span(*transfer).end)
            return phase;
    }
    return asked < times(back.gpu).allGatherStart ? scatterPhase() : WorkPhase::allGather;
}

// Adds the vertex that handed a packet to the link. An idle link sends at once when read data return, a workgroup
// stores, or a packet for another GPU arrives.
void CauseGraph::addHandedIn(const CauseVertex& later, Causes& causes) const {
    const Span& packet = m_lanes.span(later.place);
    const MemoryRegion output(&m_mapping, 0, static_cast<std::uint32_t>(m_experiment.detail.channels));
    const std::uint32_t channel =
        output.channel(m_places.granule(packet.first, packet.part), m_places.indexInChunk(packet.first, packet.part));
    if (auto back = readBackAt(later, packet.start, packet.first, channel)) {
        back->phase = phaseOfRead(*back);
        return causes.add(later, *back);
    }
    const auto workgroup = m_places.workgroup(later.gpu, packet.first);
    if (workgroup && m_lanes.span(*workgroup).end == packet.start)
        return causes.add(later, released(later, *workgroup));
    if (const auto passedOn = arrivedAt(later, packet.start, packet.first))
        causes.add(later, *passedOn);
}

// Adds the cause of an update that waited for a credit: the destination had taken one of this GPU's updates, when that
// update arrived or when a tile closed there.
void CauseGraph::addCredit(const CauseVertex& later, Causes& causes) const {
    const Span& packet = m_lanes.span(later.place);
    const bool mirrored = m_lanes.trace().mirrored;
    CauseVertex there = later;
    there.gpu = mirrored ? (later.gpu + m_lanes.gpus() - 1) % m_lanes.gpus() : packet.peer;
    if (there.gpu >= m_lanes.gpus() || there.gpu == later.gpu)
        return;
    const TimePoint given{packet.start.ps - creditLatency(m_topology, later.gpu, there.gpu).ps};
    for (const std::uint32_t lane : m_lanes.lanes(there.gpu, LaneKind::linkIn)) {
        const std::vector<Span>& all = m_lanes.spans(lane);
        const auto first = m_lanes.endedAt(lane, given);
        for (std::uint32_t i = first.value_or(0); first && i < all.size() && all[i].end == given; ++i)
            if (isPacketOf(later, all[i]) && (mirrored || all[i].peer == later.gpu))
                return causes.add(later, at(VertexKind::arrived, there, {lane, i}, given));
    }
    if (const auto closed = landedAt(there, given))
        causes.add(later, *closed);
}

// Adds the departure of a packet that arrived. A link keeps the order of its packets: the same place in the lane at its
// other end is the same packet.
void CauseGraph::ofArrived(const CauseVertex& later, Causes& causes) const {
    std::optional<CauseVertex> sent;
    if (m_lanes.trace().mirrored) {
        sent = sentByTurned(later);
    } else {
        const std::uint32_t index = m_lanes.trace().lanes[later.place.lane].index;
        if (later.gpu >= m_linksTo.size() || index >= m_linksTo[later.gpu].size())
            return;
        const std::uint32_t link = m_linksTo[later.gpu][index];
        sent =
            m_topology.nodes[m_topology.links[link].from].isSwitch ? sentThroughSwitch(later) : sentAcross(later, link);
    }
    if (sent)
        causes.add(later, *sent);
}

// Returns the departure of a packet when one GPU stands for all: data that arrived from a GPU p places on are data that
// it has itself sent to the GPU N-p places on. Around a ring p is 1, and there is one link.
std::optional<CauseVertex> CauseGraph::sentByTurned(const CauseVertex& arrived) const {
    const std::span<const std::uint32_t> leaving = m_lanes.lanes(arrived.gpu, LaneKind::linkOut);
    const std::uint32_t gpus = m_lanes.gpus();
    const std::uint32_t places = leaving.size() > 1 ? m_lanes.span(arrived.place).peer : 1;
    CauseVertex sender = arrived;
    sender.gpu = (arrived.gpu + places) % gpus;
    for (const std::uint32_t lane : leaving) {
        const std::vector<Span>& sent = m_lanes.spans(lane);
        const bool goesThere = leaving.size() == 1 || (!sent.empty() && (sent.front().peer + places) % gpus == 0);
        if (goesThere && arrived.place.span < sent.size())
            return at(VertexKind::sent, sender, {lane, arrived.place.span}, sent[arrived.place.span].end);
    }
    return std::nullopt;
}

std::optional<CauseVertex> CauseGraph::sentAcross(const CauseVertex& arrived, std::uint32_t link) const {
    CauseVertex sender = arrived;
    sender.gpu = m_topology.links[link].from;
    const std::vector<std::uint32_t>& leaving = m_linksFrom[sender.gpu];
    const auto index = std::find(leaving.begin(), leaving.end(), link) - leaving.begin();
    const std::uint32_t lane = m_lanes.lane(sender.gpu, LaneKind::linkOut, static_cast<std::uint32_t>(index));
    if (lane == kNone || arrived.place.span >= m_lanes.spans(lane).size())
        return std::nullopt;
    return at(VertexKind::sent, sender, {lane, arrived.place.span}, m_lanes.spans(lane)[arrived.place.span].end);
}

// Returns the departure of a packet that came through switches. Switches record nothing, so that the packet is searched
// for where it entered the first of them.
std::optional<CauseVertex> CauseGraph::sentThroughSwitch(const CauseVertex& arrived) const {
    const Span& packet = m_lanes.span(arrived.place);
    if (packet.peer >= m_lanes.gpus())
        return std::nullopt;
    // A sum that the switch has added comes back even to the GPU whose packet came last.
    const std::uint32_t to = packet.peer == arrived.gpu ? (arrived.gpu + 1) % m_lanes.gpus() : arrived.gpu;
    std::uint32_t entrance = Topology::kNoLink;
    for (const std::uint32_t link : m_topology.route(packet.peer, to))
        if (!m_topology.nodes[m_topology.links[link].from].isSwitch)
            entrance = link;
    if (entrance == Topology::kNoLink)
        return std::nullopt;
    CauseVertex sender = arrived;
    sender.gpu = m_topology.links[entrance].from;
    const std::vector<std::uint32_t>& leaving = m_linksFrom[sender.gpu];
    const auto index = std::find(leaving.begin(), leaving.end(), entrance) - leaving.begin();
    const std::uint32_t lane = m_lanes.lane(sender.gpu, LaneKind::linkOut, static_cast<std::uint32_t>(index));
    const auto last = lane == kNone ? std::nullopt : m_lanes.lastEndedBy(lane, arrived.at);
    std::optional<CauseVertex> similar;  // the same granule for a GPU further on
    for (std::uint32_t i = last ? *last + 1 : 0; i-- > 0;) {
        const Span& sent = m_lanes.spans(lane)[i];
        if (sent.first != packet.first || sent.part != packet.part || sent.kind != packet.kind)
            continue;
        const CauseVertex vertex = at(VertexKind::sent, sender, {lane, i}, sent.end);
        if (sent.peer == arrived.gpu)
            return vertex;
        if (!similar)
            similar = vertex;
    }
    return similar;
}

void CauseGraph::ofTriggered(const CauseVertex& later, Causes& causes) const {
    const Tiles tiles = m_places.tilesOf(later.gpu, later.phase, m_lanes.span(later.place));
    const TimePoint closed{later.at.ps - m_experiment.tracker.triggerLatency.ps};
    if (const auto landed = landedAt(later, closed, tiles))
        return causes.add(later, *landed);
    // Its data were there from the beginning.
    causes.add(later, at(VertexKind::collectiveBegun, later, {}, later.at));
}

void CauseGraph::ofTaken(const CauseVertex& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionTransfer(later, causes);
    const Span& transfer = m_lanes.span(later.place);
    if (transfer.kind == SpanKind::copy)
        return ofCopyTaken(later, causes);
    for (const std::uint32_t lane : m_lanes.lanes(later.gpu, LaneKind::tracker)) {
        const auto last = m_lanes.lastBegunBy(lane, later.at);
        for (std::uint32_t i = last ? *last + 1 : 0; i-- > 0;) {
            const Span& span = m_lanes.spans(lane)[i];
            if (span.kind == SpanKind::trigger && span.first == transfer.first && span.second == transfer.second)
                return causes.add(later, at(VertexKind::triggered, later, {lane, i}, span.start));
        }
    }
}

void CauseGraph::ofStepBegin(const CauseVertex& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionStepBegin(later, causes);
    if (later.place.span > 0) {
        const SpanPlace before{later.place.lane, later.place.span - 1};
        // The sums of what copies have brought wait for CUs.
        if (m_lanes.span(before).end == later.at || m_parts.byCopies)
            return causes.add(later, at(VertexKind::stepEnded, later, before, m_lanes.span(before).end));
    }
    const PhaseTimes& when = times(later.gpu);
    const TimePoint ready = later.phase == WorkPhase::allGather ? when.allGatherStart : when.reduceScatterStart;
    // A kernel that is ready may wait: for its launch, or for room.
    const bool waits = hasCompanion() || m_experiment.launch.kernel.ps > 0;
    causes.add(later, at(VertexKind::collectiveBegun, later, {}, waits ? std::min(ready, later.at) : later.at));
}

// Adds the causes of a step's end: its last receipt or its last issue; for the last step its last send. A neighbour
// that is ahead may deliver data of a later step at exactly that time, so that the data which the next step sends are
// searched for first.
void CauseGraph::ofStepEnd(const CauseVertex& later, Causes& causes) const {
    if (later.phase == WorkPhase::companion)
        return ofCompanionStepEnd(later, causes);
    const std::vector<Span>& steps = m_lanes.spans(later.place.lane);
    const std::vector<std::uint32_t>& chunkTile = m_lanes.trace().output.chunkTile;
    const std::uint32_t next = later.place.span + 1;
    // A step ends with what it receives, the last one with its sums.
    const bool piece = m_experiment.collective.piece.has_value();
    const auto kind = piece && next < steps.size() ? std::optional(SpanKind::arrivalLanded) : std::nullopt;
    std::optional<CauseVertex> landed;
    if (next < steps.size() && steps[next].second + std::size_t{1} < chunkTile.size())
        landed = landedAt(later, later.at, {chunkTile[steps[next].second], chunkTile[steps[next].second + 1]}, kind);
    if (!landed)
        landed = landedAt(later, later.at, kAnyTile, kind);
    if (!landed && piece)
        landed = pieceHandledAt(later, m_lanes.span(later.place).start, later.at);
    if (landed && landed->phase == later.phase)
        return causes.add(later, *landed);
    if (m_parts.byCopies)
        if (const auto produced = lastProduced(later, kAnyTile, {later.at.ps - 1}, later.at))
            return causes.add(later, *produced);
    if (const auto sent = sentAt(later))
        return causes.add(later, *sent);
    const Span& step = m_lanes.span(later.place);
    if (later.phase != WorkPhase::allGather)
        if (const auto produced = lastProduced(later, chunkTiles(step.second), step.start, later.at))
            return causes.add(later, *produced);
    causes.add(later, at(VertexKind::stepBegun, later, later.place, step.start));
}

}  // namespace engine
