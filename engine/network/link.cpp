#include "engine/network/link.h"

#include "engine/record/recorder.h"

#include <algorithm>

namespace engine {

Link::Link(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder)
    : m_clock(clock), m_sink(sink), m_recorder(recorder), m_latency(config.latency),
      m_packetBytes(config.packet.value_or(granule).count), m_headerBytes(config.header.count),
      m_rate(config.bandwidth.bytesPerSecond) {}

TimePoint Link::send(Packet packet, std::uint32_t tile, std::uint32_t chunk) {
    const TimePoint now = m_clock.now();
    std::int64_t wire = packet.bytes;
    if (m_headerBytes != 0)
        wire += m_headerBytes * ((packet.bytes + m_packetBytes - 1) / m_packetBytes);
    const TimePoint start = std::max(now, m_freeAt);
    m_freeAt = start + m_rate.take(wire);
    m_stats.packets += 1;
    m_stats.bytes.count += packet.bytes;
    m_stats.busy += m_freeAt - start;
    m_stats.lastDeparture = m_freeAt;
    packet.arrival = m_freeAt + m_latency;
    if (m_recorder)
        m_recorder->span(LaneKind::linkOut, 0, {start, m_freeAt, tile, chunk, packet.bytes, SpanKind::linkPacket});
    m_sink.deliver(packet);
    return m_freeAt;
}

}  // namespace engine
