#include "engine/overlap/output_router.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <utility>

namespace engine {

OutputRouter::OutputRouter(const OutputOf& of, const OutputLayout& layout, const AddressMap& map, EventQueue& clock,
                           MemoryController& memory, LastLevelCache& cache, NearMemoryUpdate* updates,
                           UpdateSender& network, std::uint32_t gpu, std::uint8_t stage, OutputObserver& observer,
                           Recorder* recorder)
    : m_gemm(of.gemm), m_layout(layout), m_clock(clock), m_memory(memory), m_cache(cache), m_updates(updates),
      m_network(network), m_gpu(static_cast<std::uint8_t>(gpu)), m_stage(stage), m_observer(observer),
      m_recorder(of.kernel == kOwnKernel ? recorder : nullptr), m_cached(of.cached), m_uncached(memory.region(0)),
      m_storeFlow(memory.addFlow({Stream::compute, MemoryOp::write, this, false, false, of.kernel})),
      m_routes(layout.chunks()), m_firstChunk(map.routes.front().chunk),
      m_firstChunkLeft(layout.chunks() == 1 ? of.firstTiles : layout.chunkTiles(m_firstChunk)) {
    for (const ChunkRoute& route : map.routes)
        m_routes[route.chunk] = route;
    if (m_updates)
        m_updates->setStoreClient(*this);
    if (!m_cached)
        return;
    m_region = cache.addRegion(layout.tiles(), layout.mostGranulesOfTile(), true, of.kernel);
    cache.setStoreFlow(m_region, m_storeFlow);
}

void OutputRouter::follow(std::vector<std::uint32_t> partOf, std::uint32_t parts) {
    m_partOf = std::move(partOf);
    m_parts.resize(parts);
    for (std::uint32_t tile = 0; tile < m_layout.tiles(); ++tile) {
        Part& part = m_parts[m_partOf[tile]];
        ++part.tiles;
        part.bytes += m_layout.tileBytes(tile);
    }
}

bool OutputRouter::storeTile(std::uint32_t tile) {
    const std::uint32_t chunk = m_layout.chunkOf(tile);
    const ChunkRoute& route = m_routes[chunk];
    bool accepted = true;
    if (route.stores == StoreTarget::remote) {
        sendTile(tile, route.storesTo);
    } else if (route.storesAreUpdates) {
        m_expected.count += m_layout.tileBytes(tile);
        accepted = m_updates->store(tile);
    } else if (m_cached) {
        recordProduced(tile);
        const std::uint32_t first = m_layout.tileFirstGranule(tile);
        const std::uint32_t end = m_layout.tileEndGranule(tile);
        m_cache.store(m_region, tile, {end - first, m_layout.granuleBytes(end - 1)}, m_layout.indexInChunk(first));
    } else {
        recordProduced(tile);
        storeUncached(tile);
    }
    if (!m_parts.empty() && --m_parts[m_partOf[tile]].tiles == 0 && m_cached)
        m_cache.flush(m_region);
    if (chunk == m_firstChunk && --m_firstChunkLeft == 0)
        m_observer.firstChunkStored(m_gemm);
    return accepted;
}

// Records a plain store when it is made: it is visible to every later read, wherever in the memory system its data are.
void OutputRouter::recordProduced(std::uint32_t tile) const {
    if (!m_recorder)
        return;
    for (std::uint32_t granule = m_layout.tileFirstGranule(tile); granule < m_layout.tileEndGranule(tile); ++granule)
        m_recorder->produced(granule);
}

void OutputRouter::sendTile(std::uint32_t tile, std::uint32_t to) {
    if (!m_firstSend)
        m_firstSend = m_clock.now();
    for (std::uint32_t granule = m_layout.tileFirstGranule(tile); granule < m_layout.tileEndGranule(tile); ++granule) {
        Packet packet;
        packet.granule = granule;
        packet.bytes = m_layout.granuleBytes(granule);
        packet.stage = m_stage;
        packet.source = m_gpu;
        packet.destination = static_cast<std::uint8_t>(to);
        m_sent.count += packet.bytes;
        if (m_recorder)
            m_recorder->sentDirect(granule);
        m_network.send(packet, tile, m_layout.chunkOf(tile), *this);
    }
}

void OutputRouter::storeUncached(std::uint32_t tile) {
    for (std::uint32_t granule = m_layout.tileFirstGranule(tile); granule < m_layout.tileEndGranule(tile); ++granule) {
        const std::uint32_t bytes = m_layout.granuleBytes(granule);
        m_expected.count += bytes;
        m_memory.enqueue(channelOf(granule), m_storeFlow, granule, bytes);
    }
}

void OutputRouter::allTilesStored() {
    if (m_cached) {
        m_cache.flush(m_region);
        m_expected += m_cache.writtenBack(m_region);
    }
    m_complete = true;
    m_last = std::max(m_last, m_clock.now());
    landed(0, m_last);
}

std::uint32_t OutputRouter::address(FlowId, std::uint32_t id) const {
    return m_cached ? m_cache.addressOf(id) : m_uncached.address(id);
}

void OutputRouter::served(FlowId, std::uint32_t id, std::uint32_t bytes, TimePoint finish) {
    if (m_recorder && !m_cached) {
        const std::uint32_t tile = m_layout.tileOf(id);
        m_recorder->landing(SpanKind::storeLanded, channelOf(id), tile, id - m_layout.tileFirstGranule(tile), bytes,
                            finish + m_memory.latency());
    }
    if (!m_parts.empty()) {
        const std::uint32_t number = m_partOf[m_cached ? LastLevelCache::slabOf(m_region, id) : m_layout.tileOf(id)];
        Part& part = m_parts[number];
        part.bytes -= bytes;
        part.last = std::max(part.last, finish + m_memory.latency());
        partLanded(number);
    }
    landed(bytes, finish + m_memory.latency());
}

// All bytes can be in memory only when all tiles have been stored.
void OutputRouter::partLanded(std::uint32_t part) {
    if (m_parts[part].bytes == 0)
        m_observer.partLandsAt(part, m_parts[part].last);
}

void OutputRouter::storeLanded(std::uint32_t bytes, TimePoint finish) { landed(bytes, finish); }

void OutputRouter::departed(const Packet& packet, TimePoint when) {
    m_departed.count += packet.bytes;
    landed(0, when);
}

void OutputRouter::storeReleased(std::uint32_t tile) { m_observer.tileReleased(m_gemm, tile); }

void OutputRouter::landed(std::uint32_t bytes, TimePoint when) {
    m_landed.count += bytes;
    m_last = std::max(m_last, when);
    if (m_complete && m_landed == m_expected && m_departed == m_sent)
        m_observer.outputLandsAt(m_gemm, m_last);
}

}  // namespace engine
