#pragma once

#include "engine/api/topology.h"
#include "engine/network/link.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// All links that leave one node, and which of them a packet for a GPU takes. GPUs send through it, and GPUs and switches
/// pass on what is not for them: a packet is stored, then forwarded whole, so that each link on its way serialises it
/// once more.
class NetworkPort {
public:
    /// A single link that everything takes: a mirrored ring, or a bench.
    NetworkPort(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder);

    /// What leads from `node`. `sinks`: for each link that leaves it, in lanes' order, where it ends.
    NetworkPort(const Experiment& experiment, const Topology& topology, std::uint32_t node, const EventQueue& clock,
                const std::vector<PacketSink*>& sinks, Recorder* recorder);

    /// Hands a packet to the link towards its destination now. Returns the moment its last byte has left.
    TimePoint send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk) {
        return m_links[m_lanes.empty() ? 0 : m_lanes[packet.destination]].send(packet, tile, chunk);
    }

    TimePoint lastDeparture() const;

private:
    std::unique_ptr<SharedEgress> m_egress;
    std::vector<Link> m_links;
    std::vector<std::uint8_t> m_lanes;  // by destination; empty: one link
};

}  // namespace engine
