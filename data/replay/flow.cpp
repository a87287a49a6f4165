#include "data/replay/flow.h"

#include <algorithm>

namespace data {

using engine::LaneKind;
using engine::SpanKind;

Flow::Flow(std::shared_ptr<const ShownRun> run)
    : m_run(std::move(run)), m_places(m_run->index ? RingPlaces(trace()) : RingPlaces()) {
    m_index.resize(m_places.mirrored() ? 1 : m_places.gpus());
    m_aroundRing = goesAroundRing(m_run->run.experiment);
    if (m_run->index && m_run->run.experiment.parallel.tp == m_places.gpus())
        m_topology = engine::topologyOf(m_run->run.experiment);
}

bool Flow::contains(SpanRef ref) const {
    return m_run->index && ref.gpu < m_places.gpus() && ref.lane < trace().lanes.size() &&
           ref.span < trace().lanes[ref.lane].spans.size() && trace().lanes[ref.lane].gpu == m_places.recorded(ref.gpu);
}

const FlowIndex& Flow::index(std::uint32_t gpu) const {
    const std::uint32_t recorded = m_places.recorded(gpu);
    std::unique_ptr<FlowIndex>& built = m_index[recorded];
    if (!built) {
        const auto blockTiles = static_cast<std::uint32_t>(m_run->run.experiment.dma.blockTiles);
        built = std::make_unique<FlowIndex>(m_run->index->lanes(), m_places, recorded, blockTiles);
    }
    return *built;
}

std::optional<Flow::Step> Flow::at(std::uint32_t gpu, std::optional<SpanPlace> place,
                                   std::optional<std::uint32_t> tile) const {
    if (!place)
        return std::nullopt;
    return Step{SpanRef{gpu, place->lane, place->span}, tile};
}

Flow::Step Flow::stepOf(SpanRef ref) const {
    const engine::Span& span = this->span(ref);
    return {ref, isOfTile(span) ? std::optional(span.first) : std::nullopt};
}

// Returns the neighbour's number of a tile. In a mirrored trace each GPU numbers chunks from itself, so the number of
// the same tile differs by one chunk.
std::optional<std::uint32_t> Flow::toNeighbour(std::uint32_t gpu, std::uint32_t tile) const {
    return m_places.recordedTile(m_places.neighbour(gpu), m_places.tileOn(gpu, tile));
}

std::optional<std::uint32_t> Flow::toUpstream(std::uint32_t gpu, std::uint32_t tile) const {
    return m_places.recordedTile(m_places.upstream(gpu), m_places.tileOn(gpu, tile));
}

RingPhase Flow::phaseOfTracked(SpanRef ref) const {
    const auto scatter = index(ref.gpu).tracked(RingPhase::scatter, span(ref).first);
    return scatter == SpanPlace{ref.lane, ref.span} ? RingPhase::scatter : RingPhase::gather;
}

std::uint32_t Flow::ordinal(SpanRef ref, std::span<const SpanPlace> packets) const {
    return static_cast<std::uint32_t>(std::find(packets.begin(), packets.end(), SpanPlace{ref.lane, ref.span}) -
                                      packets.begin());
}

std::optional<SpanRef> Flow::followForward(SpanRef ref) const {
    const auto next = forward(stepOf(ref));
    return next ? std::optional(next->ref) : std::nullopt;
}

std::optional<SpanRef> Flow::followBack(SpanRef ref) const {
    const auto before = back(stepOf(ref));
    return before ? std::optional(before->ref) : std::nullopt;
}

std::optional<Flow::Step> Flow::forward(const Step& from) const {
    if (isBeside(from.ref))
        return besideForward(from.ref);
    if (!m_aroundRing)
        return localForward(from);
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    switch (span.kind) {
    case SpanKind::gemmWave: {
        const SpanRef next{ref.gpu, ref.lane, ref.span + 1};
        return contains(next) ? std::optional(Step{next, std::nullopt}) : std::nullopt;
    }
    case SpanKind::load: return at(ref.gpu, here.workgroup(span.first), span.first);
    case SpanKind::workgroup: return afterWorkgroup(from);
    case SpanKind::store: return at(ref.gpu, here.tracked(RingPhase::scatter, span.first), span.first);
    case SpanKind::trackedTile: return afterTracked(from);
    case SpanKind::trigger: {
        const RingPhase phase = here.phaseAt(span.start);
        return at(ref.gpu, here.transfer(phase, here.blockTiles(phase, span).first), from.tile);
    }
    case SpanKind::dmaTransfer: return afterTransfer(from);
    case SpanKind::linkPacket: return afterPacket(from);
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return afterRingStep(from);
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return afterLanding(from);
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramPass:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave:
    case SpanKind::copy:
    case SpanKind::dramUpdate: break;
    }
    return std::nullopt;
}

std::optional<Flow::Step> Flow::afterWorkgroup(const Step& from) const {
    const std::uint32_t gpu = from.ref.gpu;
    const std::uint32_t tile = span(from.ref).first;
    const FlowIndex& here = index(gpu);
    if (const auto store = here.store(tile))
        return at(gpu, store, tile);
    const std::span<const SpanPlace> sent = here.sent(RingPhase::scatter, tile);
    if (here.isTracked(RingPhase::scatter))
        return sent.empty() ? std::nullopt : at(gpu, sent.back(), tile);
    const std::uint32_t chunk = m_places.chunkOfTile(tile);
    if (const auto scatter = here.step(RingPhase::scatter, chunk))
        return at(gpu, scatter, std::nullopt);
    return at(gpu, here.step(RingPhase::gather, chunk), std::nullopt);
}

std::optional<Flow::Step> Flow::afterTracked(const Step& from) const {
    const SpanRef ref = from.ref;
    const std::uint32_t tile = span(ref).first;
    const FlowIndex& here = index(ref.gpu);
    const RingPhase phase = phaseOfTracked(ref);
    const std::uint32_t chunk = m_places.chunkOfTile(tile);
    const bool own = m_places.placeOf(ref.gpu, chunk) + 1 == m_places.gpus();
    if (phase == RingPhase::gather || !own)
        return at(ref.gpu, here.trigger(phase, tile), tile);
    if (here.isTracked(RingPhase::gather))
        return at(ref.gpu, here.trigger(RingPhase::gather, tile), tile);
    return at(ref.gpu, here.step(RingPhase::gather, chunk), std::nullopt);
}

// Returns the last packet of a transfer or, if a tile is followed, the last packet of that tile.
std::optional<Flow::Step> Flow::afterTransfer(const Step& from) const {
    const FlowIndex& here = index(from.ref.gpu);
    const engine::Span& transfer = span(from.ref);
    const RingPhase phase = here.phaseAt(transfer.start);
    auto [tile, end] = here.blockTiles(phase, transfer);
    if (from.tile) {
        tile = *from.tile;
        end = tile + 1;
    }
    std::optional<Step> last;
    for (; tile < end; ++tile) {
        const std::span<const SpanPlace> packets = here.sent(phase, tile);
        if (packets.empty())
            continue;
        const Step candidate = *at(from.ref.gpu, packets.back(), tile);
        if (!last || span(last->ref).end < span(candidate.ref).end)
            last = candidate;
    }
    return last;
}

std::optional<Flow::Step> Flow::afterPacket(const Step& from) const {
    const SpanRef ref = from.ref;
    const std::uint32_t tile = span(ref).first;
    const FlowIndex& here = index(ref.gpu);
    if (lane(ref).kind == LaneKind::linkOut) {
        const std::uint32_t number = ordinal(ref, here.sent(tile));
        const std::uint32_t neighbour = m_places.neighbour(ref.gpu);
        const auto there = toNeighbour(ref.gpu, tile);
        const std::span<const SpanPlace> received = index(neighbour).received(*there);
        return number < received.size() ? at(neighbour, received[number], there) : std::nullopt;
    }
    const std::span<const SpanPlace> scattered = here.received(RingPhase::scatter, tile);
    const bool scatters = ordinal(ref, scattered) < scattered.size();
    const RingPhase phase = scatters ? RingPhase::scatter : RingPhase::gather;
    if (here.isTracked(phase))
        return at(ref.gpu, here.tracked(phase, tile), tile);
    const std::uint32_t chunk = m_places.chunkOfTile(tile);
    if (const auto step = here.step(phase, chunk))
        return at(ref.gpu, step, std::nullopt);
    return scatters ? at(ref.gpu, here.step(RingPhase::gather, chunk), std::nullopt) : std::nullopt;
}

std::optional<Flow::Step> Flow::afterRingStep(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const bool scatters = span.kind == SpanKind::reduceScatterStep;
    if (scatters && m_places.placeOf(ref.gpu, span.second) + 1 == m_places.gpus())  // the final reduce
        return at(ref.gpu, index(ref.gpu).step(RingPhase::gather, span.second), std::nullopt);
    const std::uint32_t neighbour = m_places.neighbour(ref.gpu);
    const std::uint32_t chunk = m_places.recordedChunk(neighbour, m_places.chunkOn(ref.gpu, span.second));
    const FlowIndex& there = index(neighbour);
    if (scatters) {
        if (const auto step = there.step(RingPhase::scatter, chunk))
            return at(neighbour, step, std::nullopt);
    }
    // The neighbour owns this chunk: the chunk has gone all the way around.
    if (!scatters && m_places.placeOf(neighbour, chunk) + 1 == m_places.gpus())
        return std::nullopt;
    return at(neighbour, there.step(RingPhase::gather, chunk), std::nullopt);
}

// Returns the phase in which an arrival was sent: all-gather if the all-gather's packet of this granule had come in by
// then, else reduce-scatter.
RingPhase Flow::phaseOfArrival(SpanRef ref) const {
    const engine::Span& landed = span(ref);
    const std::span<const SpanPlace> gathered = index(ref.gpu).received(RingPhase::gather, landed.first);
    if (landed.second >= gathered.size())
        return RingPhase::scatter;
    const SpanPlace packet = gathered[landed.second];
    return trace().lanes[packet.lane].spans[packet.span].end <= landed.start ? RingPhase::gather : RingPhase::scatter;
}

std::optional<Flow::Step> Flow::afterLanding(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& landed = span(ref);
    const FlowIndex& here = index(ref.gpu);
    const std::uint32_t chunk = m_places.chunkOfTile(landed.first);
    const RingPhase phase = landed.kind == SpanKind::arrivalLanded ? phaseOfArrival(ref) : RingPhase::scatter;
    if (here.isTracked(phase))
        return at(ref.gpu, here.tracked(phase, landed.first), landed.first);
    const bool sum = landed.kind == SpanKind::sumLanded;
    return at(ref.gpu, here.step(sum ? RingPhase::gather : phase, chunk), std::nullopt);
}

std::optional<Flow::Step> Flow::beforeLanding(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& landed = span(ref);
    const FlowIndex& here = index(ref.gpu);
    if (landed.kind == SpanKind::storeLanded)
        return at(ref.gpu, here.workgroup(landed.first), landed.first);
    if (landed.kind == SpanKind::sumLanded)
        return at(ref.gpu, here.step(RingPhase::scatter, m_places.chunkOfTile(landed.first)), std::nullopt);
    const std::span<const SpanPlace> received = here.received(phaseOfArrival(ref), landed.first);
    return landed.second < received.size() ? at(ref.gpu, received[landed.second], landed.first) : std::nullopt;
}

std::optional<Flow::Step> Flow::back(const Step& from) const {
    if (isBeside(from.ref))
        return besideBack(from.ref);
    if (!m_aroundRing)
        return localBack(from);
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    switch (span.kind) {
    case SpanKind::gemmWave:
    case SpanKind::workgroup:  // a wave follows a wave, and a workgroup begins when its slot is free
        return ref.span == 0 ? std::nullopt : std::optional(Step{{ref.gpu, ref.lane, ref.span - 1}, std::nullopt});
    case SpanKind::store: return at(ref.gpu, here.workgroup(span.first), span.first);
    case SpanKind::trackedTile: return beforeTracked(from);
    case SpanKind::trigger: return beforeTrigger(from);
    case SpanKind::dmaTransfer: {
        const RingPhase phase = here.phaseAt(span.start);
        return at(ref.gpu, here.trigger(phase, here.blockTiles(phase, span).first), from.tile);
    }
    case SpanKind::linkPacket: return beforePacket(from);
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return beforeRingStep(from);
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return beforeLanding(from);
    case SpanKind::load:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramPass:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave:
    case SpanKind::copy:
    case SpanKind::dramUpdate: break;
    }
    return std::nullopt;
}

// Returns the later of the local stores and the neighbour's last packet: the tile is complete when both have landed.
std::optional<Flow::Step> Flow::beforeTracked(const Step& from) const {
    const SpanRef ref = from.ref;
    const std::uint32_t tile = span(ref).first;
    const FlowIndex& here = index(ref.gpu);
    const RingPhase phase = phaseOfTracked(ref);
    const auto store = phase == RingPhase::scatter ? at(ref.gpu, here.store(tile), tile) : std::nullopt;
    const std::span<const SpanPlace> received = here.received(phase, tile);
    if (received.empty() || (store && span(store->ref).end >= span(ref).end))
        return store;
    return at(ref.gpu, received.back(), tile);
}

std::uint32_t Flow::lastClosed(SpanRef ref, std::pair<std::uint32_t, std::uint32_t> tiles, RingPhase phase) const {
    const FlowIndex& here = index(ref.gpu);
    std::uint32_t last = tiles.first;
    engine::TimePoint closed{-1};
    for (std::uint32_t tile = tiles.first; tile < tiles.second; ++tile) {
        const auto tracked = here.tracked(phase, tile);
        if (tracked && closed <= trace().lanes[tracked->lane].spans[tracked->span].end) {
            closed = trace().lanes[tracked->lane].spans[tracked->span].end;
            last = tile;
        }
    }
    return last;
}

std::optional<Flow::Step> Flow::beforeTrigger(const Step& from) const {
    const SpanRef ref = from.ref;
    const FlowIndex& here = index(ref.gpu);
    const engine::Span& trigger = span(ref);
    RingPhase phase = here.phaseAt(trigger.start);
    const auto tiles = here.blockTiles(phase, trigger);
    const bool own = m_places.placeOf(ref.gpu, trigger.second) + 1 == m_places.gpus();
    if (phase == RingPhase::gather && own) {
        // The own chunk is ready when the all-gather begins, which is when the reduce-scatter has ended.
        phase = RingPhase::scatter;
        if (!here.isTracked(phase))
            return at(ref.gpu, here.step(phase, trigger.second), std::nullopt);
    }
    const std::uint32_t tile = from.tile.value_or(lastClosed(ref, tiles, phase));
    return at(ref.gpu, here.tracked(phase, tile), tile);
}

std::optional<Flow::Step> Flow::beforePacket(const Step& from) const {
    const SpanRef ref = from.ref;
    const std::uint32_t tile = span(ref).first;
    const FlowIndex& here = index(ref.gpu);
    if (lane(ref).kind == LaneKind::linkIn) {
        const std::uint32_t number = ordinal(ref, here.received(tile));
        const std::uint32_t upstream = m_places.upstream(ref.gpu);
        const auto there = toUpstream(ref.gpu, tile);
        const std::span<const SpanPlace> sent = index(upstream).sent(*there);
        return number < sent.size() ? at(upstream, sent[number], there) : std::nullopt;
    }
    const std::span<const SpanPlace> scattered = here.sent(RingPhase::scatter, tile);
    const bool scatters = ordinal(ref, scattered) < scattered.size();
    const RingPhase phase = scatters ? RingPhase::scatter : RingPhase::gather;
    if (const auto transfer = here.transfer(phase, tile))
        return at(ref.gpu, transfer, tile);
    if (here.isTracked(phase))
        return at(ref.gpu, here.workgroup(tile), tile);
    return at(ref.gpu, here.step(phase, m_places.chunkOfTile(tile)), std::nullopt);
}

std::optional<Flow::Step> Flow::beforeRingStep(const Step& from) const {
    const SpanRef ref = from.ref;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    const bool scatters = span.kind == SpanKind::reduceScatterStep;
    const std::uint32_t place = m_places.placeOf(ref.gpu, span.second);
    const bool first = place == 0;
    const bool own = place + 1 == m_places.gpus();
    if (scatters && first)
        return here.isTracked(RingPhase::scatter) ? std::nullopt : at(ref.gpu, here.lastWave(), std::nullopt);
    if (!scatters && own) {
        if (const auto reduce = here.step(RingPhase::scatter, span.second))
            return at(ref.gpu, reduce, std::nullopt);
    }
    const std::uint32_t upstream = m_places.upstream(ref.gpu);
    const std::uint32_t chunk = m_places.recordedChunk(upstream, m_places.chunkOn(ref.gpu, span.second));
    const RingPhase phase = scatters || own ? RingPhase::scatter : RingPhase::gather;
    return at(upstream, index(upstream).step(phase, chunk), std::nullopt);
}

std::vector<SpanRef> Flow::causes(SpanRef ref) const {
    std::vector<SpanRef> causes;
    const engine::Span& span = this->span(ref);
    const FlowIndex& here = index(ref.gpu);
    const auto add = [&](std::optional<SpanPlace> place) {
        if (place)
            causes.push_back({ref.gpu, place->lane, place->span});
    };
    if (m_aroundRing && span.kind == SpanKind::trackedTile) {
        const RingPhase phase = phaseOfTracked(ref);
        if (phase == RingPhase::scatter)
            add(here.store(span.first));
        const std::span<const SpanPlace> received = here.received(phase, span.first);
        if (!received.empty())
            add(received.back());
    } else if (m_aroundRing && span.kind == SpanKind::trigger) {
        const RingPhase phase = here.phaseAt(span.start);
        const auto [first, end] = here.blockTiles(phase, span);
        for (std::uint32_t tile = first; tile < end; ++tile)
            add(here.tracked(phase, tile));
    }
    if (causes.empty()) {
        if (const auto before = followBack(ref))
            causes.push_back(*before);
    }
    std::stable_sort(causes.begin(), causes.end(),
                     [this](SpanRef a, SpanRef b) { return this->span(a).end < this->span(b).end; });
    return causes;
}

// Follows the data one step back. From a tracked tile this is the neighbour's transfer, even if the local stores landed
// later.
std::optional<Flow::Step> Flow::upTheRing(const Step& from) const {
    const engine::Span& span = this->span(from.ref);
    if (m_aroundRing && span.kind == SpanKind::trackedTile) {
        const auto received = index(from.ref.gpu).received(phaseOfTracked(from.ref), span.first);
        if (!received.empty())
            return at(from.ref.gpu, received.back(), span.first);
    }
    return back(from);
}

FlowChain Flow::chain(SpanRef ref) const {
    FlowChain chain;
    Step from = stepOf(ref);
    const SpanKind kind = span(ref).kind;
    if (kind == SpanKind::gemmWave || isBeside(ref))
        return chain;
    if (m_aroundRing && (kind == SpanKind::trigger || kind == SpanKind::dmaTransfer)) {
        const RingPhase phase = index(ref.gpu).phaseAt(span(ref).start);
        from.tile = lastClosed(ref, index(ref.gpu).blockTiles(phase, span(ref)), phase);
    }
    chain.spans.push_back(ref);
    const auto comesFirst = [this](SpanRef at) {
        return span(at).kind == SpanKind::workgroup || span(at).kind == SpanKind::gemmWave;
    };
    for (Step at = from; !comesFirst(at.ref);) {
        const auto before = upTheRing(at);
        if (!before)
            break;
        chain.spans.push_back(before->ref);
        at = *before;
    }
    std::reverse(chain.spans.begin(), chain.spans.end());
    for (auto next = forward(from); next; next = forward(*next))
        chain.spans.push_back(next->ref);
    for (std::size_t i = 0; i + 1 < chain.spans.size(); ++i) {
        const SpanRef to = chain.spans[i + 1];
        chain.edges.push_back({chain.spans[i], to, true});
        if (span(to).kind != SpanKind::trackedTile)
            continue;
        chain.edges.back().decisive = followBack(to) == chain.spans[i];
        for (const SpanRef other : causes(to)) {
            if (other != chain.spans[i])
                chain.edges.push_back({other, to, followBack(to) == other});
        }
    }
    return chain;
}

std::pair<std::uint32_t, std::uint32_t> Flow::tilesOf(SpanRef ref) const {
    const FlowIndex& here = index(ref.gpu);
    const auto [first, end] = here.blockTiles(here.phaseAt(span(ref).start), span(ref));
    if (first == end)
        return {0, 0};
    const std::uint32_t shown = m_places.tileOn(ref.gpu, first);
    return {shown, shown + (end - first)};
}

std::int64_t Flow::bytesOf(SpanRef ref) const {
    const engine::Span& span = this->span(ref);
    if (span.kind != SpanKind::dmaTransfer)
        return span.bytes;
    const FlowIndex& here = index(ref.gpu);
    const RingPhase phase = here.phaseAt(span.start);
    const auto [first, end] = here.blockTiles(phase, span);
    std::int64_t bytes = 0;
    for (std::uint32_t tile = first; tile < end; ++tile) {
        if (!m_aroundRing)
            bytes += trace().output.tileBytes[tile];
        for (const SpanPlace packet : m_aroundRing ? here.sent(phase, tile) : std::span<const SpanPlace>())
            bytes += trace().lanes[packet.lane].spans[packet.span].bytes;
    }
    return bytes;
}

}  // namespace data
