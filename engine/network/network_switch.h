#pragma once

#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/network/inbox.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace engine {

/// A switch: a logical process that forwards every packet when it has arrived. Modelled: the links on both sides, whose
/// latencies include the switch's own, and packets that wait for a link which others use.
///
/// It also adds packets (Packet::summands): the packets of one port are added one after the other at
/// switch.reduce_bandwidth. When all summands of a granule have been added, their sum leaves after
/// switch.reduce_latency, in the name of the GPU whose packet came last. A packet or sum for all GPUs
/// (Packet::toAll) leaves by each of their links. It does not go back to the one GPU that sent it, unless that GPU is
/// among several whose sum it is.
///
/// Left out: limits of its buffers, of partial sums too, and of its inner bandwidth.
class NetworkSwitch {
public:
    NetworkSwitch(const Experiment& experiment, const Topology& topology, std::uint32_t node,
                  const std::vector<PacketSink*>& sinks);

    EventQueue& queue() { return m_queue; }
    PacketSink& inbox() { return m_inbox; }

    /// Handles at most `count` events before `limit`. Returns how many it handled.
    std::int64_t advance(TimePoint limit, std::int64_t count) {
        std::int64_t handled = 0;
        for (EventQueue::Event event; handled < count && m_queue.popBefore(limit, event); ++handled) {
            switch (static_cast<What>(event.target)) {
            case What::arrival: onArrivals(event.time); break;
            case What::added: onAdded(event.index); break;
            case What::sum: onSum(); break;
            }
        }
        return handled;
    }

private:
    enum class What : std::uint8_t { arrival, added, sum };
    // The adder of one port.
    struct Adder {
        std::optional<CarryingRate> rate;  // empty: unlimited
        TimePoint freeAt;
        RingFifo<Packet> packets;  // those that it adds
    };

    EventPort port(Phase phase, What what) { return {m_queue, phase, static_cast<EventTarget>(what)}; }
    void onArrivals(TimePoint now) {
        while (m_inbox.arrivedBy(now)) {
            const Packet packet = m_inbox.take();
            if (packet.summands == 0)
                m_port.passOn(packet, 0, 0);
            else
                add(packet);
        }
        m_inbox.rearm(now);
    }
    void add(const Packet& packet);
    void onAdded(std::uint32_t port);
    void count(const Packet& packet);
    void onSum();
    void send(Packet packet);

    EventQueue m_queue;
    std::uint32_t m_gpus;
    Inbox m_inbox;
    NetworkPort m_port;
    Duration m_latency;           // of a sum
    std::vector<Adder> m_adders;  // by port
    // By stage and granule: how many summands are missing. Looked up, never iterated.
    std::unordered_map<std::uint64_t, std::uint32_t> m_missing;
    RingFifo<Packet> m_sums;  // sums on their way out
};

}  // namespace engine
