#include "data/trace/chrome_trace.h"

#include "data/trace/chrome_events.h"
#include "data/trace/trace_flows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace data {
namespace {

using engine::Duration;
using engine::Lane;
using engine::LaneKind;
using engine::Span;
using engine::SpanKind;
using engine::TimePoint;

constexpr Duration kShortestDrawn{1'000};  // a nanosecond, the shortest time that viewers show

std::string chromeLaneName(const engine::Trace& trace, const Lane& lane) {
    std::string name(engine::name(lane.kind));
    const bool several = std::any_of(trace.lanes.begin(), trace.lanes.end(), [&](const Lane& other) {
        return other.gpu == lane.gpu && other.kind == lane.kind && other.index != lane.index;
    });
    return several ? name + " " + std::to_string(lane.index) : name;
}

/// Returns the pieces of the GEMM on a recorded GPU; an empty list without pieces.
const std::vector<engine::PieceTimes>& piecesOf(const engine::Trace& trace, std::uint32_t gpu) {
    static const std::vector<engine::PieceTimes> kNone;
    return gpu < trace.pieces.size() ? trace.pieces[gpu] : kNone;
}

/// Returns whether the pieces of the GEMM are written: with its waves.
bool takesPieces(const TraceChoice& choice) { return choice.lanes[static_cast<std::size_t>(LaneKind::gemmWaves)]; }

bool isTaken(const TraceChoice& choice, const Lane& lane) { return choice.lanes[static_cast<std::size_t>(lane.kind)]; }

// Returns whether a counter is the length of a queue. Running sums are not written: a sum since the start of the run
// does not describe a moment.
bool isLength(const engine::CounterSeries& series) { return !engine::isSum(series.kind); }

/// The threads of a lane's events in the file: `rows` threads from `tid` on.
struct LaneRows {
    std::uint32_t tid = 0;
    std::uint32_t rows = 1;
    std::vector<std::uint16_t> rowOf;  ///< row of each span; empty if there is one row

    std::uint32_t tidOf(std::size_t span) const { return tid + (rowOf.empty() ? 0 : rowOf[span]); }
};

constexpr const char* kPiecesName = "GEMM pieces";

/// Returns the pieces of a recorded GPU, each from its launch to its end, as a lane without kind.
Lane laneOfPieces(const engine::Trace& trace, std::uint32_t gpu) {
    Lane lane;
    lane.gpu = gpu;
    for (const engine::PieceTimes& piece : piecesOf(trace, gpu)) {
        Span span;
        span.start = piece.launched;
        span.end = piece.landed;
        lane.spans.push_back(span);
    }
    return lane;
}

Duration triggerLastsIn(const LaboratoryRun& run) {
    return std::max(run.experiment.tracker.triggerLatency, kShortestDrawn);
}

/// Puts each span into the first row that is free, so that no two spans of a row overlap. A lane whose spans never
/// overlap therefore needs one row. Precondition: spans are sorted by start.
LaneRows rowsOf(const Lane& lane, Duration triggerLasts) {
    LaneRows rows;
    std::vector<TimePoint> freeFrom(1);
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
        const Span& span = lane.spans[i];
        std::uint16_t row = 0;
        while (row < freeFrom.size() && freeFrom[row] > span.start)
            ++row;
        if (row == freeFrom.size())
            freeFrom.emplace_back();
        freeFrom[row] = span.kind == SpanKind::trigger ? span.start + triggerLasts : span.end;
        if (row > 0 && rows.rowOf.empty())
            rows.rowOf.resize(lane.spans.size());
        if (row > 0)
            rows.rowOf[i] = row;
    }
    rows.rows = static_cast<std::uint32_t>(freeFrom.size());
    return rows;
}

class Writer {
public:
    Writer(const LaboratoryRun& run, const TraceChoice& choice, const TraceWatch& watch, ChromeEvents::Sink sink)
        : m_run(run), m_trace(*run.result.trace), m_choice(choice), m_watch(watch), m_triggerLasts(triggerLastsIn(run)),
          m_events([this, sink = std::move(sink)](std::string_view piece) {
              report();
              sink(piece);
          }) {
        for (const Lane& lane : m_trace.lanes)
            m_all += isTaken(choice, lane) ? lane.spans.size() : 0;
    }

    void write() {
        m_events.open(headOf(m_run, m_choice));
        m_rows.resize(m_trace.lanes.size());
        if (m_choice.path && m_run.result.path)
            writePath();
        std::optional<std::uint32_t> gpu;
        for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) {
            const Lane& lane = m_trace.lanes[i];
            if (!isTaken(m_choice, lane))
                continue;
            if (gpu != lane.gpu)
                beginGpu(lane.gpu);
            gpu = lane.gpu;
            writeLane(i);
        }
        if (m_choice.counters)
            writeCounters();
        if (m_choice.arrows)
            writeArrows();
        m_events.close();
        if (m_watch.progress)
            m_watch.progress(1);
    }

    static std::string headOf(const LaboratoryRun& run, const TraceChoice& choice);

private:
    void report() {
        if (m_watch.stop.stop_requested())
            throw engine::RunStopped();
        if (m_watch.progress && m_all > 0)
            m_watch.progress(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_all)));
    }

    void beginGpu(std::uint32_t gpu) {
        m_events.nameProcess(gpu, "GPU " + std::to_string(gpu) + (m_trace.mirrored ? " (stands for all)" : ""),
                             gpu + 1);
        if (takesPieces(m_choice))
            writePieces(gpu);
    }

    void writePieces(std::uint32_t gpu) {
        const std::vector<engine::PieceTimes>& pieces = piecesOf(m_trace, gpu);
        if (pieces.empty())
            return;
        const LaneRows rows = openRows(laneOfPieces(m_trace, gpu), kPiecesName);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            m_events.piece(gpu, rows.tidOf(i), static_cast<std::uint32_t>(i + 1), pieces[i]);
    }

    // Writes the critical path. Its process has the number after the last GPU, but viewers show it before the GPUs.
    void writePath() {
        const std::uint32_t pid = std::max(m_trace.gpus, 1u);
        m_events.nameProcess(pid, "Critical path", 0);
        m_events.nameThread(pid, 1, "why it is not over yet");
        for (const engine::PathStep& step : m_run.result.path->steps) {
            if (step.start < step.end)
                m_events.step(pid, 1, step);
        }
    }

    void writeLane(std::size_t index) {
        const Lane& lane = m_trace.lanes[index];
        LaneRows& rows = m_rows[index];
        rows = openRows(lane, chromeLaneName(m_trace, lane));
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            const std::uint32_t tid = rows.tidOf(i);
            if (lane.spans[i].kind == SpanKind::trigger)
                m_events.trigger(lane.gpu, tid, lane.spans[i], m_triggerLasts);
            else
                m_events.span(lane.gpu, tid, lane.spans[i]);
            ++m_done;
        }
        // Only tracker and DMA engines have arrows; the rows of the rest are not needed again.
        if (lane.kind != LaneKind::tracker && lane.kind != LaneKind::dma)
            rows.rowOf = {};
    }

    /// Returns the threads of a lane, after it has named them.
    LaneRows openRows(const Lane& lane, const std::string& name) {
        LaneRows rows = rowsOf(lane, m_triggerLasts);
        rows.tid = m_nextTid;
        m_nextTid += rows.rows;
        for (std::uint32_t row = 0; row < rows.rows; ++row)
            m_events.nameThread(lane.gpu, rows.tid + row,
                                rows.rows == 1 ? name : name + " · row " + std::to_string(row + 1));
        return rows;
    }

    void writeCounters() {
        for (const engine::CounterSeries& series : m_trace.counters) {
            if (!isLength(series))
                continue;
            for (const engine::CounterSample& sample : series.samples)
                m_events.sample(series.gpu, engine::name(series.kind), sample);
        }
    }

    // Writes the arrows: from the start of the trigger through the start of the transfer to the update, when its last
    // byte has landed. The last end is two nanoseconds early, since viewers truncate times to whole nanoseconds.
    void writeArrows() {
        constexpr std::int64_t kBeforeEnd = 2'000;
        if (!m_choice.lanes[static_cast<std::size_t>(LaneKind::tracker)] ||
            !m_choice.lanes[static_cast<std::size_t>(LaneKind::dma)])
            return;
        std::uint32_t id = 0;
        for (const TraceFlow& flow : flowsOf(m_trace, m_run.experiment)) {
            ++id;
            arrow(ChromeEvents::Arrow::begins, id, flow.trigger, at(flow.trigger).start.ps);
            const std::int64_t sent = at(flow.transfer).start.ps;
            arrow(flow.landed ? ChromeEvents::Arrow::passes : ChromeEvents::Arrow::ends, id, flow.transfer, sent);
            if (!flow.landed)
                continue;
            const Span& landed = at(*flow.landed);
            arrow(ChromeEvents::Arrow::ends, id, *flow.landed,
                  std::max({sent, landed.start.ps, landed.end.ps - kBeforeEnd}));
        }
    }

    const Span& at(engine::SpanPlace place) const { return m_trace.span(place); }

    void arrow(ChromeEvents::Arrow part, std::uint32_t id, engine::SpanPlace place, std::int64_t ps) {
        m_events.arrow(part, id, m_trace.lanes[place.lane].gpu, m_rows[place.lane].tidOf(place.span), ps);
    }

    const LaboratoryRun& m_run;
    const engine::Trace& m_trace;
    const TraceChoice& m_choice;
    const TraceWatch& m_watch;
    Duration m_triggerLasts;
    ChromeEvents m_events;
    std::vector<LaneRows> m_rows;  // by lane
    std::uint32_t m_nextTid = 1;
    std::size_t m_all = 0, m_done = 0;
};

std::string oneLine(const std::string& pretty) {
    std::string text;
    for (std::size_t i = 0; i < pretty.size(); ++i) {
        // Line breaks inside strings are escaped, so every line break here is between values.
        if (pretty[i] == '\n')
            i = std::min(pretty.find_first_not_of(' ', i + 1), pretty.size()) - 1;
        else
            text += pretty[i];
    }
    return text;
}

std::string Writer::headOf(const LaboratoryRun& run, const TraceChoice& choice) {
    std::string without;
    for (const TracePart& part : traceParts()) {
        if (!isChosen(choice, part))
            without += (without.empty() ? "\"" : ",\"") + std::string(part.name) + "\"";
    }
    const bool path = choice.path && run.result.path != nullptr;
    return R"({"displayTimeUnit":"ns","otherData":{"title":)" + quotedJson(run.name) +
           R"(,"clock":"simulated time; 1 tick is 1 ps","format":"ringside-trace","version":1,"engine_version":)" +
           quotedJson(engine::engineVersion()) + R"(,"experiment_hash":)" + quotedJson(run.hash) +
           R"(,"critical_path":)" + (path ? "true" : "false") + ",\"without\":[" + without +
           "],\"draft\":" + oneLine(writeDraft(run.draft)) +
           ",\"experiment\":" + oneLine(writeExperiment(run.experiment)) + "},\"traceEvents\":[";
}

/// Estimates the bytes of a list of events from every n-th of them.
template <class List, class Write>
std::int64_t estimatedBytes(const List& list, const Write& write) {
    constexpr std::size_t kLookedAt = 400;
    if (list.empty())
        return 0;
    const std::size_t every = std::max<std::size_t>(1, list.size() / kLookedAt);
    ChromeEvents events([](std::string_view) {});
    std::size_t looked = 0;
    for (std::size_t i = every / 2; i < list.size(); i += every, ++looked)
        write(events, list[i]);
    return events.size() * static_cast<std::int64_t>(list.size()) /
           static_cast<std::int64_t>(std::max<std::size_t>(1, looked));
}

/// Estimates the bytes of the pieces of all GPUs. `tid` is advanced past the last thread.
std::int64_t estimatedPieces(const LaboratoryRun& run, std::uint32_t& tid) {
    ChromeEvents events([](std::string_view) {});
    for (std::uint32_t gpu = 0; gpu < run.result.trace->pieces.size(); ++gpu) {
        const std::vector<engine::PieceTimes>& pieces = piecesOf(*run.result.trace, gpu);
        const std::uint32_t rows = rowsOf(laneOfPieces(*run.result.trace, gpu), {}).rows;
        for (std::uint32_t row = 0; row < rows; ++row)
            events.nameThread(gpu, tid++, kPiecesName);
        for (std::uint32_t i = 0; i < pieces.size(); ++i)
            events.piece(gpu, tid, i + 1, pieces[i]);
    }
    return events.size();
}

/// Estimates the bytes of a lane. `tid` is the number of its first thread, and is advanced past its last one.
std::int64_t estimatedLane(const LaboratoryRun& run, const Lane& lane, std::uint32_t& tid) {
    // In a lane with more spans, the bytes of the names of its rows are negligible.
    constexpr std::size_t kNamesCount = 20'000;
    const Duration triggerLasts = triggerLastsIn(run);
    const std::uint32_t rows = lane.spans.size() < kNamesCount ? rowsOf(lane, triggerLasts).rows : 1;
    const std::uint32_t middle = tid + rows / 2;
    tid += rows;
    const std::string name = chromeLaneName(*run.result.trace, lane) + (rows > 1 ? " · row 10" : "");
    return estimatedBytes(std::vector<int>(rows),
                          [&](ChromeEvents& events, int) { events.nameThread(lane.gpu, middle, name); }) +
           estimatedBytes(lane.spans, [&](ChromeEvents& events, const Span& span) {
               if (span.kind == SpanKind::trigger)
                   events.trigger(lane.gpu, middle, span, triggerLasts);
               else
                   events.span(lane.gpu, middle, span);
           });
}

std::int64_t estimatedArrows(const engine::Trace& trace, const TraceChoice& choice, std::uint32_t tid) {
    std::int64_t bytes = 0;
    for (const Lane& lane : trace.lanes) {
        if (lane.kind == LaneKind::dma && isTaken(choice, lane) &&
            choice.lanes[static_cast<std::size_t>(LaneKind::tracker)])
            bytes += estimatedBytes(lane.spans, [&](ChromeEvents& events, const Span& span) {
                using Arrow = ChromeEvents::Arrow;
                for (const Arrow part : {Arrow::begins, Arrow::passes, Arrow::ends})
                    events.arrow(part, 1000, lane.gpu, tid / 2, span.start.ps);
            });
    }
    return bytes;
}

}  // namespace

const std::vector<TracePart>& traceParts() {
    static const std::vector<TracePart> kParts{
        {"workgroups", "GEMM pieces, waves and workgroups", {LaneKind::gemmWaves, LaneKind::workgroupSlot}},
        {"loads", "Loads", {LaneKind::loads}},
        {"stores", "Stores", {LaneKind::stores}},
        {"tracker", "Tracker", {LaneKind::tracker}},
        {"dma", "DMA engines", {LaneKind::dma}},
        {"links", "Packets on links", {LaneKind::linkOut, LaneKind::linkIn}},
        {"dram", "DRAM requests", {LaneKind::dramChannel}},
        {"landings", "Writes landed in memory", {LaneKind::landings}},
        {"collectives", "Steps of the collectives", {LaneKind::reduceScatter, LaneKind::allGather}},
        {"companion", "Work of the companion", {LaneKind::companion}},
        {"counters", "Queue lengths", {}, &TraceChoice::counters},
        {"arrows", "Arrows from trigger to transfer to update", {}, &TraceChoice::arrows},
        {"path", "The critical path", {}, &TraceChoice::path}};
    return kParts;
}

bool isChosen(const TraceChoice& choice, const TracePart& part) {
    return part.other != nullptr ? choice.*part.other : choice.lanes[static_cast<std::size_t>(part.lanes.front())];
}

void choose(TraceChoice& choice, const TracePart& part, bool chosen) {
    if (part.other != nullptr)
        choice.*part.other = chosen;
    for (const LaneKind lane : part.lanes)
        choice.lanes[static_cast<std::size_t>(lane)] = chosen;
}

void writeChromeTrace(const LaboratoryRun& run, const std::function<void(std::string_view)>& sink,
                      const TraceChoice& choice, const TraceWatch& watch) {
    Writer(run, choice, watch, sink).write();
}

void writeChromeTrace(const LaboratoryRun& run, std::ostream& out, const TraceChoice& choice, const TraceWatch& watch) {
    writeChromeTrace(
        run, [&out](std::string_view piece) { out.write(piece.data(), static_cast<std::streamsize>(piece.size())); },
        choice, watch);
}

std::int64_t estimatedTraceSize(const LaboratoryRun& run, const TraceChoice& choice) {
    const engine::Trace& trace = *run.result.trace;
    auto bytes = static_cast<std::int64_t>(Writer::headOf(run, choice).size());
    std::uint32_t tid = 1;
    if (takesPieces(choice))
        bytes += estimatedPieces(run, tid);
    for (const Lane& lane : trace.lanes) {
        if (isTaken(choice, lane))
            bytes += estimatedLane(run, lane, tid);
    }
    for (const engine::CounterSeries& series : trace.counters) {
        if (choice.counters && isLength(series))
            bytes += estimatedBytes(series.samples, [&](ChromeEvents& events, const engine::CounterSample& sample) {
                events.sample(series.gpu, engine::name(series.kind), sample);
            });
    }
    if (choice.path && run.result.path)
        bytes += estimatedBytes(run.result.path->steps, [&](ChromeEvents& events, const engine::PathStep& step) {
            events.step(trace.gpus, 1, step);
        });
    return choice.arrows ? bytes + estimatedArrows(trace, choice, tid) : bytes;
}

}  // namespace data
