#include "engine/collective/copy_queue.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <utility>

namespace engine {

CopyQueue::CopyQueue(const Experiment& experiment, const OutputLayout& layout, const EventPort& due, Reader& reader,
                     Recorder* recorder)
    : m_layout(layout), m_due(due), m_reader(reader), m_recorder(recorder), m_issue(experiment.dma.issue),
      m_startup(experiment.dma.startupLatency), m_window(experiment.dma.window), m_firstCopyOf(layout.tiles(), kNone),
      m_engines(static_cast<std::size_t>(experiment.dma.engines)) {}

void CopyQueue::add(Copy copy) {
    Copied copied;
    for (const std::uint32_t tile : copy.tiles) {
        if (m_firstCopyOf[tile] == kNone)
            m_firstCopyOf[tile] = size();
        copied.bytes += m_layout.tileBytes(tile);
        copied.granulesToSend += m_layout.tileEndGranule(tile) - m_layout.tileFirstGranule(tile);
    }
    m_granules += copied.granulesToSend;
    copied.what = std::move(copy);
    m_copies.push_back(std::move(copied));
}

void CopyQueue::ready(std::uint32_t copy) {
    m_handedOver = std::max(m_handedOver, m_due.now()) + m_issue;
    m_due.schedule(m_handedOver + m_startup, copy);
    wait(1);
}

// Notes that another copy waits for an engine, or one fewer.
void CopyQueue::wait(int change) {
    m_waiting += change;
    m_stats.peakQueue = std::max(m_stats.peakQueue, m_waiting);
    if (m_recorder)
        m_recorder->sample(CounterKind::dmaQueue, m_due.now(), m_waiting);
}

void CopyQueue::onDue(std::uint32_t index) {
    if (index < kEngine) {
        m_ready.push_back(index);
        return assign();
    }
    Engine& engine = m_engines[index - kEngine];
    while (!engine.departures.empty() && engine.departures.front().when <= m_due.now()) {
        engine.inFlight -= engine.departures.front().bytes;
        engine.departures.pop_front();
    }
    if (hasNext(engine))
        read(index - kEngine);
    else if (engine.copy && engine.inFlight == 0)
        end(index - kEngine);
}

void CopyQueue::assign() {
    for (std::uint32_t index = 0; index < m_engines.size() && !m_ready.empty(); ++index) {
        Engine& engine = m_engines[index];
        if (engine.copy)
            continue;
        engine.copy = m_ready.front();
        m_ready.pop_front();
        engine.nextTile = 0;
        engine.nextGranule = engine.endGranule = 0;
        Copied& copied = m_copies[*engine.copy];
        copied.engine = index;
        copied.takenAt = m_due.now();
        ++m_stats.commands;
        wait(-1);
        read(index);
    }
}

// Returns whether an engine has granules left to read, of which nextGranule is then the next one.
bool CopyQueue::hasNext(Engine& engine) const {
    if (!engine.copy)
        return false;
    const std::vector<std::uint32_t>& tiles = m_copies[*engine.copy].what.tiles;
    while (engine.nextGranule == engine.endGranule && engine.nextTile != tiles.size()) {
        const std::uint32_t tile = tiles[engine.nextTile++];
        engine.nextGranule = m_layout.tileFirstGranule(tile);
        engine.endGranule = m_layout.tileEndGranule(tile);
    }
    return engine.nextGranule != engine.endGranule;
}

// Reads on, as far as the window allows. A granule that is larger than the window is allowed alone.
void CopyQueue::read(std::uint32_t index) {
    Engine& engine = m_engines[index];
    while (hasNext(engine)) {
        const std::uint32_t bytes = m_layout.granuleBytes(engine.nextGranule);
        if (m_window && engine.inFlight != 0 && engine.inFlight + bytes > m_window->count)
            return;
        engine.inFlight += bytes;
        m_stats.bytes.count += bytes;
        m_reader.readForCopy(engine.nextGranule++, m_copies[*engine.copy].what.receiver);
    }
}

void CopyQueue::leaves(std::uint32_t tile, std::uint32_t receiver, std::uint32_t bytes, TimePoint departure) {
    Copied& copied = m_copies[m_firstCopyOf[tile] + receiver];
    Engine& engine = m_engines[copied.engine];
    engine.departures.push_back({departure, bytes});
    copied.readAt = m_due.now();
    copied.sentAt = std::max(copied.sentAt, departure);
    // Without a window only the end of a copy is waited for.
    if (--copied.granulesToSend == 0 || (m_window && hasNext(engine)))
        m_due.schedule(departure, kEngine + copied.engine);
}

void CopyQueue::end(std::uint32_t index) {
    const Copied& copied = m_copies[*std::exchange(m_engines[index].copy, std::nullopt)];
    if (m_recorder) {
        const Copy& copy = copied.what;
        const Span span{copied.takenAt, copied.sentAt, copy.tiles.front(), copy.chunk, copied.bytes,
                        SpanKind::copy, copy.to};
        m_recorder->transferred(index, span, copied.readAt);
    }
    assign();
}

}  // namespace engine
