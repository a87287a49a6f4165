#include "data/measured/kineto_join.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace data {
namespace {

using UnderSet = KernelClasses::UnderSet;

/// The operators of a trace, sorted by thread and start, with the operator around each.
class OperatorTree {
public:
    OperatorTree(std::vector<CpuOperator> operators, const MeasuredTrace& trace, const KernelClasses& classes)
        : m_operators(std::move(operators)), m_parents(m_operators.size(), kNoIndex), m_under(m_operators.size()) {
        std::ranges::stable_sort(m_operators, [](const CpuOperator& a, const CpuOperator& b) {
            if (a.thread != b.thread)
                return a.thread < b.thread;
            return a.start != b.start ? a.start < b.start : a.end > b.end;
        });
        std::vector<std::uint32_t> open;  // the operators around the next one, outermost first
        std::unordered_map<std::uint32_t, UnderSet> underOfName;
        for (std::uint32_t i = 0; i < m_operators.size(); ++i) {
            const CpuOperator& own = m_operators[i];
            while (!open.empty() &&
                   (m_operators[open.back()].thread != own.thread || m_operators[open.back()].end < own.end))
                open.pop_back();
            if (!open.empty())
                m_parents[i] = open.back();
            open.push_back(i);
            const std::uint32_t name = trace.facts[own.facts].name;
            const auto [under, isNew] = underOfName.try_emplace(name, 0);
            if (isNew)
                under->second = classes.underSetOf(trace.nameOf(name));
            m_under[i] = under->second | (m_parents[i] == kNoIndex ? 0 : m_under[m_parents[i]]);
            if (own.external > 0)
                m_byExternal.emplace_back(own.external, i);
        }
        std::ranges::sort(m_byExternal);
    }

    /// Returns the operator with an External id, the innermost if several have it; kNoIndex if there is none.
    std::uint32_t withExternal(std::int64_t external) const {
        if (external <= 0)
            return kNoIndex;
        auto after = std::ranges::upper_bound(m_byExternal, std::pair{external, kNoIndex});
        return after != m_byExternal.begin() && (--after)->first == external ? after->second : kNoIndex;
    }

    /// Returns the innermost operator that encloses a time on a thread; kNoIndex if there is none.
    std::uint32_t around(std::uint32_t thread, std::int64_t time) const {
        const auto after = std::partition_point(m_operators.begin(), m_operators.end(), [&](const CpuOperator& each) {
            return each.thread < thread || (each.thread == thread && each.start <= time);
        });
        if (after == m_operators.begin())
            return kNoIndex;
        auto index = static_cast<std::uint32_t>(after - m_operators.begin() - 1);
        while (index != kNoIndex && (m_operators[index].thread != thread || m_operators[index].end < time))
            index = m_operators[index].thread == thread ? m_parents[index] : kNoIndex;
        return index;
    }

    const CpuOperator& at(std::uint32_t index) const { return m_operators[index]; }
    std::uint32_t parentOf(std::uint32_t index) const { return m_parents[index]; }
    UnderSet underSetOf(std::uint32_t index) const { return index == kNoIndex ? 0 : m_under[index]; }
    std::size_t size() const { return m_operators.size(); }

private:
    std::vector<CpuOperator> m_operators;
    std::vector<std::uint32_t> m_parents;
    std::vector<UnderSet> m_under;  ///< rules that hold below an operator or one around it
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_byExternal;
};

/// Finds the launch call of a correlation.
class LaunchCalls {
public:
    explicit LaunchCalls(std::vector<LaunchCall> calls) : m_calls(std::move(calls)) {
        std::ranges::sort(m_calls, {}, &LaunchCall::correlation);
    }
    const LaunchCall* find(std::int64_t correlation) const {
        const auto found = std::ranges::lower_bound(m_calls, correlation, {}, &LaunchCall::correlation);
        return found != m_calls.end() && found->correlation == correlation ? &*found : nullptr;
    }

private:
    std::vector<LaunchCall> m_calls;
};

/// Finds the range on a stream in which a kernel runs.
class StreamRanges {
public:
    explicit StreamRanges(std::vector<GpuAnnotation> ranges) : m_ranges(std::move(ranges)) {
        std::ranges::sort(m_ranges, [](const GpuAnnotation& a, const GpuAnnotation& b) {
            return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
        });
    }
    MeasuredOperation operationOf(std::uint32_t thread, const MeasuredSpan& span) const {
        const auto after = std::partition_point(m_ranges.begin(), m_ranges.end(), [&](const GpuAnnotation& each) {
            return each.thread < thread || (each.thread == thread && each.start <= span.start);
        });
        if (after == m_ranges.begin())
            return MeasuredOperation::unknown;
        const GpuAnnotation& range = *(after - 1);
        return range.thread == thread && range.end >= span.end() ? range.operation : MeasuredOperation::unknown;
    }

private:
    std::vector<GpuAnnotation> m_ranges;
};

/// Joins one trace.
class Joining {
public:
    Joining(KinetoRecords records, const KernelClasses& classes)
        : m_classes(classes), m_trace(std::move(records.trace)), m_pending(std::move(records.pending)),
          m_calls(std::move(records.launchCalls)), m_operators(std::move(records.operators), m_trace, classes),
          m_ranges(std::move(records.annotations)) {}

    MeasuredTrace joined() {
        std::ranges::sort(m_trace.steps, {}, &MeasuredStep::start);
        findGraphs();
        m_externalIsCorrelation = externalIsCorrelation();
        m_operatorOf.assign(m_trace.spans.size(), kNoIndex);
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i)
            joinSpan(i);
        markSharedOperators();
        if (m_trace.isAmd)
            divideGrids();
        sortStreams();
        m_pending = {};
        m_operatorOf = {};
        // Sorted in place, because a stable sort would need as much memory again; the other members break ties.
        std::ranges::sort(m_trace.spans, {}, [](const MeasuredSpan& span) {
            return std::tuple(span.start, span.stream, span.duration, span.name, span.facts);
        });
        return std::move(m_trace);
    }

private:
    /// Correlations that several kernels share are those of graph launches.
    void findGraphs() {
        std::vector<std::int64_t> correlations;
        for (std::size_t i = 0; i < m_pending.size(); ++i) {
            if (m_trace.spans[i].kind == SpanKind::kernel && m_pending[i].correlation != kNoCorrelation)
                correlations.push_back(m_pending[i].correlation);
        }
        std::ranges::sort(correlations);
        for (std::size_t i = 1; i < correlations.size(); ++i) {
            if (correlations[i] == correlations[i - 1] && (m_graphs.empty() || m_graphs.back() != correlations[i]))
                m_graphs.push_back(correlations[i]);
        }
    }

    /// Old traces write the correlation again as the External id of a kernel, and nothing to which it could refer.
    bool externalIsCorrelation() const {
        bool any = false;
        for (const PendingSpan& pending : m_pending) {
            if (pending.external <= 0 || pending.correlation == kNoCorrelation)
                continue;
            if (pending.external != pending.correlation)
                return false;
            any = true;
        }
        return any;
    }

    std::int32_t stepAt(std::int64_t time) const {
        const auto after = std::ranges::upper_bound(m_trace.steps, time, {}, &MeasuredStep::start);
        if (after == m_trace.steps.begin() || (after - 1)->end < time)
            return kNoStep;
        return (after - 1)->number;
    }

    void joinSpan(std::size_t index) {
        MeasuredSpan& span = m_trace.spans[index];
        const PendingSpan& pending = m_pending[index];
        const LaunchCall* call = pending.correlation == kNoCorrelation ? nullptr : m_calls.find(pending.correlation);
        if (call == nullptr)
            span.notes |= kNoLaunchCall;
        else
            span.step = stepAt(call->start);
        const bool ofGraph =
            (call != nullptr && call->isGraph) ||
            (pending.correlation != kNoCorrelation && std::ranges::binary_search(m_graphs, pending.correlation));
        std::uint32_t own = kNoIndex;
        if (ofGraph)
            span.notes |= kOfGraph;
        else
            own = operatorOf(pending, call);
        m_operatorOf[index] = own;
        classify(span, own);
        if (span.isCommunication())
            takeCollective(span, own, pending.thread);
        else if (own != kNoIndex)
            span.facts = m_operators.at(own).facts;
    }

    std::uint32_t operatorOf(const PendingSpan& pending, const LaunchCall* call) const {
        if (!m_externalIsCorrelation) {
            if (const std::uint32_t own = m_operators.withExternal(pending.external); own != kNoIndex)
                return own;
        }
        if (call == nullptr)
            return kNoIndex;
        // A launch call of an old trace repeats its correlation, too.
        const bool says = call->external != call->correlation || !m_externalIsCorrelation;
        if (const std::uint32_t own = says ? m_operators.withExternal(call->external) : kNoIndex; own != kNoIndex)
            return own;
        return m_operators.around(call->thread, call->start);
    }

    void classify(MeasuredSpan& span, std::uint32_t own) {
        const auto [rules, isNew] = m_rulesOfName.try_emplace(span.name);
        if (isNew)
            rules->second = m_classes.rulesFor(m_trace.nameOf(span.name));
        if (const KernelRule* rule = m_classes.firstOf(rules->second, m_operators.underSetOf(own))) {
            span.kernelClass = rule->kernelClass;
            span.operation = rule->operation;
            span.notes |= rule->assumed ? kAssumedClass : 0;
        } else if (span.kind != SpanKind::kernel) {
            span.kernelClass = span.kind == SpanKind::copy ? KernelClass::copy : KernelClass::fill;
        }
    }

    bool saysCollective(std::uint32_t facts) const {
        return facts != kNoIndex && (m_trace.facts[facts].collective != kNoIndex || m_trace.facts[facts].in >= 0);
    }

    /// Takes the fields of a collective from the kernel, else from the operators around its launch, else from the range
    /// on its stream and the inputs of its operator.
    void takeCollective(MeasuredSpan& span, std::uint32_t own, std::uint32_t thread) {
        std::uint32_t facts = saysCollective(span.facts) ? span.facts : kNoIndex;
        for (std::uint32_t i = own; facts == kNoIndex && i != kNoIndex; i = m_operators.parentOf(i)) {
            if (saysCollective(m_operators.at(i).facts))
                facts = m_operators.at(i).facts;
        }
        MeasuredOperation operation = MeasuredOperation::unknown;
        if (facts != kNoIndex)
            operation = operationNamed(m_trace.nameOf(m_trace.facts[facts].collective));
        if (operation == MeasuredOperation::unknown)
            operation = m_ranges.operationOf(thread, span);
        if (operation == MeasuredOperation::unknown && span.operation == MeasuredOperation::unknown &&
            own != kNoIndex && span.kind == SpanKind::copy)
            operation = operationNamed(m_trace.nameOf(m_trace.facts[m_operators.at(own).facts].name));
        if (operation != MeasuredOperation::unknown)
            span.operation = operation;
        if (facts == kNoIndex && own != kNoIndex)
            facts = m_operators.at(own).facts;
        span.facts = facts;
    }

    /// An operator that launches several GEMM kernels divides its work in a way that the trace does not tell.
    void markSharedOperators() {
        std::vector<std::uint8_t> gemms(m_operators.size(), 0);
        const auto countAt = [&](std::size_t i) -> std::uint8_t* {
            const bool counts = m_trace.spans[i].kernelClass == KernelClass::gemm && m_operatorOf[i] != kNoIndex;
            return counts ? &gemms[m_operatorOf[i]] : nullptr;
        };
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            if (std::uint8_t* count = countAt(i); count != nullptr && *count < 2)
                ++*count;
        }
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            if (const std::uint8_t* count = countAt(i); count != nullptr && *count > 1)
                m_trace.spans[i].notes |= kSharesOperator;
        }
    }

    /// On AMD the grid counts work-items.
    void divideGrids() {
        for (SpanLaunch& launch : m_trace.launches) {
            for (std::size_t i = 0; i < launch.grid.size(); ++i) {
                const std::int64_t block = launch.block.at(i);
                std::int64_t& grid = launch.grid.at(i);
                if (grid > 0 && block > 0)
                    grid = (grid - 1) / block + 1;
            }
        }
    }

    void sortStreams() {
        std::vector<std::uint32_t> order(m_trace.streams.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
            const MeasuredStream &left = m_trace.streams[a], &right = m_trace.streams[b];
            return left.device != right.device ? left.device < right.device : left.stream < right.stream;
        });
        std::vector<MeasuredStream> sorted;
        std::vector<std::uint32_t> place(order.size());
        for (const std::uint32_t stream : order) {
            place[stream] = static_cast<std::uint32_t>(sorted.size());
            sorted.push_back(m_trace.streams[stream]);
        }
        m_trace.streams = std::move(sorted);
        for (MeasuredSpan& span : m_trace.spans)
            span.stream = place[span.stream];
    }

    const KernelClasses& m_classes;
    MeasuredTrace m_trace;
    std::vector<PendingSpan> m_pending;
    LaunchCalls m_calls;
    OperatorTree m_operators;
    StreamRanges m_ranges;
    std::vector<std::int64_t> m_graphs;  ///< correlations that several kernels share, sorted
    bool m_externalIsCorrelation = false;
    std::vector<std::uint32_t> m_operatorOf;  ///< of each span
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_rulesOfName;
};

}  // namespace

MeasuredTrace joinedTrace(KinetoRecords records, const KernelClasses& classes) {
    return Joining(std::move(records), classes).joined();
}

}  // namespace data
