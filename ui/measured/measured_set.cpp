#include "ui/measured/measured_set.h"

#include "data/measured/trace_reading.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <utility>

namespace ui {
namespace {

QString setText(const char* text) { return QCoreApplication::translate("MeasuredSet", text); }

/// Walks along a union; tells whether it covers the times behind a boundary. Boundaries must rise.
class UnionWalk {
public:
    explicit UnionWalk(const data::IntervalUnion& intervals) : m_intervals(intervals.intervals()) {}
    bool covers(std::int64_t ps) {
        while (m_at < m_intervals.size() && m_intervals[m_at].end <= ps)
            ++m_at;
        return m_at < m_intervals.size() && m_intervals[m_at].start <= ps;
    }

private:
    const std::vector<data::TimeInterval>& m_intervals;
    std::size_t m_at = 0;
};

QString rankName(const data::MeasuredTrace& trace) {
    return trace.rank ? setText("rank %1").arg(*trace.rank) : QFileInfo(QString::fromStdString(trace.file)).fileName();
}

/// Distributes the spans of a stream over as many rows as they need, because spans on one stream may overlap.
std::vector<std::vector<std::uint32_t>> tracksOf(const data::MeasuredTrace& trace,
                                                 const std::vector<std::uint32_t>& spans) {
    std::vector<std::vector<std::uint32_t>> tracks;
    for (const std::uint32_t span : spans) {
        const auto room = std::ranges::find_if(tracks, [&](const std::vector<std::uint32_t>& track) {
            return trace.spans[track.back()].end() <= trace.spans[span].start;
        });
        if (room == tracks.end())
            tracks.push_back({span});
        else
            room->push_back(span);
    }
    return tracks;
}

void addRows(MeasuredSet& set, std::size_t index) {
    const data::MeasuredTrace& trace = set.traces[index];
    MeasuredRow& strip = set.rows.emplace_back();
    strip.trace = index;
    strip.label = rankName(trace);
    strip.isStrip = true;
    strip.strip = stripOf(data::unionsOf(trace, set.steps));
    for (StripPiece& piece : strip.strip) {
        piece.start += set.shifts[index];
        piece.end += set.shifts[index];
    }
    const data::ChosenSteps chosen(trace, set.steps);
    std::vector<std::vector<std::uint32_t>> byStream(trace.streams.size());
    for (std::uint32_t i = 0; i < trace.spans.size(); ++i) {
        const data::MeasuredSpan& span = trace.spans[i];
        if (chosen.has(span) && span.stream < byStream.size())
            byStream[span.stream].push_back(i);
    }
    for (std::size_t stream = 0; stream < byStream.size(); ++stream) {
        for (std::vector<std::uint32_t>& track : tracksOf(trace, byStream[stream])) {
            MeasuredRow& row = set.rows.emplace_back();
            row.trace = index;
            row.label = setText("stream %1").arg(trace.streams[stream].stream);
            row.spans = std::move(track);
        }
    }
}

}  // namespace

std::vector<StripPiece> stripOf(const data::MeasuredUnions& unions) {
    std::vector<std::int64_t> edges;
    for (const data::IntervalUnion* each : {&unions.compute, &unions.communication, &unions.memory}) {
        for (const data::TimeInterval& interval : each->intervals()) {
            edges.push_back(interval.start);
            edges.push_back(interval.end);
        }
    }
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    UnionWalk compute(unions.compute), communication(unions.communication), memory(unions.memory);
    std::vector<StripPiece> pieces;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const bool c = compute.covers(edges[i]), k = communication.covers(edges[i]), m = memory.covers(edges[i]);
        if (!c && !k && !m)
            continue;
        const StripPart part = c && k ? StripPart::overlapped
                               : c    ? StripPart::compute
                               : k    ? StripPart::exposed
                                      : StripPart::memory;
        if (!pieces.empty() && pieces.back().part == part && pieces.back().end == edges[i])
            pieces.back().end = edges[i + 1];
        else
            pieces.push_back({edges[i], edges[i + 1], part});
    }
    return pieces;
}

QString MeasuredSet::fileNames() const {
    if (traces.empty())
        return {};
    const std::string& file = traces.front().file;
    const QString first = file.starts_with(data::kBundledTrace)
                              ? QString::fromStdString(file.substr(data::kBundledTrace.size()))
                              : QFileInfo(QString::fromStdString(file)).fileName();
    return traces.size() == 1 ? first : setText("%1 and %2 more").arg(first).arg(traces.size() - 1);
}

SharedMeasured measuredSetOf(SharedTraces traces, const data::StepChoice& steps) {
    auto set = std::make_shared<MeasuredSet>();
    set->read = std::move(traces);
    set->traces = *set->read;
    set->steps = steps;
    set->match = data::matchRanks(set->traces, steps);
    set->report = data::measuredReportOf(set->traces, steps, set->match);
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < set->traces.size(); ++i) {
        // Without a common clock each rank begins at its own first span.
        const data::MeasuredTrace& trace = set->traces[i];
        const data::ChosenSteps chosen(trace, steps);
        const auto span = std::ranges::find_if(trace.spans, [&](const auto& each) { return chosen.has(each); });
        const std::int64_t start = span == trace.spans.end() ? 0 : span->start;
        const std::optional<std::int64_t> shift = set->match.clocks[i].shift;
        set->shifts.push_back(i == 0 ? 0 : shift.value_or(-start));
        if (i == 0 || shift)
            first = std::min(first, start + set->shifts[i]);
    }
    for (std::size_t i = 0; i < set->shifts.size(); ++i) {
        if (i == 0 || set->match.clocks[i].shift)
            set->shifts[i] -= first;
    }
    for (std::size_t i = 0; i < set->traces.size(); ++i)
        addRows(*set, i);
    for (const MeasuredRow& row : set->rows) {
        if (row.isStrip && !row.strip.empty())
            set->end = std::max(set->end, row.strip.back().end);
    }
    return set;
}

}  // namespace ui
