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

/// All links that leave one node, and which of them a packet for a GPU takes. GPUs send through it, and GPUs and switches
/// pass on what is not for them: a packet is stored, then forwarded whole, so that each link on its way serialises it
/// once more.
class NetworkPort {
public:
    /// A single link that everything takes: a mirrored ring, or a bench.
    NetworkPort(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder);

    /// What leads from `node`. `sinks`: for each link that leaves it, in the order of ports, where it ends.
    NetworkPort(const Experiment& experiment, const Topology& topology, std::uint32_t node, const EventQueue& clock,
                const std::vector<PacketSink*>& sinks, Recorder* recorder);

    /// Hands a packet to the link towards its destination now. Returns the moment its last byte has left.
    TimePoint send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk) {
        const TimePoint departure = passOn(packet, tile, chunk);
        TimePoint& last = m_lastDeparture[packet.stage % kStages];
        last = std::max(last, departure);
        return departure;
    }
    /// The same for a packet of another node, which does not count as this one's.
    TimePoint passOn(const Packet& packet, std::uint32_t tile, std::uint32_t chunk) {
        return m_links[linkTo(packet.destination)].send(packet, tile, chunk);
    }

    /// Links that leave the node, and which of them a packet for GPU `destination` takes.
    std::size_t links() const { return m_links.size(); }
    std::size_t linkTo(std::uint32_t destination) const { return m_ports.empty() ? 0 : m_ports[destination]; }

    /// When the last of the node's own packets of a stage has left.
    TimePoint lastDepartureOf(std::uint8_t stage) const { return m_lastDeparture[stage % kStages]; }

private:
    std::unique_ptr<SharedEgress> m_egress;
    std::vector<Link> m_links;
    std::vector<std::uint8_t> m_ports;           // by destination; empty: one link
    static constexpr std::uint8_t kStages = 16;  // of a program, at most
    std::array<TimePoint, kStages> m_lastDeparture{};
};

}  // namespace engine
