#include "engine/network/link.h"

#include "engine/record/recorder.h"

#include <algorithm>

namespace engine {

Link::Link(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder,
           LinkPorts ports, SharedEgress* egress)
    : m_clock(clock), m_sink(sink), m_recorder(recorder), m_ports(ports), m_egress(egress), m_latency(config.latency),
      m_packetBytes(config.packet.value_or(granule).count), m_headerBytes(config.header.count),
      m_rate(config.bandwidth.bytesPerSecond) {}

TimePoint Link::send(Packet packet, std::uint32_t tile, std::uint32_t chunk) {
    std::int64_t wire = packet.bytes;
    if (m_headerBytes != 0)
        wire += m_headerBytes * ((packet.bytes + m_packetBytes - 1) / m_packetBytes);
    TimePoint start = std::max(m_clock.now(), m_freeAt);
    if (m_egress != nullptr) {
        start = std::max(start, m_egress->freeAt);
        m_egress->freeAt = start + m_egress->rate.take(wire);
    }
    m_freeAt = start + m_rate.take(wire);
    m_stats.packets += 1;
    m_stats.bytes.count += packet.bytes;
    m_stats.busy += m_freeAt - start;
    packet.arrival = m_freeAt + m_latency;
    packet.port = m_ports.portAtEnd;
    if (m_recorder)
        m_recorder->span(LaneKind::linkOut, m_ports.port,
                         {start, m_freeAt, tile, chunk, packet.bytes, packetKind(packet), packet.destination,
                          static_cast<std::uint16_t>(packet.granule)});
    m_sink.deliver(packet);
    return m_freeAt;
}

}  // namespace engine
