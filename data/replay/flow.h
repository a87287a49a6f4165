#pragma once

#include "data/replay/flow_index.h"
#include "data/replay/shown_run.h"
#include "data/replay/span_ref.h"
#include "engine/api/topology.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// One span leading to another.
struct FlowEdge {
    SpanRef from, to;
    bool decisive = true;  ///< what `to` waited for last
};

/// The way of one tile through the ring, or of a chunk where collective kernels carry it: in the order of time.
struct FlowChain {
    std::vector<SpanRef> spans;
    std::vector<FlowEdge> edges;
};

/// What leads to what in a run: a workgroup's stores to its tracked tile, the tile that completes a block to the
/// trigger, the trigger to the DMA transfer, its packets to the neighbour's tile, and so on around the ring.
/// Read from the trace alone. A GPU is indexed when it is first asked about, so that a run costs nothing until then.
/// Not for several threads.
class Flow {
public:
    /// Without a trace nothing leads anywhere.
    explicit Flow(std::shared_ptr<const ShownRun> run);
    Flow(const Flow&) = delete;
    Flow& operator=(const Flow&) = delete;

    const ShownRun& run() const { return *m_run; }
    const std::shared_ptr<const ShownRun>& sharedRun() const { return m_run; }
    const RingPlaces& places() const { return m_places; }
    bool contains(SpanRef ref) const;
    /// Preconditions from here on: contains(ref).
    const engine::Lane& lane(SpanRef ref) const { return trace().lanes[ref.lane]; }
    const engine::Span& span(SpanRef ref) const { return lane(ref).spans[ref.span]; }

    /// What could begin or end because of this one.
    std::optional<SpanRef> followForward(SpanRef ref) const;
    /// What it waited for last.
    std::optional<SpanRef> followBack(SpanRef ref) const;
    /// Everything that it waited for, in the order of time; the last but for ties is followBack's.
    std::vector<SpanRef> causes(SpanRef ref) const;
    /// From the first workgroup on the way to the last GPU that has it, `ref` in between; empty for a wave and for what a
    /// companion does, of which only the order of time is known.
    FlowChain chain(SpanRef ref) const;
    /// Tiles [first, end) that a trigger or a DMA transfer sends, as the span's GPU counts.
    std::pair<std::uint32_t, std::uint32_t> tilesOf(SpanRef ref) const;
    /// What was moved; of a DMA transfer what its packets carried.
    std::int64_t bytesOf(SpanRef ref) const;
    /// The node at the other end of a link's lane: "GPU 3", "switch 0".
    std::string linkEnd(SpanRef ref) const;
    /// Data go from each GPU to the one before it. Otherwise only what a GPU did by itself and packets on their links
    /// have causes: about the rest nothing is said rather than something that might be wrong.
    bool aroundRing() const { return m_aroundRing; }

private:
    /// A span and the tile whose way is followed, as recorded for the span's GPU.
    struct Step {
        SpanRef ref;
        std::optional<std::uint32_t> tile;
    };

    const engine::Trace& trace() const { return m_run->index->trace(); }
    const FlowIndex& index(std::uint32_t gpu) const;
    std::optional<Step> at(std::uint32_t gpu, std::optional<SpanPlace> place, std::optional<std::uint32_t> tile) const;
    Step stepOf(SpanRef ref) const;
    std::optional<std::uint32_t> toNeighbour(std::uint32_t gpu, std::uint32_t tile) const;
    std::optional<std::uint32_t> toUpstream(std::uint32_t gpu, std::uint32_t tile) const;
    RingPhase phaseOfTracked(SpanRef ref) const;
    RingPhase phaseOfArrival(SpanRef ref) const;
    std::uint32_t ordinal(SpanRef ref, std::span<const SpanPlace> packets) const;
    std::uint32_t lastClosed(SpanRef ref, std::pair<std::uint32_t, std::uint32_t> tiles, RingPhase phase) const;

    bool isBeside(SpanRef ref) const;
    std::optional<Step> besideForward(SpanRef ref) const;
    std::optional<Step> besideBack(SpanRef ref) const;
    std::optional<Step> acrossCompanionLink(SpanRef ref) const;
    std::optional<Step> ofLane(SpanRef ref, std::int64_t places) const;
    std::optional<Step> companionWorkAt(SpanRef packet, engine::TimePoint when) const;
    std::optional<Step> companionWorkAfter(SpanRef packet) const;
    std::optional<Step> loadedWorkgroup(SpanRef load) const;
    std::optional<Step> localForward(const Step& from) const;
    std::optional<Step> localBack(const Step& from) const;
    std::optional<Step> acrossLink(SpanRef ref) const;
    std::optional<std::uint32_t> linkOf(const engine::Lane& lane) const;
    std::optional<Step> forward(const Step& from) const;
    std::optional<Step> back(const Step& from) const;
    std::optional<Step> upTheRing(const Step& from) const;
    std::optional<Step> afterWorkgroup(const Step& from) const;
    std::optional<Step> afterTracked(const Step& from) const;
    std::optional<Step> afterTransfer(const Step& from) const;
    std::optional<Step> afterPacket(const Step& from) const;
    std::optional<Step> afterRingStep(const Step& from) const;
    std::optional<Step> afterLanding(const Step& from) const;
    std::optional<Step> beforeTracked(const Step& from) const;
    std::optional<Step> beforeTrigger(const Step& from) const;
    std::optional<Step> beforePacket(const Step& from) const;
    std::optional<Step> beforeRingStep(const Step& from) const;
    std::optional<Step> beforeLanding(const Step& from) const;

    std::shared_ptr<const ShownRun> m_run;
    RingPlaces m_places;
    bool m_aroundRing = true;
    std::optional<engine::Topology> m_topology;               // nothing without a trace
    mutable std::vector<std::unique_ptr<FlowIndex>> m_index;  // by recorded GPU
};

}  // namespace data
