#include "data/chrome_trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace data {
namespace {

using engine::Lane;
using engine::Span;
using engine::SpanKind;
using engine::TimePoint;

std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// What `first` and `second` of a span of this kind mean (engine/api/trace.h), as argument names; empty: nothing.
std::array<std::string_view, 2> argumentNames(SpanKind kind) {
    switch (kind) {
    case SpanKind::gemmWave: return {"wave", "workgroups"};
    case SpanKind::workgroup: return {"tile", "position"};
    case SpanKind::load: return {"tile", "k_step"};
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::linkPacket: return {"tile", "chunk"};
    case SpanKind::trigger:
    case SpanKind::dmaTransfer: return {"block", "chunk"};
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate: return {"stream", "chunk"};
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return {"step", "chunk"};
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return {"tile", "granule"};
    }
    return {};
}

/// Writes the events one by one: a trace has hundreds of thousands, too many for a tree in memory.
class Writer {
public:
    explicit Writer(std::ostream& out) : m_out(out) {}

    void open(std::string_view title) {
        m_out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":" << quoted(title)
              << ",\"clock\":\"simulated time; 1 tick is 1 ps\"},\"traceEvents\":[";
    }
    void close() { m_out << "\n]}\n"; }

    void nameProcess(std::uint32_t pid, const std::string& name) { metadata("process_name", pid, 0, name); }
    void nameThread(std::uint32_t pid, std::uint32_t tid, const std::string& name) {
        metadata("thread_name", pid, tid, name);
        begin();
        m_out << R"({"ph":"M","name":"thread_sort_index","pid":)" << pid << ",\"tid\":" << tid
              << ",\"args\":{\"sort_index\":" << tid << "}}";
    }

    void span(std::uint32_t pid, std::uint32_t tid, const Span& span) {
        begin();
        const bool instant = span.start == span.end;
        m_out << (instant ? R"({"ph":"i","s":"t","name":)" : R"({"ph":"X","name":)") << quoted(engine::name(span.kind))
              << ",\"pid\":" << pid << ",\"tid\":" << tid << ",\"ts\":" << microseconds(span.start.ps);
        if (!instant)
            m_out << ",\"dur\":" << microseconds((span.end - span.start).ps);
        const auto names = argumentNames(span.kind);
        m_out << ",\"args\":{";
        argument(names[0], span.first, true);
        argument(names[1], span.second, false);
        if (span.bytes != 0)
            m_out << ",\"bytes\":" << span.bytes;
        m_out << "}}";
    }

    void sample(std::uint32_t pid, std::string_view name, TimePoint time, std::int64_t value) {
        begin();
        m_out << R"({"ph":"C","name":)" << quoted(name) << ",\"pid\":" << pid << ",\"ts\":" << microseconds(time.ps)
              << ",\"args\":{\"value\":" << value << "}}";
    }

private:
    void begin() {
        m_out << (m_first ? "\n" : ",\n");
        m_first = false;
    }

    void metadata(const char* what, std::uint32_t pid, std::uint32_t tid, const std::string& name) {
        begin();
        m_out << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << pid << ",\"tid\":" << tid
              << ",\"args\":{\"name\":" << quoted(name) << "}}";
    }

    void argument(std::string_view name, std::uint32_t value, bool first) {
        if (value == engine::kNone && !first)
            return;
        m_out << (first ? "\"" : ",\"") << name << "\":";
        if (name == "stream") {
            m_out << (value == static_cast<std::uint32_t>(engine::Stream::compute) ? "\"compute\""
                                                                                   : "\"communication\"");
        } else {
            m_out << value;
        }
    }

    /// Picoseconds as microseconds, digit by digit: a double would lose picoseconds.
    static std::string microseconds(std::int64_t ps) {
        constexpr std::int64_t kPerMicrosecond = 1'000'000;
        std::string fraction = std::to_string(ps % kPerMicrosecond);
        fraction.insert(0, 6 - fraction.size(), '0');
        return std::to_string(ps / kPerMicrosecond) + "." + fraction;
    }

    std::ostream& m_out;
    bool m_first = true;
};

std::string laneName(const Lane& lane, bool several) {
    std::string name(engine::name(lane.kind));
    if (several)
        name += " " + std::to_string(lane.index);
    return name;
}

bool hasSiblings(const engine::Trace& trace, const Lane& lane) {
    for (const Lane& other : trace.lanes) {
        if (other.gpu == lane.gpu && other.kind == lane.kind && other.index != lane.index)
            return true;
    }
    return false;
}

/// The row of each span, so that no two spans of a row overlap: the first row that is free again, as a person would
/// fill them. Spans are sorted by start.
std::vector<std::uint32_t> rowsOf(const std::vector<Span>& spans) {
    std::vector<TimePoint> freeFrom;
    std::vector<std::uint32_t> rows;
    rows.reserve(spans.size());
    for (const Span& span : spans) {
        std::uint32_t row = 0;
        while (row < freeFrom.size() && freeFrom[row] > span.start)
            ++row;
        if (row == freeFrom.size())
            freeFrom.emplace_back();
        freeFrom[row] = span.end;
        rows.push_back(row);
    }
    return rows;
}

/// Writes a lane on the threads from `tid` on; returns the first thread that is free behind it.
std::uint32_t writeLane(Writer& writer, const Lane& lane, const std::string& name, std::uint32_t tid) {
    // Exclusive lanes take one row by this very rule; that they promise it is for the invariants to check, not for us
    // to rely on.
    const std::vector<std::uint32_t> rows = rowsOf(lane.spans);
    std::uint32_t count = 1;
    for (const std::uint32_t row : rows)
        count = std::max(count, row + 1);
    for (std::uint32_t row = 0; row < count; ++row)
        writer.nameThread(lane.gpu, tid + row, count == 1 ? name : name + " · row " + std::to_string(row + 1));
    for (std::size_t i = 0; i < lane.spans.size(); ++i)
        writer.span(lane.gpu, tid + rows[i], lane.spans[i]);
    return tid + count;
}

}  // namespace

void writeChromeTrace(const engine::Trace& trace, std::string_view title, std::ostream& out) {
    Writer writer(out);
    writer.open(title);
    std::uint32_t tid = 1;
    bool first = true;
    std::uint32_t gpu = 0;
    for (const Lane& lane : trace.lanes) {
        if (first || lane.gpu != gpu) {
            gpu = lane.gpu;
            first = false;
            writer.nameProcess(gpu, "GPU " + std::to_string(gpu) + (trace.mirrored ? " (stands for all)" : ""));
        }
        tid = writeLane(writer, lane, laneName(lane, hasSiblings(trace, lane)), tid);
    }
    for (const engine::CounterSeries& series : trace.counters) {
        for (const engine::CounterSample& sample : series.samples)
            writer.sample(series.gpu, engine::name(series.kind), sample.time, sample.value);
    }
    writer.close();
}

}  // namespace data
