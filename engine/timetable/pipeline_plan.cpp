#include "engine/api/pipeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

namespace engine {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Finds passes by their place in the model. Positions count the parts of the model from the input to the output: of
/// chunks c p + s, of modules k - 1.
class PassTable {
public:
    explicit PassTable(const PipelineShape& shape)
        : m_shape(shape), m_positions(isDelayed(shape.schedule) ? shape.stages + 1 : shape.stages * shape.chunks),
          m_rounds(isDelayed(shape.schedule) ? delayedMinibatches(shape.stages) : shape.microbatches) {
        for (auto& ofKind : m_passes)
            ofKind.assign(at(m_positions * m_rounds), kNone);
    }

    static constexpr std::uint32_t kNone = kNoTask;

    std::int64_t positions() const { return m_positions; }
    std::int64_t rounds() const { return m_rounds; }

    std::int64_t positionOf(std::int64_t stage, std::int64_t chunk) const {
        return isDelayed(m_shape.schedule) ? (chunk == 1 ? m_shape.stages : stage) : chunk * m_shape.stages + stage;
    }

    std::uint32_t& find(PassKind kind, std::int64_t position, std::int64_t round) {
        return m_passes[static_cast<std::size_t>(kind)][at(position * m_rounds + round)];
    }

private:
    const PipelineShape& m_shape;
    std::int64_t m_positions, m_rounds;
    std::array<std::vector<std::uint32_t>, 3> m_passes;
};

/// Adds the passes in program order.
void addPasses(const PipelineShape& shape, PipelinePlan& plan) {
    for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
        // The modules of a stage are orders of their own; its chunks share one.
        const std::int64_t orders = isDelayed(shape.schedule) ? partsOf(shape, stage) : 1;
        for (std::int64_t order = 0; order < orders; ++order) {
            for (const PipelineStep& step : pipelineOrder(shape, stage, order))
                plan.passes.push_back({stage, step, plan.orders});
            ++plan.orders;
        }
    }
    if (!isDelayed(shape.schedule))
        return;
    // Iteration by iteration, and in it from the last module to the first, as the gradients come.
    const auto iteration = [&](const PipelinePass& pass) {
        const std::int64_t delay = pass.step.chunk == 1 ? 0 : shape.stages - pass.stage;
        return pass.step.microbatch + (pass.step.kind == PassKind::backward ? delay : 0);
    };
    const auto module = [&](const PipelinePass& pass) { return pass.step.chunk == 1 ? shape.stages : pass.stage; };
    std::ranges::stable_sort(plan.passes, [&](const PipelinePass& a, const PipelinePass& b) {
        return std::pair(iteration(a), -module(a)) < std::pair(iteration(b), -module(b));
    });
}

/// In the schedule delayed all modules go backward when the mini-batch has gone forward through all of them, and the
/// next mini-batch begins when all have gone backward.
void addBarriers(const PipelineShape& shape, PassTable& table, PipelinePlan& plan) {
    for (std::int64_t t = 0; t < table.rounds(); ++t) {
        const std::uint32_t forwardDone = table.find(PassKind::forward, table.positions() - 1, t);
        for (std::int64_t position = 0; position < table.positions(); ++position) {
            const std::int64_t minibatch = t - (shape.stages - position);  // t - K + k
            if (minibatch < 0)
                continue;
            const std::uint32_t backward = table.find(PassKind::backward, position, minibatch);
            plan.inputs.push_back({forwardDone, backward, false});
            if (t + 1 < table.rounds())
                plan.inputs.push_back({backward, table.find(PassKind::forward, 0, t + 1), false});
        }
    }
}

void addInputs(const PipelineShape& shape, PipelinePlan& plan) {
    using enum PassKind;
    PassTable table(shape);
    for (std::uint32_t i = 0; i < plan.passes.size(); ++i) {
        const PipelinePass& pass = plan.passes[i];
        table.find(pass.step.kind, table.positionOf(pass.stage, pass.step.chunk), pass.step.microbatch) = i;
    }
    const std::int64_t last = table.positions() - 1;
    for (std::uint32_t i = 0; i < plan.passes.size(); ++i) {
        const PipelineStep& step = plan.passes[i].step;
        const std::int64_t position = table.positionOf(plan.passes[i].stage, step.chunk);
        const auto reads = [&](PassKind kind, std::int64_t of) {
            plan.inputs.push_back({table.find(kind, of, step.microbatch), i});
        };
        switch (step.kind) {
        case forward:
            if (position > 0)
                reads(forward, position - 1);
            break;
        case backward:
            reads(forward, position);
            if (position < last)
                reads(backward, position + 1);
            break;
        case weight: reads(backward, position); break;
        }
    }
    if (shape.schedule == PipelineSchedule::delayed)
        addBarriers(shape, table, plan);
}

std::int64_t timeOf(const PipelineShape& shape, const PipelineTimes& times, const PipelinePass& pass) {
    const std::int64_t parts = partsOf(shape, pass.stage);
    switch (pass.step.kind) {
    case PassKind::forward: return times.forward / parts;
    case PassKind::backward:
        return (splitsBackward(shape.schedule) ? times.backward - times.weights : times.backward) / parts;
    case PassKind::weight: break;
    }
    return times.weights / parts;
}

/// The end of a mini-batch: of its last backward pass, that of the first module.
std::int64_t endOfMinibatch(const PipelinePlan& plan, const Timetable& timetable, std::int64_t minibatch) {
    for (std::size_t i = 0; i < plan.passes.size(); ++i) {
        if (plan.passes[i].stage == 0 && plan.passes[i].step == PipelineStep{PassKind::backward, minibatch, 0})
            return timetable.spans[i].end;
    }
    return 0;
}

}  // namespace

PipelinePlan planOf(const PipelineShape& shape) {
    PipelinePlan plan;
    addPasses(shape, plan);
    addInputs(shape, plan);
    return plan;
}

std::vector<std::int64_t> stalenessOf(const PipelineShape& shape) {
    std::vector<std::int64_t> staleness;
    if (!isDelayed(shape.schedule))
        return staleness;
    const std::int64_t modules = shape.stages + 1, measured = measuredMinibatches(shape.stages).first;
    for (std::int64_t k = 0; k < modules; ++k) {
        const bool last = k + 1 == modules;
        const std::vector<PipelineStep> steps = pipelineOrder(shape, last ? 0 : k, last ? 1 : 0);
        const auto find = [&](PassKind kind) {
            return std::ranges::find_if(
                steps, [&](const PipelineStep& step) { return step.kind == kind && step.microbatch == measured; });
        };
        staleness.push_back(std::count_if(find(PassKind::forward), find(PassKind::backward),
                                          [](const PipelineStep& step) { return step.kind == PassKind::backward; }));
    }
    return staleness;
}

double stableStep(std::int64_t staleness) {
    return 2 * std::sin(std::numbers::pi / (2 * (2 * static_cast<double>(staleness) + 1)));
}

TaskGraph pipelineTasks(const PipelineShape& shape, const PipelineTimes& times) {
    const PipelinePlan plan = planOf(shape);
    TaskGraph graph;
    for (std::int64_t stage = 0; stage < shape.stages; ++stage)
        graph.pools.push_back({"stage " + std::to_string(stage), 1});
    graph.lookaheads.assign(at(plan.orders), 1);
    for (const PipelinePass& pass : plan.passes)
        graph.tasks.push_back({timeOf(shape, times, pass), static_cast<std::uint32_t>(pass.stage), Task::kAnyPlace,
                               pass.order, static_cast<std::int32_t>(pass.stage)});
    for (const PassInput& input : plan.inputs) {
        const bool sent = input.data && plan.passes[input.from].stage != plan.passes[input.to].stage;
        graph.edges.push_back({input.from, input.to, sent ? times.send : 0});
    }
    return graph;
}

PipelineFindings findingsOf(const PipelineShape& shape, const TaskGraph& graph, const PipelinePlan& plan,
                            const Timetable& timetable) {
    PipelineFindings findings;
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    double work = 0;
    for (const Task& task : graph.tasks)
        work += real(task.time);
    if (isDelayed(shape.schedule)) {
        const auto [first, last] = measuredMinibatches(shape.stages);
        const std::int64_t measured = last - first;
        const std::int64_t took = endOfMinibatch(plan, timetable, last) - endOfMinibatch(plan, timetable, first);
        findings.total = (took + measured - 1) / measured;
        // Each mini-batch has the work of one forward and one backward pass through every module.
        work = 0;
        for (std::size_t i = 0; i < plan.passes.size(); ++i)
            work += plan.passes[i].step.microbatch == 0 ? real(graph.tasks[i].time) : 0;
    } else {
        findings.total = timetable.makespan;
    }
    const double ideal = work / real(shape.stages);
    if (findings.total > 0 && ideal > 0) {
        findings.bubbleShare = 1 - ideal / real(findings.total);
        findings.bubbleOverIdeal = real(findings.total) / ideal - 1;
    }
    for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
        const std::int64_t parts = partsOf(shape, stage);
        const std::vector<double> bytes(at(parts), 1);
        findings.inFlight.push_back(real(playPipeline(shape, stage, bytes).chunks) / real(parts));
    }
    return findings;
}

}  // namespace engine
