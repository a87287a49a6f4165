#include "engine/run/network_facts.h"

#include "engine/run/program.h"

#include <algorithm>
#include <set>

namespace engine {

namespace {

Duration latencyOf(const Topology& topology, const std::vector<std::uint32_t>& route) {
    Duration latency;
    for (const std::uint32_t link : route)
        latency += topology.links[link].latency;
    return latency;
}

// Everything a GPU sends takes its one link to the next.
NetworkFacts alongRing(const Topology& topology, std::uint32_t gpu) {
    NetworkFacts facts;
    facts.egress = topology.links[topology.ring[gpu].front()].bandwidth;
    facts.latency = latencyOf(topology, topology.ring.front());
    for (const auto& hop : topology.ring)
        facts.latency = std::min(facts.latency, latencyOf(topology, hop));
    return facts;
}

// The links that leave a GPU and on which the algorithm sends: to the next GPU of the ring, or on the way to any other.
std::set<std::uint32_t> linksUsedBy(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    if (sendsAroundRing(experiment) && !topology.ring.empty())
        return {topology.ring[gpu].front()};
    std::set<std::uint32_t> used;
    for (std::uint32_t to = 0; to < topology.gpus; ++to)
        if (to != gpu)
            used.insert(topology.route(gpu, to).front());
    return used;
}

}  // namespace

NetworkFacts networkFactsOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    if (sendsAroundRing(experiment) && !topology.ring.empty())
        return alongRing(topology, gpu);
    NetworkFacts facts;
    facts.egress = egressOf(experiment, topology, gpu);
    facts.latency = Duration{kNever.ps};
    for (const TopologyLink& link : topology.links)
        if (link.from == gpu)
            facts.latency = std::min(facts.latency, link.latency);
    return facts;
}

NetworkResult networkResultOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    NetworkResult result;
    result.links = std::ssize(topology.links);
    result.switches = std::ssize(topology.nodes) - topology.gpus;
    result.egress = egressOf(experiment, topology, gpu);
    result.linksSharedByRing = std::ssize(topology.sharedByRing);
    result.linksOfGpu = std::ssize(topology.linksFrom(gpu));
    const std::set<std::uint32_t> used = linksUsedBy(experiment, topology, gpu);
    result.linksUsed = std::ssize(used);
    for (const std::uint32_t link : used)
        result.used.bytesPerSecond += topology.links[link].bandwidth.bytesPerSecond;
    result.used = std::min(result.used, result.egress);
    return result;
}

}  // namespace engine
