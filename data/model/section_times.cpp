#include "data/model/section_times.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace data {
namespace {

using engine::Duration;
using engine::Operator;
using engine::OperatorGraph;
using engine::OperatorPass;
using engine::PassKind;

constexpr std::array kPasses{PassKind::forward, PassKind::backward, PassKind::weight};
constexpr std::array kSections{SectionKind::begin, SectionKind::layer, SectionKind::end};
constexpr std::uint32_t kCompute = 0, kTensor = 1;

SectionKind sectionOf(const Operator& op) {
    if (op.inLayer)
        return SectionKind::layer;
    return engine::isOfEmbedding(op) ? SectionKind::begin : SectionKind::end;
}

/// Returns the pass of an operator; none for those of the optimizer.
std::optional<PassKind> passOf(const Operator& op, bool isWeight) {
    switch (op.pass) {
    case OperatorPass::forward: return PassKind::forward;
    case OperatorPass::recompute:
    case OperatorPass::backward: return isWeight ? PassKind::weight : PassKind::backward;
    case OperatorPass::optimizer: break;
    }
    return std::nullopt;
}

/// Schedules operators of one section and pass.
class SectionSchedule {
public:
    SectionSchedule(const ModelRun& run, const PolicyModelTime& policy, const OperatorPairRates& rates)
        : m_run(run), m_policy(policy), m_rates(rates), m_taskOf(run.graph.operators.size(), engine::kNoTask) {
        m_graph.pools = {{"compute", 1}, {"tensor", 1}};
        m_graph.lookaheads = {run.base.step.lookahead.value_or(engine::kUnlimitedLookahead)};
    }

    void add(std::size_t op) {
        const bool isTensor = m_run.graph.operators[op].kind == engine::OperatorKind::collective;
        m_taskOf[op] = static_cast<engine::TaskIndex>(m_graph.tasks.size());
        m_operators.push_back(op);
        m_graph.tasks.push_back(
            {m_policy.operators[op].time.total().ps, isTensor ? kTensor : kCompute, engine::Task::kAnyPlace, 0, 0});
    }

    SectionTime time() {
        for (const engine::OperatorDependency& edge : m_run.graph.edges) {
            if (m_taskOf[edge.from] != engine::kNoTask && m_taskOf[edge.to] != engine::kNoTask)
                m_graph.edges.push_back({m_taskOf[edge.from], m_taskOf[edge.to], 0});
        }
        const engine::Timetable timetable = engine::timetableOf(m_graph, m_rates ? rates() : engine::TaskRates{});
        SectionTime section;
        section.total = {timetable.makespan};
        for (std::size_t i = 0; i < m_operators.size(); ++i) {
            const engine::TaskSpan& span = timetable.spans[i];
            const bool isTensor = m_graph.tasks[i].pool == kTensor;
            section.spans.push_back({m_operators[i], isTensor, {span.begin}, {span.end}});
            section.compute += isTensor ? Duration{} : Duration{span.end - span.begin};
        }
        return section;
    }

private:
    /// At most one operator of each lane runs at a time.
    engine::TaskRates rates() const {
        return [this](std::span<const engine::TaskIndex> running, std::span<std::int64_t> millionths) {
            if (running.size() < 2)
                return;
            const std::size_t tensor = m_graph.tasks[running[0]].pool == kTensor ? 0 : 1, compute = 1 - tensor;
            const PairRates pair = m_rates(m_operators[running[compute]], m_operators[running[tensor]]);
            millionths[compute] = pair.compute;
            millionths[tensor] = pair.message;
        };
    }

    const ModelRun& m_run;
    const PolicyModelTime& m_policy;
    const OperatorPairRates& m_rates;
    std::vector<engine::TaskIndex> m_taskOf;  // by operator
    std::vector<std::size_t> m_operators;     // by task
    engine::TaskGraph m_graph;
};

}  // namespace

std::vector<bool> weightOperators(const OperatorGraph& graph) {
    // An edge leads to a higher index, so that the readers of an operator are known before it.
    std::vector<bool> isWeight(graph.operators.size(), false), hasReader(isWeight), hasOther(isWeight);
    auto edge = graph.edges.rbegin();
    for (std::size_t op = graph.operators.size(); op-- > 0;) {
        const Operator& of = graph.operators[op];
        for (; edge != graph.edges.rend() && edge->from == op; ++edge) {
            const Operator& reader = graph.operators[edge->to];
            const bool ends =
                reader.pass == OperatorPass::optimizer || (isWeight[edge->to] && reader.inLayer == of.inLayer);
            hasReader[op] = true;
            hasOther[op] = hasOther[op] || !ends;
        }
        const bool isBackward = of.pass == OperatorPass::backward || of.pass == OperatorPass::recompute;
        isWeight[op] = isBackward && hasReader[op] && !hasOther[op];
    }
    return isWeight;
}

SectionTimes::SectionTimes(const ModelRun& run, const PolicyModelTime& policy, bool splits,
                           const OperatorPairRates& rates) {
    const std::vector<bool> isWeight =
        splits ? weightOperators(run.graph) : std::vector<bool>(run.graph.operators.size(), false);
    for (const PassKind pass : kPasses) {
        for (const SectionKind section : kSections) {
            SectionSchedule schedule(run, policy, rates);
            for (std::size_t op = 0; op < run.graph.operators.size(); ++op) {
                if (sectionOf(run.graph.operators[op]) == section &&
                    passOf(run.graph.operators[op], isWeight[op]) == pass)
                    schedule.add(op);
            }
            m_times[static_cast<std::size_t>(pass)][static_cast<std::size_t>(section)] = schedule.time();
        }
    }
}

std::vector<const SectionTime*> SectionTimes::ofPass(PassKind pass, const engine::StageChunk& chunk) const {
    std::vector<const SectionTime*> times;
    if (chunk.begin)
        times.push_back(&of(pass, SectionKind::begin));
    times.insert(times.end(), static_cast<std::size_t>(chunk.layers), &of(pass, SectionKind::layer));
    if (chunk.end)
        times.push_back(&of(pass, SectionKind::end));
    if (pass != PassKind::forward)
        std::ranges::reverse(times);
    return times;
}

}  // namespace data
