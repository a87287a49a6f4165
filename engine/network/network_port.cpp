#include "engine/network/network_port.h"

#include <algorithm>

namespace engine {

NetworkPort::NetworkPort(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink,
                         Recorder* recorder) {
    m_links.emplace_back(config, granule, clock, sink, recorder);
}

NetworkPort::NetworkPort(const Experiment& experiment, const Topology& topology, std::uint32_t node,
                         const EventQueue& clock, const std::vector<PacketSink*>& sinks, Recorder* recorder)
    : m_lanes(topology.gpus) {
    const std::vector<std::uint32_t> leaving = topology.linksFrom(node);
    const bool shared = experiment.topology.egress == TopologyEgress::shared && !topology.nodes[node].isSwitch;
    if (shared && leaving.size() > 1)
        m_egress = std::make_unique<SharedEgress>(
            SharedEgress{CarryingRate(egressOf(experiment, topology, node).bytesPerSecond), {}});
    m_links.reserve(leaving.size());
    for (std::uint32_t lane = 0; lane < leaving.size(); ++lane) {
        const TopologyLink& link = topology.links[leaving[lane]];
        const std::vector<std::uint32_t> entering = topology.linksTo(link.to);
        const auto atEnd = std::find(entering.begin(), entering.end(), leaving[lane]) - entering.begin();
        LinkConfig config = experiment.link;
        config.bandwidth = link.bandwidth;
        config.latency = link.latency;
        m_links.emplace_back(config, experiment.detail.granule, clock, *sinks[lane], recorder,
                             LinkLanes{static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(atEnd)},
                             m_egress.get());
    }
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        const std::uint32_t next = topology.nextLink[std::size_t{node} * topology.gpus + gpu];
        const auto lane = std::find(leaving.begin(), leaving.end(), next) - leaving.begin();
        m_lanes[gpu] = static_cast<std::uint8_t>(lane);
    }
}

}  // namespace engine
