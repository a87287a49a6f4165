#include "data/replay/gpu_replay.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace data {

GpuReplay::GpuReplay(const LogFacts& facts)
    : m_facts(&facts), m_tiles(facts.output.tiles()), m_chunkTiles(facts.chunks) {
    for (std::uint32_t tile = 0; tile < m_tiles.size(); ++tile) {
        if (facts.dataFromStart)
            m_tiles[tile].stored = facts.output.tileBytes[tile];
        m_tiles[tile].state = stateOf(tile);
        ++m_chunkTiles[facts.chunkOfTile[tile]][static_cast<std::size_t>(m_tiles[tile].state)];
    }
}

TileState GpuReplay::stateOf(std::uint32_t index) const {
    const Tile& tile = m_tiles[index];
    const ChunkPart& part = m_facts->parts[m_facts->chunkOfTile[index]];
    const std::uint32_t bytes = m_facts->output.tileBytes[index];
    const std::uint32_t scattered = part.arrivals * bytes;
    if (part.gathered && tile.arrived >= scattered + bytes)
        return TileState::reduced;
    if (!m_facts->scatters)
        return part.own ? TileState::reduced : TileState::notProduced;
    const bool local = tile.stored >= bytes;
    const bool neighbour = tile.arrived >= scattered;
    if (part.own && local && neighbour)
        return part.summed && tile.summed < bytes ? TileState::ready : TileState::reduced;
    if (!part.own && tile.sent >= bytes)
        return TileState::sent;
    if (!part.own && tile.leaving)
        return TileState::inFlight;
    if (local && neighbour)
        return TileState::ready;
    if (local || (neighbour && part.arrivals != 0))
        return TileState::oneUpdate;
    return tile.computed ? TileState::stored : TileState::notProduced;
}

// Returns the contributions to a tile that have landed. Data that the all-gather brings are not counted as one.
TileCopies GpuReplay::copiesOf(std::uint32_t index) const {
    const Tile& tile = m_tiles[index];
    const std::uint32_t bytes = std::max(1u, m_facts->output.tileBytes[index]);
    const std::uint32_t arrivals = m_facts->parts[m_facts->chunkOfTile[index]].arrivals;
    const auto arrived = static_cast<std::uint16_t>(std::min(arrivals, tile.arrived / bytes));
    return {tile.computed, tile.stored >= bytes, arrived};
}

void GpuReplay::update(std::uint32_t tile) {
    const TileState now = stateOf(tile);
    TileState& state = m_tiles[tile].state;
    if (now == state)
        return;
    auto& counts = m_chunkTiles[m_facts->chunkOfTile[tile]];
    --counts[static_cast<std::size_t>(state)];
    ++counts[static_cast<std::size_t>(now)];
    if (m_changes != nullptr)
        m_changes->push_back({m_ps, tile, state, now});
    state = now;
}

void GpuReplay::apply(const LogEvent& event, std::vector<TileChange>* changes) {
    m_changes = changes;
    m_ps = event.ps;
    happen(event);
    m_changes = nullptr;
}

void GpuReplay::happen(const LogEvent& event) {
    switch (event.kind()) {
    case LogEventKind::tileComputed:
        // If the collective moves other data, the tiles shown are those of its buffer, not the GEMM's.
        if (!m_facts->dataFromStart) {
            m_tiles[event.subject].computed = true;
            update(event.subject);
        }
        break;
    case LogEventKind::storeLanded:
    case LogEventKind::arrivalLanded:
    case LogEventKind::sumLanded: land(event); break;
    case LogEventKind::packetSent:
        m_tiles[event.subject].sent += event.detail;
        update(event.subject);
        break;
    case LogEventKind::sendBegun:
        m_tiles[event.subject].leaving = true;
        update(event.subject);
        break;
    case LogEventKind::entryTaken: takeEntry(event); break;
    case LogEventKind::tileClosed: freeEntry(event); break;
    case LogEventKind::triggered: trigger(event); break;
    case LogEventKind::transferBegun: beginTransfer(event); break;
    case LogEventKind::transferEnded: endTransfer(event); break;
    case LogEventKind::stepBegun:
    case LogEventKind::stepEnded: moveStep(event); break;
    case LogEventKind::waveBegun: m_wave = event.subject; break;
    case LogEventKind::pieceEnded: endPiece(event.subject); break;
    case LogEventKind::gemmEnded: endGemm(); break;
    case LogEventKind::waveEnded:
    case LogEventKind::scatterBegun:
    case LogEventKind::scatterEnded:
    case LogEventKind::gatherBegun:
    case LogEventKind::gatherEnded:
    case LogEventKind::runEnded: break;
    }
}

void GpuReplay::land(const LogEvent& event) {
    Tile& tile = m_tiles[event.subject];
    const std::uint32_t bytes = m_facts->granuleBytes(event.subject, event.detail);
    const Landing landing{event.ps, event.subject, event.detail, bytes};
    switch (event.kind()) {
    case LogEventKind::arrivalLanded: tile.arrived += bytes; break;
    case LogEventKind::sumLanded: tile.summed += bytes; break;
    default:
        if (m_facts->dataFromStart)
            return;
        tile.stored += bytes;
        break;
    }
    m_lastLanding = landing;
    if (tile.entry != kNoEntry)
        count(tile, landing);
    update(event.subject);
}

std::uint32_t GpuReplay::wavefrontBegin(std::uint32_t tile, std::uint32_t wavefront) const {
    return static_cast<std::uint32_t>(std::uint64_t{m_facts->output.tileBytes[tile]} * wavefront / m_facts->wavefronts);
}

// Adds a landing to the counters of its wavefronts. Each wavefront has a range of the tile's bytes, and a granule may
// belong to several of them.
void GpuReplay::count(const Tile& tile, const Landing& landing) {
    const std::uint32_t begin = landing.granule * m_facts->output.granule;
    const std::uint32_t end = begin + landing.bytes;
    std::uint32_t* const landed = &m_landed[std::size_t{tile.entry} * m_facts->wavefronts];
    const std::uint64_t size = m_facts->output.tileBytes[landing.tile];
    auto wavefront = static_cast<std::uint32_t>(std::uint64_t{begin} * m_facts->wavefronts / size);
    for (; wavefront < m_facts->wavefronts; ++wavefront) {
        const std::uint32_t from = std::max(begin, wavefrontBegin(landing.tile, wavefront));
        const std::uint32_t to = std::min(end, wavefrontBegin(landing.tile, wavefront + 1));
        if (from >= end)
            break;
        if (from < to)
            landed[wavefront] += to - from;
    }
    m_entries[tile.entry].last = landing;
}

void GpuReplay::takeEntry(const LogEvent& event) {
    Tile& tile = m_tiles[event.subject];
    tile.entry = static_cast<std::uint32_t>(m_entries.size());
    m_entries.push_back({event.subject, event.detail != 0, event.ps, std::nullopt});
    m_landed.resize(m_entries.size() * m_facts->wavefronts);
}

// Frees an entry by moving the last one into its place; state() sorts the entries.
void GpuReplay::freeEntry(const LogEvent& event) {
    const std::uint32_t freed = std::exchange(m_tiles[event.subject].entry, kNoEntry);
    m_lastClosed = event.subject;
    m_lastClosePs = event.ps;
    if (freed == kNoEntry)
        return;
    const std::size_t wavefronts = m_facts->wavefronts;
    const std::size_t last = m_entries.size() - 1;
    if (freed != last) {
        m_entries[freed] = m_entries[last];
        m_tiles[m_entries[freed].tile].entry = freed;
        std::copy_n(m_landed.begin() + static_cast<std::ptrdiff_t>(last * wavefronts), wavefronts,
                    m_landed.begin() + static_cast<std::ptrdiff_t>(freed * wavefronts));
    }
    m_entries.pop_back();
    m_landed.resize(last * wavefronts);
}

void GpuReplay::trigger(const LogEvent& event) {
    m_waiting.push_back({event.subject, event.ps});
    m_lastBlock = m_facts->commands[event.subject].block;
    m_lastTriggerPs = event.ps;
}

void GpuReplay::beginTransfer(const LogEvent& event) {
    std::erase_if(m_waiting, [&](const Command& waiting) { return waiting.command == event.subject; });
    m_moving.push_back({event.subject, event.ps});
    const DmaCommand& command = m_facts->commands[event.subject];
    for (std::uint32_t tile = command.firstTile; tile < command.endTile; ++tile) {
        m_tiles[tile].leaving = true;
        update(tile);
    }
}

void GpuReplay::endTransfer(const LogEvent& event) {
    std::erase_if(m_moving, [&](const Command& moving) { return moving.command == event.subject; });
}

void GpuReplay::moveStep(const LogEvent& event) {
    if ((event.detail & Step::kByKernel) == 0)
        return;
    m_gathering = (event.detail & Step::kGathers) != 0;
    if (event.kind() == LogEventKind::stepBegun)
        m_step = event.subject;
    else
        m_step.reset();
}

// Counts the output as stored, since the cache has written everything back. Stores that are updates were counted one by
// one.
void GpuReplay::endGemm() {
    if (m_facts->fused)
        return;
    for (std::uint32_t tile = 0; tile < m_tiles.size(); ++tile)
        finishStores(tile);
}

// Counts the output of a piece as stored, since the cache has written everything back.
void GpuReplay::endPiece(std::uint32_t piece) {
    for (const std::uint32_t tile : m_facts->tilesOfPiece[piece])
        finishStores(tile);
}

void GpuReplay::finishStores(std::uint32_t tile) {
    m_tiles[tile].stored = std::max(m_tiles[tile].stored, m_facts->output.tileBytes[tile]);
    update(tile);
}

TrackerEntry GpuReplay::describe(std::size_t index) const {
    const Entry& entry = m_entries[index];
    TrackerEntry shown;
    shown.tile = entry.tile;
    shown.chunk = m_facts->chunkOfTile[entry.tile];
    shown.workgroup = m_facts->order.positionOf(entry.tile, entry.gathers);
    shown.set = shown.workgroup % m_facts->entries;
    shown.tag = shown.workgroup / m_facts->entries;
    shown.firstUpdatePs = entry.sincePs;
    shown.lastLanding = entry.last;
    const std::uint32_t contributions = m_facts->contributionsTo(entry.tile, entry.gathers);
    for (std::uint32_t wavefront = 0; wavefront < m_facts->wavefronts; ++wavefront) {
        shown.landedBytes.push_back(m_landed[index * m_facts->wavefronts + wavefront]);
        const std::uint32_t bytes = wavefrontBegin(entry.tile, wavefront + 1) - wavefrontBegin(entry.tile, wavefront);
        shown.thresholdBytes.push_back(bytes * contributions);
    }
    return shown;
}

BlockState GpuReplay::describe(const Command& waiting) const {
    const DmaCommand& command = m_facts->commands[waiting.command];
    BlockState shown{command.block, command.chunk, command.gathers, waiting.sincePs, 0};
    std::uint64_t bytes = 0, sent = 0;
    for (std::uint32_t tile = command.firstTile; tile < command.endTile; ++tile) {
        const std::uint32_t size = m_facts->output.tileBytes[tile];
        // The all-gather sends this chunk a second time; the bytes of the first time do not count.
        const bool sentBefore = command.gathers && m_facts->scatters && !m_facts->parts[command.chunk].own;
        bytes += size;
        sent += std::min(size, m_tiles[tile].sent - std::min(m_tiles[tile].sent, sentBefore ? size : 0));
    }
    shown.doneShare = bytes == 0 ? 0 : static_cast<double>(sent) / static_cast<double>(bytes);
    return shown;
}

GpuState GpuReplay::state() const {
    GpuState state;
    state.tiles.reserve(m_tiles.size());
    state.copies.reserve(m_tiles.size());
    for (std::uint32_t tile = 0; tile < m_tiles.size(); ++tile) {
        state.tiles.push_back(m_tiles[tile].state);
        state.copies.push_back(copiesOf(tile));
    }
    state.chunkTiles = m_chunkTiles;
    state.tracker.reserve(m_entries.size());
    for (std::size_t entry = 0; entry < m_entries.size(); ++entry)
        state.tracker.push_back(describe(entry));
    std::sort(state.tracker.begin(), state.tracker.end(), [](const TrackerEntry& a, const TrackerEntry& b) {
        return std::tie(a.set, a.tag, a.tile) < std::tie(b.set, b.tag, b.tile);
    });
    for (const Command& command : m_waiting)
        state.waitingBlocks.push_back(describe(command));
    for (const Command& command : m_moving)
        state.movingBlocks.push_back(describe(command));
    state.lastTriggeredBlock = m_lastBlock;
    state.lastTriggerPs = m_lastTriggerPs;
    state.lastClosedTile = m_lastClosed;
    state.lastClosePs = m_lastClosePs;
    state.lastLanding = m_lastLanding;
    state.collectiveStep = m_step;
    state.gathering = m_step && m_gathering;
    state.wave = m_wave;
    state.trackerEntries = static_cast<std::int64_t>(m_entries.size());
    state.dmaQueue = static_cast<std::int64_t>(m_waiting.size());
    return state;
}

}  // namespace data
