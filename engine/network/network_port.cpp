#include "engine/network/network_port.h"

#include <algorithm>

namespace engine {

NetworkPort::NetworkPort(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink,
                         Recorder* recorder) {
    m_links.emplace_back(config, granule, clock, sink, recorder);
}

NetworkPort::NetworkPort(const Experiment& experiment, const Topology& topology, std::uint32_t node,
                         const EventQueue& clock, const std::vector<PacketSink*>& sinks, Recorder* recorder)
    : m_ports(topology.gpus) {
    const std::vector<std::uint32_t> leaving = topology.linksFrom(node);
    const bool shared = experiment.topology.egress == TopologyEgress::shared && !topology.nodes[node].isSwitch;
    if (shared && leaving.size() > 1)
        m_egress = std::make_unique<SharedEgress>(
            SharedEgress{CarryingRate(egressOf(experiment, topology, node).bytesPerSecond), {}});
    m_links.reserve(leaving.size());
    for (std::uint32_t port = 0; port < leaving.size(); ++port) {
        const TopologyLink& link = topology.links[leaving[port]];
        const std::vector<std::uint32_t> entering = topology.linksTo(link.to);
        const auto atEnd = std::find(entering.begin(), entering.end(), leaving[port]) - entering.begin();
        LinkConfig config = experiment.link;
        config.bandwidth = link.bandwidth;
        config.latency = link.latency;
        m_links.emplace_back(config, experiment.detail.granule, clock, *sinks[port], recorder,
                             LinkPorts{static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(atEnd)},
                             m_egress.get());
    }
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        const std::uint32_t next = topology.nextLink[std::size_t{node} * topology.gpus + gpu];
        const auto port = std::find(leaving.begin(), leaving.end(), next) - leaving.begin();
        m_ports[gpu] = static_cast<std::uint8_t>(port);
    }
}

}  // namespace engine
