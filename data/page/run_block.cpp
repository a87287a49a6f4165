#include "data/page/run_block.h"

#include "data/replay/kernel_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <vector>

namespace data {
namespace {

using BlockJson = nlohmann::ordered_json;
using engine::Lane;
using engine::Span;

/// Returns a number that may be kNone, as the block writes it.
std::int64_t numberOrNone(std::uint32_t number) {
    return number == engine::kNone ? -1 : static_cast<std::int64_t>(number);
}

/// The columns of one section. Each column is written to the end of the sections, and its length is kept for the header.
class SectionWriter {
public:
    explicit SectionWriter(std::string& out) : m_out(out) {}

    void number(std::int64_t value) {
        auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
        for (; bits >= 128; bits >>= 7)
            m_out.push_back(static_cast<char>((bits & 127) | 128));
        m_out.push_back(static_cast<char>(bits));
    }
    void byte(std::uint8_t value) { m_out.push_back(static_cast<char>(value)); }
    void endColumn() {
        m_lengths.push_back(m_out.size() - m_begin);
        m_begin = m_out.size();
    }
    BlockJson lengths() const { return m_lengths; }

private:
    std::string& m_out;
    std::size_t m_begin = m_out.size();
    std::vector<std::size_t> m_lengths;
};

/// Writes one column: a number of each entry of a list, minus that of the entry before.
template <class Entries, class NumberOf>
void writeDifferences(SectionWriter& section, const Entries& entries, const NumberOf& numberOf) {
    std::int64_t before = 0;
    for (const auto& entry : entries) {
        const std::int64_t number = numberOf(entry);
        section.number(number - before);
        before = number;
    }
    section.endColumn();
}

/// Writes one column: a number of each entry of a list.
template <class Entries, class NumberOf>
void writeNumbers(SectionWriter& section, const Entries& entries, const NumberOf& numberOf) {
    for (const auto& entry : entries)
        section.number(numberOf(entry));
    section.endColumn();
}

void writeSpans(SectionWriter& section, const std::vector<Span>& spans, bool exclusive) {
    std::int64_t before = 0;
    for (const Span& span : spans) {
        section.number(span.start.ps - before);
        before = exclusive ? span.end.ps : span.start.ps;
    }
    section.endColumn();
    writeNumbers(section, spans, [](const Span& span) { return (span.end - span.start).ps; });
    writeDifferences(section, spans, [](const Span& span) { return numberOrNone(span.first); });
    writeDifferences(section, spans, [](const Span& span) { return numberOrNone(span.second); });
    writeNumbers(section, spans, [](const Span& span) { return static_cast<std::int64_t>(span.bytes); });
    for (const Span& span : spans) {
        section.byte(static_cast<std::uint8_t>(span.kind));
        section.byte(span.peer);
    }
    section.endColumn();
}

BlockJson laneHeader(const Lane& lane, const char* form, std::size_t count) {
    return {{"gpu", lane.gpu},     {"kind", static_cast<int>(lane.kind)},
            {"index", lane.index}, {"exclusive", lane.exclusive},
            {"form", form},        {"count", count}};
}

BlockJson writeLane(const Lane& lane, const std::vector<Span>& spans, std::string& sections) {
    SectionWriter section(sections);
    writeSpans(section, spans, lane.exclusive);
    BlockJson json = laneHeader(lane, "spans", spans.size());
    json["bytes"] = section.lengths();
    return json;
}

/// The busy time of a lane's spans in equal periods of the run.
class BusyPeriods {
public:
    BusyPeriods(std::int64_t end, std::int64_t buckets)
        : m_bucket(std::max<std::int64_t>(1, (end + buckets - 1) / buckets)),
          m_times(static_cast<std::size_t>(std::max<std::int64_t>(1, (end + m_bucket - 1) / m_bucket)), 0) {}

    void add(const Span& span) {
        for (std::int64_t at = span.start.ps; at < span.end.ps;) {
            const std::int64_t period = std::min(at / m_bucket, static_cast<std::int64_t>(m_times.size()) - 1);
            const bool isLast = period + 1 == static_cast<std::int64_t>(m_times.size());
            const std::int64_t until = isLast ? span.end.ps : std::min(span.end.ps, (period + 1) * m_bucket);
            m_times[static_cast<std::size_t>(period)] += until - at;
            at = until;
        }
    }
    std::int64_t bucket() const { return m_bucket; }
    const std::vector<std::int64_t>& times() const { return m_times; }

private:
    std::int64_t m_bucket;
    std::vector<std::int64_t> m_times;
};

/// Returns how many spans are under way at once at most. Spans are sorted by start.
std::size_t mostAtOnce(const std::vector<Span>& spans) {
    std::vector<std::int64_t> ends;
    std::size_t most = 0;
    for (const Span& span : spans) {  // `ends` is a heap with the earliest end in front
        for (; !ends.empty() && ends.front() <= span.start.ps; ends.pop_back())
            std::ranges::pop_heap(ends, std::greater<>());
        ends.push_back(span.end.ps);
        std::ranges::push_heap(ends, std::greater<>());
        most = std::max(most, ends.size());
    }
    return most;
}

bool isTrackedTile(const Span& span) { return span.kind == engine::SpanKind::trackedTile; }

/// Returns the spans of a lane that busy time stands for.
std::vector<Span> busySpans(const Lane& lane) {
    std::vector<Span> spans;
    std::ranges::copy_if(lane.spans, std::back_inserter(spans), [&](const Span& span) {
        return lane.kind != engine::LaneKind::tracker || isTrackedTile(span);
    });
    return spans;
}

/// Writes lanes of one kind on one GPU as their busy time together. Of a tracker, only its tiles count.
BlockJson writeBusy(std::span<const Lane> lanes, std::int64_t end, std::int64_t buckets, std::string& sections) {
    std::map<KernelNumber, BusyPeriods> kernels;
    std::size_t count = 0, most = 0;
    for (const Lane& lane : lanes) {
        const std::vector<Span> spans = busySpans(lane);
        for (const Span& span : spans)
            kernels.try_emplace(kernelNumberOf(span), end, buckets).first->second.add(span);
        count += spans.size();
        most += mostAtOnce(spans);
    }
    const BusyPeriods none(end, buckets);
    SectionWriter section(sections);
    BlockJson numbers = BlockJson::array();
    for (const auto& [kernel, periods] : kernels) {
        numbers.push_back(kernel);
        writeDifferences(section, periods.times(), [](std::int64_t time) { return time; });
    }
    BlockJson json = laneHeader(lanes.front(), "busy", count);
    json["most"] = most;
    json["bucket"] = none.bucket();
    json["buckets"] = none.times().size();
    json["kernels"] = std::move(numbers);
    json["bytes"] = section.lengths();
    return json;
}

BlockJson counterHeader(const engine::CounterSeries& series, const char* form) {
    return {
        {"gpu", series.gpu}, {"kind", static_cast<int>(series.kind)}, {"form", form}, {"count", series.samples.size()}};
}

BlockJson writeCounter(const engine::CounterSeries& series, std::string& sections) {
    SectionWriter section(sections);
    writeDifferences(section, series.samples, [](const engine::CounterSample& sample) { return sample.time.ps; });
    writeDifferences(section, series.samples, [](const engine::CounterSample& sample) { return sample.value; });
    BlockJson json = counterHeader(series, "samples");
    json["bytes"] = section.lengths();
    return json;
}

struct CounterPeriod {
    std::int64_t low = 0, mean = 0, high = 0;
};

/// Returns the values of a counter in equal periods of a run.
std::vector<CounterPeriod> periodsOf(const engine::CounterSeries& series, std::int64_t end, std::int64_t bucket) {
    std::vector<CounterPeriod> periods;
    std::int64_t value = 0;
    auto sample = series.samples.begin();
    for (std::int64_t from = 0; from < std::max<std::int64_t>(1, end); from += bucket) {
        const std::int64_t to = std::min(std::max<std::int64_t>(1, end), from + bucket);
        for (; sample != series.samples.end() && sample->time.ps <= from; ++sample)
            value = sample->value;
        CounterPeriod period{value, value, value};
        double area = 0;
        std::int64_t at = from;
        for (; sample != series.samples.end() && sample->time.ps < to; ++sample) {
            area += static_cast<double>(value) * static_cast<double>(sample->time.ps - at);
            at = sample->time.ps;
            value = sample->value;
            period.low = std::min(period.low, value);
            period.high = std::max(period.high, value);
        }
        area += static_cast<double>(value) * static_cast<double>(to - at);
        period.mean =
            std::clamp<std::int64_t>(std::llround(area / static_cast<double>(to - from)), period.low, period.high);
        periods.push_back(period);
    }
    return periods;
}

BlockJson writeCounterPeriods(const engine::CounterSeries& series, std::int64_t end, std::int64_t buckets,
                              std::string& sections) {
    const std::int64_t bucket = BusyPeriods(end, buckets).bucket();
    const std::vector<CounterPeriod> periods = periodsOf(series, end, bucket);
    SectionWriter section(sections);
    writeDifferences(section, periods, [](const CounterPeriod& period) { return period.low; });
    writeNumbers(section, periods, [](const CounterPeriod& period) { return period.mean - period.low; });
    writeNumbers(section, periods, [](const CounterPeriod& period) { return period.high - period.mean; });
    BlockJson json = counterHeader(series, "periods");
    json["bucket"] = bucket;
    json["buckets"] = periods.size();
    json["bytes"] = section.lengths();
    return json;
}

/// `laneOf` has the number of each lane of the trace in the block, or kNone.
BlockJson writePath(const std::vector<engine::PathStep>& steps, const std::vector<std::uint32_t>& laneOf,
                    std::string& sections) {
    SectionWriter section(sections);
    using Step = engine::PathStep;
    const auto lane = [&](const Step& step) { return step.lane < laneOf.size() ? laneOf[step.lane] : engine::kNone; };
    const auto isShown = [&](const Step& step) { return lane(step) != engine::kNone; };
    writeDifferences(section, steps, [](const Step& step) { return step.end.ps; });
    writeNumbers(section, steps, [](const Step& step) { return static_cast<std::int64_t>(step.cause); });
    writeNumbers(section, steps, [](const Step& step) { return static_cast<std::int64_t>(step.phase); });
    writeNumbers(section, steps, [](const Step& step) { return static_cast<std::int64_t>(step.act); });
    writeNumbers(section, steps, [](const Step& step) { return static_cast<std::int64_t>(step.gpu); });
    writeDifferences(section, steps, [&](const Step& step) { return numberOrNone(lane(step)); });
    writeDifferences(section, steps,
                     [&](const Step& step) { return isShown(step) ? numberOrNone(step.firstSpan) : -1; });
    writeDifferences(section, steps,
                     [&](const Step& step) { return isShown(step) ? numberOrNone(step.lastSpan) : -1; });
    writeNumbers(section, steps, [](const Step& step) { return step.bytes; });
    return {{"count", steps.size()}, {"bytes", section.lengths()}};
}

BlockJson phasesJson(const std::vector<engine::PhaseTimes>& phases) {
    BlockJson json = BlockJson::array();
    for (const engine::PhaseTimes& times : phases)
        json.push_back({times.start.ps, times.gemmEnd.ps, times.reduceScatterStart.ps, times.reduceScatterEnd.ps,
                        times.allGatherStart.ps, times.allGatherEnd.ps, times.ownEnd.ps, times.companionEnd.ps});
    return json;
}

BlockJson piecesJson(const std::vector<std::vector<engine::PieceTimes>>& pieces) {
    BlockJson json = BlockJson::array();
    for (const std::vector<engine::PieceTimes>& ofGpu : pieces) {
        BlockJson list = BlockJson::array();
        for (const engine::PieceTimes& piece : ofGpu)
            list.push_back({piece.launched.ps, piece.landed.ps, piece.workgroups});
        json.push_back(std::move(list));
    }
    return json;
}

std::size_t chunksOf(const engine::TiledOutput& output) {
    return output.chunkTile.empty() ? 0 : output.chunkTile.size() - 1;
}

}  // namespace

std::string writeRunBlock(const engine::Trace& trace, const engine::CriticalPath* path, const BlockDetail& detail) {
    std::string sections;
    BlockJson lanes = BlockJson::array(), counters = BlockJson::array();
    std::vector<std::uint32_t> laneOf(trace.lanes.size(), engine::kNone);
    for (std::size_t i = 0; i < trace.lanes.size(); ++i) {
        const Lane& lane = trace.lanes[i];
        if (lane.kind == engine::LaneKind::landings)
            continue;
        if (!detail.busy[static_cast<std::size_t>(lane.kind)]) {
            laneOf[i] = static_cast<std::uint32_t>(lanes.size());
            lanes.push_back(writeLane(lane, lane.spans, sections));
            continue;
        }
        if (lane.kind == engine::LaneKind::tracker) {
            std::vector<Span> triggers;
            std::ranges::remove_copy_if(lane.spans, std::back_inserter(triggers), isTrackedTile);
            lanes.push_back(writeLane(lane, triggers, sections));
        }
        // Lanes are sorted by GPU, then kind: those that one busy lane stands for are neighbours.
        const bool isFirst = i == 0 || trace.lanes[i - 1].gpu != lane.gpu || trace.lanes[i - 1].kind != lane.kind;
        if (!isFirst)
            continue;
        std::size_t end = i + 1;
        while (end < trace.lanes.size() && trace.lanes[end].gpu == lane.gpu && trace.lanes[end].kind == lane.kind)
            ++end;
        lanes.push_back(writeBusy(std::span(trace.lanes).subspan(i, end - i), trace.end.ps, detail.buckets, sections));
    }
    for (const engine::CounterSeries& series : trace.counters)
        counters.push_back(detail.counters ? writeCounter(series, sections)
                                           : writeCounterPeriods(series, trace.end.ps, detail.buckets, sections));
    const BlockJson steps =
        writePath(path != nullptr ? path->steps : std::vector<engine::PathStep>{}, laneOf, sections);
    const engine::TiledOutput& output = trace.output;
    const BlockJson header{
        {"end", trace.end.ps},
        {"gpus", trace.gpus},
        {"recorded", trace.recordedGpus()},
        {"chunks", trace.chunks},
        {"mirrored", trace.mirrored},
        {"output",
         {{"rows", output.rows},
          {"columns", output.columns},
          {"rowsAreOuter", output.rowsAreOuter},
          {"tiles", output.tiles()}}},
        {"companion", {{"copies", trace.companionCopies}, {"chunks", chunksOf(trace.companionOutput)}}},
        {"phases", phasesJson(trace.phases)},
        {"pieces", piecesJson(trace.pieces)},
        {"lanes", std::move(lanes)},
        {"counters", std::move(counters)},
        {"path", steps}};
    const std::string text = header.dump();
    std::string block(kRunBlockMark);
    block.push_back(static_cast<char>(kRunBlockVersion));
    for (int shift = 0; shift < 32; shift += 8)
        block.push_back(static_cast<char>((text.size() >> shift) & 255));
    return block + text + sections;
}

}  // namespace data
