#include "data/measured/measured_report.h"

#include "data/document/names.h"
#include "data/document/value_places.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace data {
namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Something that may be unknown, in words.
struct UnknownWords {
    const char* one;
    const char* many;
};
constexpr UnknownWords kNoShape{"GEMM kernel has no shape", "GEMM kernels have no shape"};
constexpr UnknownWords kNoWaves{"GEMM kernel has no waves", "GEMM kernels have no waves"};
constexpr UnknownWords kNoTimeAlone{"GEMM kernel has no time alone", "GEMM kernels have no time alone"};
constexpr UnknownWords kNoOverlap{"rank has no overlap", "ranks have no overlap"};
constexpr UnknownWords kNoStepOfSpan{"span belongs to no step", "spans belong to no step"};
constexpr UnknownWords kNoSize{"collective has no size", "collectives have no size"};
constexpr UnknownWords kNoGroup{"collective has no group size", "collectives have no group size"};
constexpr UnknownWords kLowerBound{"collective has only a lower bound of its bandwidth",
                                   "collectives have only a lower bound of their bandwidth"};

/// Counts unknown things by what they are and why.
class UnknownCounts {
public:
    void add(const UnknownWords& what, const std::string& reason, std::size_t count = 1) {
        if (count == 0)
            return;
        MeasuredUnknown& unknown = m_unknowns[{what.many, reason}];
        unknown.what = what.many;
        unknown.whatOne = what.one;
        unknown.reason = reason;
        unknown.count += count;
    }
    std::vector<MeasuredUnknown> take() {
        std::vector<MeasuredUnknown> unknowns;
        for (auto& [key, unknown] : m_unknowns)
            unknowns.push_back(std::move(unknown));
        return unknowns;
    }

private:
    std::map<std::pair<std::string, std::string>, MeasuredUnknown> m_unknowns;
};

/// Evaluates the traces of some ranks.
class Reporting {
public:
    Reporting(std::span<const MeasuredTrace> traces, const StepChoice& steps, const RankMatch& match)
        : m_traces(traces), m_match(match) {
        m_report.steps = steps;
        m_report.clocks = match.clocks;
    }

    MeasuredReport report() {
        KernelRowBuilder rows;
        for (const MeasuredTrace& trace : m_traces) {
            MeasuredUnions unions = unionsOf(trace, m_report.steps);
            addRank(trace, unions);
            rows.add(trace, m_report.steps, unions.communication);
            noteTrace(trace);
            m_compute.push_back(std::move(unions.compute));
        }
        for (KernelRow& row : rows.take()) {
            if (row.kernelClass == KernelClass::other)
                addUnclassed(row);
            if (row.kernelClass != KernelClass::gemm) {
                m_report.others.push_back(std::move(row));
                continue;
            }
            if (!row.shape)
                m_unknowns.add(kNoShape, row.shapeUnknown, row.count);
            if (!row.waves.unknown.empty())
                m_unknowns.add(kNoWaves, row.waves.unknown, row.count);
            if (row.shape && row.aloneCount == 0)
                m_unknowns.add(kNoTimeAlone, "none of their kind ran without communication", row.count);
            m_report.gemms.push_back(std::move(row));
        }
        for (auto& [name, kernel] : m_unclassed)
            m_report.unclassed.push_back(std::move(kernel));
        std::ranges::stable_sort(m_report.unclassed, std::greater{}, &UnclassedKernel::total);
        constexpr std::size_t kShown = 10;
        if (m_report.unclassed.size() > kShown)
            m_report.unclassed.resize(kShown);
        addCollectives();
        addWaiting();
        for (std::size_t i = 0; i < m_traces.size(); ++i)
            noteClock(i);
        m_report.unknowns = m_unknowns.take();
        return std::move(m_report);
    }

private:
    void addRank(const MeasuredTrace& trace, const MeasuredUnions& unions) {
        MeasuredRank rank;
        rank.rank = trace.rank;
        rank.file = trace.file;
        rank.spans = unions.spans;
        rank.intervals = intervalReportOf(unions);
        rank.overlap = rank.intervals.overlap();
        rank.endsEarly = trace.endsEarly;
        if (!trace.spans.empty()) {
            if (const MeasuredDevice* device = trace.deviceOf(trace.spans.front()))
                rank.device = device->name;
        }
        if (!rank.overlap)
            m_unknowns.add(kNoOverlap, "they have no communication in these steps");
        m_report.ranks.push_back(std::move(rank));
    }

    void noteTrace(const MeasuredTrace& trace) {
        constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1'000'000 * kPsPerMicrosecond;
        const auto note = [&](const std::string& text) { m_report.notices.push_back(trace.title() + ": " + text); };
        if (trace.wholeMicroseconds)
            note("times are rounded to 1 µs");
        if (trace.counts.badTime > 0)
            note(counted(trace.counts.badTime, "span is", "spans are") +
                 " left out: ts is missing, no number or out of range");
        if (trace.counts.badDuration > 0)
            note(counted(trace.counts.badDuration, "span is", "spans are") +
                 " left out: dur is missing, no number or negative");
        std::int64_t end = trace.spans.empty() ? 0 : trace.spans.front().end();
        std::set<std::int64_t> devices;
        std::size_t withoutCall = 0;
        std::vector<bool> seen(trace.streams.size(), false);
        for (const MeasuredSpan& span : trace.spans) {
            end = std::max(end, span.end());
            seen[span.stream] = true;
            withoutCall += span.has(kNoLaunchCall) ? 1 : 0;
        }
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (seen[i])
                devices.insert(trace.streams[i].device);
        }
        if (!trace.spans.empty() && end - trace.spans.front().start > kDay)
            note("the trace is longer than a day; are its times in microseconds, as they should be?");
        if (devices.size() > 1)
            note("its spans are on " + std::to_string(devices.size()) +
                 " GPUs, whose times are united as if they were one");
        if (!trace.steps.empty())
            m_unknowns.add(kNoStepOfSpan, "their launch call is not in the trace", withoutCall);
    }

    void noteClock(std::size_t index) {
        const RankClock& clock = m_report.clocks[index];
        if (!clock.offset)
            return;
        m_report.notices.push_back(
            m_traces[index].title() + ": its clock is " + microsecondsText(*clock.offset) + " µs after that of " +
            m_traces[0].title() + ", median of " + std::to_string(clock.collectives) +
            " collectives, median deviation " + microsecondsText(later({}, *clock.deviation)) + " µs; " +
            (clock.applied ? "corrected" : "not corrected, because it is not above five deviations"));
    }

    void addUnclassed(const KernelRow& row) {
        UnclassedKernel& kernel = m_unclassed[row.name];
        kernel.name = row.name;
        kernel.total = sumOfTimes(kernel.total, row.total);
        kernel.count += row.count;
    }

    const MeasuredSpan& spanOf(const CollectiveMember& member) const {
        return m_traces[member.trace].spans[member.span];
    }

    /// Collects the collectives by operation, group and size.
    void addCollectives() {
        struct Row {
            CollectiveRow row;
            std::vector<std::int64_t> times;
        };
        std::map<std::tuple<MeasuredOperation, SpanKind, std::string, std::int64_t, std::string, std::string>, Row>
            rows;
        for (const MeasuredCollective& collective : m_match.collectives) {
            const CollectiveSeries& series = m_match.series[collective.series];
            Row& entry = rows[{series.operation, series.carrier, series.groupText(), series.bytes.value_or(-1),
                               series.bytesUnknown, series.unmatched}];
            CollectiveRow& row = entry.row;
            if (row.count++ == 0) {
                row.operation = series.operation;
                row.carrier = series.carrier;
                row.groupSize = series.groupSize;
                row.group = series.groupText();
                row.bytes = series.bytes;
                row.bytesUnknown = series.bytesUnknown;
                row.unmatched = series.unmatched;
            }
            row.assumed = row.assumed || series.groupAssumed || series.classAssumed;
            row.lowerBound = row.lowerBound || collective.lowerBound;
            entry.times.push_back(collective.time);
            for (const CollectiveMember& member : collective.members) {
                const MeasuredSpan& span = spanOf(member);
                row.total = sumOfTimes(row.total, span.duration);
                row.overlapped =
                    sumOfTimes(row.overlapped, m_compute[member.trace].overlapWith({span.start, span.end()}));
            }
            if (collective.skew) {
                row.skew = std::max(row.skew.value_or(0), *collective.skew);
                for (const CollectiveMember& member : collective.members)
                    row.waiting = sumOfTimes(row.waiting.value_or(0), spanOf(member).duration - collective.time);
            }
            noteCollective(series, collective);
        }
        for (auto& [key, entry] : rows) {
            CollectiveRow& row = entry.row;
            row.least = std::ranges::min(entry.times);
            row.greatest = std::ranges::max(entry.times);
            row.median = *medianOf(std::move(entry.times));
            constexpr double kPsPerSecond = 1e12;
            if (row.bytes && row.least > 0) {
                row.algbw = static_cast<double>(*row.bytes) * kPsPerSecond / static_cast<double>(row.least);
                if (row.carrier == SpanKind::copy)
                    row.busbw = row.algbw;  // of one copy
                else if (row.groupSize)
                    row.busbw = *row.algbw * busFactorOf(row.operation, *row.groupSize);
            }
            m_report.collectives.push_back(std::move(row));
        }
        std::ranges::stable_sort(m_report.collectives, std::greater{}, [](const CollectiveRow& row) {
            return static_cast<double>(row.median) * static_cast<double>(row.count);
        });
    }

    void noteCollective(const CollectiveSeries& series, const MeasuredCollective& collective) {
        if (!series.bytes && series.operation != MeasuredOperation::barrier)
            m_unknowns.add(kNoSize, series.bytesUnknown);
        if (!series.groupSize)
            m_unknowns.add(kNoGroup, "the trace does not say it, and groups differ");
        if (!series.unmatched.empty())
            m_unknowns.add(kLowerBound, series.unmatched);
        else if (collective.lowerBound)
            m_unknowns.add(kLowerBound, std::to_string(collective.members.size()) + " ranks of " +
                                            (series.groupSize ? std::to_string(*series.groupSize) : "a group"));
    }

    /// Adds up what each rank waits for others, in the collectives that are matched.
    void addWaiting() {
        for (const MeasuredCollective& collective : m_match.collectives) {
            if (!collective.skew)
                continue;
            for (const CollectiveMember& member : collective.members) {
                std::optional<std::int64_t>& waiting = m_report.ranks[member.trace].waiting;
                waiting = sumOfTimes(waiting.value_or(0), spanOf(member).duration - collective.time);
            }
        }
    }

    std::span<const MeasuredTrace> m_traces;
    const RankMatch& m_match;
    MeasuredReport m_report;
    UnknownCounts m_unknowns;
    std::vector<IntervalUnion> m_compute;  ///< of each trace
    std::map<std::string, UnclassedKernel> m_unclassed;
};

}  // namespace

std::string textOf(const MeasuredUnknown& unknown) {
    return std::to_string(unknown.count) + " " + (unknown.count == 1 ? unknown.whatOne : unknown.what) + ": " +
           unknown.reason;
}

std::string messageText(std::int64_t bytes) {
    constexpr double kStep = 1024;
    constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < static_cast<std::int64_t>(kStep))
        return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / kStep;
    std::size_t unit = 0;
    for (; value >= kStep && unit + 1 < kUnits.size(); ++unit)
        value /= kStep;
    return fixedNumber(value, 1) + " " + kUnits.at(unit);
}

engine::Problems orderRanks(std::vector<MeasuredTrace>& traces) {
    engine::Problems problems;
    std::map<std::int64_t, std::string> files;
    const MeasuredTrace* world = nullptr;
    for (const MeasuredTrace& trace : traces) {
        if (!trace.rank) {
            if (traces.size() > 1)
                problems.push_back({trace.file, "", "its rank is unknown; write FILE:RANK"});
            continue;
        }
        const auto [entry, isNew] = files.try_emplace(*trace.rank, trace.file);
        if (!isNew)
            problems.push_back({trace.file, std::to_string(*trace.rank),
                                "the same rank as " + entry->second + "; each rank is allowed once, write FILE:RANK"});
        if (world == nullptr && trace.worldSize)
            world = &trace;
        if (world != nullptr && trace.worldSize && *trace.worldSize != *world->worldSize)
            problems.push_back({trace.file, std::to_string(*trace.worldSize),
                                "ranks of its world, but " + world->file + " is of a world of " +
                                    std::to_string(*world->worldSize) + "; all ranks must be of one job"});
    }
    if (problems.empty())
        std::ranges::stable_sort(traces, {}, &MeasuredTrace::rank);
    return problems;
}

engine::Problems checkSteps(std::span<const MeasuredTrace> traces, const StepChoice& steps) {
    engine::Problems problems;
    for (const MeasuredTrace& trace : traces) {
        const ChosenSteps chosen(trace, steps);
        if (std::ranges::any_of(trace.spans, [&](const MeasuredSpan& span) { return chosen.has(span); }))
            continue;
        std::string has = "it has no steps (ProfilerStep#n); allowed: all";
        if (!trace.steps.empty()) {
            const auto [first, last] = std::ranges::minmax_element(trace.steps, {}, &MeasuredStep::number);
            has = "it has the steps " + std::to_string(first->number) + " to " + std::to_string(last->number);
        }
        problems.push_back({trace.file, textOf(steps), "no GPU span belongs to these steps; " + has});
    }
    return problems;
}

MeasuredReport measuredReportOf(std::span<const MeasuredTrace> traces, const StepChoice& steps,
                                const RankMatch& match) {
    return Reporting(traces, steps, match).report();
}

MeasuredReport measuredReportOf(std::span<const MeasuredTrace> traces, const StepChoice& steps) {
    return measuredReportOf(traces, steps, matchRanks(traces, steps));
}

}  // namespace data
