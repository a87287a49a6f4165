#include "data/measured/rank_match.h"

#include "data/document/names.h"
#include "data/measured/gemm_shape.h"
#include "data/measured/kernel_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace data {
namespace {

constexpr std::int64_t kNsPerMicrosecond = 1'000, kPsPerNanosecond = 1'000;

/// One collective of one rank before it is matched.
struct CollectiveInstance {
    CollectiveMember member;
    std::int64_t sequence = -1;
    std::int32_t step = kNoStep;
};

/// What decides the series of an instance.
struct SeriesKey {
    MeasuredOperation operation{};
    SpanKind carrier{};
    std::vector<std::int64_t> ranks;
    std::int64_t groupSize = -1, in = -1, out = -1;
    std::string type;
    auto operator<=>(const SeriesKey&) const = default;
};

/// Returns the ranks of "[0, 1]"; none if the list is cut or is no list.
std::vector<std::int64_t> ranksIn(std::string_view text) {
    const auto inputs = inputDimsOf("[" + std::string(text) + "]");
    if (!inputs || inputs->size() != 1)
        return {};
    std::vector<std::int64_t> ranks = inputs->front();
    std::ranges::sort(ranks);
    return ranks;
}

/// Returns the time of a trace's origin, in the time of its clock.
TraceInstant clockOrigin(const MeasuredTrace& trace) {
    const TraceInstant base{trace.baseNanoseconds / kNsPerMicrosecond, 0};
    const TraceInstant origin = later(trace.origin, trace.baseNanoseconds % kNsPerMicrosecond * kPsPerNanosecond);
    return {base.microseconds + origin.microseconds, origin.picoseconds};
}

/// The elements of an input of an operator, for collectives that no field describes.
std::int64_t elementsOfInput(const MeasuredTrace& trace, const SpanFacts& facts) {
    const auto inputs = inputDimsOf(trace.nameOf(facts.dims));
    if (!inputs)
        return -1;
    for (const std::vector<std::int64_t>& sides : *inputs) {
        if (sides.empty())
            continue;
        std::int64_t product = 1;
        for (const std::int64_t side : sides) {
            if (side < 1 || side > std::numeric_limits<std::int32_t>::max() ||
                product > std::numeric_limits<std::int64_t>::max() / side)
                return -1;
            product *= side;
        }
        return product;
    }
    return -1;
}

/// Returns the type of the first tensor among the inputs.
std::string typeOfInput(std::string_view types) {
    while (!types.empty()) {
        const std::size_t end = std::min(types.find(';'), types.size());
        if (elementBytesOf(types.substr(0, end)))
            return std::string(types.substr(0, end));
        types.remove_prefix(std::min(end + 1, types.size()));
    }
    return {};
}

/// Returns the elements whose bytes are S.
std::int64_t elementsOf(const SeriesKey& key) {
    switch (key.operation) {
    case MeasuredOperation::allGather:
    case MeasuredOperation::receive: return key.out >= 0 ? key.out : key.in;
    case MeasuredOperation::unknown: return -1;
    default: return key.in;
    }
}

/// Matches the collectives of all traces.
class Matching {
public:
    Matching(std::span<const MeasuredTrace> traces, const StepChoice& steps) : m_traces(traces), m_steps(steps) {}

    RankMatch matched() {
        collect();
        for (auto& [key, instances] : m_instances) {
            m_match.series.push_back(seriesOf(key));
            m_bySeries.push_back(&instances);
        }
        assumeGroups();
        std::vector<std::vector<MeasuredCollective>> candidates;
        for (std::size_t i = 0; i < m_bySeries.size(); ++i)
            candidates.push_back(candidatesOf(i));
        alignClocks(candidates);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            keep(i, std::move(candidates[i]));
        return std::move(m_match);
    }

private:
    void collect() {
        for (std::size_t trace = 0; trace < m_traces.size(); ++trace) {
            const MeasuredTrace& own = m_traces[trace];
            const ChosenSteps chosen(own, m_steps);
            std::map<std::string_view, std::vector<std::int64_t>> ranksOfText;
            for (std::uint32_t i = 0; i < own.spans.size(); ++i) {
                const MeasuredSpan& span = own.spans[i];
                if (!span.isCommunication() || !chosen.has(span))
                    continue;
                const SpanFacts* facts = own.factsOf(span);
                const SeriesKey key = keyOf(own, span, facts, ranksOfText);
                m_instances[key].push_back({{trace, i}, facts == nullptr ? -1 : facts->sequence, span.step});
                if (span.has(kAssumedClass))
                    m_assumed.insert(key);
            }
        }
    }

    SeriesKey keyOf(const MeasuredTrace& trace, const MeasuredSpan& span, const SpanFacts* facts,
                    std::map<std::string_view, std::vector<std::int64_t>>& ranksOfText) const {
        SeriesKey key;
        key.operation = span.operation;
        key.carrier = span.kind;
        if (span.kind == SpanKind::copy) {
            // A copy carries its own bytes, whatever the whole collective moves.
            const SpanLaunch* launch = trace.launchOf(span);
            key.in = launch == nullptr ? -1 : launch->bytes;
            key.type = key.in >= 0 ? "Byte" : "";
        }
        if (facts == nullptr)
            return key;
        if (span.kind != SpanKind::copy) {
            key.in = facts->in;
            key.out = facts->out;
            key.type = trace.nameOf(facts->dtype);
            if (key.in < 0 && key.out < 0 && facts->dims != kNoIndex) {
                key.in = elementsOfInput(trace, *facts);
                key.type = typeOfInput(trace.nameOf(facts->types));
            }
        }
        key.groupSize = facts->groupSize;
        if (facts->groupRanks != kNoIndex) {
            const std::string_view text = trace.nameOf(facts->groupRanks);
            const auto [entry, isNew] = ranksOfText.try_emplace(text);
            if (isNew)
                entry->second = ranksIn(text);
            key.ranks = entry->second;
        }
        if (const MeasuredGroup* group =
                facts->groupName == kNoIndex ? nullptr : trace.groupNamed(trace.nameOf(facts->groupName))) {
            if (key.ranks.empty() && !group->ranks.empty()) {
                key.ranks = group->ranks;
                std::ranges::sort(key.ranks);
            }
            if (key.groupSize < 1 && group->size > 0)
                key.groupSize = group->size;
        }
        if (!key.ranks.empty())
            key.groupSize = static_cast<std::int64_t>(key.ranks.size());
        return key;
    }

    CollectiveSeries seriesOf(const SeriesKey& key) const {
        CollectiveSeries series;
        series.operation = key.operation;
        series.carrier = key.carrier;
        series.groupRanks = key.ranks;
        series.classAssumed = m_assumed.contains(key);
        if (key.groupSize > 0)
            series.groupSize = key.groupSize;
        series.type = key.type;
        // A copy moves its own bytes, whatever it is a part of.
        const bool isCopy = key.carrier == SpanKind::copy;
        const std::int64_t elements = isCopy ? key.in : elementsOf(key);
        const auto size = elementBytesOf(key.type);
        if (elements >= 0 && size && elements <= std::numeric_limits<std::int64_t>::max() / *size)
            series.bytes = elements * *size;
        else if (key.operation == MeasuredOperation::unknown && !isCopy)
            series.bytesUnknown = "the operation is unknown";
        else if (elements < 0)
            series.bytesUnknown = isCopy ? "the trace does not say how many bytes were copied"
                                         : "the trace does not say how many elements";
        else
            series.bytesUnknown = key.type.empty() ? "the trace does not say the type of the elements"
                                                   : "the size of an element " + key.type + " is not known";
        return series;
    }

    /// Gives series without a group the size on which all others agree.
    void assumeGroups() {
        std::set<std::int64_t> sizes;
        for (const CollectiveSeries& series : m_match.series) {
            if (series.groupSize)
                sizes.insert(*series.groupSize);
        }
        for (const MeasuredTrace& trace : m_traces) {
            for (const MeasuredGroup& group : trace.groups) {
                if (group.size > 0)
                    sizes.insert(group.size);
            }
            if (trace.groups.empty() && trace.worldSize)
                sizes.insert(*trace.worldSize);
        }
        if (sizes.size() != 1)
            return;
        for (CollectiveSeries& series : m_match.series) {
            if (!series.groupSize) {
                series.groupSize = *sizes.begin();
                series.groupAssumed = true;
            }
        }
    }

    /// Returns the traces that should have the collectives of a series.
    std::vector<std::size_t> tracesOf(std::size_t index) const {
        const CollectiveSeries& series = m_match.series[index];
        std::set<std::size_t> traces;
        for (const CollectiveInstance& instance : *m_bySeries[index])
            traces.insert(instance.member.trace);
        for (std::size_t i = 0; i < m_traces.size(); ++i) {
            if (m_traces[i].rank && isAmong(series.groupRanks, *m_traces[i].rank))
                traces.insert(i);
        }
        return {traces.begin(), traces.end()};
    }

    static bool isPointToPoint(MeasuredOperation operation) {
        return operation == MeasuredOperation::send || operation == MeasuredOperation::receive;
    }

    /// Returns the matches of a series, or says why there are none.
    std::vector<MeasuredCollective> candidatesOf(std::size_t index) {
        CollectiveSeries& series = m_match.series[index];
        const std::vector<CollectiveInstance>& instances = *m_bySeries[index];
        const std::vector<std::size_t> traces = tracesOf(index);
        if (traces.size() < 2)
            series.unmatched = "one rank of " + (series.groupSize ? std::to_string(*series.groupSize) : "a group");
        else if (series.carrier == SpanKind::copy)
            series.unmatched = "copies, each of which ends on its own";
        else if (isPointToPoint(series.operation))
            series.unmatched = "between two ranks, which are not matched";
        else if (series.operation == MeasuredOperation::unknown)
            series.unmatched = "the operation is unknown";
        else if (series.groupSize && traces.size() > static_cast<std::size_t>(*series.groupSize))
            series.unmatched = std::to_string(traces.size()) + " ranks have it, and the group has " +
                               std::to_string(*series.groupSize);
        if (!series.unmatched.empty())
            return {};
        std::map<std::int64_t, MeasuredCollective> matches;  // by Seq, or by place
        if (haveSequences(instances)) {
            for (const CollectiveInstance& instance : instances)
                add(matches[instance.sequence], index, instance.member);
        } else if (matchByOrder(index, traces)) {
            std::vector<std::int64_t> next(m_traces.size(), 0);
            for (const CollectiveInstance& instance : instances)
                add(matches[next[instance.member.trace]++], index, instance.member);
        }
        std::vector<MeasuredCollective> found;
        for (auto& [key, match] : matches)
            found.push_back(std::move(match));
        return found;
    }

    static void add(MeasuredCollective& match, std::size_t series, const CollectiveMember& member) {
        match.series = series;
        match.members.push_back(member);
    }

    /// Returns whether each instance has a Seq of its own within its trace.
    static bool haveSequences(const std::vector<CollectiveInstance>& instances) {
        std::set<std::pair<std::size_t, std::int64_t>> seen;
        return std::ranges::all_of(instances, [&](const CollectiveInstance& instance) {
            return instance.sequence >= 0 && seen.emplace(instance.member.trace, instance.sequence).second;
        });
    }

    /// Returns whether the n-th instances of all ranks can be one collective; says why if they cannot.
    bool matchByOrder(std::size_t index, const std::vector<std::size_t>& traces) {
        std::string& unmatched = m_match.series[index].unmatched;
        std::map<std::size_t, std::vector<std::int32_t>> steps;
        for (const CollectiveInstance& instance : *m_bySeries[index])
            steps[instance.member.trace].push_back(instance.step);
        const std::vector<std::int32_t>& first = steps[traces.front()];
        for (const std::size_t trace : traces) {
            const std::vector<std::int32_t>& own = steps[trace];
            if (own.size() != first.size()) {
                unmatched = std::to_string(first.size()) + " in " + nameOf(traces.front()) + ", " +
                            std::to_string(own.size()) + " in " + nameOf(trace) + ", and they have no Seq";
                return false;
            }
            for (std::size_t i = 0; i < own.size(); ++i) {
                if (own[i] != first[i] && own[i] != kNoStep && first[i] != kNoStep) {
                    unmatched = "the steps of " + nameOf(traces.front()) + " and " + nameOf(trace) +
                                " differ, and they have no Seq";
                    return false;
                }
            }
        }
        return true;
    }

    std::string nameOf(std::size_t trace) const { return m_traces[trace].title(); }

    const MeasuredSpan& spanOf(const CollectiveMember& member) const {
        return m_traces[member.trace].spans[member.span];
    }

    void alignClocks(const std::vector<std::vector<MeasuredCollective>>& candidates) {
        m_match.clocks.resize(m_traces.size());
        for (std::size_t trace = 0; trace < m_traces.size(); ++trace) {
            RankClock& clock = m_match.clocks[trace];
            if (trace == 0) {
                clock.shift = 0;
                continue;
            }
            const TraceInstant origins = differenceOf(clockOrigin(m_traces[trace]), clockOrigin(m_traces[0]));
            clock.shift = picosecondsOf(origins);
            constexpr std::size_t kLeast = 3;
            std::vector<std::int64_t> differences = endDifferences(candidates, trace, true);
            if (differences.size() < kLeast)
                differences = endDifferences(candidates, trace, false);
            if (differences.size() < kLeast)
                continue;
            constexpr std::int64_t kDeviations = 5;
            clock.collectives = differences.size();
            const std::int64_t offset = *medianOf(differences);
            for (std::int64_t& difference : differences)
                difference = std::abs(difference - offset);
            clock.deviation = medianOf(std::move(differences));
            clock.offset = later(origins, offset);
            const auto whole = picosecondsOf(*clock.offset);
            clock.applied = !whole || std::abs(*whole) > kDeviations * *clock.deviation;
            if (clock.applied)
                clock.shift = -offset;
        }
    }

    /// Returns end(r) - end(0) of the matched collectives, each in the time of its own trace.
    std::vector<std::int64_t> endDifferences(const std::vector<std::vector<MeasuredCollective>>& candidates,
                                             std::size_t trace, bool allReducesOnly) const {
        std::vector<std::int64_t> differences;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const MeasuredOperation operation = m_match.series[i].operation;
            if (allReducesOnly ? operation != MeasuredOperation::allReduce : !waitsForAll(operation))
                continue;
            for (const MeasuredCollective& match : candidates[i]) {
                const auto own = std::ranges::find(match.members, trace, &CollectiveMember::trace);
                const auto first = std::ranges::find(match.members, std::size_t{0}, &CollectiveMember::trace);
                if (own != match.members.end() && first != match.members.end())
                    differences.push_back(spanOf(*own).end() - spanOf(*first).end());
            }
        }
        return differences;
    }

    /// Times of a collective on the clock of the first trace, ps.
    struct Alignment {
        std::int64_t earliestStart, latestStart, earliestEnd;
    };
    /// Returns an empty optional if the clocks have nothing in common.
    std::optional<Alignment> alignmentOf(const MeasuredCollective& match) const {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        Alignment alignment{kMost, -kMost, kMost};
        for (const CollectiveMember& member : match.members) {
            const auto shift = m_match.clocks[member.trace].shift;
            if (!shift)
                return std::nullopt;
            const MeasuredSpan& span = spanOf(member);
            alignment.earliestStart = std::min(alignment.earliestStart, span.start + *shift);
            alignment.latestStart = std::max(alignment.latestStart, span.start + *shift);
            alignment.earliestEnd = std::min(alignment.earliestEnd, span.end() + *shift);
        }
        return alignment;
    }

    /// Returns why a series cannot be matched as it was; empty if it can.
    std::string impossible(std::size_t index, const std::vector<MeasuredCollective>& candidates) const {
        for (const MeasuredCollective& match : candidates) {
            if (match.members.size() < 2)
                continue;
            const auto alignment = alignmentOf(match);
            if (!alignment)
                return "the clocks of the ranks have nothing in common";
            if (waitsForAll(m_match.series[index].operation) && alignment->latestStart >= alignment->earliestEnd)
                return "they have no common time on all ranks, so they are not the same collectives";
        }
        return {};
    }

    void keep(std::size_t index, std::vector<MeasuredCollective> candidates) {
        CollectiveSeries& series = m_match.series[index];
        if (series.unmatched.empty())
            series.unmatched = impossible(index, candidates);
        if (!series.unmatched.empty()) {
            candidates.clear();
            for (const CollectiveInstance& instance : *m_bySeries[index])
                add(candidates.emplace_back(), index, instance.member);
        }
        for (MeasuredCollective& match : candidates) {
            match.time = std::numeric_limits<std::int64_t>::max();
            for (const CollectiveMember& member : match.members)
                match.time = std::min(match.time, spanOf(member).duration);
            if (match.members.size() > 1) {
                const auto alignment = alignmentOf(match);
                match.skew = alignment->latestStart - alignment->earliestStart;
            }
            match.lowerBound = !series.groupSize || match.members.size() < static_cast<std::size_t>(*series.groupSize);
            m_match.collectives.push_back(std::move(match));
        }
    }

    std::span<const MeasuredTrace> m_traces;
    const StepChoice& m_steps;
    std::map<SeriesKey, std::vector<CollectiveInstance>> m_instances;
    std::set<SeriesKey> m_assumed;
    std::vector<const std::vector<CollectiveInstance>*> m_bySeries;
    RankMatch m_match;
};

}  // namespace

std::string CollectiveSeries::groupText() const {
    if (groupRanks.empty())
        return groupSize ? "size " + std::to_string(*groupSize) : "unknown";
    constexpr std::size_t kMostShown = 8;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(groupRanks.size(), kMostShown); ++i)
        words.push_back(std::to_string(groupRanks[i]));
    return joined(words, ",") + (groupRanks.size() > kMostShown ? ",..." : "");
}

RankMatch matchRanks(std::span<const MeasuredTrace> traces, const StepChoice& steps) {
    return Matching(traces, steps).matched();
}

double busFactorOf(MeasuredOperation operation, std::int64_t ranks) {
    const auto n = static_cast<double>(ranks);
    switch (operation) {
    case MeasuredOperation::allReduce: return 2 * (n - 1) / n;
    case MeasuredOperation::allGather:
    case MeasuredOperation::reduceScatter:
    case MeasuredOperation::allToAll: return (n - 1) / n;
    default: return 1;
    }
}

bool waitsForAll(MeasuredOperation operation) {
    switch (operation) {
    case MeasuredOperation::allReduce:
    case MeasuredOperation::reduceScatter:
    case MeasuredOperation::allGather:
    case MeasuredOperation::allToAll:
    case MeasuredOperation::barrier: return true;
    default: return false;
    }
}

}  // namespace data
