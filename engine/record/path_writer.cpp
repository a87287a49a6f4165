#include "engine/record/path_writer.h"

#include <algorithm>

namespace engine {

namespace {

// The service of a channel between two times, before it served a request.
struct ServedMeanwhile {
    Duration other;  // of the other stream or another kernel, and changes between requests and a pass inside memory
    std::int64_t ownBytes = 0, otherBytes = 0;
    std::uint32_t first = 0;  // of the spans in between
};

// Returns the time after `from` in which a channel changed between requests and a pass inside memory before it served
// span `i`.
Duration switchBefore(const std::vector<Span>& channel, std::uint32_t i, TimePoint from, Duration switchTime) {
    const auto isPass = [&](std::uint32_t at) { return channel[at].kind == SpanKind::dramPass; };
    if (isPass(i) == (i > 0 && isPass(i - 1)))
        return {};
    const TimePoint before = std::max(from, i > 0 ? channel[i - 1].end : TimePoint{});
    return std::max(Duration{}, std::min(switchTime, channel[i].start - before));
}

ServedMeanwhile servedBefore(const std::vector<Span>& channel, std::uint32_t request, TimePoint from,
                             Duration switchTime) {
    ServedMeanwhile served;
    served.first = request;
    if (channel[request].kind != SpanKind::dramPass)
        served.other += switchBefore(channel, request, from, switchTime);
    for (std::uint32_t i = request; i-- > 0 && channel[i].end > from;) {
        served.first = i;
        const bool own = channel[i].first == channel[request].first && channel[i].peer == channel[request].peer;
        (own ? served.ownBytes : served.otherBytes) += channel[i].bytes;
        if (!own)
            served.other += channel[i].end - std::max(channel[i].start, from);
        if (channel[request].kind != SpanKind::dramPass)
            served.other += switchBefore(channel, i, from, switchTime);
    }
    return served;
}

}  // namespace

void PathWriter::add(const Enabling& edge) {
    m_computing.clear();
    if (edge.later.kind == VertexKind::loaded) {
        m_computedBy = m_graph.workgroupOf(edge.later);
        if (m_computedBy.lane != kNone)
            m_computing = m_graph.computingOf(edge.later, m_computedBy, edge.earlier.at, m_cursor);
        Duration idle = m_cursor - edge.earlier.at;
        for (const Busy& busy : m_computing)
            idle = idle - (busy.to - busy.from);
        if (idle.ps > 0) {
            const Span& load = m_graph.lanes().span(edge.later.place);
            m_loadTime += load.end - load.start;
            ++m_loads;
        }
    }
    if (edge.request.lane != kNone) {
        throughMemory(edge);
        beforeMemory(edge);
    } else {
        direct(edge);
    }
    if (edge.earlier.at < m_cursor)
        stretch(edge.later, edge.earlier.at, unknown());
}

std::vector<PathStep> PathWriter::take() {
    if (TimePoint{} < m_cursor)
        stretch(m_graph.end(), {}, unknown());
    std::reverse(m_steps.begin(), m_steps.end());
    return std::move(m_steps);
}

// Adds the time from `from` to the cursor. The parts of it in which the CU computes are compute.
void PathWriter::stretch(const CauseVertex& of, TimePoint from, StepCause part) {
    while (!m_computing.empty() && m_computing.back().to > from) {
        const Busy busy = m_computing.back();
        if (busy.to < m_cursor) {
            add(of, busy.to, part);
            part.bytes = 0;
        }
        add(of, std::max(busy.from, from), stepCause(Cause::compute, PathAct::computes, m_computedBy));
        if (busy.from < from)
            return;  // the rest belongs to what is added next
        m_computing.pop_back();
    }
    add(of, from, part);
}

// Adds the time from `from` to the cursor, as a step of its own or to its neighbour, and moves the cursor back to
// `from`. Does nothing if the cursor is not later than `from`.
void PathWriter::add(const CauseVertex& of, TimePoint from, StepCause part) {
    from = std::max(from, TimePoint{});
    if (from >= m_cursor)
        return;
    // All causes of the companion's steps become `companion`, except contention and dispatch.
    if (of.phase == WorkPhase::companion && part.cause != Cause::contention && part.cause != Cause::dispatch)
        part.cause = Cause::companion;
    if (!m_steps.empty() && joins(m_steps.back(), of, part)) {
        PathStep& step = m_steps.back();
        step.start = from;
        step.bytes += part.bytes;
        if (step.lane == part.place.lane) {
            step.firstSpan = std::min(step.firstSpan, part.place.span);
            step.lastSpan = std::max(step.lastSpan, part.place.span);
        }
    } else {
        m_steps.push_back({from, m_cursor, part.cause, of.phase, part.act, of.gpu, part.place.lane, part.place.span,
                           part.place.span, part.bytes});
    }
    m_cursor = from;
}

// Returns whether `part` continues `step`. Workgroups of one CU take turns in its pipe; their K-steps are joined into
// one step of the path.
bool PathWriter::joins(const PathStep& step, const CauseVertex& of, const StepCause& part) const {
    if (step.cause != part.cause || step.act != part.act || step.phase != of.phase || step.gpu != of.gpu)
        return false;
    if (step.lane == part.place.lane)
        return part.act == PathAct::computes || part.act == PathAct::sends || part.act == PathAct::waits ||
               part.act == PathAct::travels || step.firstSpan == part.place.span;
    return part.act == PathAct::computes && m_graph.onOneCu(step.lane, part.place.lane);
}

PathWriter::StepCause PathWriter::stepCause(Cause cause, PathAct act, SpanPlace place, bool withBytes) const {
    return {cause, act, place, withBytes ? m_graph.lanes().span(place).bytes : 0};
}

// Adds the time from the request of data to their arrival.
void PathWriter::throughMemory(const Enabling& edge) {
    if (edge.later.kind == VertexKind::setFreed)  // the older tile held the entry until its last update was in memory
        return stretch(edge.later, std::max(edge.asked, edge.earlier.at),
                       {Cause::trackerDma, PathAct::waitsForSet, m_graph.trackedTile(edge.later), 0});
    const Span& request = m_graph.lanes().span(edge.request);
    const TimePoint asked = std::max(edge.asked, edge.earlier.at);
    const SpanPlace place = edge.later.kind == VertexKind::loaded ? edge.later.place : edge.request;
    const bool reads = edge.later.kind == VertexKind::loaded || request.kind == SpanKind::dramRead;
    const PathAct act = reads ? PathAct::loads : PathAct::stores;
    const StepCause latency{Cause::latency, act, place, 0};
    StepCause own{Cause::memory, act, place, 0};
    if (edge.later.kind == VertexKind::loaded) {
        const TimePoint cached = m_graph.cachedAt(edge.later);
        stretch(edge.later, edge.later.at - m_graph.experiment().llc.latency, latency);
        stretch(edge.later, cached, {Cause::cacheSlices, PathAct::passesCache, place, 0});
        if (cached < request.end + m_graph.experiment().memory.latency)  // a hit, which waited in its slice until then
            own = {Cause::cacheSlices, PathAct::passesCache, place, 0};
    }
    stretch(edge.later, request.end, latency);
    stretch(edge.later, std::max(request.start, asked), own);
    if (asked < request.start)
        behindOthers(edge, asked, own);
}

// The spans that the channel served since `asked` show what it did before. If it served none during a wait (it turned
// around, or opened a row), the wait belongs to the request itself.
void PathWriter::behindOthers(const Enabling& edge, TimePoint asked, const StepCause& own) {
    const std::vector<Span>& channel = m_graph.lanes().spans(edge.request.lane);
    const ServedMeanwhile served =
        servedBefore(channel, edge.request.span, asked, m_graph.experiment().pass.switchTime);
    const auto behind = [&](TimePoint from, const StepCause& part) {
        const std::size_t before = m_steps.size();
        stretch(edge.later, from, part);
        if (m_steps.size() > before)
            m_steps.back().firstSpan = served.first;
    };
    const TimePoint since = asked + served.other;
    if (served.ownBytes > 0 && own.cause == Cause::memory)
        behind(since, {Cause::memory, PathAct::behindStream, edge.request, served.ownBytes});
    else
        stretch(edge.later, since, own);
    behind(asked, {Cause::contention, PathAct::behindOther, edge.request, served.otherBytes});
}

// Adds the time between the cause of a request and the request itself.
void PathWriter::beforeMemory(const Enabling& edge) {
    switch (edge.earlier.kind) {
    case VertexKind::arrived:
        // A kernel waits for the flag of a piece, or copies it out of a buffer.
        if (!m_graph.byDma(edge.later.phase))
            return stretch(edge.later, edge.earlier.at, {Cause::collectiveKernel, PathAct::paces, {}, 0});
        [[fallthrough]];
    case VertexKind::released:
        return stretch(edge.later, edge.earlier.at, {Cause::trackerDma, PathAct::waitsForSet, {}, 0});
    case VertexKind::gemmEnded: return sinceProduced(edge.later, edge.earlier.at);
    case VertexKind::landed:  // a kernel handled a piece before it added up its sum
        if (edge.earlier.phase == WorkPhase::gemm)
            return sinceProduced(edge.later, edge.earlier.at);
        if (m_graph.experiment().collective.piece)
            stretch(edge.later, edge.earlier.at, {Cause::collectiveKernel, PathAct::paces, {}, 0});
        return;
    case VertexKind::stepBegun: return pacedIssue(edge.later, edge.earlier, edge.earlier.at);
    case VertexKind::runBegun:  // on a GPU that begins late
        if (edge.later.kind == VertexKind::passed)
            stretch(edge.later, edge.earlier.at, {Cause::dispatch, PathAct::begins, {}, 0});
        return;
    default: break;
    }
}

// Adds the time since output was in memory that a collective kernel takes while it is produced: first its signal, then
// the kernel's pace.
void PathWriter::sinceProduced(const CauseVertex& of, TimePoint landed) {
    stretch(of, landed + m_graph.experiment().policy.signalLatency,
            {Cause::collectiveKernel, PathAct::paces, of.kind == VertexKind::stepEnded ? of.place : SpanPlace{}, 0});
    stretch(of, landed, {Cause::dispatch, PathAct::begins, {}, 0});
}

// Adds the time before a collective kernel issued a granule. Its CUs issue granule after granule, the first one after
// the kernel's start latency.
void PathWriter::pacedIssue(const CauseVertex& of, const CauseVertex& step, TimePoint from) {
    const std::uint32_t firstOwn = m_graph.byCopies() ? 1 : 0;  // by copies its kernel begins with the sums
    const bool first =
        of.phase == WorkPhase::companion ? m_graph.lanes().span(step.place).first == 1 : step.place.span == firstOwn;
    const TimePoint begun = first ? from + m_graph.experiment().collective.startLatency : from;
    stretch(of, begun, stepCause(Cause::collectiveKernel, PathAct::paces, step.place));
    stretch(of, from, stepCause(Cause::dispatch, PathAct::begins, step.place));
}

void PathWriter::direct(const Enabling& edge) {
    const CauseVertex &later = edge.later, &earlier = edge.earlier;
    const auto spanStart = [&] { return m_graph.lanes().span(later.place).start; };
    switch (later.kind) {
    case VertexKind::computed:
        return stretch(later, earlier.at, stepCause(Cause::compute, PathAct::computes, later.place));
    case VertexKind::released: {
        if (earlier.kind == VertexKind::setFreed)
            return;
        const TimePoint stored = earlier.at + m_graph.experiment().gemm.epilogue;
        stretch(later, stored, {Cause::trackerDma, PathAct::waitsForSet, later.place, 0});
        return stretch(later, earlier.at, stepCause(Cause::compute, PathAct::computes, later.place));
    }
    case VertexKind::loaded: {
        // All data were in the cache.
        const StepCause latency = stepCause(Cause::latency, PathAct::loads, later.place);
        stretch(later, std::max(earlier.at, later.at - m_graph.experiment().llc.latency), latency);
        const bool passes = m_graph.experiment().llc.bandwidth.has_value();
        return stretch(later, earlier.at,
                       passes ? stepCause(Cause::cacheSlices, PathAct::passesCache, later.place) : latency);
    }
    case VertexKind::workgroupBegun:
        return stretch(later, earlier.at, stepCause(Cause::dispatch, PathAct::startsWorkgroup, later.place));
    case VertexKind::sent:
        stretch(later, std::max(earlier.at, spanStart()), stepCause(Cause::link, PathAct::sends, later.place, true));
        if (m_graph.experiment().tracker.heldBytes)  // until then it waited for a credit
            stretch(later, earlier.at, {Cause::trackerDma, PathAct::waitsForSet, {}, 0});
        return;
    case VertexKind::arrived: return stretch(later, earlier.at, stepCause(Cause::link, PathAct::travels, later.place));
    case VertexKind::triggered:
        return stretch(later, earlier.at, stepCause(Cause::trackerDma, PathAct::triggers, later.place));
    case VertexKind::taken:
        return stretch(later, earlier.at, stepCause(Cause::trackerDma, PathAct::waitsForEngine, later.place));
    case VertexKind::stepBegun:  // the kernel was ready, but not launched or without room
        return stretch(later, earlier.at, stepCause(Cause::dispatch, PathAct::begins, later.place));
    case VertexKind::stepEnded:
        if (earlier.kind == VertexKind::stepBegun)
            pacedIssue(later, earlier, earlier.at);
        else if (earlier.phase == WorkPhase::gemm)
            sinceProduced(later, earlier.at);
        if (earlier.kind == VertexKind::landed)  // the kernel handled a piece
            stretch(later, earlier.at, stepCause(Cause::collectiveKernel, PathAct::paces, later.place));
        return;
    case VertexKind::collectiveBegun:
        // On a GPU that begins late, or until the signal of the first output.
        if (earlier.kind == VertexKind::runBegun || m_graph.experiment().policy.signalLatency.ps > 0)
            stretch(later, earlier.at, {Cause::dispatch, PathAct::begins, {}, 0});
        return;
    default: return;
    }
}

}  // namespace engine
