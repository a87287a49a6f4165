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

/// An edge from a span to another span that waited for it.
struct FlowEdge {
    SpanRef from, to;
    bool decisive = true;  ///< true if `to` waited for `from` last
};

/// The spans of one tile on its way through the ring, or of one chunk if collective kernels send it, ordered by time.
struct FlowChain {
    std::vector<SpanRef> spans;
    std::vector<FlowEdge> edges;
};

/// Finds the spans that caused a span and the spans that it caused: from a workgroup's stores to the tracked tile, from
/// the last tile of a block to the trigger, to the DMA transfer, through its packets to the neighbour's tile, and so on
/// around the ring. It reads only the trace. A GPU is indexed when it is first queried. Not thread-safe.
class Flow {
public:
    /// Without a trace no span leads to another.
    explicit Flow(std::shared_ptr<const ShownRun> run);
    Flow(const Flow&) = delete;
    Flow& operator=(const Flow&) = delete;

    const ShownRun& run() const { return *m_run; }
    const std::shared_ptr<const ShownRun>& sharedRun() const { return m_run; }
    const RingPlaces& places() const { return m_places; }
    bool contains(SpanRef ref) const;
    /// Precondition of all functions from here on: contains(ref).
    const engine::Lane& lane(SpanRef ref) const { return trace().lanes[ref.lane]; }
    const engine::Span& span(SpanRef ref) const { return lane(ref).spans[ref.span]; }

    /// Returns a span that could begin or end because of this one.
    std::optional<SpanRef> followForward(SpanRef ref) const;
    /// Returns the span that this one waited for last.
    std::optional<SpanRef> followBack(SpanRef ref) const;
    /// Returns all spans that this one waited for, in the order of time. The last one is the span that followBack
    /// returns, unless several end at the same time.
    std::vector<SpanRef> causes(SpanRef ref) const;
    /// Returns the chain through `ref`, from the first workgroup to the last GPU that receives the tile. Returns an
    /// empty chain for a wave, and for spans of a companion, of which only the order in time is known.
    FlowChain chain(SpanRef ref) const;
    /// Returns the tiles [first, end) that a trigger or a DMA transfer sends, as the span's GPU numbers them.
    std::pair<std::uint32_t, std::uint32_t> tilesOf(SpanRef ref) const;
    /// Returns the bytes that a span moved; for a DMA transfer, the bytes of its packets.
    std::int64_t bytesOf(SpanRef ref) const;
    /// Returns the node at the other end of a link's lane: "GPU 3", "switch 0".
    std::string linkEnd(SpanRef ref) const;
    /// Returns whether data go from each GPU to the one before it. If not, only spans whose cause is on the same GPU
    /// and packets on their links have causes; other spans have none, because they could be wrong.
    bool aroundRing() const { return m_aroundRing; }

private:
    /// A span and the tile that is followed, with the recorded numbers of the span's GPU.
    struct Step {
        SpanRef ref;
        std::optional<std::uint32_t> tile;
    };

    const engine::Trace& trace() const { return m_run->index->trace(); }
    const engine::TraceLanes& lanes() const { return m_run->index->lanes(); }
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
    std::optional<engine::Topology> m_topology;               // empty without a trace
    mutable std::vector<std::unique_ptr<FlowIndex>> m_index;  // by recorded GPU
};

}  // namespace data
