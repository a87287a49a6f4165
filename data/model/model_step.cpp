#include "data/model/model_step.h"

#include "data/model/step_rates.h"
#include "data/model/step_tasks.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

namespace data {
namespace {

using engine::Duration;
using engine::TaskIndex;
using engine::TaskSpan;

double real(Duration time) { return static_cast<double>(time.ps); }

/// Returns the part of a time that the compute lane is busy.
Duration computePart(const ModelStep& step, TaskIndex task, Duration took) {
    const StepTask& of = step.tasks[task];
    if (of.kind != StepTaskKind::pass)
        return took;
    Duration total, compute;
    for (const SectionTime* section : step.sectionsOf(task)) {
        total += section->total;
        compute += section->compute;
    }
    if (total == compute || total == Duration{})
        return took;
    if (took == total)
        return compute;
    return {static_cast<std::int64_t>(std::llround(real(took) * (real(compute) / real(total))))};
}

/// Adds a span of a task on its lane to the parts.
void addSpan(const ModelStep& step, TaskIndex task, Duration took, StepParts& parts) {
    switch (step.tasks[task].kind) {
    case StepTaskKind::pass:
    case StepTaskKind::optimizer: {
        const Duration compute = computePart(step, task, took);
        parts.compute += compute;
        parts.tensor += took - compute;
        break;
    }
    case StepTaskKind::send: parts.pipeline += took; break;
    case StepTaskKind::message: parts.data += took; break;
    case StepTaskKind::barrier: break;
    }
}

/// Returns the parts of the total along the critical chain. Between two tasks only the latency of a send passes.
StepParts partsOfChain(const ModelStep& step) {
    StepParts parts;
    std::int64_t end = 0;
    for (const TaskIndex task : step.chain) {
        const TaskSpan& span = step.timetable.spans[task];
        parts.pipeline += {span.begin - end};
        addSpan(step, task, {span.end - span.begin}, parts);
        end = span.end;
    }
    return parts;
}

/// Returns the time of `spans` inside a range. Precondition: the spans are sorted and do not overlap.
class LaneBusy {
public:
    void add(std::int64_t begin, std::int64_t end) { m_spans.push_back({begin, end}); }
    void sort() { std::ranges::sort(m_spans, {}, &Range::begin); }

    Duration inside(std::int64_t begin, std::int64_t end) const {
        Duration sum;
        const auto first = std::ranges::upper_bound(m_spans, begin, {}, &Range::end);
        for (auto span = first; span != m_spans.end() && span->begin < end; ++span)
            sum += {std::min(end, span->end) - std::max(begin, span->begin)};
        return sum;
    }

private:
    struct Range {
        std::int64_t begin = 0, end = 0;
    };
    std::vector<Range> m_spans;
};

/// Finds what the compute lane of each stage does at each moment.
class StageParts {
public:
    StageParts(const ModelStep& step, std::int64_t begin, std::int64_t end)
        : m_step(step), m_begin(begin), m_end(end), m_compute(step.stages.size()), m_data(step.stages.size()),
          m_waitsForData(step.tasks.size(), false), m_sentFrom(step.tasks.size(), kNotSent),
          m_sentUntil(step.tasks.size(), kNotSent) {
        for (TaskIndex task = 0; task < step.tasks.size(); ++task) {
            const std::size_t stage = placeOf(step.tasks[task].stage);
            const TaskSpan& span = step.timetable.spans[task];
            switch (step.tasks[task].kind) {
            case StepTaskKind::pass:
            case StepTaskKind::optimizer: m_compute[stage].push_back(task); break;
            case StepTaskKind::message: m_data[stage].add(span.begin, span.end); break;
            case StepTaskKind::send:
            case StepTaskKind::barrier: break;
            }
        }
        for (std::size_t stage = 0; stage < m_compute.size(); ++stage) {
            m_data[stage].sort();
            std::ranges::sort(m_compute[stage], {}, [&](TaskIndex task) {
                return std::pair(step.timetable.spans[task].begin, step.timetable.spans[task].end);
            });
        }
        for (const engine::TaskEdge& edge : step.graph.edges)
            findWaits(edge);
    }

    StepParts of(std::size_t stage) const {
        StepParts parts;
        std::int64_t end = m_begin;
        for (const TaskIndex task : m_compute[stage]) {
            const TaskSpan& span = m_step.timetable.spans[task];
            if (span.end <= m_begin || span.begin >= m_end)
                continue;
            if (span.begin > end)
                addGap(stage, task, end, span.begin, parts);
            addSpan(m_step, task, {std::min(m_end, span.end) - std::max(m_begin, span.begin)}, parts);
            end = std::max(end, std::min(m_end, span.end));
        }
        if (end < m_end) {
            const Duration data = m_data[stage].inside(end, m_end);
            parts.data += data;
            parts.bubble += Duration{m_end - end} - data;
        }
        return parts;
    }

private:
    static constexpr std::int64_t kNotSent = -1;

    void findWaits(const engine::TaskEdge& edge) {
        const StepTask &from = m_step.tasks[edge.from], &to = m_step.tasks[edge.to];
        if (to.kind != StepTaskKind::pass && to.kind != StepTaskKind::optimizer)
            return;
        const TaskSpan& span = m_step.timetable.spans[edge.from];
        if (from.kind == StepTaskKind::message)
            m_waitsForData[edge.to] = true;
        if (from.kind == StepTaskKind::send && span.end + edge.latency > m_sentUntil[edge.to]) {
            m_sentFrom[edge.to] = span.begin;
            m_sentUntil[edge.to] = span.end + edge.latency;
        }
    }

    /// Adds the time for which the lane waits for `next`.
    void addGap(std::size_t stage, TaskIndex next, std::int64_t begin, std::int64_t end, StepParts& parts) const {
        const Duration gap{end - begin};
        Duration data, send;
        if (m_waitsForData[next])
            data = m_data[stage].inside(begin, end);
        if (m_sentUntil[next] > begin)
            send = {std::max<std::int64_t>(0, std::min(end, m_sentUntil[next]) - std::max(begin, m_sentFrom[next]))};
        send = std::min(send, gap - data);
        parts.data += data;
        parts.pipeline += send;
        parts.bubble += gap - data - send;
    }

    const ModelStep& m_step;
    std::int64_t m_begin, m_end;
    std::vector<std::vector<TaskIndex>> m_compute;      // by stage, in the order of time
    std::vector<LaneBusy> m_data;                       // by stage
    std::vector<bool> m_waitsForData;                   // by task
    std::vector<std::int64_t> m_sentFrom, m_sentUntil;  // by task: of the send that arrives last
};

/// The time that a delayed schedule measures, and the number of mini-batches in it.
struct Measured {
    std::int64_t begin = 0, end = 0, minibatches = 1;
};

Measured measuredOf(const ModelStep& step) {
    if (!step.isDelayed())
        return {0, step.timetable.makespan, 1};
    const engine::MeasuredMinibatches of = engine::measuredMinibatches(step.shape.stages);
    Measured measured{0, 0, of.last - of.first};
    for (TaskIndex task = 0; task < step.tasks.size(); ++task) {
        const StepTask& what = step.tasks[task];
        if (what.kind != StepTaskKind::pass || what.stage != 0)
            continue;
        const engine::PipelineStep& pass = step.plan.passes[what.pass].step;
        if (pass.kind != engine::PassKind::backward || pass.chunk != 0)
            continue;
        if (pass.microbatch == of.first)
            measured.begin = step.timetable.spans[task].end;
        if (pass.microbatch == of.last)
            measured.end = step.timetable.spans[task].end;
    }
    return measured;
}

/// Returns the part of each time that belongs to one mini-batch. The bubble takes what rounding leaves.
StepParts dividedBy(const StepParts& all, std::int64_t minibatches, Duration total) {
    const auto part = [&](Duration time) { return Duration{time.ps / minibatches}; };
    StepParts parts{part(all.compute), part(all.tensor), part(all.data), part(all.pipeline), {}};
    parts.bubble = total - parts.total();
    return parts;
}

StepParts meanOf(const std::vector<StageStep>& stages, Duration total) {
    StepParts sum;
    for (const StageStep& stage : stages) {
        sum.compute += stage.time.compute;
        sum.tensor += stage.time.tensor;
        sum.data += stage.time.data;
        sum.pipeline += stage.time.pipeline;
    }
    return dividedBy(sum, static_cast<std::int64_t>(stages.size()), total);
}

void addFindings(ModelStep& step) {
    const Measured measured = measuredOf(step);
    step.total = {(measured.end - measured.begin + measured.minibatches - 1) / measured.minibatches};
    const StageParts parts(step, measured.begin, measured.end);
    double bubble = 0, passes = 0;
    for (std::size_t stage = 0; stage < step.stages.size(); ++stage) {
        StepParts& time = step.stages[stage].time;
        time = parts.of(stage);
        if (measured.minibatches > 1)
            time = dividedBy(time, measured.minibatches, step.total);
        bubble += real(time.bubble);
        passes += real(time.compute + time.tensor);
    }
    const double stages = static_cast<double>(step.stages.size());
    step.bubbleShare = step.total > Duration{} ? bubble / stages / real(step.total) : 0;
    step.bubbleOverIdeal = passes > 0 ? bubble / passes : 0;
    if (step.isDelayed()) {
        step.time = meanOf(step.stages, step.total);
    } else {
        step.chain = engine::criticalChain(step.timetable);
        step.time = partsOfChain(step);
    }
}

}  // namespace

bool isStep(const engine::Experiment& experiment) {
    const engine::DivisionConfig& division = experiment.division;
    return division.dp > 1 || division.pp > 1 || division.microbatches > 1 || experiment.step != engine::StepConfig{} ||
           (engine::isNetwork(experiment) && experiment.parallel.tp > 1);
}

engine::Problems stepProblems(const engine::Experiment& experiment, engine::ModelPhase phase) {
    if (!isStep(experiment))
        return {};
    engine::Problems problems = engine::footprintProblems(experiment, phase);
    if (experiment.division.weights)
        return problems;
    const double tasks = mostStepTasks(experiment, phase);
    if (problems.empty() && tasks > static_cast<double>(engine::kMostTasks))
        problems.push_back({"division.microbatches", std::to_string(experiment.division.microbatches),
                            "the timetable of the step would have " + std::to_string(std::llround(tasks)) +
                                " tasks, allowed are " + std::to_string(engine::kMostTasks) +
                                "; choose fewer micro-batches or fewer stages"});
    return problems;
}

const engine::StageMessage* ModelStep::messageOf(TaskIndex task) const {
    const StepTask& of = tasks[task];
    return of.kind == StepTaskKind::message ? &stages[placeOf(of.stage)].messages[of.message] : nullptr;
}

std::vector<const SectionTime*> ModelStep::sectionsOf(TaskIndex task) const {
    const StepTask& of = tasks[task];
    const engine::PipelinePass& pass = plan.passes[of.pass];
    const auto all = sections.ofPass(pass.step.kind, stages[placeOf(pass.stage)].chunks[placeOf(pass.step.chunk)]);
    return {all.begin() + of.firstSection, all.begin() + of.firstSection + of.sections};
}

std::string nameOf(const ModelStep& step, TaskIndex task) {
    const StepTask& of = step.tasks[task];
    switch (of.kind) {
    case StepTaskKind::pass: {
        const engine::PipelinePass& pass = step.plan.passes[of.pass];
        const std::int64_t all = step.stages[placeOf(pass.stage)].chunks[placeOf(pass.step.chunk)].sections();
        const std::string name = engine::nameOf(pass.step);
        return of.sections == all
                   ? name
                   : name + ", section " + std::to_string(of.firstSection + 1) + " of " + std::to_string(all);
    }
    case StepTaskKind::send: return "send of " + engine::nameOf(step.plan.passes[of.pass].step);
    case StepTaskKind::message: {
        const engine::StageMessage& message = *step.messageOf(task);
        const std::string many = message.count > 1 ? std::to_string(message.count) + " x " : "";
        return many + std::string(engine::name(message.operation)) + " of " + std::to_string(message.bytes.count) +
               " B";
    }
    case StepTaskKind::optimizer: return "optimizer";
    case StepTaskKind::barrier: break;
    }
    return "all stages have their gradients";
}

ModelStep stepOf(const ModelRun& run, const PolicyModelTime& policy) {
    const engine::DivisionConfig& division = run.base.division;
    engine::PipelineShape shape = engine::shapeOf(division);
    shape.forwardOnly = run.graph.phase != engine::ModelPhase::training;
    const OperatorPairRates rates = [&](std::size_t op, std::size_t collective) {
        return ratesBeside(run, policy, op, engine::MessageGroup::tensor,
                           engine::operationOf(run.graph, run.graph.operators[collective]));
    };
    ModelStep step{policy.policy, shape, {}, SectionTimes(run, policy, engine::splitsBackward(shape.schedule), rates)};
    const engine::Footprint footprint = engine::footprintOf(run.base, run.graph);
    for (std::int64_t stage = 0; stage < shape.stages; ++stage)
        step.stages.push_back(
            {footprint.stages[placeOf(stage)], engine::chunksOfStage(division, run.graph.layers, stage), {}, {}});
    addStepTasks(run, policy, step);
    step.timetable = engine::timetableOf(step.graph, StepRates(run, policy, step).rates());
    step.pairs = pairsOf(run, step);
    step.simulatedPairs = static_cast<std::size_t>(std::ranges::count_if(step.pairs.gemms, [&](const RatePair& pair) {
        return std::ranges::any_of(policy.pairs, [&](const RateOfPair& of) { return of.pair == pair && of.rates; });
    }));
    step.pairsWithoutRate = step.pairs.withoutRate + step.pairs.gemms.size() - step.simulatedPairs;
    step.staleness = engine::stalenessOf(shape);
    addFindings(step);
    return step;
}

}  // namespace data
