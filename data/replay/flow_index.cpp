#include "data/replay/flow_index.h"

#include <algorithm>

namespace data {
namespace {

using engine::LaneKind;
using engine::SpanKind;

constexpr std::array kPhases{RingPhase::scatter, RingPhase::gather};

std::size_t at(RingPhase phase) { return static_cast<std::size_t>(phase); }

}  // namespace

void TileSpans::build(const engine::Trace& trace, std::span<const std::uint32_t> lanes, SpanKind kind,
                      std::uint32_t tiles) {
    m_first.assign(std::size_t{tiles} + 2, 0);
    const auto each = [&](auto&& take) {
        for (const std::uint32_t lane : lanes) {
            const std::vector<engine::Span>& spans = trace.lanes[lane].spans;
            for (std::uint32_t i = 0; i < spans.size(); ++i) {
                const bool own = engine::kernelOf(spans[i]) == engine::kOwnKernel;
                if (own && spans[i].kind == kind && spans[i].first < tiles)
                    take(spans[i].first, SpanPlace{lane, i});
            }
        }
    };
    // The counts are shifted by one entry, so that after the spans are distributed each entry is the first position of
    // its tile.
    each([&](std::uint32_t tile, SpanPlace) { ++m_first[std::size_t{tile} + 2]; });
    for (std::size_t i = 2; i < m_first.size(); ++i)
        m_first[i] += m_first[i - 1];
    m_spans.resize(m_first.back());
    each([&](std::uint32_t tile, SpanPlace place) { m_spans[m_first[std::size_t{tile} + 1]++] = place; });
    m_first.pop_back();
}

std::span<const SpanPlace> TileSpans::of(std::uint32_t tile) const {
    if (std::size_t{tile} + 1 >= m_first.size())
        return {};
    return std::span(m_spans).subspan(m_first[tile], m_first[tile + 1] - m_first[tile]);
}

FlowIndex::FlowIndex(const engine::TraceLanes& index, const RingPlaces& places, std::uint32_t gpu,
                     std::uint32_t blockTiles)
    : m_places(places), m_gpu(gpu), m_blockTiles(std::max(1u, blockTiles)) {
    const engine::Trace& trace = index.trace();
    const auto lanes = [&](LaneKind kind) { return index.lanes(gpu, kind); };
    m_workgroups.build(trace, lanes(LaneKind::workgroupSlot), SpanKind::workgroup, places.tiles());
    m_stores.build(trace, lanes(LaneKind::stores), SpanKind::store, places.tiles());
    m_trackedTiles.build(trace, lanes(LaneKind::tracker), SpanKind::trackedTile, places.tiles());
    m_sent.build(trace, lanes(LaneKind::linkOut), SpanKind::linkPacket, places.tiles());
    m_received.build(trace, lanes(LaneKind::linkIn), SpanKind::linkPacket, places.tiles());
    for (const RingPhase phase : kPhases) {
        const bool scatter = phase == RingPhase::scatter;
        m_steps[at(phase)].resize(places.gpus());
        for (const std::uint32_t lane : lanes(scatter ? LaneKind::reduceScatter : LaneKind::allGather)) {
            const std::vector<engine::Span>& spans = trace.lanes[lane].spans;
            for (std::uint32_t i = 0; i < spans.size(); ++i) {
                m_present[at(phase)] = true;
                if (spans[i].second < places.gpus())
                    m_steps[at(phase)][spans[i].second] = SpanPlace{lane, i};
            }
        }
    }
    for (const std::uint32_t lane : lanes(LaneKind::gemmWaves)) {
        if (!trace.lanes[lane].spans.empty())
            m_lastWave = SpanPlace{lane, static_cast<std::uint32_t>(trace.lanes[lane].spans.size() - 1)};
    }
    if (m_present[at(RingPhase::gather)])
        m_gatherStart = gpu < trace.phases.size() ? trace.phases[gpu].allGatherStart.ps : trace.allGatherStart.ps;
    readBlocks(trace, lanes(LaneKind::tracker), SpanKind::trigger, &Blocks::triggers);
    readBlocks(trace, lanes(LaneKind::dma), SpanKind::dmaTransfer, &Blocks::transfers);
    m_tracked[at(RingPhase::scatter)] = !m_stores.empty() || !m_blocks[at(RingPhase::scatter)].triggers.empty();
    m_tracked[at(RingPhase::gather)] = !m_blocks[at(RingPhase::gather)].triggers.empty();
}

void FlowIndex::readBlocks(const engine::Trace& trace, std::span<const std::uint32_t> lanes, SpanKind kind,
                           std::vector<std::optional<SpanPlace>> Blocks::*list) {
    for (const std::uint32_t lane : lanes) {
        const std::vector<engine::Span>& spans = trace.lanes[lane].spans;
        for (std::uint32_t i = 0; i < spans.size(); ++i) {
            const engine::Span& span = spans[i];
            if (span.kind != kind || span.second >= m_places.gpus())
                continue;
            Blocks& blocks = m_blocks[at(phaseAt(span.start))];
            std::vector<std::optional<SpanPlace>>& places = blocks.*list;
            if (places.size() <= span.first)
                places.resize(std::size_t{span.first} + 1);
            places[span.first] = SpanPlace{lane, i};
            blocks.firstOfChunk.resize(m_places.gpus());
            std::optional<std::uint32_t>& first = blocks.firstOfChunk[span.second];
            first = std::min(first.value_or(span.first), span.first);
        }
    }
}

std::optional<SpanPlace> FlowIndex::only(std::span<const SpanPlace> spans) {
    return spans.empty() ? std::nullopt : std::optional(spans.back());
}

std::uint32_t FlowIndex::placeOf(std::uint32_t tile) const {
    return m_places.placeOf(m_gpu, m_places.chunkOfTile(tile));
}

RingPhase FlowIndex::phaseAt(engine::TimePoint start) const {
    return start.ps < m_gatherStart ? RingPhase::scatter : RingPhase::gather;
}

std::span<const SpanPlace> FlowIndex::part(std::span<const SpanPlace> spans, RingPhase phase, bool scatters,
                                           bool gathers) const {
    scatters = scatters && m_present[at(RingPhase::scatter)];
    gathers = gathers && m_present[at(RingPhase::gather)];
    const bool asked = phase == RingPhase::scatter ? scatters : gathers;
    if (!asked)
        return {};
    if (!scatters || !gathers)
        return spans;
    const std::size_t half = spans.size() / 2;  // a tile takes as many packets in both phases
    return phase == RingPhase::scatter ? spans.first(half) : spans.last(spans.size() - half);
}

std::span<const SpanPlace> FlowIndex::sent(RingPhase phase, std::uint32_t tile) const {
    const std::uint32_t place = placeOf(tile);
    return part(m_sent.of(tile), phase, place + 1 != m_places.gpus(), place + 2 != m_places.gpus());
}

std::span<const SpanPlace> FlowIndex::received(RingPhase phase, std::uint32_t tile) const {
    const std::uint32_t place = placeOf(tile);
    return part(m_received.of(tile), phase, place != 0, place + 1 != m_places.gpus());
}

std::optional<SpanPlace> FlowIndex::tracked(RingPhase phase, std::uint32_t tile) const {
    const std::span<const SpanPlace> spans = m_trackedTiles.of(tile);
    const std::uint32_t place = placeOf(tile);
    const bool scattered = isTracked(RingPhase::scatter) && place != 0;
    const bool gathered = isTracked(RingPhase::gather) && place + 1 != m_places.gpus();
    const std::size_t index = phase == RingPhase::gather && scattered ? 1 : 0;
    const bool asked = phase == RingPhase::scatter ? scattered : gathered;
    return asked && index < spans.size() ? std::optional(spans[index]) : std::nullopt;
}

std::optional<std::uint32_t> FlowIndex::blockOf(RingPhase phase, std::uint32_t tile) const {
    const std::uint32_t chunk = m_places.chunkOfTile(tile);
    const auto& first = m_blocks[at(phase)].firstOfChunk;
    if (chunk >= first.size() || !first[chunk])
        return std::nullopt;
    return *first[chunk] + (tile - m_places.chunkFirstTile(chunk)) / m_blockTiles;
}

std::optional<SpanPlace> FlowIndex::trigger(RingPhase phase, std::uint32_t tile) const {
    const auto block = blockOf(phase, tile);
    const auto& triggers = m_blocks[at(phase)].triggers;
    return block && *block < triggers.size() ? triggers[*block] : std::nullopt;
}

std::optional<SpanPlace> FlowIndex::transfer(RingPhase phase, std::uint32_t tile) const {
    const auto block = blockOf(phase, tile);
    const auto& transfers = m_blocks[at(phase)].transfers;
    return block && *block < transfers.size() ? transfers[*block] : std::nullopt;
}

std::optional<SpanPlace> FlowIndex::step(RingPhase phase, std::uint32_t chunk) const {
    const auto& steps = m_steps[at(phase)];
    return chunk < steps.size() ? steps[chunk] : std::nullopt;
}

std::pair<std::uint32_t, std::uint32_t> FlowIndex::blockTiles(RingPhase phase, const engine::Span& ofBlock) const {
    const auto& firstOfChunk = m_blocks[at(phase)].firstOfChunk;
    if (ofBlock.second >= firstOfChunk.size() || !firstOfChunk[ofBlock.second])
        return {0, 0};
    const std::uint32_t end = m_places.chunkEndTile(ofBlock.second);
    const std::uint32_t first =
        m_places.chunkFirstTile(ofBlock.second) + (ofBlock.first - *firstOfChunk[ofBlock.second]) * m_blockTiles;
    return {std::min(first, end), std::min(first + m_blockTiles, end)};
}

}  // namespace data
