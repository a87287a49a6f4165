#pragma once

#include "data/replay/ring_places.h"
#include "engine/api/trace_lanes.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace data {

using engine::SpanPlace;

enum class RingPhase : std::uint8_t { scatter, gather };

/// Spans of one kind of the own work, by tile, in the order of time.
class TileSpans {
public:
    void build(const engine::Trace& trace, std::span<const std::uint32_t> lanes, engine::SpanKind kind,
               std::uint32_t tiles);
    std::span<const SpanPlace> of(std::uint32_t tile) const;
    bool empty() const { return m_spans.empty(); }

private:
    std::vector<std::uint32_t> m_first;  // by tile; the last entry is the number of spans
    std::vector<SpanPlace> m_spans;
};

/// An index of the spans of one recorded GPU by tile, block and chunk, in recorded numbers. Reduce-scatter and
/// all-gather use the same lanes and partly the same numbers; the index keeps them apart.
class FlowIndex {
public:
    FlowIndex(const engine::TraceLanes& lanes, const RingPlaces& places, std::uint32_t gpu, std::uint32_t blockTiles);

    std::optional<SpanPlace> workgroup(std::uint32_t tile) const { return only(m_workgroups.of(tile)); }
    std::optional<SpanPlace> store(std::uint32_t tile) const { return only(m_stores.of(tile)); }
    std::optional<SpanPlace> tracked(RingPhase phase, std::uint32_t tile) const;
    std::optional<SpanPlace> trigger(RingPhase phase, std::uint32_t tile) const;
    std::optional<SpanPlace> transfer(RingPhase phase, std::uint32_t tile) const;
    /// Returns the step of a collective kernel that works on the chunk or, under T3, the span in which the chunk was on
    /// its way.
    std::optional<SpanPlace> step(RingPhase phase, std::uint32_t chunk) const;
    std::optional<SpanPlace> lastWave() const { return m_lastWave; }
    /// Return all packets of a tile, first those of the reduce-scatter, then those of the all-gather.
    std::span<const SpanPlace> sent(std::uint32_t tile) const { return m_sent.of(tile); }
    std::span<const SpanPlace> received(std::uint32_t tile) const { return m_received.of(tile); }
    std::span<const SpanPlace> sent(RingPhase phase, std::uint32_t tile) const;
    std::span<const SpanPlace> received(RingPhase phase, std::uint32_t tile) const;

    /// Returns the tiles [first, end) of a block.
    std::pair<std::uint32_t, std::uint32_t> blockTiles(RingPhase phase, const engine::Span& ofBlock) const;
    RingPhase phaseAt(engine::TimePoint start) const;
    /// Returns whether tracker and DMA carry out this phase, instead of a kernel.
    bool isTracked(RingPhase phase) const { return m_tracked[static_cast<std::size_t>(phase)]; }

private:
    struct Blocks {
        std::vector<std::optional<SpanPlace>> triggers, transfers;  // by block
        std::vector<std::optional<std::uint32_t>> firstOfChunk;     // block, by chunk
    };

    static std::optional<SpanPlace> only(std::span<const SpanPlace> spans);
    void readBlocks(const engine::Trace& trace, std::span<const std::uint32_t> lanes, engine::SpanKind kind,
                    std::vector<std::optional<SpanPlace>> Blocks::*list);
    std::optional<std::uint32_t> blockOf(RingPhase phase, std::uint32_t tile) const;
    std::span<const SpanPlace> part(std::span<const SpanPlace> spans, RingPhase phase, bool scatters,
                                    bool gathers) const;
    std::uint32_t placeOf(std::uint32_t tile) const;

    const RingPlaces& m_places;
    std::uint32_t m_gpu;
    std::uint32_t m_blockTiles;
    TileSpans m_workgroups, m_stores, m_trackedTiles, m_sent, m_received;
    std::array<Blocks, 2> m_blocks;
    std::array<std::vector<std::optional<SpanPlace>>, 2> m_steps;  // by chunk
    std::optional<SpanPlace> m_lastWave;
    std::int64_t m_gatherStart = std::numeric_limits<std::int64_t>::max();
    std::array<bool, 2> m_tracked{};
    std::array<bool, 2> m_present{};
};

}  // namespace data
