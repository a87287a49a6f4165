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
    std::string name;          ///< the name that is shown: "GPU 3", "switch 0"
    std::uint32_t group = 0;   ///< two-nodes: index of the compute node to which it belongs; otherwise 0
    std::uint32_t column = 0;  ///< column in a torus, or place within its group
    std::uint32_t row = 0;
};

/// One direction of a link.
struct TopologyLink {
    std::uint32_t from = 0;  ///< index of the node at this end
    std::uint32_t to = 0;
    Bandwidth bandwidth;
    Duration latency;
};

/// The topology of an experiment: a graph of GPUs, switches and links, with routes between all pairs of GPUs and the
/// ring that the ring algorithm uses. A value type. The simulation and the drawing use the same topology. Routes are
/// shortest paths by number of links. Of several shortest paths the route is the one whose links come first in `links`;
/// on a torus it goes along the row before the column.
struct Topology {
    TopologyKind kind{};
    std::uint32_t gpus = 0;
    std::vector<TopologyNode> nodes;
    std::vector<TopologyLink> links;
    /// By GPU: the links on the route to the GPU before it. Empty if no ring can be embedded.
    std::vector<std::vector<std::uint32_t>> ring;
    /// Links that more than one hop of the ring uses.
    std::vector<std::uint32_t> sharedByRing;
    /// By node and GPU: the link that a packet for that GPU takes next (node x gpus + GPU); kNoLink on arrival.
    std::vector<std::uint32_t> nextLink;

    static constexpr std::uint32_t kNoLink = ~std::uint32_t{0};

    /// Returns the links from one GPU to another, in order.
    std::vector<std::uint32_t> route(std::uint32_t from, std::uint32_t to) const;

    /// Return the links that leave a node, and those that enter it: first the link that the ring uses there, then the
    /// others by number. Lanes of a trace count links in this order.
    std::vector<std::uint32_t> linksFrom(std::uint32_t node) const;
    std::vector<std::uint32_t> linksTo(std::uint32_t node) const;
};

/// Return the sum of the latencies of a route's links, and the bandwidth of its slowest link. Precondition: the route
/// has a link.
Duration latencyOf(const Topology& topology, const std::vector<std::uint32_t>& route);
Bandwidth bandwidthOf(const Topology& topology, const std::vector<std::uint32_t>& route);

/// Returns the time that a credit of GPU `to` takes to GPU `from` (tracker.held_bytes): the latency of the route on
/// which `from` sends, and at least kLeastCreditLatency, so that messages never go in a circle within the same
/// picosecond.
inline constexpr Duration kLeastCreditLatency{1};
Duration creditLatency(const Topology& topology, std::uint32_t from, std::uint32_t to);

/// Returns the topology of an experiment. Precondition: `validate(experiment)` is empty.
///
/// `topology.links` of a custom topology is a list of entries separated by spaces. An entry is two ends joined by `-`
/// (both directions) or `>` (one direction), followed by an optional `@bandwidth`, `@bandwidth,latency` or `@,latency`.
/// An end is a GPU's number, or `s` and a switch's number. Numbers that an entry leaves out are those of `link.*`.
/// Example: "0-1 1-2 2-0@75GB/s s0-0 s0-1@1GB/s,2us"
Topology topologyOf(const Experiment& experiment);

/// Returns the bandwidth of all links together that leave a GPU: their sum, or that of one link if they share it.
Bandwidth egressOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu);

/// Returns every problem of the topology settings: not connected, no ring for the ring algorithm, a malformed list of
/// links. Precondition: each value has passed the checks of the parameter table.
Problems topologyProblems(const Experiment& experiment);

}  // namespace engine
