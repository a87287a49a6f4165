#include "ui/shared/breakpoint_search.h"

#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <iterator>

namespace ui {
namespace {

QString breakpointTr(const char* text) { return QCoreApplication::translate("Breakpoint", text); }

constexpr std::array<const char*, kBreakConditions> kNames{
    "time",      "entry-full", "tracker-entries", "compute-queue", "communication-queue",
    "dma-queue", "link-idle",  "chunk-complete",  "wave-end",      "piece-end"};

constexpr std::int64_t kLongestPs = 1'000'000'000'000'000;  // a thousand seconds, longer than any run
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostGpus = 1'000'000;

QString conditionText(const Breakpoint& breakpoint) {
    const std::int64_t number = breakpoint.number.value_or(0);
    const bool any = !breakpoint.number;
    switch (breakpoint.condition) {
    case BreakCondition::time: return breakpointTr("time %1").arg(formatTime(number, 5));
    case BreakCondition::entryFull:
        return any ? breakpointTr("an entry reaches its threshold")
                   : breakpointTr("entry %1 reaches its threshold").arg(number);
    case BreakCondition::trackerEntries: return breakpointTr("%1 or more tracker entries").arg(number);
    case BreakCondition::computeQueue: return breakpointTr("compute queue over %1").arg(formatBytes(number));
    case BreakCondition::communicationQueue:
        return breakpointTr("communication queue over %1").arg(formatBytes(number));
    case BreakCondition::dmaQueue: return breakpointTr("more than %1 DMA commands wait").arg(number);
    case BreakCondition::linkIdle: return breakpointTr("link idle for %1").arg(formatTime(number));
    case BreakCondition::chunkComplete:
        return any ? breakpointTr("a chunk is complete") : breakpointTr("chunk %1 is complete").arg(number);
    case BreakCondition::waveEnd: return any ? breakpointTr("a wave ends") : breakpointTr("wave %1 ends").arg(number);
    case BreakCondition::pieceEnd:
        return any ? breakpointTr("a piece of the GEMM ends") : breakpointTr("piece %1 of the GEMM ends").arg(number);
    }
    return {};
}

/// An event that meets a breakpoint, and the breakpoint with the number and GPU of this event.
struct Found {
    data::RunLog::Place place;
    Breakpoint met;
};

/// Searches the log of one recorded GPU.
class Search {
public:
    Search(const data::RunLog& log, const Breakpoint& breakpoint, std::uint32_t recorded, std::vector<Found>& found,
           std::vector<BreakpointHit>& hits)
        : m_log(log), m_breakpoint(breakpoint), m_recorded(recorded), m_mirrored(log.trace().mirrored), m_found(found),
          m_hits(hits) {}

    void run();

private:
    void findFullEntries();
    void findManyEntries();
    void findManyCommands();
    void findLongQueue(engine::CounterKind kind);
    void findIdleLink();
    void findChunks();
    void findEnds(data::LogEventKind kind);

    void addEvent(std::size_t event, const Breakpoint& met) { m_found.push_back({{m_recorded, event}, met}); }
    /// Adds a hit that is not an event: a link has been idle long enough, or a counter rises.
    void addMoment(std::int64_t ps, const Breakpoint& met) { m_hits.push_back({m_log.positionAt(ps), 0, met.text()}); }
    /// Returns the breakpoint with the number that was found, in place of any number, and with the recorded GPU.
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

    const data::RunLog& m_log;
    const Breakpoint& m_breakpoint;
    std::uint32_t m_recorded;
    bool m_mirrored;
    std::vector<Found>& m_found;
    std::vector<BreakpointHit>& m_hits;
};

void Search::run() {
    switch (m_breakpoint.condition) {
    case BreakCondition::time: break;  // does not depend on a GPU
    case BreakCondition::entryFull: findFullEntries(); break;
    case BreakCondition::trackerEntries: findManyEntries(); break;
    case BreakCondition::computeQueue: findLongQueue(engine::CounterKind::computeBacklog); break;
    case BreakCondition::communicationQueue: findLongQueue(engine::CounterKind::communicationBacklog); break;
    case BreakCondition::dmaQueue: findManyCommands(); break;
    case BreakCondition::linkIdle: findIdleLink(); break;
    case BreakCondition::chunkComplete: findChunks(); break;
    case BreakCondition::waveEnd: findEnds(data::LogEventKind::waveEnded); break;
    case BreakCondition::pieceEnd: findEnds(data::LogEventKind::pieceEnded); break;
    }
}

void Search::findFullEntries() {
    const data::LogFacts& facts = m_log.facts(m_recorded);
    const std::vector<data::LogEvent>& events = m_log.events(m_recorded);
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind() != data::LogEventKind::tileClosed)
            continue;
        const std::int64_t set = facts.order.positionOf(events[i].subject, events[i].detail != 0) % facts.entries;
        if (wanted(set))
            addEvent(i, met(set));
    }
}

// Finds the events at which a running count reaches `least`. `change` returns the change of the count by an event.
template <class Change>
void Search::findRise(std::int64_t least, Change change) {
    const std::vector<data::LogEvent>& events = m_log.events(m_recorded);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const int by = change(events[i].kind());
        count += by;
        if (by > 0 && count == least)
            addEvent(i, met(m_breakpoint.number));
    }
}

void Search::findManyEntries() {
    findRise(std::max<std::int64_t>(1, m_breakpoint.number.value_or(1)), [](data::LogEventKind kind) {
        return kind == data::LogEventKind::entryTaken ? 1 : kind == data::LogEventKind::tileClosed ? -1 : 0;
    });
}

void Search::findManyCommands() {
    findRise(m_breakpoint.number.value_or(0) + 1, [](data::LogEventKind kind) {
        return kind == data::LogEventKind::triggered ? 1 : kind == data::LogEventKind::transferBegun ? -1 : 0;
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
                addMoment(sample.time.ps, met(most));
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
            addMoment(freeSince + idle, met(idle));
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
    for (const data::RunLog::ChunkDone& done : m_log.chunksDone(m_recorded)) {
        Breakpoint breakpoint = met(done.chunk);
        if (m_mirrored) {
            // GPU g works on chunk c + g when the recorded GPU works on chunk c.
            const auto doing = static_cast<std::uint32_t>((number.value_or(done.chunk) + chunks - done.chunk) % chunks);
            breakpoint.gpu = m_breakpoint.gpu.value_or(doing);
            breakpoint.number = m_log.trace().chunkOn(*breakpoint.gpu, done.chunk);
        }
        if (wanted(*breakpoint.number))
            addEvent(done.event, breakpoint);
    }
}

// Finds the ends of waves or of pieces.
void Search::findEnds(data::LogEventKind kind) {
    const std::vector<data::LogEvent>& events = m_log.events(m_recorded);
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind() == kind && wanted(events[i].subject + 1))
            addEvent(i, met(events[i].subject + 1));
    }
}

}  // namespace

bool allowsAny(BreakCondition condition) {
    return condition == BreakCondition::entryFull || condition == BreakCondition::chunkComplete ||
           condition == BreakCondition::waveEnd || condition == BreakCondition::pieceEnd;
}

bool concernsGpu(BreakCondition condition) { return condition != BreakCondition::time; }

std::int64_t mostOf(BreakCondition condition) {
    switch (condition) {
    case BreakCondition::time:
    case BreakCondition::linkIdle: return kLongestPs;
    case BreakCondition::computeQueue:
    case BreakCondition::communicationQueue: return kMostBytes;
    case BreakCondition::entryFull:
    case BreakCondition::trackerEntries:
    case BreakCondition::dmaQueue:
    case BreakCondition::chunkComplete:
    case BreakCondition::waveEnd:
    case BreakCondition::pieceEnd: break;
    }
    return 1'000'000'000;
}

QString Breakpoint::text() const {
    const QString what = conditionText(*this);
    return gpu && concernsGpu(condition) ? breakpointTr("%1 on GPU %2").arg(what).arg(*gpu) : what;
}

QJsonObject Breakpoint::toJson() const {
    QJsonObject kept{{QStringLiteral("condition"), QLatin1String(kNames[static_cast<std::size_t>(condition)])},
                     {QStringLiteral("enabled"), enabled}};
    if (number)
        kept.insert(QStringLiteral("number"), static_cast<qint64>(*number));
    if (gpu)
        kept.insert(QStringLiteral("gpu"), static_cast<qint64>(*gpu));
    return kept;
}

std::optional<Breakpoint> Breakpoint::fromJson(const QJsonObject& kept) {
    Breakpoint breakpoint;
    const QString name = kept[QStringLiteral("condition")].toString();
    const auto found = std::ranges::find_if(kNames, [&](const char* known) { return name == QLatin1String(known); });
    if (found == kNames.end())
        return std::nullopt;
    breakpoint.condition = static_cast<BreakCondition>(found - kNames.begin());
    breakpoint.enabled = kept[QStringLiteral("enabled")].toBool(true);
    if (kept.contains(QStringLiteral("number"))) {
        const std::int64_t number = kept[QStringLiteral("number")].toInteger(-1);
        if (number < 0 || number > mostOf(breakpoint.condition))
            return std::nullopt;
        breakpoint.number = number;
    } else if (!allowsAny(breakpoint.condition)) {
        return std::nullopt;
    }
    if (kept.contains(QStringLiteral("gpu"))) {
        const std::int64_t gpu = kept[QStringLiteral("gpu")].toInteger(-1);
        if (gpu < 0 || gpu > kMostGpus)
            return std::nullopt;
        breakpoint.gpu = static_cast<std::uint32_t>(gpu);
    }
    return breakpoint;
}

std::vector<BreakpointHit> hitsOf(const data::RunLog& log, const Breakpoint& breakpoint) {
    std::vector<BreakpointHit> hits;
    if (breakpoint.condition == BreakCondition::time) {
        const std::int64_t ps = breakpoint.number.value_or(0);
        if (ps <= log.end().ps)
            hits.push_back({log.positionAt(ps), 0, breakpoint.text()});
        return hits;
    }
    if (breakpoint.gpu && *breakpoint.gpu >= log.gpus())
        return hits;
    std::vector<Found> found;
    for (std::uint32_t recorded = 0; recorded < log.recorded(); ++recorded) {
        if (log.trace().mirrored || !breakpoint.gpu || *breakpoint.gpu == recorded)
            Search(log, breakpoint, recorded, found, hits).run();
    }
    std::ranges::stable_sort(
        found, [&](const auto& a, const auto& b) { return log.before(a, b); }, &Found::place);
    std::vector<data::RunLog::Place> places;
    std::ranges::transform(found, std::back_inserter(places), &Found::place);
    const std::vector<data::Position> positions = log.positionsAfter(places);
    for (std::size_t i = 0; i < found.size(); ++i)
        hits.push_back({positions[i], 0, found[i].met.text()});
    std::ranges::stable_sort(hits, earlier, &BreakpointHit::position);
    return hits;
}

}  // namespace ui
