#pragma once

#include "engine/kernel/event_queue.h"
#include "engine/network/inbox.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <vector>

namespace engine {

/// A switch: a logical process that forwards every packet when it has arrived. Modelled: the links on both sides, whose
/// latencies include the switch's own, and packets that wait for a link which others use. Left out: limits of its
/// buffers and of its inner bandwidth.
class NetworkSwitch {
public:
    NetworkSwitch(const Experiment& experiment, const Topology& topology, std::uint32_t node,
                  const std::vector<PacketSink*>& sinks)
        : m_inbox({m_queue, Phase::arrival, 0}, topology.linksTo(node).size()),
          m_port(experiment, topology, node, m_queue, sinks, nullptr) {}

    EventQueue& queue() { return m_queue; }
    PacketSink& inbox() { return m_inbox; }

    /// Handles at most `count` events before `limit`. Returns how many it handled.
    std::int64_t advance(TimePoint limit, std::int64_t count) {
        std::int64_t handled = 0;
        for (EventQueue::Event event; handled < count && m_queue.popBefore(limit, event); ++handled) {
            while (m_inbox.arrivedBy(event.time))
                m_port.passOn(m_inbox.take(), 0, 0);
            m_inbox.rearm(event.time);
        }
        return handled;
    }

private:
    EventQueue m_queue;
    Inbox m_inbox;
    NetworkPort m_port;
};

}  // namespace engine
