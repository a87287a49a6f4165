#include "data/replay/log_event.h"
#include "data/replay/log_facts.h"

#include <algorithm>
#include <optional>

namespace data {
namespace {

using engine::Lane;
using engine::LaneKind;
using engine::Span;
using engine::SpanKind;

/// Collects the events of one GPU from its lanes.
class Collector {
public:
    Collector(const engine::Trace& trace, const LogFacts& facts, std::vector<LogEvent>& events)
        : m_trace(trace), m_facts(facts), m_events(events), m_sent(facts.output.tiles()),
          m_tracked(facts.output.tiles()) {}

    void addLane(const Lane& lane) {
        for (const Span& span : lane.spans) {
            switch (span.kind) {
            case SpanKind::workgroup:
                if (span.peer == engine::kOwnKernel)
                    add(LogEventKind::tileComputed, span.end, span.first);
                break;
            case SpanKind::gemmWave:
                add(LogEventKind::waveBegun, span.start, span.first);
                add(LogEventKind::waveEnded, span.end, span.first);
                break;
            case SpanKind::trackedTile:
            case SpanKind::trigger: addTracked(span); break;
            case SpanKind::dmaTransfer: addTransfer(span); break;
            case SpanKind::linkPacket:
                if (lane.kind == LaneKind::linkOut)
                    addPacket(span);
                break;
            case SpanKind::reduceScatterStep:
            case SpanKind::allGatherStep: addStep(span); break;
            case SpanKind::storeLanded:
            case SpanKind::arrivalLanded:
            case SpanKind::sumLanded: addLanding(span); break;
            case SpanKind::load:
            case SpanKind::store:
            case SpanKind::dramRead:
            case SpanKind::dramWrite:
            case SpanKind::dramPass:
            case SpanKind::collectiveWorkgroup:
            case SpanKind::companionStep:
            case SpanKind::companionTransfer:
            case SpanKind::companionPacket:
            case SpanKind::companionWave:
            case SpanKind::copy:
            case SpanKind::dramUpdate: break;
            }
        }
    }

    void addPhases() {
        const std::uint32_t recorded = m_trace.recorded(m_facts.gpu);
        if (recorded < m_trace.phases.size()) {
            const engine::PhaseTimes& phases = m_trace.phases[recorded];
            if (m_facts.output.rows != 0)
                add(LogEventKind::gemmEnded, phases.gemmEnd);
            for (const GemmPiece& piece : m_facts.pieces)
                add(LogEventKind::pieceEnded, {piece.time.end}, piece.number);
            if (m_facts.scatters) {
                add(LogEventKind::scatterBegun, phases.reduceScatterStart);
                add(LogEventKind::scatterEnded, phases.reduceScatterEnd);
            }
            if (m_facts.gathers) {
                add(LogEventKind::gatherBegun, phases.allGatherStart);
                add(LogEventKind::gatherEnded, phases.allGatherEnd);
            }
        }
        if (m_facts.gpu == 0)
            add(LogEventKind::runEnded, m_trace.end);
    }

private:
    void add(LogEventKind kind, engine::TimePoint time, std::uint32_t subject = 0, std::uint32_t detail = 0) {
        m_events.push_back(LogEvent::make(kind, time.ps, subject, detail));
    }
    void addPacket(const Span& packet) {
        if (packet.first >= m_sent.size())
            return;
        // Each collective sends a whole tile: a multiple of its size means that a new sending begins.
        std::uint32_t& sent = m_sent[packet.first];
        if (sent % m_facts.output.tileBytes[packet.first] == 0)
            add(LogEventKind::sendBegun, packet.start, packet.first);
        sent += packet.bytes;
        add(LogEventKind::packetSent, packet.end, packet.first, packet.bytes);
    }

    void addTracked(const Span& span) {
        if (span.kind == SpanKind::trackedTile && span.first < m_tracked.size()) {
            // An all-gather by DMA tracks the tiles a second time, after the reduce-scatter.
            const bool first = !m_tracked[span.first] && m_facts.parts[m_facts.chunkOfTile[span.first]].counted != 0;
            m_tracked[span.first] = true;
            const std::uint32_t gathers = first ? 0 : 1;
            add(LogEventKind::entryTaken, span.start, span.first, gathers);
            add(LogEventKind::tileClosed, span.end, span.first, gathers);
        } else if (span.kind == SpanKind::trigger) {
            if (const auto command = commandOf(span, m_triggered))
                add(LogEventKind::triggered, span.start, *command);
        }
    }

    void addStep(const Span& span) {
        const bool gathers = span.kind == SpanKind::allGatherStep;
        const bool byKernel = gathers ? !m_facts.gathersByDma : !m_facts.scattersByDma;
        const std::uint32_t step = (gathers ? Step::kGathers : 0) | (byKernel ? Step::kByKernel : 0);
        add(LogEventKind::stepBegun, span.start, span.first, step);
        add(LogEventKind::stepEnded, span.end, span.first, step);
    }

    void addLanding(const Span& span) {
        const LogEventKind kind = span.kind == SpanKind::storeLanded     ? LogEventKind::storeLanded
                                  : span.kind == SpanKind::arrivalLanded ? LogEventKind::arrivalLanded
                                                                         : LogEventKind::sumLanded;
        add(kind, span.end, span.first, span.second);
    }

    void addTransfer(const Span& span) {
        if (const auto command = commandOf(span, m_taken)) {
            add(LogEventKind::transferBegun, span.start, *command);
            add(LogEventKind::transferEnded, span.end, *command);
        }
    }

    // Returns the command of a span and marks it in `met`. Both collectives number their blocks from 0; the first span
    // of a block and chunk belongs to the reduce-scatter, because a chunk is gathered later.
    std::optional<std::uint32_t> commandOf(const Span& span, std::vector<bool>& met) const {
        met.resize(m_facts.commands.size());
        for (const std::uint32_t command : {span.first, m_facts.scatterCommands + span.first}) {
            if (command < met.size() && !met[command] && m_facts.commands[command].block == span.first &&
                m_facts.commands[command].chunk == span.second) {
                met[command] = true;
                return command;
            }
        }
        return std::nullopt;
    }

    const engine::Trace& m_trace;
    const LogFacts& m_facts;
    std::vector<LogEvent>& m_events;
    std::vector<std::uint32_t> m_sent;  // by tile: bytes that have left
    std::vector<bool> m_tracked;        // by tile: whether it has been tracked before
    std::vector<bool> m_triggered, m_taken;
};

}  // namespace

std::vector<LogEvent> eventsOf(const engine::Trace& trace, const LogFacts& facts) {
    std::vector<LogEvent> events;
    std::size_t count = 0;
    for (const Lane& lane : trace.lanes) {
        if (lane.gpu == facts.gpu && (lane.kind == LaneKind::landings || lane.kind == LaneKind::linkOut))
            count += lane.spans.size();
    }
    events.reserve(count + count / 4 + 64);
    Collector collector(trace, facts, events);
    for (const Lane& lane : trace.lanes) {
        // Loads and DRAM accesses, which are most of a trace, change no state of the replay.
        if (lane.gpu == facts.gpu && lane.kind != LaneKind::loads && lane.kind != LaneKind::dramChannel)
            collector.addLane(lane);
    }
    collector.addPhases();
    std::stable_sort(events.begin(), events.end(), [](const LogEvent& a, const LogEvent& b) { return a.before(b); });
    return events;
}

}  // namespace data
