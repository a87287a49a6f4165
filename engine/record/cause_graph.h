#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/api/topology.h"
#include "engine/record/cause_iterator.h"
#include "engine/record/moment.h"
#include "engine/record/trace_lanes.h"
#include "engine/record/work_places.h"

#include <boost/graph/graph_traits.hpp>

#include <cstddef>
#include <vector>

namespace engine {

/// What led to what in a finished run, as a graph: its vertices are moments, and an edge leads from each to a moment
/// without which it would not have happened when it did. It is never laid out: a trace has millions of spans and a
/// path meets a few thousand, so that the edges of a vertex are found in the lanes when they are asked for.
/// A model of Boost's incidence graph.
/// Follows MODEL.md: a link sends when a packet is there and the one before has left; a K-step begins when its data are
/// there, the one before is done and the CU's pipe is free; updates land when DRAM has served them; and so on. Of what
/// the trace does not tell a moment has no edge: it is lost, and the walk goes on from what happened last before it.
/// Promise: no edge leads forward in time, and nothing depends on the absolute numbers of GPUs, tiles or chunks.
class CauseGraph {
public:
    using out_edge_iterator = CauseIterator;
    using vertex_descriptor = Moment;
    using edge_descriptor = Enabling;
    using directed_category = boost::directed_tag;
    using edge_parallel_category = boost::allow_parallel_edge_tag;
    using traversal_category = boost::incidence_graph_tag;
    using degree_size_type = std::size_t;

    /// Both must outlive the graph.
    CauseGraph(const Trace& trace, const Experiment& experiment);

    /// The run's last moment, on the GPU that ends last, lowest number first.
    Moment end() const;
    /// Everything that `later` waited for, as far as it is known.
    Causes causesOf(const Moment& later) const;
    /// What happened last before `later` on its GPU; the run's beginning when nothing did.
    Moment lastBefore(const Moment& later) const;

    /// The tracker's entry that was given back at a moment of kind setFreed, if it is shown.
    SpanPlace trackedTile(const Moment& freed) const;

    const TraceLanes& lanes() const { return m_lanes; }
    const Experiment& experiment() const { return m_experiment; }

private:
    // Moments. A place is a span of the trace; `like` gives GPU and phase.
    Moment at(MomentKind kind, const Moment& like, SpanPlace place, TimePoint when) const;
    using Tiles = std::pair<std::uint32_t, std::uint32_t>;  // [first, end)
    static constexpr Tiles kAnyTile{0, kNone};
    std::optional<Moment> landedAt(const Moment& like, TimePoint when, Tiles tiles = kAnyTile,
                                   std::optional<SpanKind> kind = {}) const;
    std::optional<Moment> setFreedAt(const Moment& like, TimePoint when, std::uint32_t tile) const;
    std::uint32_t setOf(const Moment& like, std::uint32_t tile) const;
    std::optional<Moment> readBackAt(const Moment& like, TimePoint when, std::uint32_t tile,
                                     std::uint32_t channel) const;
    std::optional<Moment> arrivedAt(const Moment& like, TimePoint when, std::uint32_t tile) const;
    std::optional<Moment> lastArrivedBefore(const Moment& like, TimePoint when, const Span& landing) const;
    std::optional<Moment> releasedAt(const Moment& like, TimePoint when) const;
    std::optional<Moment> collectiveEndedAt(const Moment& like, TimePoint when, WorkPhase phase) const;
    std::optional<Moment> computedStep(const Moment& like, SpanPlace workgroup, std::uint32_t step) const;
    std::optional<Moment> loadOf(const Moment& like, SpanPlace workgroup, std::uint32_t step) const;
    // A request of DRAM, by what is known of it.
    struct Wanted {
        TimePoint end;
        Stream stream{};
        bool reads = false;
        std::uint32_t channel = 0;   // where to look first
        TimePoint askedBy = kNever;  // no later than that
    };
    std::optional<SpanPlace> requestAt(std::uint32_t gpu, const Wanted& wanted) const;
    Moment beginning(const Moment& like) const { return at(MomentKind::runBegun, like, {}, {}); }

    // Edges of the ends of a run's parts.
    void ofEnd(const Moment& later, Causes& causes) const;
    void ofGemmEnd(const Moment& later, Causes& causes) const;
    void ofCollectiveBegin(const Moment& later, Causes& causes) const;
    // Of the GEMM.
    void ofWorkgroupBegin(const Moment& later, Causes& causes) const;
    void ofLoaded(const Moment& later, Causes& causes) const;
    void ofComputed(const Moment& later, Causes& causes) const;
    void ofReleased(const Moment& later, Causes& causes) const;
    void addPipe(const Moment& later, Causes& causes) const;
    std::optional<Moment> issueOf(const Moment& loaded) const;
    std::optional<Moment> loadIssuedAt(const Moment& like, TimePoint when) const;
    // Of memory, links, tracker and DMA.
    void ofLanded(const Moment& later, Causes& causes) const;
    void ofReadBack(const Moment& later, Causes& causes) const;
    void addIssueByDma(const Moment& later, TimePoint asked, Causes& causes) const;
    std::optional<Moment> sentAt(const Moment& later) const;
    void ofSent(const Moment& later, Causes& causes) const;
    void addBusyLink(const Moment& later, Causes& causes) const;
    void addHandedIn(const Moment& later, Causes& causes) const;
    std::optional<Moment> sentAcross(const Moment& arrived, std::uint32_t link) const;
    std::optional<Moment> sentThroughSwitch(const Moment& arrived) const;
    void ofArrived(const Moment& later, Causes& causes) const;
    void ofTriggered(const Moment& later, Causes& causes) const;
    void ofTaken(const Moment& later, Causes& causes) const;
    // Of collective kernels.
    void ofStepBegin(const Moment& later, Causes& causes) const;
    void ofStepEnd(const Moment& later, Causes& causes) const;

    bool byDma(WorkPhase phase) const;
    WorkPhase phaseOnLink(const Moment& like, TimePoint when) const;
    WorkPhase phaseOfRead(const Moment& back) const;
    TimePoint egressFreeAfter(std::uint32_t gpu, const Span& packet) const;
    WorkPhase scatterPhase() const { return m_parts.allToAll ? WorkPhase::allToAll : WorkPhase::reduceScatter; }
    const PhaseTimes& times(std::uint32_t gpu) const;
    std::uint32_t lastGpu() const;
    std::uint32_t prefetchedSteps(std::uint32_t gpu) const;
    TimePoint askedAt(SpanPlace request) const;

    // The chunk with which the address map of each collective begins.
    struct FirstChunks {
        std::uint32_t scattered = 0, gathered = 0;
    };

    const Experiment& m_experiment;
    TraceLanes m_lanes;
    RunParts m_parts;
    bool m_scatterByDma;
    WorkPlaces m_places;
    std::vector<FirstChunks> m_firstChunks;  // by recorded GPU
    Topology m_topology;
    std::vector<std::vector<std::uint32_t>> m_linksFrom, m_linksTo;  // by node; empty where one GPU stands for all
    PhaseTimes m_noTimes;                                            // of GPUs that a trace does not tell of
};

// What Boost's algorithms and concepts call, found by the graph's type.
std::pair<CauseIterator, CauseIterator> out_edges(const Moment& moment, const CauseGraph& graph);
std::size_t out_degree(const Moment& moment, const CauseGraph& graph);
inline Moment source(const Enabling& edge, const CauseGraph&) { return edge.later; }
inline Moment target(const Enabling& edge, const CauseGraph&) { return edge.earlier; }

}  // namespace engine
