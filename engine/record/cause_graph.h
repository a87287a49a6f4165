#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/api/topology.h"
#include "engine/api/trace_lanes.h"
#include "engine/api/tracked_order.h"
#include "engine/workload/dram_mapping.h"

#include <boost/graph/graph_traits.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace engine {

/// The kind of a vertex of the cause graph. The comments state the meaning of CauseVertex::place and CauseVertex::part.
enum class VertexKind : std::uint8_t {
    runBegun,
    runEnded,
    collectiveBegun,  ///< the collective of CauseVertex::phase begins
    gemmEnded,        ///< the GEMM, or a piece of it, has ended: its output is in memory
    workgroupBegun,   ///< a workgroup issues its first loads; place: the workgroup
    loaded,           ///< a K-step's data have arrived; place: the load
    computed,         ///< a K-step is done; place: the workgroup, part: the K-step
    released,         ///< a workgroup has left its slot, or its stores have been taken; place: the workgroup
    landed,           ///< a granule is in memory; place: the landing
    setFreed,         ///< a granule is in memory, which freed the awaited set of the tracker; place: the landing
    /// Data that DMA or a collective kernel has read return; place: DRAM's service, part: the tile, if known.
    readBack,
    sent,       ///< a packet has left; place: the packet, on the outgoing link
    arrived,    ///< a packet has arrived; place: the packet, on the incoming link
    triggered,  ///< the tracker triggers a DMA command; place: the trigger
    taken,      ///< a DMA engine takes a command; place: the transfer
    stepBegun,  ///< a collective kernel's step begins; place: the step
    stepEnded,
    /// The service of a request of an access pattern has ended, so that the next one is issued; place: DRAM's service.
    accessServed,
    passed,  ///< a piece of a pass inside memory has ended; place: DRAM's service
    lost     ///< the trace does not show the cause
};

/// A vertex of the cause graph: something that happened at one time on one GPU.
struct CauseVertex {
    TimePoint at;
    std::uint32_t gpu = 0;  ///< its number in the ring
    SpanPlace place;        ///< the span that shows it; see VertexKind
    std::uint32_t part = kNone;
    VertexKind kind = VertexKind::lost;
    WorkPhase phase{};
    bool operator==(const CauseVertex&) const = default;
};

/// An edge of the cause graph: `later` waited for `earlier`. The kinds of both vertices show what took the time between
/// them.
struct Enabling {
    CauseVertex later, earlier;
    SpanPlace request;  ///< the DRAM request, if the wait was for memory
    TimePoint asked;    ///< when the request entered its stream, or was needed if that was later
    bool operator==(const Enabling&) const = default;
};

/// A stretch of time.
struct Busy {
    TimePoint from, to;
};

/// The edges of one vertex: the few vertices for which it waited.
struct Causes {
    std::array<Enabling, 4> edges;
    std::size_t count = 0;

    void add(const CauseVertex& later, const CauseVertex& earlier, SpanPlace request = {}, TimePoint asked = {}) {
        assert(count < edges.size());
        if (earlier.at <= later.at)
            edges[count++] = {later, earlier, request, asked};
    }
};

/// Iterates over the edges of one vertex. It holds a copy of the edges, because they are not stored elsewhere.
class CauseIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Enabling;
    using difference_type = std::ptrdiff_t;
    using pointer = const Enabling*;
    using reference = const Enabling&;

    CauseIterator() = default;
    CauseIterator(const Causes& causes, std::size_t at) : m_causes(causes), m_at(at) {}

    reference operator*() const { return m_causes.edges[m_at]; }
    pointer operator->() const { return &m_causes.edges[m_at]; }
    CauseIterator& operator++() {
        ++m_at;
        return *this;
    }
    CauseIterator operator++(int) {
        CauseIterator before = *this;
        ++m_at;
        return before;
    }
    bool operator==(const CauseIterator& other) const { return m_at == other.m_at; }

private:
    Causes m_causes;
    std::size_t m_at = 0;
};

/// Finds the work on a tile, a block or a granule in a trace, which times alone do not identify. Numbers of GPUs are
/// those of recorded GPUs. Tiles of workgroups and K-steps belong to a kernel (Span::peer); all else belongs to the own
/// work.
class WorkPlaces {
public:
    /// `scatters`, `gathers`: whether DMA carries out the collective of that kind.
    WorkPlaces(const TraceLanes& lanes, std::int64_t blockTiles, bool scatters, bool gathers);

    /// Returns the workgroup of a tile, or an empty optional if no workgroup of that GPU computed the tile.
    std::optional<SpanPlace> workgroup(std::uint32_t gpu, std::uint32_t tile, std::uint8_t kernel = kOwnKernel) const;
    /// Returns the first workgroup, by slot, whose stores were taken at `when`.
    std::optional<SpanPlace> releasedAt(std::uint32_t gpu, TimePoint when, std::uint8_t kernel = kOwnKernel) const;
    std::optional<SpanPlace> lastReleasedBefore(std::uint32_t gpu, TimePoint when,
                                                std::uint8_t kernel = kOwnKernel) const;

    /// Returns the time at which a K-step was done; kNever if that is not known.
    TimePoint computed(std::uint32_t gpu, std::uint32_t tile, std::uint32_t step,
                       std::uint8_t kernel = kOwnKernel) const;
    /// Returns the last of a tile's K-steps that was done before `when`.
    std::optional<std::uint32_t> lastComputedBefore(std::uint32_t gpu, std::uint32_t tile, TimePoint when,
                                                    std::uint8_t kernel = kOwnKernel) const;
    std::uint32_t steps(std::uint32_t gpu, std::uint8_t kernel = kOwnKernel) const;
    /// Returns when all data of a K-step had come to the LLC; kNever if that is not known.
    TimePoint cached(std::uint32_t gpu, std::uint32_t tile, std::uint32_t step, std::uint8_t kernel) const;
    /// Returns when the stores of a workgroup were taken: its end, unless it left its slot before.
    TimePoint storesTaken(std::uint32_t gpu, SpanPlace workgroup) const;

    std::uint32_t chunkOf(std::uint32_t tile) const;
    std::uint32_t firstGranule(std::uint32_t tile) const { return tile < m_granule.size() ? m_granule[tile] : 0; }
    /// Returns the index of a tile's granule within its chunk. `part` is the last 16 bits of the granule's number. If
    /// no chunk has the tile, the index is 0.
    std::uint32_t indexInChunk(std::uint32_t tile, std::uint16_t part) const;
    /// Returns the number of that granule.
    std::uint32_t granule(std::uint32_t tile, std::uint16_t part) const;

    /// Returns the tiles [first, end) of the block of a trigger or transfer of one phase.
    std::pair<std::uint32_t, std::uint32_t> tilesOf(std::uint32_t gpu, WorkPhase phase, const Span& ofBlock) const;
    /// Returns the transfer that sent a tile.
    std::optional<SpanPlace> transfer(std::uint32_t gpu, WorkPhase phase, std::uint32_t tile) const;

private:
    struct Release {
        TimePoint end;
        SpanPlace place;
    };
    struct Blocks {
        std::vector<std::uint32_t> first;  // by chunk: its first block
        std::vector<SpanPlace> transfers;  // by block
    };
    struct Workgroups {
        std::vector<SpanPlace> byTile;
        std::vector<Release> releases;  // by time, then slot
    };
    struct Gpu {
        std::vector<Workgroups> kernels;
        // DMA blocks of the all-gather, and of the collective before it.
        Blocks gathered, scattered;
    };

    void readWorkgroups(std::uint32_t gpu);
    void readBlocks(std::uint32_t gpu, bool scatters, bool gathers);
    static void addBlock(Blocks& blocks, const Span& span, SpanPlace place);
    const Blocks& blocks(std::uint32_t gpu, WorkPhase phase) const;
    const Workgroups& workgroups(std::uint32_t gpu, std::uint8_t kernel) const;
    const ComputedSteps* computedOf(std::uint32_t gpu, std::uint8_t kernel) const;

    const TraceLanes& m_lanes;
    std::uint32_t m_blockTiles;
    std::vector<Gpu> m_gpus;
    std::vector<std::uint32_t> m_granule;  // first of each tile
};

/// The causes in a finished run, as a graph. A vertex is something that happened at a point in time. An edge leads from
/// a vertex to another one without which it would have come at another time. The graph is never stored: a trace has
/// millions of spans and a path meets a few thousand of them, so the edges of a vertex are searched for in the lanes on
/// request. It is a model of Boost's IncidenceGraph.
///
/// The edges follow MODEL.md: a link sends when a packet is there and the one before has left; a K-step begins when its
/// data are there, the one before is done and the CU's pipe is free; updates land when DRAM has served them; and so on.
/// If the trace does not show the cause of a vertex, the vertex has no edge: its cause is lost, and the walk continues
/// with the last vertex before it on its GPU.
///
/// Promise: no edge leads forward in time, and no edge depends on the absolute numbers of GPUs, tiles or chunks.
class CauseGraph {
public:
    using out_edge_iterator = CauseIterator;
    using vertex_descriptor = CauseVertex;
    using edge_descriptor = Enabling;
    using directed_category = boost::directed_tag;
    using edge_parallel_category = boost::allow_parallel_edge_tag;
    using traversal_category = boost::incidence_graph_tag;
    using degree_size_type = std::size_t;

    /// Makes the graph. Both arguments must outlive it.
    CauseGraph(const Trace& trace, const Experiment& experiment);

    /// Returns the last vertex of the run, on the GPU that ends last, lowest number first.
    CauseVertex end() const;
    /// Returns the vertices for which `later` waited, as far as the trace shows them.
    Causes causesOf(const CauseVertex& later) const;
    /// Returns the last vertex before `later` on its GPU, or the run's beginning if there is none.
    CauseVertex lastBefore(const CauseVertex& later) const;

    /// Returns the tracker's entry that was freed at a vertex of kind setFreed, if the trace shows it.
    SpanPlace trackedTile(const CauseVertex& freed) const;

    const TraceLanes& lanes() const { return m_lanes; }
    const Experiment& experiment() const { return m_experiment; }
    /// Returns whether tracker and DMA carry out the collective of a phase.
    bool byDma(WorkPhase phase) const;
    /// Returns whether copies by DMA carry the own collectives.
    bool byCopies() const { return m_parts.byCopies; }
    /// Returns whether two lanes are slots of one CU.
    bool onOneCu(std::uint32_t laneA, std::uint32_t laneB) const;
    /// Returns the workgroup of a load; an empty place if the trace does not show it.
    SpanPlace workgroupOf(const CauseVertex& loaded) const;
    /// Returns when the data of a load had come to the LLC.
    TimePoint cachedAt(const CauseVertex& loaded) const;
    /// Returns the times between `from` and `to` in which the CU that has a workgroup computed K-steps, in the order of
    /// time, without overlaps.
    std::vector<Busy> computingOf(const CauseVertex& like, SpanPlace workgroup, TimePoint from, TimePoint to) const;

private:
    // Vertices. A place is a span of the trace; `like` gives GPU and phase.
    CauseVertex at(VertexKind kind, const CauseVertex& like, SpanPlace place, TimePoint when) const;
    using Tiles = std::pair<std::uint32_t, std::uint32_t>;  // [first, end)
    static constexpr Tiles kAnyTile{0, kNone};
    std::optional<CauseVertex> landedAt(const CauseVertex& like, TimePoint when, Tiles tiles = kAnyTile,
                                        std::optional<SpanKind> kind = {}) const;
    std::optional<CauseVertex> pieceHandledAt(const CauseVertex& like, TimePoint begun, TimePoint when) const;
    bool addsPiece(const CauseVertex& read, const Span& step) const;
    std::optional<CauseVertex> setFreedAt(const CauseVertex& like, TimePoint when, std::uint32_t tile) const;
    std::uint32_t setOf(const CauseVertex& like, std::uint32_t tile) const;
    std::optional<CauseVertex> readBackAt(const CauseVertex& like, TimePoint when, std::uint32_t tile,
                                          std::uint32_t channel) const;
    std::optional<CauseVertex> arrivedAt(const CauseVertex& like, TimePoint when, std::uint32_t tile) const;
    std::optional<CauseVertex> lastArrivedBefore(const CauseVertex& like, TimePoint when, const Span& landing) const;
    std::optional<CauseVertex> releasedAt(const CauseVertex& like, TimePoint when,
                                          std::uint8_t kernel = kOwnKernel) const;
    CauseVertex released(const CauseVertex& like, SpanPlace workgroup) const;
    std::optional<CauseVertex> collectiveEndedAt(const CauseVertex& like, TimePoint when, WorkPhase phase) const;
    std::optional<CauseVertex> computedStep(const CauseVertex& like, SpanPlace workgroup, std::uint32_t step) const;
    std::optional<CauseVertex> loadOf(const CauseVertex& like, SpanPlace workgroup, std::uint32_t step) const;
    // The known properties of a DRAM request that is searched for.
    struct Wanted {
        TimePoint end;
        Stream stream{};
        bool reads = false;
        std::uint32_t channel = 0;   // where to look first
        TimePoint askedBy = kNever;  // it entered its stream no later than this
        std::uint8_t kernel = kOwnKernel;
    };
    std::optional<SpanPlace> requestAt(std::uint32_t gpu, const Wanted& wanted) const;
    std::optional<SpanPlace> servedUntil(std::uint32_t gpu, TimePoint when) const;
    // The output of a GEMM that a kernel takes while it is produced: when a tile, or the piece to which it belongs, was in
    // memory.
    struct Produced {
        TimePoint at = kNever;
        SpanPlace landing;  // the tile's last one; empty with pieces
    };
    void readProduced();
    std::optional<CauseVertex> lastProduced(const CauseVertex& like, Tiles tiles, TimePoint after, TimePoint by) const;
    std::optional<CauseVertex> pieceBefore(const CauseVertex& begun) const;
    Tiles chunkTiles(std::uint32_t chunk) const;
    CauseVertex beginning(const CauseVertex& like) const { return at(VertexKind::runBegun, like, {}, {}); }

    // Edges of the ends of a run's parts.
    void ofEnd(const CauseVertex& later, Causes& causes) const;
    void ofGemmEnd(const CauseVertex& later, Causes& causes) const;
    void ofCollectiveBegin(const CauseVertex& later, Causes& causes) const;
    // Edges of the GEMM's vertices.
    void ofWorkgroupBegin(const CauseVertex& later, Causes& causes) const;
    void ofLoaded(const CauseVertex& later, Causes& causes) const;
    void ofComputed(const CauseVertex& later, Causes& causes) const;
    void ofReleased(const CauseVertex& later, Causes& causes) const;
    void addPipe(const CauseVertex& later, Causes& causes) const;
    std::optional<CauseVertex> madeRoom(const CauseVertex& begun) const;
    std::optional<CauseVertex> issueOf(const CauseVertex& loaded) const;
    std::optional<CauseVertex> loadIssuedAt(const CauseVertex& like, TimePoint when) const;
    // Edges of the vertices of memory, links, tracker and DMA.
    void ofLanded(const CauseVertex& later, Causes& causes) const;
    void ofReadBack(const CauseVertex& later, Causes& causes) const;
    std::optional<SpanPlace> copyAt(const CauseVertex& read, TimePoint asked) const;
    void addIssueByCopy(const CauseVertex& later, SpanPlace copy, TimePoint asked, Causes& causes) const;
    void ofCopyTaken(const CauseVertex& later, Causes& causes) const;
    void addIssueByDma(const CauseVertex& later, TimePoint asked, Causes& causes) const;
    std::optional<CauseVertex> sentAt(const CauseVertex& later) const;
    void ofSent(const CauseVertex& later, Causes& causes) const;
    void addBusyLink(const CauseVertex& later, Causes& causes) const;
    void addHandedIn(const CauseVertex& later, Causes& causes) const;
    void addCredit(const CauseVertex& later, Causes& causes) const;
    std::optional<CauseVertex> sentByTurned(const CauseVertex& arrived) const;
    std::optional<CauseVertex> sentAcross(const CauseVertex& arrived, std::uint32_t link) const;
    std::optional<CauseVertex> sentThroughSwitch(const CauseVertex& arrived) const;
    void ofArrived(const CauseVertex& later, Causes& causes) const;
    void ofTriggered(const CauseVertex& later, Causes& causes) const;
    void ofTaken(const CauseVertex& later, Causes& causes) const;
    // Edges of the vertices of collective kernels.
    void ofStepBegin(const CauseVertex& later, Causes& causes) const;
    void ofStepEnd(const CauseVertex& later, Causes& causes) const;
    // Edges of an access pattern's vertices.
    void addAccess(const CauseVertex& later, TimePoint ended, Causes& causes) const;
    // Edges of a companion's vertices; its landings and triggers are not recorded.
    bool endsLater(std::uint32_t gpu) const;
    void ofCompanionEnd(const CauseVertex& later, Causes& causes) const;
    void ofCopyEnd(const CauseVertex& later, Causes& causes) const;
    std::optional<CauseVertex> passedAt(const CauseVertex& like, TimePoint when) const;
    void ofPassed(const CauseVertex& later, Causes& causes) const;
    void ofCompanionStepBegin(const CauseVertex& later, Causes& causes) const;
    void ofCompanionStepEnd(const CauseVertex& later, Causes& causes) const;
    void ofCompanionRead(const CauseVertex& later, Causes& causes) const;
    void ofCompanionTransfer(const CauseVertex& later, Causes& causes) const;
    void addCompanionHandedIn(const CauseVertex& later, Causes& causes) const;
    bool addCompanionArrival(const CauseVertex& later, Causes& causes) const;
    std::optional<CauseVertex> companionWorkAt(const CauseVertex& like, TimePoint when) const;

    std::uint8_t kernelOf(SpanPlace place) const { return engine::kernelOf(m_lanes.span(place)); }
    static WorkPhase gemmPhaseOf(std::uint8_t kernel) {
        return kernel == kOwnKernel ? WorkPhase::gemm : WorkPhase::companion;
    }
    // Collectives have kernel 0, or 1 beside other work.
    static std::uint8_t collectiveOf(const CauseVertex& vertex) { return vertex.phase == WorkPhase::companion ? 1 : 0; }
    static bool isPacketOf(const CauseVertex& vertex, const Span& packet) {
        return packet.kind == (vertex.phase == WorkPhase::companion ? SpanKind::companionPacket : SpanKind::linkPacket);
    }
    bool isAccess() const { return m_experiment.workload.sublayer == SubLayer::access; }
    bool hasCompanion() const { return m_lanes.trace().companionCopies != 0; }
    WorkPhase phaseOnLink(const CauseVertex& like, TimePoint when) const;
    WorkPhase phaseOfRead(const CauseVertex& back) const;
    TimePoint egressFreeAfter(std::uint32_t gpu, const Span& packet) const;
    WorkPhase scatterPhase() const { return m_parts.allToAll ? WorkPhase::allToAll : WorkPhase::reduceScatter; }
    const PhaseTimes& times(std::uint32_t gpu) const;
    std::uint32_t lastGpu() const;
    std::uint32_t prefetchedSteps(std::uint32_t gpu, std::uint8_t kernel) const;
    TimePoint askedAt(SpanPlace request) const;

    const Experiment& m_experiment;
    TraceLanes m_lanes;
    RunParts m_parts;
    bool m_scatterByDma;
    std::uint32_t m_slotsOfCu;
    std::vector<std::vector<Produced>> m_produced;  // by recorded GPU, tile; empty unless a kernel takes them
    GemmConfig m_ownTiling, m_companionTiling;      // with their prefetch as numbers
    WorkPlaces m_places;
    std::vector<TrackedOrder> m_trackedOrders;  // by recorded GPU
    DramMapping m_mapping;
    Topology m_topology;
    std::vector<std::vector<std::uint32_t>> m_linksFrom, m_linksTo;  // by node; empty where one GPU stands for all
    PhaseTimes m_noTimes;                                            // times of GPUs that are not in the trace
};

// Functions that Boost's algorithms and concepts find by the graph's type.
std::pair<CauseIterator, CauseIterator> out_edges(const CauseVertex& vertex, const CauseGraph& graph);
std::size_t out_degree(const CauseVertex& vertex, const CauseGraph& graph);
inline CauseVertex source(const Enabling& edge, const CauseGraph&) { return edge.later; }
inline CauseVertex target(const Enabling& edge, const CauseGraph&) { return edge.earlier; }

}  // namespace engine
