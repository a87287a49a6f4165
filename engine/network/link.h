#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"

#include <cstdint>

namespace engine {

class Recorder;

/// A granule on its way. `arrival` is when its last byte is at the end of the link it is on.
struct Packet {
    TimePoint arrival;
    std::uint32_t granule = 0;     ///< in the output's numbering
    std::uint32_t bytes = 0;       ///< payload
    std::uint8_t stage = 0;        ///< the collective that it belongs to, by its number in the program
    std::uint8_t source = 0;       ///< the GPU that sent it
    std::uint8_t destination = 0;  ///< the GPU that it is for; others on its way pass it on
    std::uint8_t port = 0;         ///< by which of its links it comes to the next node
    bool past = false;  ///< an update in the window of the tile that its receiver waits for first; see UpdateSender
    bool companion = false;  ///< of a companion's stage, whose granules are numbered by themselves; for the trace
};

/// How a trace shows a packet.
inline SpanKind packetKind(const Packet& packet) {
    return packet.companion ? SpanKind::companionPacket : SpanKind::linkPacket;
}

/// Where messages of one kind go.
template <typename Message>
class MessageSink {
public:
    virtual ~MessageSink() = default;
    /// Takes a message that will arrive at `message.arrival`, not before the next window begins.
    virtual void deliver(const Message& message) = 0;
};

/// Where a link ends.
using PacketSink = MessageSink<Packet>;

struct LinkStats {
    std::int64_t packets = 0;
    Bytes bytes;
    Duration busy;
};

/// What all links of one node have to share, where they do.
struct SharedEgress {
    CarryingRate rate;
    TimePoint freeAt;
};

/// A link's number among those of the node it leaves, and among those of the node at its end.
struct LinkPorts {
    std::uint8_t port = 0;
    std::uint8_t portAtEnd = 0;
};

/// One direction of a link between two nodes: serialises packets in the order they are handed in, then adds a
/// latency. Modelled: bandwidth, latency, headers, a bandwidth that links of a node share. Left out: flow control; a
/// link takes everything that is handed to it. How much that is where a receiver's room is bounded, UpdateSender decides.
/// Arrival is known when a packet is handed in, so a packet costs one event, at the other end.
class Link {
public:
    Link(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder,
         LinkPorts ports = {}, SharedEgress* egress = nullptr);

    /// Hands a packet to the link now. Returns the moment its last byte has left. `chunk` is for the trace.
    TimePoint send(Packet packet, std::uint32_t tile, std::uint32_t chunk);

    const LinkStats& stats() const { return m_stats; }

private:
    const EventQueue& m_clock;
    PacketSink& m_sink;
    Recorder* m_recorder;
    LinkPorts m_ports;
    SharedEgress* m_egress;
    Duration m_latency;
    std::int64_t m_packetBytes;
    std::int64_t m_headerBytes;
    CarryingRate m_rate;
    TimePoint m_freeAt;
    LinkStats m_stats;
};

}  // namespace engine
