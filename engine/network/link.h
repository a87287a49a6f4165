#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"

#include <cstdint>

namespace engine {

class Recorder;

/// A granule in the network. `arrival` is the time at which its last byte reaches the end of the current link.
struct Packet {
    TimePoint arrival;
    std::uint32_t granule = 0;     ///< in the output's numbering
    std::uint32_t bytes = 0;       ///< payload
    std::uint8_t stage = 0;        ///< number, in the program, of the collective's stage to which it belongs
    std::uint8_t source = 0;       ///< the GPU that sent it
    std::uint8_t destination = 0;  ///< the GPU to which it goes; other nodes on the route forward it
    std::uint8_t port = 0;         ///< the port at which it arrives at the next node
    bool past = false;  ///< an update in the window of the tile that its receiver waits for first; see UpdateSender
    /// 0: passed on as it is. Otherwise the next switch adds the packets of so many GPUs, and sends their sum on.
    std::uint8_t summands = 0;
    bool toAll = false;  ///< the next switch sends it, or the sum, to every GPU that does not have it
    /// Belongs to a companion's stage, whose granules have numbers of their own; for the trace.
    bool companion = false;
};

/// Returns the kind of span that shows a packet in a trace.
inline SpanKind packetKind(const Packet& packet) {
    return packet.companion ? SpanKind::companionPacket : SpanKind::linkPacket;
}

/// A receiver of messages of one type.
template <typename Message>
class MessageSink {
public:
    virtual ~MessageSink() = default;
    /// Takes a message that will arrive at `message.arrival`, which is not before the next synchronisation window
    /// begins.
    virtual void deliver(const Message& message) = 0;
};

/// The receiver at the end of a link.
using PacketSink = MessageSink<Packet>;

struct LinkStats {
    std::int64_t packets = 0;
    Bytes bytes;
    Duration busy;
};

/// The egress bandwidth that all links of one node share with TopologyEgress::shared.
struct SharedEgress {
    CarryingRate rate;
    TimePoint freeAt;
};

/// The number of a link among the links of the node that it leaves, and among those of the node at its end.
struct LinkPorts {
    std::uint8_t port = 0;
    std::uint8_t portAtEnd = 0;
};

/// One direction of a link between two nodes. It serialises packets in the order in which they are handed in, then adds
/// a latency. Modelled: bandwidth, latency, headers, and a bandwidth that links of a node share. Left out: flow
/// control; a link accepts every packet. If a receiver's buffer is bounded, UpdateSender limits the packets that are
/// handed in. The arrival is known when a packet is handed in, so that a packet costs one event, at the other end.
class Link {
public:
    Link(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder,
         LinkPorts ports = {}, SharedEgress* egress = nullptr);

    /// Hands a packet to the link now. Returns the time at which its last byte has left. `chunk` is for the trace.
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
