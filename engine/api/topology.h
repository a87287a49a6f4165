#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// A GPU or a switch. GPUs come first and are numbered along the ring, where there is one: GPU i sends to GPU i-1.
struct TopologyNode {
    bool isSwitch = false;
    std::string name;          ///< as its author calls it: "GPU 3", "switch 0"
    std::uint32_t group = 0;   ///< the node of two-nodes that it belongs to; otherwise 0
    std::uint32_t column = 0;  ///< place in a torus, or within its group
    std::uint32_t row = 0;
};

/// One direction of a link.
struct TopologyLink {
    std::uint32_t from = 0;  ///< indices of nodes
    std::uint32_t to = 0;
    Bandwidth bandwidth;
    Duration latency;
};

/// How the GPUs of an experiment are joined: a graph with routes between all pairs of GPUs, and the ring that the ring
/// algorithm uses. A value; what is simulated and what is drawn come from the same one.
/// Routes are shortest paths by number of links; of several the one whose links come first, which on a torus goes along
/// the row before the column.
struct Topology {
    TopologyKind kind{};
    std::uint32_t gpus = 0;
    std::vector<TopologyNode> nodes;
    std::vector<TopologyLink> links;
    /// By GPU: the links on the way to the GPU before it. Empty where no ring can be embedded.
    std::vector<std::vector<std::uint32_t>> ring;
    /// Links that more than one hop of the ring takes.
    std::vector<std::uint32_t> sharedByRing;
    /// By node and GPU: the link that a packet for that GPU takes next (node x gpus + GPU); kNoLink on arrival.
    std::vector<std::uint32_t> nextLink;

    static constexpr std::uint32_t kNoLink = ~std::uint32_t{0};

    /// The links from one GPU to another, in order.
    std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const;

    /// The links that leave a node and those that enter it: first the one that the ring takes there, then by number.
    /// Lanes of a trace count them in this order.
    std::vector<std::uint32_t> linksFrom(std::uint32_t node) const;
    std::vector<std::uint32_t> linksTo(std::uint32_t node) const;
};

/// The sum of the latencies of a route's links, and the bandwidth of its slowest. Precondition: the route has a link.
Duration latencyOf(const Topology& topology, const std::vector<std::uint32_t>& route);
Bandwidth bandwidthOf(const Topology& topology, const std::vector<std::uint32_t>& route);

/// What a credit takes that GPU `to` gives to GPU `from` (tracker.held_bytes): the latency of the route on which that sends,
/// and at least a picosecond, so that messages never go in a circle within one moment.
inline constexpr Duration kLeastCreditLatency{1};
Duration creditLatency(const Topology& topology, std::uint32_t from, std::uint32_t to);

/// The topology of an experiment. Precondition: `validate(experiment)` is empty.
///
/// `topology.links` of a custom topology: entries separated by spaces, each two ends joined by `-` (both directions) or
/// `>` (one), then optionally `@bandwidth`, `@bandwidth,latency` or `@,latency`; an end is a GPU's number or `s` and a switch's
/// number. Without its own numbers a link has those of `link.*`. "0-1 1-2 2-0@75GB/s s0-0 s0-1@1GB/s,2us"
Topology topologyOf(const Experiment& experiment);

/// What all links that leave a GPU carry together: their sum, or one link's where they share it.
Bandwidth egressOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu);

/// Everything that is wrong with the topology settings: not connected, no ring for the ring algorithm, a malformed list of
/// links. The table's own checks have passed.
Problems topologyProblems(const Experiment& experiment);

}  // namespace engine
