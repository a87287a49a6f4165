#pragma once

#include "engine/api/experiment.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"
#include "engine/kernel/ring_fifo.h"

#include <cstdint>
#include <vector>

namespace engine {

class Recorder;

/// What a packet carries to the other side.
enum class PacketKind : std::uint8_t {
    update,         ///< of the reduce-scatter that the tracker and DMA engine carry, straight from a store or by DMA
    copy,           ///< of the all-gather that they carry
    reduceScatter,  ///< of a collective kernel
    allGather,
};

/// A granule on its way. `arrival` is when its last byte is there.
struct Packet {
    TimePoint arrival;
    std::uint32_t granule = 0;  ///< in the output's numbering
    std::uint32_t bytes = 0;    ///< payload
    PacketKind kind{};
};

/// Where a link ends.
class PacketSink {
public:
    virtual ~PacketSink() = default;
    /// Takes a packet that will arrive at `packet.arrival`, not before the next window begins.
    virtual void deliver(const Packet& packet) = 0;
};

struct LinkStats {
    std::int64_t packets = 0;
    Bytes bytes;
    TimePoint lastDeparture;
    Duration busy;
};

/// One direction of a link between two GPUs: serialises packets in the order they are handed in, then adds a
/// latency. Modelled: bandwidth, latency, headers. Left out: flow control; the receiver always has room, and what
/// it must hold back is reported (tracker.held_peak_bytes).
/// Arrival is known when a packet is handed in, so a packet costs one event, at the other end.
class Link {
public:
    Link(const LinkConfig& config, Bytes granule, const EventQueue& clock, PacketSink& sink, Recorder* recorder);

    /// Hands a packet to the link now. Returns the moment its last byte has left. `chunk` is for the trace.
    TimePoint send(Packet packet, std::uint32_t tile, std::uint32_t chunk);

    const LinkStats& stats() const { return m_stats; }

private:
    const EventQueue& m_clock;
    PacketSink& m_sink;
    Recorder* m_recorder;
    Duration m_latency;
    std::int64_t m_packetBytes;
    std::int64_t m_headerBytes;
    CarryingRate m_rate;
    TimePoint m_freeAt;
    LinkStats m_stats;
};

/// The receiving end: packets in flight in order of arrival, with one event pending for the first.
class Inbox final : public PacketSink {
public:
    /// `arrival` is in the arrival phase.
    explicit Inbox(EventPort arrival) : m_arrival(arrival) {}

    void deliver(const Packet& packet) override {
        if (m_packets.empty())
            m_arrival.schedule(packet.arrival);
        m_packets.push(packet);
    }

    bool arrivedBy(TimePoint now) const { return !m_packets.empty() && m_packets.front().arrival <= now; }

    Packet take() {
        const Packet packet = m_packets.front();
        m_packets.pop();
        return packet;
    }

    /// Call when everything that has arrived is taken.
    void rearm() {
        if (!m_packets.empty())
            m_arrival.schedule(m_packets.front().arrival);
    }

    bool empty() const { return m_packets.empty(); }

private:
    EventPort m_arrival;
    RingFifo<Packet> m_packets;
};

}  // namespace engine
