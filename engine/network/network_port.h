#pragma once

#include "engine/api/topology.h"
#include "engine/network/link.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// All links that leave one node, with the choice of the link for each destination. GPUs send through it, and GPUs and
/// switches forward packets for other nodes through it. A packet is stored, then forwarded whole, so that each link on
/// its route serialises it again.
class NetworkPort {
public:
    /// Makes a port with a single link for all packets, for a mirrored ring or a benchmark.
    NetworkPort(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder);

    /// Makes the port of `node`. `sinks`: the receiver at the end of each link that leaves it, in the order of ports.
    NetworkPort(const Experiment& experiment, const Topology& topology, std::uint32_t node, const EventQueue& clock,
                const std::vector<PacketSink*>& sinks, Recorder* recorder);

    /// Hands a packet to the link towards its destination now. Returns the time at which its last byte has left.
    TimePoint send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk) {
        const TimePoint departure = passOn(packet, tile, chunk);
        TimePoint& last = m_lastDeparture[packet.stage % kStages];
        last = std::max(last, departure);
        return departure;
    }
    /// Forwards a packet of another node in the same way. It does not count as one of this node's packets.
    TimePoint passOn(const Packet& packet, std::uint32_t tile, std::uint32_t chunk) {
        return m_links[linkTo(packet.destination)].send(packet, tile, chunk);
    }

    /// Return the number of links that leave the node, and the link that a packet for GPU `destination` takes.
    std::size_t links() const { return m_links.size(); }
    std::size_t linkTo(std::uint32_t destination) const { return m_ports.empty() ? 0 : m_ports[destination]; }

    /// Returns when the last of the node's own packets of a stage has left.
    TimePoint lastDepartureOf(std::uint8_t stage) const { return m_lastDeparture[stage % kStages]; }

private:
    std::unique_ptr<SharedEgress> m_egress;
    std::vector<Link> m_links;
    std::vector<std::uint8_t> m_ports;           // by destination; empty: one link
    static constexpr std::uint8_t kStages = 16;  // upper limit on the stages of a program
    std::array<TimePoint, kStages> m_lastDeparture{};
};

}  // namespace engine
