#include "engine/memory/near_memory_update.h"

#include "engine/record/recorder.h"

#include <algorithm>

namespace engine {

void HeldUpdates::add(std::int64_t bytes) {
    m_bytes.count += bytes;
    if (m_recorder)
        m_recorder->sample(CounterKind::heldBytes, m_clock.now(), m_bytes.count);
}

NearMemoryUpdate::NearMemoryUpdate(const OutputLayout& layout, MemoryController& memory, UpdateGate& gate,
                                   HeldUpdates& buffer, MemoryOp arrivingOp, std::uint8_t kernel,
                                   std::uint32_t firstAddress)
    : m_layout(layout), m_memory(memory), m_gate(gate), m_buffer(buffer), m_region(memory.region(firstAddress)),
      m_localFlow(memory.addFlow({Stream::compute, MemoryOp::update, this, false, false, kernel})),
      m_arrivingFlow(memory.addFlow({Stream::communication, arrivingOp, this, false, false, kernel})) {}

void NearMemoryUpdate::enqueue(FlowId flow, std::uint32_t granule) {
    m_memory.enqueue(channelOf(granule), flow, granule, m_layout.granuleBytes(granule));
}

void NearMemoryUpdate::enqueueTile(std::uint32_t tile) {
    for (std::uint32_t granule = m_layout.tileFirstGranule(tile); granule < m_layout.tileEndGranule(tile); ++granule)
        enqueue(m_localFlow, granule);
}

bool NearMemoryUpdate::store(std::uint32_t tile) {
    if (!m_gate.admit(tile, UpdateSource::local)) {
        m_held[tile].local = true;
        return false;
    }
    enqueueTile(tile);
    return true;
}

bool NearMemoryUpdate::arrive(std::uint32_t granule) {
    const std::uint32_t tile = m_layout.tileOf(granule);
    if (m_gate.admit(tile, UpdateSource::arriving)) {
        enqueue(m_arrivingFlow, granule);
        return true;
    }
    const std::uint32_t bytes = m_layout.granuleBytes(granule);
    if (!m_buffer.hasRoom(bytes))
        return false;
    m_held[tile].granules.push_back(granule);
    m_buffer.add(bytes);
    m_heldNow.count += bytes;
    m_heldPeak = std::max(m_heldPeak, m_heldNow);
    return true;
}

void NearMemoryUpdate::release(std::uint32_t tile) {
    const auto found = m_held.find(tile);
    if (found == m_held.end())
        return;
    const Held held = std::move(found->second);
    m_held.erase(found);
    if (held.local) {
        m_gate.admit(tile, UpdateSource::local);
        enqueueTile(tile);
    }
    for (const std::uint32_t granule : held.granules) {
        m_gate.admit(tile, UpdateSource::arriving);
        const std::uint32_t bytes = m_layout.granuleBytes(granule);
        m_buffer.remove(bytes);
        m_heldNow.count -= bytes;
        enqueue(m_arrivingFlow, granule);
    }
    if (held.local)
        m_stores->storeReleased(tile);
}

void NearMemoryUpdate::served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) {
    const UpdateSource source = flow == m_localFlow ? UpdateSource::local : UpdateSource::arriving;
    // The update is in memory, and can be counted, one DRAM latency after its service.
    const TimePoint landing = finish + m_memory.latency();
    if (source == UpdateSource::local)
        m_stores->storeLanded(bytes, landing);
    m_gate.landed(id, bytes, source, landing);
}

}  // namespace engine
