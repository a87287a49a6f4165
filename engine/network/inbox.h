#pragma once

#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/network/link.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine {

/// Messages on their way to a node, in order of arrival, with one event pending for the first. What arrives at one moment
/// is taken by port, then in the order in which that port got it: an order that does not depend on when the messages were
/// handed over.
template <typename Message>
class InboxOf final : public MessageSink<Message> {
public:
    /// `arrival` is in the arrival phase. Each of the `ports` gets its messages in the order of their arrival.
    explicit InboxOf(EventPort arrival, std::size_t ports = 1) : m_arrival(arrival), m_ports(ports) {}

    void deliver(const Message& message) override {
        RingFifo<Message>& queue = m_ports[message.port];
        if (queue.empty())
            add({message.arrival, message.port});
        queue.push(message);
        if (m_pending > message.arrival) {
            m_pending = message.arrival;
            m_arrival.schedule(m_pending);
        }
    }

    bool arrivedBy(TimePoint now) const { return !m_heads.empty() && m_heads.front().arrival <= now; }

    /// Precondition: something has arrived.
    Message take() {
        const Head head = m_heads.front();
        std::pop_heap(m_heads.begin(), m_heads.end(), later);
        m_heads.pop_back();
        RingFifo<Message>& queue = m_ports[head.port];
        const Message message = queue.front();
        queue.pop();
        if (!queue.empty())
            add({queue.front().arrival, head.port});
        return message;
    }

    /// Call when everything that has arrived is taken. An event that came too early, because an earlier message was
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
    // The first message of a port that has any.
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
    std::vector<RingFifo<Message>> m_ports;
    std::vector<Head> m_heads;     // a heap by later
    TimePoint m_pending = kNever;  // of the earliest event
};

/// The receiving end of all links of a node.
using Inbox = InboxOf<Packet>;

}  // namespace engine
