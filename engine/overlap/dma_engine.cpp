#include "engine/overlap/dma_engine.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <limits>

namespace engine {

DmaEngine::DmaEngine(const Experiment& experiment, const CollectiveWork& work, const AddressMap& map,
                     const Ports& ports, MemoryController& memory, UpdateSender& network, std::uint32_t gpu,
                     std::uint8_t stage, Recorder* recorder)
    : m_layout(work.layout), m_ports(ports), m_memory(memory), m_network(network),
      m_gpu(static_cast<std::uint8_t>(gpu)), m_stage(stage), m_recorder(recorder),
      m_ownTrace(work.isOwn() ? recorder : nullptr), m_kernel(work.kernel), m_region(memory.region(work.firstAddress)),
      m_issue(work.issue), m_startup(experiment.dma.startupLatency),
      m_window(experiment.dma.window.value_or(Bytes{std::numeric_limits<std::int64_t>::max()}).count),
      m_readsForEach(copiesThroughBuffers(experiment)),
      m_readFlow(memory.addFlow({Stream::communication, MemoryOp::read, this, true, false, work.kernel})),
      m_unsent(work.window, network.network(), ports.start, kWindowHasRoom), m_blockOfTile(m_layout.tiles(), kNone),
      m_engines(static_cast<std::size_t>(experiment.dma.engines)) {
    const auto blockTiles = static_cast<std::uint32_t>(experiment.dma.blockTiles);
    for (const ChunkRoute& route : map.routes)
        if (route.dma != DmaTrigger::never)
            addCommands(route, blockTiles);
    m_commands = static_cast<std::uint32_t>(m_blocks.size());
}

void DmaEngine::addCommands(const ChunkRoute& route, std::uint32_t blockTiles) {
    const bool atStart = route.dma == DmaTrigger::atStart;
    const auto firstBlock = static_cast<std::uint32_t>(m_blocks.size());
    const std::uint32_t line = lineOf(route);
    const std::uint32_t begin = m_layout.chunkFirstTile(route.chunk);
    const std::uint32_t end = begin + m_layout.chunkTiles(route.chunk);
    for (std::uint32_t first = begin; first < end; first += std::min(blockTiles, end - first)) {
        const std::uint32_t last = first + std::min(blockTiles, end - first);
        Block block;
        block.firstGranule = m_layout.tileFirstGranule(first);
        block.endGranule = m_layout.tileFirstGranule(last);
        block.packetsLeft = (block.endGranule - block.firstGranule) * static_cast<std::uint32_t>(route.dmaTo.size());
        block.tilesOpen = atStart ? 0 : last - first;
        block.chunk = route.chunk;
        block.to = &route.dmaTo;
        block.line = line;
        std::fill(m_blockOfTile.begin() + first, m_blockOfTile.begin() + last,
                  static_cast<std::uint32_t>(m_blocks.size()));
        m_blocks.push_back(block);
    }
    if (atStart)
        m_chunksAtStart.push_back({firstBlock, static_cast<std::uint32_t>(m_blocks.size()), std::ssize(route.dmaTo)});
}

// Returns the line of a command. The own work has one line, whatever the destinations of its commands are.
std::uint32_t DmaEngine::lineOf(const ChunkRoute& route) {
    const bool own = m_kernel == kOwnKernel;
    const auto line =
        std::find_if(m_lines.begin(), m_lines.end(), [&](const Line& each) { return own || *each.to == route.dmaTo; });
    if (line != m_lines.end())
        return static_cast<std::uint32_t>(line - m_lines.begin());
    m_lines.push_back({&route.dmaTo, {}});
    return static_cast<std::uint32_t>(m_lines.size() - 1);
}

void DmaEngine::begin() {
    if (m_issue.ps == 0)
        return beginAtOnce();
    TimePoint handedOver = m_ports.handedOver.now();
    for (std::uint32_t chunk = 0; chunk < m_chunksAtStart.size(); ++chunk) {
        handedOver = handedOver + m_issue * m_chunksAtStart[chunk].copies;
        m_ports.handedOver.schedule(handedOver, chunk);
    }
}

// Marks all commands ready now, if the host needs no time for copies. The own work's chunks are ready one after the
// other; those of a companion take turns: the first block of each, then the second, and so on.
void DmaEngine::beginAtOnce() {
    const auto chunks = static_cast<std::uint32_t>(m_chunksAtStart.size());
    if (m_kernel == kOwnKernel) {
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
            onHandedOver(chunk);
        return;
    }
    bool some = true;
    for (std::uint32_t place = 0; some; ++place) {
        some = false;
        for (const ChunkAtStart& chunk : m_chunksAtStart) {
            if (place >= chunk.endBlock - chunk.firstBlock)
                continue;
            ready(chunk.firstBlock + place);
            some = true;
        }
    }
}

void DmaEngine::onHandedOver(std::uint32_t chunk) {
    for (std::uint32_t block = m_chunksAtStart[chunk].firstBlock; block < m_chunksAtStart[chunk].endBlock; ++block)
        ready(block);
}

std::optional<std::uint32_t> DmaEngine::tileComplete(std::uint32_t tile) {
    const std::uint32_t block = m_blockOfTile[tile];
    if (block == kNone || --m_blocks[block].tilesOpen != 0)
        return std::nullopt;
    return block;
}

void DmaEngine::ready(std::uint32_t block) {
    const TimePoint now = m_ports.start.now();
    ++m_waiting;
    m_stats.peakQueue = std::max(m_stats.peakQueue, m_waiting);
    m_ports.start.schedule(now + m_startup, block);
    if (m_ownTrace) {
        m_ownTrace->sample(CounterKind::dmaQueue, now, m_waiting);
        m_ownTrace->span(LaneKind::tracker, 0, {now, now, block, m_blocks[block].chunk, 0, SpanKind::trigger});
    }
}

void DmaEngine::onStarted(std::uint32_t block) {
    if (block == kWindowHasRoom)
        return onRoom();
    m_lines[m_blocks[block].line].blocks.push(block);
    assign();
}

std::optional<std::uint32_t> DmaEngine::takeStarted() {
    for (std::size_t tried = 0; tried < m_lines.size(); ++tried) {
        RingFifo<std::uint32_t>& blocks = m_lines[m_nextLine].blocks;
        m_nextLine = (m_nextLine + 1) % static_cast<std::uint32_t>(m_lines.size());
        if (blocks.empty())
            continue;
        const std::uint32_t block = blocks.front();
        blocks.pop();
        return block;
    }
    return std::nullopt;
}

void DmaEngine::assign() {
    for (std::uint32_t engine = 0; engine < m_engines.size(); ++engine) {
        // An engine without a window issues a whole block at once and takes the next.
        while (!m_engines[engine].block) {
            const std::optional<std::uint32_t> started = takeStarted();
            if (!started)
                return;
            const std::uint32_t block = *started;
            --m_waiting;
            if (m_ownTrace)
                m_ownTrace->sample(CounterKind::dmaQueue, m_ports.start.now(), m_waiting);
            ++m_stats.commands;
            m_blocks[block].engine = engine;
            m_blocks[block].takenAt = m_ports.start.now();
            m_engines[engine].block = block;
            m_engines[engine].nextGranule = m_blocks[block].firstGranule;
            issue(engine);
        }
    }
}

void DmaEngine::issue(std::uint32_t index) {
    Engine& engine = m_engines[index];
    const std::uint32_t end = m_blocks[*engine.block].endGranule;
    const std::vector<std::uint32_t>& to = *m_blocks[*engine.block].to;
    // A window smaller than a granule still lets one through.
    while (engine.nextGranule < end) {
        const std::uint32_t granule = engine.nextGranule;
        const std::uint32_t bytes = m_layout.granuleBytes(granule);
        const std::uint32_t reads = m_readsForEach ? static_cast<std::uint32_t>(to.size()) : 1;
        const std::int64_t read = std::int64_t{bytes} * reads;
        if (engine.inFlight != 0 && engine.inFlight + read > m_window)
            break;
        if (!m_unsent.mayRead(to, bytes)) {
            m_unsent.wait();
            break;
        }
        ++engine.nextGranule;
        engine.inFlight += read;
        m_unsent.read(to, bytes);
        m_stats.bytes.count += read;
        for (std::uint32_t place = 0; place < reads; ++place)
            m_memory.enqueue(m_region.channel(granule, m_layout.indexInChunk(granule)), m_readFlow,
                             granule | (m_readsForEach ? place + 1 : 0) << kReceiverShift, bytes);
    }
    if (engine.nextGranule == end)
        engine.block.reset();
}

void DmaEngine::onRoom() {
    if (!m_unsent.hasRoom())
        return;
    const auto engines = static_cast<std::uint32_t>(m_engines.size());
    for (std::uint32_t place = 0; place < engines; ++place)
        if (const std::uint32_t engine = (m_turn + place) % engines; m_engines[engine].block)
            issue(engine);
    m_turn = (m_turn + 1) % engines;
    assign();
}

void DmaEngine::served(FlowId, std::uint32_t, std::uint32_t, TimePoint) {}

void DmaEngine::dataReturned(FlowId, std::uint32_t id, std::uint32_t bytes) {
    const std::uint32_t granule = granuleOf(id), receiver = id >> kReceiverShift;
    const std::uint32_t tile = m_layout.tileOf(granule);
    Block& block = m_blocks[m_blockOfTile[tile]];
    block.readAt = m_ports.start.now();
    Packet packet;
    packet.granule = granule;
    packet.bytes = bytes;
    packet.stage = m_stage;
    packet.source = m_gpu;
    packet.companion = m_kernel != kOwnKernel;
    if (!m_firstSend)
        m_firstSend = m_ports.start.now();
    if (m_recorder)
        m_recorder->sent(granule, m_kernel);
    const std::size_t end = receiver == 0 ? block.to->size() : receiver;
    for (std::size_t place = receiver == 0 ? 0 : receiver - 1; place < end; ++place) {
        packet.destination = static_cast<std::uint8_t>((*block.to)[place]);
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
    m_unsent.leaves(packet.destination, packet.bytes, when);
    if (--block.packetsLeft != 0)
        return;
    ++m_blocksSent;
    if (!m_recorder)
        return;
    const bool own = m_ownTrace != nullptr;
    const Span span{block.takenAt, block.sent, index,
                    block.chunk,   0,          own ? SpanKind::dmaTransfer : SpanKind::companionTransfer,
                    m_kernel};
    if (own)
        m_recorder->transferred(block.engine, span, block.readAt);
    else
        m_recorder->span(LaneKind::companion, block.engine, span);
}

}  // namespace engine
