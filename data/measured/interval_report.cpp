#include "data/measured/interval_report.h"

#include <algorithm>

namespace data {

void IntervalUnion::add(const TimeInterval& interval) {
    if (interval.end <= interval.start)
        return;
    if (m_intervals.empty() || interval.start > m_intervals.back().end)
        m_intervals.push_back(interval);
    else
        m_intervals.back().end = std::max(m_intervals.back().end, interval.end);
}

std::int64_t IntervalUnion::length() const {
    std::int64_t sum = 0;
    for (const TimeInterval& interval : m_intervals)
        sum += interval.end - interval.start;
    return sum;
}

std::int64_t IntervalUnion::overlapWith(const TimeInterval& interval) const {
    std::int64_t sum = 0;
    auto each =
        std::ranges::partition_point(m_intervals, [&](const TimeInterval& own) { return own.end <= interval.start; });
    for (; each != m_intervals.end() && each->start < interval.end; ++each)
        sum += std::min(each->end, interval.end) - std::max(each->start, interval.start);
    return sum;
}

IntervalUnion bothOf(const IntervalUnion& a, const IntervalUnion& b) {
    IntervalUnion both;
    auto left = a.intervals().begin();
    auto right = b.intervals().begin();
    while (left != a.intervals().end() && right != b.intervals().end()) {
        both.add({std::max(left->start, right->start), std::min(left->end, right->end)});
        if (left->end < right->end)
            ++left;
        else
            ++right;
    }
    return both;
}

IntervalUnion eitherOf(const IntervalUnion& a, const IntervalUnion& b) {
    IntervalUnion either;
    auto left = a.intervals().begin();
    auto right = b.intervals().begin();
    while (left != a.intervals().end() || right != b.intervals().end()) {
        const bool takesLeft =
            right == b.intervals().end() || (left != a.intervals().end() && left->start <= right->start);
        either.add(takesLeft ? *left++ : *right++);
    }
    return either;
}

MeasuredUnions unionsOf(const MeasuredTrace& trace, const StepChoice& steps) {
    MeasuredUnions unions;
    const ChosenSteps chosen(trace, steps);
    for (const MeasuredSpan& span : trace.spans) {
        if (!chosen.has(span))
            continue;
        if (unions.spans++ == 0) {
            unions.start = span.start;
            unions.end = span.end();
        }
        unions.end = std::max(unions.end, span.end());
        IntervalUnion& own = span.isCommunication() ? unions.communication
                             : span.isMemory()      ? unions.memory
                                                    : unions.compute;
        own.add({span.start, span.end()});
    }
    return unions;
}

std::optional<double> IntervalReport::overlap() const {
    if (communication == 0)
        return std::nullopt;
    return static_cast<double>(overlapped) / static_cast<double>(communication);
}

IntervalReport intervalReportOf(const MeasuredUnions& unions) {
    IntervalReport report;
    report.span = unions.length();
    report.compute = unions.compute.length();
    report.communication = unions.communication.length();
    report.overlapped = bothOf(unions.compute, unions.communication).length();
    report.exposed = report.communication - report.overlapped;
    const IntervalUnion working = eitherOf(unions.compute, unions.communication);
    const std::int64_t busy = eitherOf(working, unions.memory).length();
    report.memory = busy - working.length();
    report.idle = report.span - busy;
    return report;
}

}  // namespace data
