#include "data/page/run_block.h"

#include <nlohmann/json.hpp>

#include <cstddef>
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

void writeSpans(SectionWriter& section, const Lane& lane) {
    std::int64_t before = 0;
    for (const Span& span : lane.spans) {
        section.number(span.start.ps - before);
        before = lane.exclusive ? span.end.ps : span.start.ps;
    }
    section.endColumn();
    writeNumbers(section, lane.spans, [](const Span& span) { return (span.end - span.start).ps; });
    writeDifferences(section, lane.spans, [](const Span& span) { return numberOrNone(span.first); });
    writeDifferences(section, lane.spans, [](const Span& span) { return numberOrNone(span.second); });
    writeNumbers(section, lane.spans, [](const Span& span) { return static_cast<std::int64_t>(span.bytes); });
    for (const Span& span : lane.spans) {
        section.byte(static_cast<std::uint8_t>(span.kind));
        section.byte(span.peer);
    }
    section.endColumn();
}

BlockJson writeLane(const Lane& lane, std::string& sections) {
    SectionWriter section(sections);
    writeSpans(section, lane);
    return {{"gpu", lane.gpu},           {"kind", static_cast<int>(lane.kind)},
            {"index", lane.index},       {"exclusive", lane.exclusive},
            {"form", "spans"},           {"count", lane.spans.size()},
            {"bytes", section.lengths()}};
}

BlockJson writeCounter(const engine::CounterSeries& series, std::string& sections) {
    SectionWriter section(sections);
    writeDifferences(section, series.samples, [](const engine::CounterSample& sample) { return sample.time.ps; });
    writeDifferences(section, series.samples, [](const engine::CounterSample& sample) { return sample.value; });
    return {{"gpu", series.gpu},
            {"kind", static_cast<int>(series.kind)},
            {"count", series.samples.size()},
            {"bytes", section.lengths()}};
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

std::string writeRunBlock(const engine::Trace& trace, const engine::CriticalPath* path) {
    std::string sections;
    BlockJson lanes = BlockJson::array(), counters = BlockJson::array();
    std::vector<std::uint32_t> laneOf(trace.lanes.size(), engine::kNone);
    for (std::size_t i = 0; i < trace.lanes.size(); ++i) {
        if (trace.lanes[i].kind == engine::LaneKind::landings)
            continue;
        laneOf[i] = static_cast<std::uint32_t>(lanes.size());
        lanes.push_back(writeLane(trace.lanes[i], sections));
    }
    for (const engine::CounterSeries& series : trace.counters)
        counters.push_back(writeCounter(series, sections));
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
