#include "data/replay/run_log.h"

#include "data/replay/log_event.h"
#include "data/replay/trace_index.h"

#include <algorithm>
#include <numeric>

namespace data {
namespace {

// Replaying as many events takes some ten microseconds; a snapshot needs a few bytes for each tile.
constexpr std::size_t kEventsBetweenSnapshots = 2048;

std::optional<StepKind> stepKindOf(const LogEvent& event) {
    switch (event.kind()) {
    case LogEventKind::triggered: return StepKind::trigger;
    case LogEventKind::stepBegun: return StepKind::collectiveStep;
    case LogEventKind::waveEnded: return StepKind::wave;
    case LogEventKind::pieceEnded:
    case LogEventKind::gemmEnded:
    case LogEventKind::scatterBegun:
    case LogEventKind::scatterEnded:
    case LogEventKind::gatherBegun:
    case LogEventKind::gatherEnded: return StepKind::phase;
    default: return std::nullopt;
    }
}

/// Records when a chunk becomes complete on a GPU: first when it has all its contributions (or has left, if its stores
/// go straight to the neighbour), and again when all its tiles are final.
class ChunkWatch {
public:
    explicit ChunkWatch(const LogFacts& facts) : m_facts(facts), m_complete(facts.chunks), m_final(facts.chunks) {}

    /// Whether a chunk has just become complete, or final.
    struct News {
        bool complete = false, final = false;
    };
    News look(const GpuReplay& replay, std::uint32_t chunk) {
        const auto& tiles = replay.chunkTiles(chunk);
        const std::uint32_t all = std::accumulate(tiles.begin(), tiles.end(), 0u);
        const auto from = [&](TileState least) {
            return std::accumulate(tiles.begin() + static_cast<std::ptrdiff_t>(least), tiles.end(), 0u) == all;
        };
        const bool complete = from(m_facts.parts[chunk].direct ? TileState::sent : TileState::ready);
        const bool final = from(TileState::reduced);
        const News news{complete && !m_complete[chunk], final && !m_final[chunk]};
        m_complete[chunk] = m_complete[chunk] || complete;
        m_final[chunk] = m_final[chunk] || final;
        return news;
    }

private:
    const LogFacts& m_facts;
    std::vector<bool> m_complete, m_final;
};

bool concernsOneTile(LogEventKind kind) {
    return kind == LogEventKind::storeLanded || kind == LogEventKind::arrivalLanded ||
           kind == LogEventKind::sumLanded || kind == LogEventKind::packetSent;
}

std::optional<std::uint32_t> chunkOnTheWay(const engine::Lane* lane, const LogFacts& facts, std::int64_t ps) {
    const engine::Span* packet = lane == nullptr ? nullptr : spanAt(lane->spans, ps);
    if (packet == nullptr || packet->first >= facts.chunkOfTile.size())
        return std::nullopt;
    return facts.chunkOfTile[packet->first];
}

}  // namespace

RunLog::GpuLog::GpuLog(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t gpu)
    : facts(std::make_unique<LogFacts>(trace, experiment, gpu)), events(eventsOf(trace, *facts)) {
    for (const engine::Lane& lane : trace.lanes) {
        // The ring uses the first of several links. Without a ring, several chunks may be on their way at once.
        if (lane.gpu != gpu || lane.index != 0 || !facts->aroundRing)
            continue;
        if (lane.kind == engine::LaneKind::linkOut)
            linkOut = &lane;
        if (lane.kind == engine::LaneKind::linkIn)
            linkIn = &lane;
    }
    for (const engine::CounterSeries& series : trace.counters) {
        if (series.gpu != gpu)
            continue;
        switch (series.kind) {
        case engine::CounterKind::computeBacklog: computeBacklog = &series; break;
        case engine::CounterKind::communicationBacklog: communicationBacklog = &series; break;
        case engine::CounterKind::runningWorkgroups: runningWorkgroups = &series; break;
        case engine::CounterKind::heldBytes: heldBytes = &series; break;
        case engine::CounterKind::trackerEntries:
        case engine::CounterKind::dmaQueue:  // counted exactly in the replay
        case engine::CounterKind::cacheHits:
        case engine::CounterKind::cacheMisses:
        case engine::CounterKind::cacheWaiting: break;  // not part of GpuState; see InsideIndex
        }
    }
    takeSnapshots();
}

void RunLog::GpuLog::takeSnapshots() {
    // Far enough apart that snapshots never take much more memory than the events between them.
    interval = std::max<std::size_t>(kEventsBetweenSnapshots, facts->output.tiles());
    GpuReplay replay(*facts);
    ChunkWatch watch(*facts);
    for (std::uint32_t chunk = 0; chunk < facts->chunks; ++chunk)
        watch.look(replay, chunk);
    const auto look = [&](std::size_t event, std::uint32_t chunk) {
        if (const auto news = watch.look(replay, chunk); news.complete || news.final)
            chunksDone.push_back({event, chunk, news.final});
    };
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (i % interval == 0)
            snapshots.push_back(replay);
        const LogEvent& event = events[i];
        const bool oneTile = concernsOneTile(event.kind());
        const TileState earlier = oneTile ? replay.tileState(event.subject) : TileState{};
        replay.apply(event, &changes);
        if (const auto kind = stepKindOf(event))
            stops[static_cast<std::size_t>(*kind)].push_back(static_cast<std::uint32_t>(i));
        if (oneTile && replay.tileState(event.subject) != earlier)
            look(i, facts->chunkOfTile[event.subject]);
        if (event.kind() == LogEventKind::gemmEnded || event.kind() == LogEventKind::pieceEnded)
            for (std::uint32_t chunk = 0; chunk < facts->chunks; ++chunk)
                look(i, chunk);
    }
    if (snapshots.empty())
        snapshots.push_back(replay);
    auto& chunkStops = stops[static_cast<std::size_t>(StepKind::chunk)];
    for (const ChunkDone& done : chunksDone)
        if (chunkStops.empty() || chunkStops.back() != done.event)
            chunkStops.push_back(static_cast<std::uint32_t>(done.event));
}

std::pair<std::size_t, std::size_t> RunLog::GpuLog::during(std::int64_t ps) const {
    const auto [first, last] = std::equal_range(events.begin(), events.end(), LogEvent{ps, 0, 0, 0},
                                                [](const LogEvent& a, const LogEvent& b) { return a.ps < b.ps; });
    return {first - events.begin(), last - events.begin()};
}

GpuReplay RunLog::GpuLog::replayedTo(std::size_t count) const {
    const std::size_t snapshot = std::min(count / interval, snapshots.size() - 1);
    GpuReplay replay = snapshots[snapshot];
    for (std::size_t i = snapshot * interval; i < count; ++i)
        replay.apply(events[i]);
    return replay;
}

RunLog::RunLog(std::shared_ptr<const engine::Trace> trace, const engine::Experiment& experiment,
               const std::stop_token& stop)
    : m_trace(std::move(trace)) {
    const std::uint32_t recorded = m_trace->recordedGpus();
    m_logs.reserve(recorded);
    for (std::uint32_t gpu = 0; gpu < recorded && !stop.stop_requested(); ++gpu)
        m_logs.emplace_back(*m_trace, experiment, gpu);
}

std::uint64_t RunLog::eventCount() const {
    std::uint64_t count = 0;
    for (const GpuLog& log : m_logs)
        count += log.events.size();
    return count;
}

Position RunLog::end() const { return {m_trace->end.ps, eventCount()}; }

Position RunLog::positionAt(std::int64_t ps, std::optional<std::uint64_t> events) const {
    std::uint64_t earlier = 0, upTo = 0;
    for (const GpuLog& log : m_logs) {
        const auto [first, last] = log.during(ps);
        earlier += first;
        upTo += last;
    }
    return {ps, std::clamp(events.value_or(upTo), earlier, upTo)};
}

bool RunLog::before(Place a, Place b) const {
    const LogEvent& first = at(a);
    const LogEvent& second = at(b);
    if (first.before(second) || second.before(first))
        return first.before(second);
    return a.log != b.log ? a.log < b.log : a.event < b.event;
}

// Returns how many events of each log have happened: all events before the time of the position, and as many events at
// that time, in the common order, as the position counts.
std::vector<std::size_t> RunLog::countsAt(Position position) const {
    std::vector<std::size_t> counts, ends;
    std::uint64_t happened = 0;
    for (const GpuLog& log : m_logs) {
        const auto [first, last] =
            std::equal_range(log.events.begin(), log.events.end(), LogEvent{position.ps, 0, 0, 0},
                             [](const LogEvent& a, const LogEvent& b) { return a.ps < b.ps; });
        counts.push_back(static_cast<std::size_t>(first - log.events.begin()));
        ends.push_back(static_cast<std::size_t>(last - log.events.begin()));
        happened += counts.back();
    }
    if (m_logs.size() == 1) {
        const std::uint64_t more = position.events - std::min(position.events, happened);
        counts[0] += std::min<std::size_t>(more, ends[0] - counts[0]);
        return counts;
    }
    for (; happened < position.events; ++happened) {
        std::optional<Place> next;
        for (std::uint32_t log = 0; log < m_logs.size(); ++log) {
            const Place place{log, counts[log]};
            if (place.event < ends[log] && (!next || before(place, *next)))
                next = place;
        }
        if (!next)
            break;
        ++counts[next->log];
    }
    return counts;
}

Position RunLog::after(Place place) const {
    Position position{at(place).ps, 0};
    for (std::uint32_t log = 0; log < m_logs.size(); ++log) {
        const std::vector<LogEvent>& events = m_logs[log].events;
        if (log == place.log) {
            position.events += place.event + 1;
            continue;
        }
        const auto later = std::partition_point(events.begin(), events.end(), [&](const LogEvent& event) {
            return before({log, static_cast<std::size_t>(&event - events.data())}, place);
        });
        position.events += static_cast<std::uint64_t>(later - events.begin());
    }
    return position;
}

std::vector<Position> RunLog::positionsAfter(const std::vector<Place>& places) const {
    // All logs are walked through once, however many events are requested.
    std::vector<Position> positions;
    positions.reserve(places.size());
    std::vector<std::size_t> counts(m_logs.size());
    for (const Place& place : places) {
        Position position{at(place).ps, 0};
        for (std::uint32_t log = 0; log < m_logs.size(); ++log) {
            if (log == place.log)
                counts[log] = place.event + 1;
            while (counts[log] < m_logs[log].events.size() && before({log, counts[log]}, place))
                ++counts[log];
            position.events += counts[log];
        }
        positions.push_back(position);
    }
    return positions;
}

std::optional<RunLog::Place> RunLog::nextPlace(const std::vector<std::size_t>& counts, StepKind kind) const {
    std::optional<Place> next;
    for (std::uint32_t log = 0; log < m_logs.size(); ++log) {
        Place place{log, counts[log]};
        if (kind != StepKind::event) {
            const auto& stops = m_logs[log].stops[static_cast<std::size_t>(kind)];
            const auto stop = std::lower_bound(stops.begin(), stops.end(), counts[log]);
            if (stop == stops.end())
                continue;
            place.event = *stop;
        }
        if (place.event < m_logs[log].events.size() && (!next || before(place, *next)))
            next = place;
    }
    return next;
}

std::optional<RunLog::Place> RunLog::lastPlace(const std::vector<std::size_t>& counts, StepKind kind) const {
    std::optional<Place> last;
    for (std::uint32_t log = 0; log < m_logs.size(); ++log) {
        if (counts[log] == 0)
            continue;
        Place place{log, counts[log] - 1};
        if (kind != StepKind::event) {
            const auto& stops = m_logs[log].stops[static_cast<std::size_t>(kind)];
            const auto stop = std::lower_bound(stops.begin(), stops.end(), counts[log]);
            if (stop == stops.begin())
                continue;
            place.event = *std::prev(stop);
        }
        if (!last || before(*last, place))
            last = place;
    }
    return last;
}

std::optional<Position> RunLog::next(Position from, StepKind kind) const {
    if (const auto place = nextPlace(countsAt(from), kind))
        return after(*place);
    return from == end() ? std::nullopt : std::optional(end());
}

std::optional<Position> RunLog::previous(Position from, StepKind kind) const {
    std::vector<std::size_t> counts = countsAt(from);
    auto place = lastPlace(counts, kind);
    if (place && after(*place) == from) {
        // The position is that of a step already: look for the one before it.
        counts[place->log] = place->event;
        place = lastPlace(counts, kind);
    }
    if (place)
        return after(*place);
    return from == beginning() ? std::nullopt : std::optional(beginning());
}

GpuState RunLog::recordedState(const GpuLog& log, std::size_t events, std::int64_t ps) const {
    const auto sampled = [ps](const engine::CounterSeries* series) {
        return series == nullptr ? 0 : valueAt(*series, ps);
    };
    GpuState state = log.replayedTo(events).state();
    state.sendingChunk = chunkOnTheWay(log.linkOut, *log.facts, ps);
    state.receivingChunk = chunkOnTheWay(log.linkIn, *log.facts, ps);
    state.computeBacklog = sampled(log.computeBacklog);
    state.communicationBacklog = sampled(log.communicationBacklog);
    state.runningWorkgroups = sampled(log.runningWorkgroups);
    state.heldBytes = sampled(log.heldBytes);
    return state;
}

std::uint32_t RunLog::tileOn(std::uint32_t gpu, std::uint32_t tile) const {
    const engine::TiledOutput& output = m_trace->output;
    if (!m_trace->mirrored || output.tiles() == 0)
        return tile;
    return (tile + output.chunkTile[gpu % m_trace->chunks]) % output.tiles();
}

// Converts the recorded GPU's state to that of `gpu` in a mirrored trace: GPU i does the same with chunks whose numbers
// are shifted by i.
GpuState RunLog::turned(GpuState state, std::uint32_t gpu) const {
    if (gpu == 0 || state.tiles.empty())
        return state;
    const std::uint32_t chunks = m_trace->chunks;
    const std::uint32_t shift = m_trace->output.chunkTile[gpu % chunks];
    const auto tile = [&](std::uint32_t recorded) { return tileOn(gpu, recorded); };
    const auto chunk = [&](std::uint32_t recorded) { return m_trace->chunkOn(gpu, recorded); };
    std::rotate(state.tiles.begin(), state.tiles.end() - shift, state.tiles.end());
    std::rotate(state.copies.begin(), state.copies.end() - shift, state.copies.end());
    std::rotate(state.chunkTiles.begin(), state.chunkTiles.end() - gpu % chunks, state.chunkTiles.end());
    for (TrackerEntry& entry : state.tracker) {
        entry.tile = tile(entry.tile);
        entry.chunk = chunk(entry.chunk);
        if (entry.lastLanding)
            entry.lastLanding->tile = tile(entry.lastLanding->tile);
    }
    if (state.lastLanding)
        state.lastLanding->tile = tile(state.lastLanding->tile);
    if (state.lastClosedTile)
        state.lastClosedTile = tile(*state.lastClosedTile);
    for (auto* blocks : {&state.waitingBlocks, &state.movingBlocks}) {
        for (BlockState& block : *blocks)
            block.chunk = chunk(block.chunk);
    }
    for (auto* onTheWay : {&state.sendingChunk, &state.receivingChunk}) {
        if (*onTheWay)
            *onTheWay = chunk(**onTheWay);
    }
    return state;
}

GpuState RunLog::stateOf(std::uint32_t gpu, Position position) const {
    const std::vector<std::size_t> counts = countsAt(position);
    const std::uint32_t log = m_trace->recorded(gpu);
    GpuState state = recordedState(m_logs[log], counts[log], position.ps);
    return m_trace->mirrored ? turned(std::move(state), gpu) : state;
}

const std::vector<TileChange>& RunLog::tileChanges(std::uint32_t gpu) const {
    return m_logs[m_trace->recorded(gpu)].changes;
}

std::int64_t RunLog::tileSince(std::uint32_t gpu, std::uint32_t tile, std::int64_t ps) const {
    const engine::TiledOutput& output = m_trace->output;
    const std::uint32_t shift = m_trace->mirrored ? output.chunkTile[gpu % m_trace->chunks] : 0;
    const std::uint32_t recorded = (tile + output.tiles() - shift) % output.tiles();
    const std::vector<TileChange>& changes = tileChanges(gpu);
    const auto later = std::upper_bound(changes.begin(), changes.end(), ps,
                                        [](std::int64_t time, const TileChange& change) { return time < change.ps; });
    const auto last = std::find_if(std::make_reverse_iterator(later), changes.rend(),
                                   [recorded](const TileChange& change) { return change.tile == recorded; });
    return last == changes.rend() ? 0 : last->ps;
}

std::vector<GpuState> RunLog::statesAt(Position position) const {
    const std::vector<std::size_t> counts = countsAt(position);
    std::vector<GpuState> states;
    for (std::uint32_t log = 0; log < m_logs.size(); ++log)
        states.push_back(recordedState(m_logs[log], counts[log], position.ps));
    if (m_trace->mirrored) {
        for (std::uint32_t gpu = 1; gpu < gpus(); ++gpu)
            states.push_back(turned(states.front(), gpu));
    }
    return states;
}

}  // namespace data
