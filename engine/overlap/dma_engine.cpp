#include "engine/overlap/dma_engine.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <limits>

namespace engine {

DmaEngine::DmaEngine(const Experiment& experiment, const OutputLayout& layout, const AddressMap& map, EventPort start,
                     MemoryController& memory, UpdateSender& network, std::uint32_t gpu, std::uint8_t stage,
                     Recorder* recorder)
    : m_layout(layout), m_start(start), m_memory(memory), m_network(network), m_gpu(static_cast<std::uint8_t>(gpu)),
      m_stage(stage), m_recorder(recorder), m_startup(experiment.dma.startupLatency),
      m_window(experiment.dma.window.value_or(Bytes{std::numeric_limits<std::int64_t>::max()}).count),
      m_channelMask(memory.channels() - 1),
      m_readFlow(memory.addFlow({Stream::communication, MemoryOp::read, this, true})),
      m_blockOfTile(layout.tiles(), kNone), m_engines(static_cast<std::size_t>(experiment.dma.engines)) {
    const auto blockTiles = static_cast<std::uint32_t>(experiment.dma.blockTiles);
    for (const ChunkRoute& route : map.routes) {
        if (route.dma == DmaTrigger::never)
            continue;
        const std::uint32_t begin = layout.chunkFirstTile(route.chunk);
        const std::uint32_t end = begin + layout.chunkTiles(route.chunk);
        for (std::uint32_t first = begin; first < end; first += std::min(blockTiles, end - first)) {
            const std::uint32_t last = first + std::min(blockTiles, end - first);
            Block block;
            block.firstGranule = layout.tileFirstGranule(first);
            block.endGranule = layout.tileFirstGranule(last);
            block.packetsLeft =
                (block.endGranule - block.firstGranule) * static_cast<std::uint32_t>(route.dmaTo.size());
            block.readyAtStart = route.dma == DmaTrigger::atStart;
            block.tilesOpen = block.readyAtStart ? 0 : last - first;
            block.chunk = route.chunk;
            block.to = &route.dmaTo;
            std::fill(m_blockOfTile.begin() + first, m_blockOfTile.begin() + last,
                      static_cast<std::uint32_t>(m_blocks.size()));
            m_blocks.push_back(block);
        }
    }
    m_commands = static_cast<std::uint32_t>(m_blocks.size());
}

void DmaEngine::begin() {
    for (std::uint32_t block = 0; block < m_blocks.size(); ++block)
        if (m_blocks[block].readyAtStart)
            ready(block);
}

std::optional<std::uint32_t> DmaEngine::tileComplete(std::uint32_t tile) {
    const std::uint32_t block = m_blockOfTile[tile];
    if (block == kNone || --m_blocks[block].tilesOpen != 0)
        return std::nullopt;
    return block;
}

void DmaEngine::ready(std::uint32_t block) {
    const TimePoint now = m_start.now();
    ++m_waiting;
    m_stats.peakQueue = std::max(m_stats.peakQueue, m_waiting);
    m_start.schedule(now + m_startup, block);
    if (m_recorder) {
        m_recorder->sample(CounterKind::dmaQueue, now, m_waiting);
        m_recorder->span(LaneKind::tracker, 0, {now, now, block, m_blocks[block].chunk, 0, SpanKind::trigger});
    }
}

void DmaEngine::onStarted(std::uint32_t block) {
    m_started.push(block);
    assign();
}

void DmaEngine::assign() {
    for (std::uint32_t engine = 0; engine < m_engines.size() && !m_started.empty(); ++engine) {
        // An engine without a window issues a whole block at once and takes the next.
        while (!m_engines[engine].block && !m_started.empty()) {
            const std::uint32_t block = m_started.front();
            m_started.pop();
            --m_waiting;
            if (m_recorder)
                m_recorder->sample(CounterKind::dmaQueue, m_start.now(), m_waiting);
            ++m_stats.commands;
            m_blocks[block].engine = engine;
            m_blocks[block].takenAt = m_start.now();
            m_engines[engine].block = block;
            m_engines[engine].nextGranule = m_blocks[block].firstGranule;
            issue(engine);
        }
    }
}

void DmaEngine::issue(std::uint32_t index) {
    Engine& engine = m_engines[index];
    const std::uint32_t end = m_blocks[*engine.block].endGranule;
    // A window smaller than a granule still lets one through.
    while (engine.nextGranule < end &&
           (engine.inFlight == 0 || engine.inFlight + m_layout.granuleBytes(engine.nextGranule) <= m_window)) {
        const std::uint32_t granule = engine.nextGranule++;
        const std::uint32_t bytes = m_layout.granuleBytes(granule);
        engine.inFlight += bytes;
        m_stats.bytes.count += bytes;
        m_memory.enqueue(m_layout.indexInChunk(granule) & m_channelMask, m_readFlow, granule, bytes);
    }
    if (engine.nextGranule == end)
        engine.block.reset();
}

void DmaEngine::served(FlowId, std::uint32_t, std::uint32_t, TimePoint) {}

void DmaEngine::dataReturned(FlowId, std::uint32_t granule, std::uint32_t bytes) {
    const std::uint32_t tile = m_layout.tileOf(granule);
    const Block& block = m_blocks[m_blockOfTile[tile]];
    Packet packet;
    packet.granule = granule;
    packet.bytes = bytes;
    packet.stage = m_stage;
    packet.source = m_gpu;
    if (!m_firstSend)
        m_firstSend = m_start.now();
    if (m_recorder)
        m_recorder->sent(granule);
    for (const std::uint32_t gpu : *block.to) {
        packet.destination = static_cast<std::uint8_t>(gpu);
        m_sent.count += bytes;
        m_network.send(packet, tile, block.chunk, *this);
    }
    Engine& engine = m_engines[block.engine];
    engine.inFlight -= bytes;
    if (engine.block)
        issue(block.engine);
    if (!engine.block)
        assign();
}

void DmaEngine::departed(const Packet& packet, TimePoint when) {
    const std::uint32_t index = m_blockOfTile[m_layout.tileOf(packet.granule)];
    Block& block = m_blocks[index];
    block.sent = std::max(block.sent, when);
    if (--block.packetsLeft != 0)
        return;
    ++m_blocksSent;
    if (m_recorder)
        m_recorder->span(LaneKind::dma, block.engine,
                         {block.takenAt, block.sent, index, block.chunk, 0, SpanKind::dmaTransfer});
}

}  // namespace engine
