#pragma once

#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/network/link.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine {

/// The messages on their way to a node, in order of arrival, with one pending event for the first. Messages that arrive
/// at the same time are taken by port, then in the order in which the port got them. This order does not depend on when
/// the messages were handed over.
template <typename Message>
class InboxOf final : public MessageSink<Message> {
public:
    /// `arrival` is in the arrival phase. Each port gets its messages in the order of their arrival.
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

    /// Removes and returns the next message. Precondition: a message has arrived.
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

    /// Schedules the next event. Call it when all messages that have arrived are taken. An event may come too early,
    /// because an earlier message was handed in after the event had been scheduled; then no message has arrived and the
    /// pending event stays.
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
    // The arrival of the first message of a port that has messages.
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
    TimePoint m_pending = kNever;  // time of the earliest pending event
};

/// The receiving end of all links of a node.
using Inbox = InboxOf<Packet>;

}  // namespace engine
