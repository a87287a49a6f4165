#include "engine/overlap/tracker.h"

#include "engine/overlap/dma_engine.h"
#include "engine/record/recorder.h"

#include <algorithm>

namespace engine {

Tracker::Tracker(const Experiment& experiment, const CollectiveWork& work, const AddressMap& map, TileOrder order,
                 EventPort closed, EventPort triggered, Recorder* recorder)
    : m_layout(work.layout), m_order(order), m_closed(closed), m_triggered(triggered),
      m_recorder(work.isOwn() ? recorder : nullptr), m_contributions(recorder), m_kernel(work.kernel),
      m_config(experiment.tracker), m_arrivalsReplace(map.arrivalsReplace), m_tiles(work.layout.tiles()) {
    const OutputLayout& layout = work.layout;
    const auto entries = static_cast<std::uint32_t>(m_config.entries);
    const auto wfs = static_cast<std::uint32_t>(m_config.wfPerWg);
    m_wfBytes.resize(std::size_t{layout.tiles()} * wfs);
    for (const ChunkRoute& route : map.routes) {
        if (route.updatesPerElement == 0)
            continue;
        const std::uint32_t first = layout.chunkFirstTile(route.chunk);
        for (std::uint32_t tile = first; tile < first + layout.chunkTiles(route.chunk); ++tile) {
            const std::uint64_t bytes = layout.tileBytes(tile);
            for (std::uint32_t wf = 0; wf < wfs; ++wf) {
                const std::uint64_t part = bytes * (wf + 1) / wfs - bytes * wf / wfs;
                m_wfBytes[std::size_t{tile} * wfs + wf] = part * route.updatesPerElement;
                m_tiles[tile].openWfs += part != 0;
            }
            m_tiles[tile].inTable = route.tracked;
            ++m_unclosed;
        }
    }
    m_sets.resize(std::min<std::size_t>(entries, layout.tiles()));
    for (std::uint32_t set = 0; set < m_sets.size(); ++set) {
        // The frontier is the ways-th unclosed tile of the set.
        std::uint32_t rank = 0;
        std::int64_t open = 0;
        for (; set + std::uint64_t{rank} * entries < layout.tiles(); ++rank) {
            Tile& tile = m_tiles[tileOfRank(set, rank)];
            tile.setIndex = rank;
        }
        for (rank = 0; set + std::uint64_t{rank} * entries < layout.tiles(); ++rank) {
            open += m_tiles[tileOfRank(set, rank)].waitsInTable();
            if (open == m_config.ways)
                break;
        }
        m_sets[set].frontier = rank;
    }
    passClosed();
}

void Tracker::connect(NearMemoryUpdate& updates, DmaEngine& dma) {
    m_updates = &updates;
    m_dma = &dma;
}

std::uint32_t Tracker::tileOfRank(std::uint32_t set, std::uint32_t rank) const {
    return m_order.tileAt(set + rank * static_cast<std::uint32_t>(m_config.entries));
}

bool Tracker::admit(std::uint32_t tile, UpdateSource source) {
    Tile& state = m_tiles[tile];
    if (!state.inTable) {
        if (source == UpdateSource::local)
            state.storedAt = m_closed.now();
        return true;
    }
    const auto set = m_order.positionOf(tile) % static_cast<std::uint32_t>(m_config.entries);
    if (m_config.ways == 0 || state.setIndex > m_sets[set].frontier) {
        const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(source));
        if (!(state.stalledSources & bit)) {
            state.stalledSources |= bit;
            ++m_stats.capacityStalls;
        }
        return false;
    }
    if (source == UpdateSource::local)
        state.storedAt = m_closed.now();
    if (!state.admitted) {
        state.admitted = true;
        state.firstAdmitted = m_closed.now();
        ++m_entriesHeld;
        m_stats.peakEntries = std::max(m_stats.peakEntries, m_entriesHeld);
        if (m_recorder)
            m_recorder->sample(CounterKind::trackerEntries, m_closed.now(), m_entriesHeld);
    }
    return true;
}

void Tracker::landed(std::uint32_t granule, std::uint32_t bytes, UpdateSource source, TimePoint finish) {
    ++m_stats.updates;
    const std::uint32_t tile = m_layout.tileOf(granule);
    Tile& state = m_tiles[tile];
    state.closesAt = std::max(state.closesAt, finish);
    if (m_contributions) {
        if (source == UpdateSource::local)
            m_contributions->produced(granule, m_kernel);
        else if (m_arrivalsReplace)
            m_contributions->arrivedCopy(granule, m_kernel);
        else
            m_contributions->arrivedUpdate(granule, m_kernel);
    }
    if (m_recorder) {
        m_recorder->landing(source == UpdateSource::local ? SpanKind::storeLanded : SpanKind::arrivalLanded,
                            m_updates->channelOf(granule), tile, granule - m_layout.tileFirstGranule(tile), bytes,
                            finish);
    }
    if (m_recorder && source == UpdateSource::local) {
        state.localBytes += bytes;
        if (state.localBytes == m_layout.tileBytes(tile))
            m_recorder->span(LaneKind::stores, 0,
                             {state.storedAt, finish, tile, m_layout.chunkOf(tile), state.localBytes, SpanKind::store});
    }
    // The granule covers [begin, end) of the tile; wavefront w owns [size*w/W, size*(w+1)/W).
    const auto wfs = static_cast<std::uint64_t>(m_config.wfPerWg);
    const std::uint64_t size = m_layout.tileBytes(tile);
    const std::uint64_t begin = std::uint64_t{granule - m_layout.tileFirstGranule(tile)} * m_layout.granuleSize();
    const std::uint64_t end = begin + bytes;
    std::uint64_t* const left = &m_wfBytes[std::size_t{tile} * wfs];
    bool surplus = false;
    for (std::uint64_t wf = begin * wfs / size; wf < wfs; ++wf) {
        const std::uint64_t from = std::max(begin, size * wf / wfs);
        const std::uint64_t to = std::min(end, size * (wf + 1) / wfs);
        if (from >= end)
            break;
        if (to <= from)
            continue;
        if (left[wf] < to - from) {
            surplus = true;
            continue;
        }
        left[wf] -= to - from;
        if (left[wf] == 0 && --state.openWfs == 0)
            m_closed.schedule(state.closesAt, tile);
    }
    m_surplusUpdates += surplus;
}

void Tracker::onClosed(std::uint32_t tile) {
    const TimePoint now = m_closed.now();
    Tile& state = m_tiles[tile];
    --m_unclosed;
    m_lastClose = now;
    if (!state.inTable)
        return;
    state.closed = true;
    passClosed();
    --m_entriesHeld;
    if (m_recorder) {
        m_recorder->sample(CounterKind::trackerEntries, now, m_entriesHeld);
        m_recorder->span(
            LaneKind::tracker, 0,
            {state.firstAdmitted, now, tile, m_layout.chunkOf(tile), m_layout.tileBytes(tile), SpanKind::trackedTile});
    }
    if (const std::optional<std::uint32_t> block = m_dma->tileComplete(tile)) {
        ++m_stats.triggers;
        m_triggered.schedule(now + m_config.triggerLatency, *block);
    }
    advance(m_order.positionOf(tile) % static_cast<std::uint32_t>(m_config.entries));
}

void Tracker::passClosed() {
    const auto passed = [&](const Tile& tile) { return !tile.inTable || tile.closed; };
    while (m_oldest < m_order.tiles && passed(m_tiles[m_order.tileAt(m_oldest)]))
        ++m_oldest;
}

std::uint32_t Tracker::oldestOpen() const {
    return m_oldest < m_order.tiles && m_config.ways != 0 ? m_order.tileAt(m_oldest) : kNone;
}

// Moves the frontier of a set in which one tile has closed to the next unclosed tile, and lets that tile's updates in.
void Tracker::advance(std::uint32_t set) {
    const auto entries = static_cast<std::uint32_t>(m_config.entries);
    std::uint32_t& frontier = m_sets[set].frontier;
    const std::uint64_t ranks = (m_layout.tiles() - set + std::uint64_t{entries} - 1) / entries;
    if (frontier >= ranks)
        return;
    do
        ++frontier;
    while (frontier < ranks && !m_tiles[tileOfRank(set, frontier)].waitsInTable());
    if (frontier < ranks)
        m_updates->release(tileOfRank(set, frontier));
}

void Tracker::onTriggered(std::uint32_t block) { m_dma->ready(block); }

std::string Tracker::describeWaiting() const {
    for (std::uint32_t position = 0; position < m_order.tiles; ++position) {
        const std::uint32_t tile = m_order.tileAt(position);
        const Tile& state = m_tiles[tile];
        if (state.openWfs == 0)
            continue;
        const std::string which =
            "tile " + std::to_string(tile) + " (chunk " + std::to_string(m_layout.chunkOf(tile)) + ")";
        std::string text =
            "the tracker has " + std::to_string(m_unclosed) + " tiles still to complete, the oldest is " + which + ": ";
        if (state.admitted)
            text += "it waits for " + bytesLeftText(tile) + " of updates";
        else if (state.stalledSources != 0)
            text += "its updates are held back, because its set " +
                    std::to_string(position % static_cast<std::uint32_t>(m_config.entries)) + " has " +
                    (m_config.ways == 0 ? "no ways (tracker.ways = 0, allowed to make progress: 1 or more)"
                                        : "no way free (tracker.ways = " + std::to_string(m_config.ways) + ")");
        else
            text += "it waits for its first update";
        return text;
    }
    return {};
}

std::string Tracker::bytesLeftText(std::uint32_t tile) const {
    const auto wfs = static_cast<std::size_t>(m_config.wfPerWg);
    std::uint64_t left = 0;
    for (std::size_t wf = 0; wf < wfs; ++wf)
        left += m_wfBytes[tile * wfs + wf];
    return std::to_string(left) + " B";
}

}  // namespace engine
