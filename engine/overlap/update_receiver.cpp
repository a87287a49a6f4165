#include "engine/overlap/update_receiver.h"

#include <algorithm>

namespace engine {

UpdateReceiver::UpdateReceiver(const Topology& topology, std::uint32_t gpu, const EventQueue& clock,
                               CreditSink& credits)
    : m_gpu(static_cast<std::uint8_t>(gpu)), m_clock(clock), m_credits(credits), m_sources(topology.gpus) {
    for (std::uint32_t from = 0; from < topology.gpus; ++from)
        m_sources[from].latency = creditLatency(topology, from, gpu);
}

void UpdateReceiver::addStage(std::uint8_t stage, const OutputLayout& layout, const Tracker& tracker,
                              NearMemoryUpdate& updates) {
    m_stages.push_back({stage, &layout, &tracker, &updates});
    for (Source& source : m_sources)
        source.announced.push_back(kNone);
}

const UpdateReceiver::Stage& UpdateReceiver::stageOf(const Packet& packet) const {
    return *std::find_if(m_stages.begin(), m_stages.end(), [&](const Stage& each) { return each.id == packet.stage; });
}

bool UpdateReceiver::isAwaitedFirst(const Packet& packet) const {
    const Stage& stage = stageOf(packet);
    return stage.layout->tileOf(packet.granule) == stage.tracker->oldestOpen();
}

void UpdateReceiver::arrive(const Packet& packet) {
    Source& source = m_sources[packet.source];
    const bool stalled = !source.waiting.empty();
    if ((!stalled || isAwaitedFirst(packet)) && take(packet))
        return;
    source.waiting.push_back(packet);
    if (stalled)
        return;
    ++m_stalls;
    announceOldest(packet.source);
}

void UpdateReceiver::tileClosed() {
    for (std::uint32_t from = 0; from < m_sources.size(); ++from) {
        Source& source = m_sources[from];
        if (source.waiting.empty())
            continue;
        retry(source);
        if (!source.waiting.empty())
            announceOldest(from);
    }
}

void UpdateReceiver::retry(Source& source) {
    if (!knowsOldest(source)) {
        std::deque<Packet> others;
        for (const Packet& packet : source.waiting)
            if (!isAwaitedFirst(packet) || !take(packet))
                others.push_back(packet);
        source.waiting.swap(others);
    }
    while (!source.waiting.empty() && take(source.waiting.front()))
        source.waiting.pop_front();
}

bool UpdateReceiver::take(const Packet& packet) {
    if (!stageOf(packet).updates->arrive(packet.granule))
        return false;
    m_credits.deliver({m_clock.now() + m_sources[packet.source].latency, packet.bytes, kNone, packet.stage,
                       packet.source, m_gpu, packet.past});
    return true;
}

bool UpdateReceiver::knowsOldest(const Source& source) const {
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        if (source.announced[i] != m_stages[i].tracker->oldestOpen())
            return false;
    return true;
}

// Informs a source of the oldest open tiles, each only once: the sender remembers the tile after the stall.
void UpdateReceiver::announceOldest(std::uint32_t from) {
    Source& source = m_sources[from];
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const std::uint32_t tile = m_stages[i].tracker->oldestOpen();
        if (source.announced[i] == tile)
            continue;
        source.announced[i] = tile;
        if (tile != kNone)
            m_credits.deliver({m_clock.now() + source.latency, 0, tile, m_stages[i].id, static_cast<std::uint8_t>(from),
                               m_gpu, false});
    }
}

std::int64_t UpdateReceiver::waiting() const {
    std::int64_t updates = 0;
    for (const Source& source : m_sources)
        updates += std::ssize(source.waiting);
    return updates;
}

}  // namespace engine
