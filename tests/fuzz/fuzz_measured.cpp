// Gives any bytes to the reader of measured traces, packed or not, and to that of tables of kernel classes. A trace must
// keep its limits, and its times must add up, for every choice of steps; of two equal ranks as well.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/measured/measured_report.h"
#include "data/measured/measured_report_json.h"
#include "data/measured/trace_reading.h"
#include "tests/fuzz/checks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz::measured {

constexpr std::uint64_t kMostSpans = 500, kMostEvents = 2'000, kMostText = 200'000, kLongestName = 64;

data::MeasuredOptions optionsOf(std::size_t piece) {
    data::MeasuredOptions options;
    options.limits = {kMostText, kMostEvents, kMostSpans, kMostText, kLongestName};
    options.piece = piece;
    options.readAhead = false;
    return options;
}

void checkTrace(const data::MeasuredTrace& trace) {
    require(trace.spans.size() <= kMostSpans, "there are not too many spans");
    require(trace.counts.events <= kMostEvents + 1, "there are not too many events");
    require(std::ranges::is_sorted(trace.spans, {}, &data::MeasuredSpan::start), "spans are sorted");
    for (const data::MeasuredSpan& span : trace.spans) {
        require(span.duration >= 0, "no span is negative");
        require(span.name < trace.names.size() && span.stream < trace.streams.size(), "a span has a name and a stream");
        require(span.launch == data::kNoIndex || span.launch < trace.launches.size(), "its launch is there");
        require(span.facts == data::kNoIndex || span.facts < trace.facts.size(), "its facts are there");
    }
    for (const std::string& name : trace.names)
        require(name.size() <= kLongestName, "names are not too long", name);
}

void checkReport(const std::vector<data::MeasuredTrace>& traces, const data::StepChoice& steps) {
    const data::RankMatch match = data::matchRanks(traces, steps);
    for (const data::MeasuredCollective& collective : match.collectives) {
        require(!collective.members.empty() && collective.members.size() <= traces.size(), "a collective has members");
        require(collective.time >= 0 && (!collective.skew || *collective.skew >= 0), "its times are not negative");
    }
    const data::MeasuredReport report = data::measuredReportOf(traces, steps, match);
    for (const data::MeasuredRank& rank : report.ranks) {
        const data::IntervalReport& times = rank.intervals;
        require(times.span == times.compute + times.exposed + times.memory + times.idle, "the times add up");
        require(std::min({times.compute, times.overlapped, times.exposed, times.memory, times.idle}) >= 0,
                "no time is negative");
        require(!rank.overlap || (*rank.overlap >= 0 && *rank.overlap <= 1), "overlap is a share");
    }
    for (const data::KernelRow& row : report.gemms)
        require(row.shape.has_value() == row.shapeUnknown.empty(), "a shape is known, or a reason is", row.name);
    for (const data::MeasuredUnknown& unknown : report.unknowns)
        require(unknown.count > 0 && !unknown.reason.empty(), "what is unknown has a reason", unknown.what);
    require(data::measuredReportJson(report).is_object(), "a report is a document");
    const auto lines = data::measuredReportLines(report);
    for (const std::vector<std::string>& line : lines)
        require(line.size() == lines.front().size(), "every line has all columns");
}

RINGSIDE_FUZZ_TARGET(fuzz_measured)(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kMostRead = 100'000, kBytewise = 4'000;
    const std::string_view text(reinterpret_cast<const char*>(bytes), std::min(size, kMostRead));
    const data::KernelClassesReading classes = data::readKernelClasses(text, "classes");
    checkMessages(classes.problems);
    data::MeasuredOptions options = optionsOf(4'096);
    if (classes.problems.empty() && !classes.classes.rules().empty())
        options.classes = classes.classes;
    const data::MeasuredReading reading = data::readMeasuredTrace(data::bytesOfText(text), "input", options);
    checkMessages(reading.problems);
    checkTrace(reading.trace);
    if (text.size() <= kBytewise) {
        const data::MeasuredReading bytewise = data::readMeasuredTrace(data::bytesOfText(text), "input", optionsOf(1));
        require(bytewise.problems == reading.problems && bytewise.trace.spans.size() == reading.trace.spans.size(),
                "the size of the pieces changes nothing");
    }
    if (!reading.problems.empty())
        return 0;
    require(!reading.trace.spans.empty(), "a trace has spans");
    std::vector<data::MeasuredTrace> traces{reading.trace};
    for (const char* steps : {"all", "all-but-last", "1-3"})
        checkReport(traces, *data::stepChoiceOf(steps));
    traces.push_back(reading.trace);
    traces.back().rank = traces.front().rank.value_or(0) + 1;
    checkReport(traces, {});
    return 0;
}

}  // namespace fuzz::measured
