#include "ui/playback/breakpoint_search.h"

#include <algorithm>

namespace ui {
namespace {

/// Looks through the log of one recorded GPU.
class Search {
public:
    Search(const RunLog& log, const Breakpoint& breakpoint, std::uint32_t recorded, std::vector<BreakpointHit>& hits)
        : m_log(log), m_breakpoint(breakpoint), m_recorded(recorded), m_mirrored(log.trace().mirrored), m_hits(hits) {}

    void run();

private:
    void findFullEntries();
    void findManyEntries();
    void findManyCommands();
    void findLongQueue(engine::CounterKind kind);
    void findIdleLink();
    void findChunks();
    void findWaves();

    void add(Position position, const Breakpoint& met) {
        m_hits.push_back({position, 0, m_mirrored ? met.gpu : std::optional(m_recorded), met.text()});
    }
    /// What is met, with what `any` stood for.
    Breakpoint met(std::optional<std::int64_t> number) const {
        Breakpoint breakpoint = m_breakpoint;
        breakpoint.number = number;
        if (!m_mirrored)
            breakpoint.gpu = m_recorded;
        return breakpoint;
    }
    bool wanted(std::int64_t number) const { return !m_breakpoint.number || *m_breakpoint.number == number; }
    template <class Change>
    void findRise(std::int64_t least, Change change);

    const RunLog& m_log;
    const Breakpoint& m_breakpoint;
    std::uint32_t m_recorded;
    bool m_mirrored;
    std::vector<BreakpointHit>& m_hits;
};

void Search::run() {
    switch (m_breakpoint.condition) {
    case BreakCondition::time: break;  // needs no GPU
    case BreakCondition::entryFull: findFullEntries(); break;
    case BreakCondition::trackerEntries: findManyEntries(); break;
    case BreakCondition::computeQueue: findLongQueue(engine::CounterKind::computeBacklog); break;
    case BreakCondition::communicationQueue: findLongQueue(engine::CounterKind::communicationBacklog); break;
    case BreakCondition::dmaQueue: findManyCommands(); break;
    case BreakCondition::linkIdle: findIdleLink(); break;
    case BreakCondition::chunkComplete: findChunks(); break;
    case BreakCondition::waveEnd: findWaves(); break;
    }
}

void Search::findFullEntries() {
    const LogFacts& facts = m_log.facts(m_recorded);
    const std::vector<LogEvent>& events = m_log.events(m_recorded);
    std::vector<bool> closed(facts.output.tiles());
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind() != LogEventKind::tileClosed)
            continue;
        const std::uint32_t tile = events[i].subject;
        // A tile that the reduce-scatter has closed is closed again by an all-gather by DMA.
        const bool gathering = facts.parts[facts.chunkOfTile[tile]].counted == 0 || closed[tile];
        closed[tile] = true;
        const std::int64_t set = facts.workgroupOf(tile, gathering) % facts.entries;
        if (wanted(set))
            add(m_log.positionAfter(m_recorded, i), met(set));
    }
}

// Where a running count reaches `least`; `change` is what an event adds to it.
template <class Change>
void Search::findRise(std::int64_t least, Change change) {
    const std::vector<LogEvent>& events = m_log.events(m_recorded);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const int by = change(events[i].kind());
        count += by;
        if (by > 0 && count == least)
            add(m_log.positionAfter(m_recorded, i), met(m_breakpoint.number));
    }
}

void Search::findManyEntries() {
    findRise(std::max<std::int64_t>(1, m_breakpoint.number.value_or(1)), [](LogEventKind kind) {
        return kind == LogEventKind::entryTaken ? 1 : kind == LogEventKind::tileClosed ? -1 : 0;
    });
}

void Search::findManyCommands() {
    findRise(m_breakpoint.number.value_or(0) + 1, [](LogEventKind kind) {
        return kind == LogEventKind::triggered ? 1 : kind == LogEventKind::transferBegun ? -1 : 0;
    });
}

void Search::findLongQueue(engine::CounterKind kind) {
    const std::int64_t most = m_breakpoint.number.value_or(0);
    for (const engine::CounterSeries& series : m_log.trace().counters) {
        if (series.kind != kind || series.gpu != m_recorded)
            continue;
        bool over = false;
        for (const engine::CounterSample& sample : series.samples) {
            if (sample.value > most && !over)
                add(m_log.positionAt(sample.time.ps), met(most));
            over = sample.value > most;
        }
    }
}

void Search::findIdleLink() {
    const std::int64_t idle = m_breakpoint.number.value_or(0);
    const std::int64_t end = m_log.trace().end.ps;
    std::int64_t freeSince = 0;
    const auto look = [&](std::int64_t busyFrom) {
        if (busyFrom - freeSince > idle)
            add(m_log.positionAt(freeSince + idle), met(idle));
    };
    for (const engine::Lane& lane : m_log.trace().lanes) {
        if (lane.kind != engine::LaneKind::linkOut || lane.gpu != m_recorded)
            continue;
        for (const engine::Span& packet : lane.spans) {
            look(packet.start.ps);
            freeSince = std::max(freeSince, packet.end.ps);
        }
    }
    look(end);
}

void Search::findChunks() {
    const std::uint32_t chunks = m_log.trace().chunks;
    const std::optional<std::int64_t> number = m_breakpoint.number;
    if (number && *number >= chunks)
        return;
    for (const RunLog::ChunkDone& done : m_log.chunksDone(m_recorded)) {
        Breakpoint breakpoint = met(done.chunk);
        if (m_mirrored) {
            // GPU g works on chunk c + g where the recorded one works on c.
            const auto doing = static_cast<std::uint32_t>((number.value_or(done.chunk) + chunks - done.chunk) % chunks);
            breakpoint.gpu = m_breakpoint.gpu.value_or(doing);
            breakpoint.number = m_log.trace().chunkOn(*breakpoint.gpu, done.chunk);
        }
        if (wanted(*breakpoint.number))
            add(m_log.positionAfter(m_recorded, done.event), breakpoint);
    }
}

void Search::findWaves() {
    const std::vector<LogEvent>& events = m_log.events(m_recorded);
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind() == LogEventKind::waveEnded && wanted(events[i].subject + 1))
            add(m_log.positionAfter(m_recorded, i), met(events[i].subject + 1));
    }
}

}  // namespace

std::vector<BreakpointHit> hitsOf(const RunLog& log, const Breakpoint& breakpoint) {
    std::vector<BreakpointHit> hits;
    if (breakpoint.condition == BreakCondition::time) {
        const std::int64_t ps = breakpoint.number.value_or(0);
        if (ps <= log.end().ps)
            hits.push_back({log.positionAt(ps), 0, std::nullopt, breakpoint.text()});
        return hits;
    }
    if (breakpoint.gpu && *breakpoint.gpu >= log.gpus())
        return hits;
    for (std::uint32_t recorded = 0; recorded < log.recorded(); ++recorded) {
        if (log.trace().mirrored || !breakpoint.gpu || *breakpoint.gpu == recorded)
            Search(log, breakpoint, recorded, hits).run();
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const BreakpointHit& a, const BreakpointHit& b) { return earlier(a.position, b.position); });
    return hits;
}

}  // namespace ui
