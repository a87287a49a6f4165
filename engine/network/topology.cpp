#include "engine/api/topology.h"

#include "engine/api/parameters.h"
#include "engine/network/topology_builder.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace engine {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

// A packet passes through another GPU only if no route avoids it.
constexpr int kLink = 1, kThroughGpu = 1000, kUnreachable = std::numeric_limits<int>::max();

// Returns the distance of each node to a destination: the distance from the destination with all links turned around.
std::vector<int> distancesTo(const Topology& topology, std::uint32_t destination) {
    Graph reversed(topology.nodes.size());
    for (const TopologyLink& link : topology.links) {
        const bool through = !topology.nodes[link.to].isSwitch && link.to != destination;
        boost::add_edge(link.to, link.from, through ? kLink + kThroughGpu : kLink, reversed);
    }
    std::vector<int> distances(topology.nodes.size(), kUnreachable);
    boost::dijkstra_shortest_paths(reversed, destination, boost::distance_map(distances.data()));
    return distances;
}

bool allJoinedTo(const Topology& topology, std::uint32_t gpu) {
    const auto enters = [&](const TopologyLink& link) { return link.to == gpu; };
    return std::count_if(topology.links.begin(), topology.links.end(), enters) + 1 == std::ssize(topology.nodes);
}

// Computes the routes. Of several links that bring a packet equally near to its destination, takes the first.
void computeRoutes(Topology& topology) {
    topology.nextLink.assign(topology.nodes.size() * topology.gpus, Topology::kNoLink);
    for (std::uint32_t to = 0; to < topology.gpus; ++to) {
        const bool direct = allJoinedTo(topology, to);
        const std::vector<int> distances = direct ? std::vector<int>() : distancesTo(topology, to);
        for (std::uint32_t link = 0; link < topology.links.size(); ++link) {
            const TopologyLink& each = topology.links[link];
            std::uint32_t& next = topology.nextLink[std::size_t{each.from} * topology.gpus + to];
            if (next != Topology::kNoLink || each.from == to)
                continue;
            if (direct) {
                next = each.to == to ? link : Topology::kNoLink;
                continue;
            }
            const bool through = !topology.nodes[each.to].isSwitch && each.to != to;
            const int step = through ? kLink + kThroughGpu : kLink;
            if (distances[each.to] != kUnreachable && distances[each.from] == distances[each.to] + step)
                next = link;
        }
    }
}

// Renumbers the GPUs: GPU `order[0]` becomes 0, the GPU to which it sends becomes N-1, and so on downwards.
void renumber(Topology& topology, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> number(topology.nodes.size());
    for (std::uint32_t node = 0; node < number.size(); ++node)
        number[node] = node;
    std::vector<TopologyNode> nodes = topology.nodes;
    for (std::uint32_t place = 0; place < topology.gpus; ++place) {
        number[order[place]] = (topology.gpus - place) % topology.gpus;
        nodes[number[order[place]]] = topology.nodes[order[place]];
    }
    topology.nodes = std::move(nodes);
    for (TopologyLink& link : topology.links) {
        link.from = number[link.from];
        link.to = number[link.to];
    }
}

void layRing(Topology& topology) {
    std::vector<int> uses(topology.links.size());
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        topology.ring.push_back(topology.route(gpu, (gpu + topology.gpus - 1) % topology.gpus));
        for (const std::uint32_t link : topology.ring.back())
            ++uses[link];
    }
    for (std::uint32_t link = 0; link < uses.size(); ++link)
        if (uses[link] > 1)
            topology.sharedByRing.push_back(link);
}

// Makes the outgoing links of one GPU slower or faster, as variation.* says.
void vary(Topology& topology, const VariationConfig& variation) {
    if (!variation.gpu)
        return;
    for (TopologyLink& link : topology.links)
        if (std::int64_t{link.from} == *variation.gpu)
            link.bandwidth.bytesPerSecond = std::max<std::int64_t>(
                1, std::llround(static_cast<double>(link.bandwidth.bytesPerSecond) * variation.linkFactor));
}

std::vector<std::uint32_t> ringFirst(std::vector<std::uint32_t> links, std::optional<std::uint32_t> first) {
    const auto found = first ? std::find(links.begin(), links.end(), *first) : links.end();
    if (found != links.end())
        std::rotate(links.begin(), found, found + 1);
    return links;
}

Problem problemAt(const char* path, const Experiment& e, std::string text) {
    const Parameter& parameter = *findParameter(path);
    std::string value = formatValue(parameter, parameter.read(e));
    constexpr std::size_t kLongest = 80;
    if (value.size() > kLongest)
        value = value.substr(0, kLongest) + "…";
    return {path, std::move(value), std::move(text)};
}

void checkConnected(const Experiment& e, const Topology& topology, Problems& problems) {
    for (std::uint32_t to = 0; to < topology.gpus; ++to) {
        const std::vector<int> distances = distancesTo(topology, to);
        for (std::uint32_t from = 0; from < topology.gpus; ++from) {
            if (distances[from] != kUnreachable)
                continue;
            problems.push_back(problemAt("topology.links", e,
                                         "not connected: no path leads from GPU " + std::to_string(from) + " to GPU " +
                                             std::to_string(to) + "; add links, all GPUs are 0 to " +
                                             std::to_string(topology.gpus - 1)));
            return;
        }
    }
}

// Returns why there is no ring, with the GPU that prevents it if that can be determined.
std::string whyNoRing(const Topology& topology) {
    const auto neighbours = directNeighbours(topology);
    std::vector<std::uint32_t> entered(topology.gpus);
    for (const auto& each : neighbours)
        for (const std::uint32_t gpu : each)
            ++entered[gpu];
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        const std::size_t least = std::min<std::size_t>(neighbours[gpu].size(), entered[gpu]);
        if (topology.gpus > 2 && neighbours[gpu].size() == 1 && entered[gpu] == 1)
            return "GPU " + std::to_string(gpu) + " is joined to GPU " + std::to_string(neighbours[gpu].front()) +
                   " only; join it to another";
        if (least == 0)
            return "GPU " + std::to_string(gpu) + " has no link in one direction; add it";
    }
    return "add links between GPUs that are not joined yet";
}

void checkCustom(const Experiment& e, Problems& problems) {
    if (e.topology.links == TopologyConfig{}.links) {
        problems.push_back(problemAt("topology.links", e,
                                     "a custom topology needs links, such as 0-1 1-2 2-0; or choose another "
                                     "topology.kind"));
        return;
    }
    const std::size_t before = problems.size();
    const Topology topology = parseLinks(e, problems);
    if (problems.size() == before)
        checkConnected(e, topology, problems);
    if (problems.size() != before || e.collective.algorithm != CollectiveAlgorithm::ring)
        return;
    if (!embedRing(topology))
        problems.push_back(problemAt("topology.links", e,
                                     "no ring can be embedded that visits each GPU once without passing through "
                                     "another: " +
                                         whyNoRing(topology) + ", or choose collective.algorithm=direct"));
}

}  // namespace

std::vector<std::uint32_t> Topology::route(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> way;
    for (std::uint32_t node = from; node != to; node = links[way.back()].to) {
        const std::uint32_t next = nextLink[std::size_t{node} * gpus + to];
        if (next == kNoLink)
            return {};
        way.push_back(next);
    }
    return way;
}

std::vector<std::uint32_t> Topology::linksFrom(std::uint32_t node) const {
    std::vector<std::uint32_t> leaving;
    for (std::uint32_t link = 0; link < links.size(); ++link)
        if (links[link].from == node)
            leaving.push_back(link);
    const bool onRing = node < ring.size() && !ring[node].empty();
    return ringFirst(std::move(leaving), onRing ? std::optional(ring[node].front()) : std::nullopt);
}

std::vector<std::uint32_t> Topology::linksTo(std::uint32_t node) const {
    std::vector<std::uint32_t> entering;
    for (std::uint32_t link = 0; link < links.size(); ++link)
        if (links[link].to == node)
            entering.push_back(link);
    if (node >= ring.size())
        return entering;
    const auto& before = ring[(node + 1) % gpus];
    return ringFirst(std::move(entering), before.empty() ? std::nullopt : std::optional(before.back()));
}

Duration latencyOf(const Topology& topology, const std::vector<std::uint32_t>& route) {
    Duration latency;
    for (const std::uint32_t link : route)
        latency += topology.links[link].latency;
    return latency;
}

Bandwidth bandwidthOf(const Topology& topology, const std::vector<std::uint32_t>& route) {
    Bandwidth bandwidth = topology.links[route.front()].bandwidth;
    for (const std::uint32_t link : route)
        bandwidth = std::min(bandwidth, topology.links[link].bandwidth);
    return bandwidth;
}

Duration creditLatency(const Topology& topology, std::uint32_t from, std::uint32_t to) {
    return std::max(latencyOf(topology, topology.route(from, to)), kLeastCreditLatency);
}

Topology topologyOf(const Experiment& experiment) {
    Topology topology = buildTopology(experiment);
    bool hasRing = true;
    if (topology.kind == TopologyKind::custom) {
        const auto order = embedRing(topology);
        hasRing = order.has_value();
        if (order)
            renumber(topology, *order);
    }
    vary(topology, experiment.variation);
    computeRoutes(topology);
    if (hasRing)
        layRing(topology);
    return topology;
}

Bandwidth egressOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    Bandwidth sum, widest;
    for (const TopologyLink& link : topology.links) {
        if (link.from != gpu)
            continue;
        sum.bytesPerSecond += link.bandwidth.bytesPerSecond;
        widest = std::max(widest, link.bandwidth);
    }
    return experiment.topology.egress == TopologyEgress::shared ? widest : sum;
}

Problems topologyProblems(const Experiment& e) {
    Problems problems;
    const std::int64_t gpus = e.parallel.tp;
    const TopologyConfig& t = e.topology;
    if (t.kind == TopologyKind::torus && t.torusColumns && gpus % *t.torusColumns != 0)
        problems.push_back(problemAt("topology.torus_columns", e,
                                     "does not divide the " + std::to_string(gpus) +
                                         " GPUs; allowed: a divisor of parallel.tp, or auto"));
    if (t.kind == TopologyKind::twoNodes && gpus % 2 != 0)
        problems.push_back(problemAt("topology.kind", e,
                                     "two nodes have the same number of GPUs, but parallel.tp = " +
                                         std::to_string(gpus) + " is odd; allowed: an even degree"));
    if (t.kind == TopologyKind::custom)
        checkCustom(e, problems);
    return problems;
}

}  // namespace engine
