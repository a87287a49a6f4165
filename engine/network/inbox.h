#pragma once

#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/network/link.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine {

/// The receiving end of all links of a node: packets in flight, in order of arrival, with one event pending for the
/// first. What arrives at one moment is taken by port, then in the order of its link: an order that does not depend on
/// when the packets were handed over.
class Inbox final : public PacketSink {
public:
    /// `arrival` is in the arrival phase. `ports`: links that end here.
    explicit Inbox(EventPort arrival, std::size_t ports = 1) : m_arrival(arrival), m_ports(ports) {}

    void deliver(const Packet& packet) override {
        RingFifo<Packet>& queue = m_ports[packet.port];
        if (queue.empty())
            add({packet.arrival, packet.port});
        queue.push(packet);
        if (m_pending > packet.arrival) {
            m_pending = packet.arrival;
            m_arrival.schedule(m_pending);
        }
    }

    bool arrivedBy(TimePoint now) const { return !m_heads.empty() && m_heads.front().arrival <= now; }

    /// Precondition: something has arrived.
    Packet take() {
        const Head head = m_heads.front();
        std::pop_heap(m_heads.begin(), m_heads.end(), later);
        m_heads.pop_back();
        RingFifo<Packet>& queue = m_ports[head.port];
        const Packet packet = queue.front();
        queue.pop();
        if (!queue.empty())
            add({queue.front().arrival, head.port});
        return packet;
    }

    /// Call when everything that has arrived is taken. An event that came too early, because an earlier packet was
    /// handed in after it had been scheduled, finds nothing and leaves the pending one alone.
    void rearm(TimePoint now) {
        if (m_pending > now)
            return;
        m_pending = kNever;
        if (m_heads.empty())
            return;
        m_pending = m_heads.front().arrival;
        m_arrival.schedule(m_pending);
    }

    bool empty() const { return m_heads.empty(); }

private:
    // The first packet of a port that has any.
    struct Head {
        TimePoint arrival;
        std::uint8_t port;
    };

    static bool later(const Head& a, const Head& b) {
        return a.arrival != b.arrival ? a.arrival > b.arrival : a.port > b.port;
    }
    void add(const Head& head) {
        m_heads.push_back(head);
        std::push_heap(m_heads.begin(), m_heads.end(), later);
    }

    EventPort m_arrival;
    std::vector<RingFifo<Packet>> m_ports;
    std::vector<Head> m_heads;     // a heap by later
    TimePoint m_pending = kNever;  // of the earliest event
};

}  // namespace engine
