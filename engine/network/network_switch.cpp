#include "engine/network/network_switch.h"

#include <algorithm>

namespace engine {

NetworkSwitch::NetworkSwitch(const Experiment& experiment, const Topology& topology, std::uint32_t node,
                             const std::vector<PacketSink*>& sinks)
    : m_gpus(topology.gpus), m_inbox(port(Phase::arrival, What::arrival), topology.linksTo(node).size()),
      m_port(experiment, topology, node, m_queue, sinks, nullptr), m_latency(experiment.switches.reduceLatency),
      m_adders(topology.linksTo(node).size()) {
    for (Adder& adder : m_adders)
        if (experiment.switches.reduceBandwidth)
            adder.rate.emplace(experiment.switches.reduceBandwidth->bytesPerSecond);
}

// Adds a packet behind those of its port. One that is alone, such as a packet of an all-gather, is only copied.
void NetworkSwitch::add(const Packet& packet) {
    Adder& adder = m_adders[packet.port];
    if (!adder.rate || packet.summands == 1)
        return count(packet);
    adder.freeAt = std::max(adder.freeAt, m_queue.now()) + adder.rate->take(packet.bytes);
    adder.packets.push(packet);
    m_queue.schedule(adder.freeAt, Phase::completion, static_cast<EventTarget>(What::added), packet.port);
}

void NetworkSwitch::onAdded(std::uint32_t port) {
    const Packet packet = m_adders[port].packets.front();
    m_adders[port].packets.pop();
    count(packet);
}

// Counts a packet that has been added; the last one of a sum sends it.
void NetworkSwitch::count(const Packet& packet) {
    if (packet.summands == 1)
        return send(packet);
    const auto [missing, isFirst] =
        m_missing.try_emplace(std::uint64_t{packet.stage} << 32 | packet.granule, packet.summands);
    if (--missing->second != 0)
        return;
    m_missing.erase(missing);
    if (m_latency.ps == 0)
        return send(packet);
    m_sums.push(packet);
    m_queue.schedule(m_queue.now() + m_latency, Phase::completion, static_cast<EventTarget>(What::sum), 0);
}

void NetworkSwitch::onSum() {
    const Packet packet = m_sums.front();
    m_sums.pop();
    send(packet);
}

void NetworkSwitch::send(Packet packet) {
    if (!packet.toAll) {
        m_port.passOn(packet, 0, 0);
        return;
    }
    for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu) {
        if (packet.summands == 1 && gpu == packet.source)
            continue;
        packet.destination = static_cast<std::uint8_t>(gpu);
        m_port.passOn(packet, 0, 0);
    }
}

}  // namespace engine
