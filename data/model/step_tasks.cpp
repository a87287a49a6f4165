#include "data/model/step_tasks.h"

#include "data/model/message_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::kNoTask;
using engine::MessageMoment;
using engine::PassKind;
using engine::StageMessage;
using engine::TaskIndex;

/// Returns the pass whose end completes the gradients of weights.
PassKind lastPass(const engine::PipelineShape& shape) {
    return engine::splitsBackward(shape.schedule) ? PassKind::weight : PassKind::backward;
}

/// Builds the tasks of a step, stage by stage in the order of its passes.
class StepTasks {
public:
    StepTasks(const ModelRun& run, const PolicyModelTime& policy, ModelStep& step)
        : m_run(run), m_base(run.base), m_policy(policy), m_step(step), m_shape(step.shape),
          m_ends(placeOf(m_shape.stages)), m_sendLatency(linksOf(m_base, engine::MessageGroup::pipeline).latency.ps),
          m_sendTime(sendTime(m_base, engine::sendBytes(m_base, run.graph)).ps) {}

    void build() {
        addPools();
        m_step.plan = engine::planOf(m_shape);
        m_step.graph.lookaheads.assign(placeOf(m_step.plan.orders), 1);
        findReaders();
        m_first.assign(m_step.plan.passes.size(), kNoTask);
        m_last = m_first;
        m_sends = m_first;
        for (std::size_t pass = 0; pass < m_step.plan.passes.size(); ++pass)
            addPass(pass);
        addPassInputs();
        if (trains() && !m_step.isDelayed())
            addEndOfStep();
    }

private:
    bool trains() const { return m_run.graph.phase == engine::ModelPhase::training; }

    /// What a stage has done when its passes end.
    struct StageEnd {
        std::vector<TaskIndex> gradients;                     // its data messages
        std::array<TaskIndex, 2> previous{kNoTask, kNoTask};  // the last two tasks of its order, the last one first
    };

    void addPools() {
        for (std::int64_t stage = 0; stage < m_shape.stages; ++stage) {
            const std::string name = "stage " + std::to_string(stage);
            for (const char* lane : {"", ", data", ", pipeline"})
                m_step.graph.pools.push_back({name + lane, 1});
        }
        m_step.graph.pools.push_back({"all stages", 1});
    }

    TaskIndex add(StepTask task, Duration time, std::size_t pool, std::int32_t order) {
        const auto gpu =
            task.kind == StepTaskKind::barrier ? engine::Task::kNone : static_cast<std::int32_t>(task.stage);
        m_step.graph.tasks.push_back({time.ps, static_cast<std::uint32_t>(pool), engine::Task::kAnyPlace, order, gpu});
        m_step.tasks.push_back(task);
        return static_cast<TaskIndex>(m_step.tasks.size() - 1);
    }

    void after(TaskIndex from, TaskIndex to, std::int64_t latency = 0) {
        m_step.graph.edges.push_back({from, to, latency});
    }

    /// Finds the passes whose results another stage reads.
    void findReaders() {
        m_isSent.assign(m_step.plan.passes.size(), false);
        for (const engine::PassInput& input : m_step.plan.inputs)
            m_isSent[input.from] = m_isSent[input.from] || isSend(input);
    }

    bool isSend(const engine::PassInput& input) const {
        return input.data && m_step.plan.passes[input.from].stage != m_step.plan.passes[input.to].stage;
    }

    /// Returns whether messages become due inside a pass, so that it is cut at the ends of its sections.
    bool isCut(const engine::PipelinePass& pass) const {
        if (!trains() || (m_base.division.dp == 1 && !engine::isNetwork(m_base)))
            return false;
        const bool last = pass.step.microbatch + 1 == m_shape.microbatches;
        switch (m_base.division.sharding) {
        case engine::Sharding::weights: return true;
        case engine::Sharding::gradients: return pass.step.kind == lastPass(m_shape);
        default: return last && pass.step.kind == lastPass(m_shape);
        }
    }

    void addPass(std::size_t index) {
        const engine::PipelinePass& pass = m_step.plan.passes[index];
        const engine::StageChunk& chunk = m_step.stages[placeOf(pass.stage)].chunks[placeOf(pass.step.chunk)];
        const auto times = m_step.sections.ofPass(pass.step.kind, chunk);
        const auto sections = static_cast<std::int64_t>(times.size()), step = isCut(pass) ? std::int64_t{1} : sections;
        for (std::int64_t section = 0; section < sections || m_first[index] == kNoTask; section += step) {
            Duration time;
            for (std::int64_t i = section; i < section + step; ++i)
                time += times[placeOf(i)]->total;
            if (step == 1)
                addGather(pass, chunk, section);
            const TaskIndex task = addToOrder({StepTaskKind::pass, pass.stage, index, section, step}, time, pass.order);
            for (const TaskIndex gather : std::exchange(m_gathers, {}))
                after(gather, task);
            if (m_first[index] == kNoTask)
                m_first[index] = task;
            m_last[index] = task;
            if (step == 1)
                addGradients(pass, chunk, section, task);
        }
        if (m_isSent[index]) {
            m_sends[index] = add({StepTaskKind::send, pass.stage, index}, {m_sendTime},
                                 ModelStep::poolOf(pass.stage, StepLane::pipeline), engine::Task::kNone);
            after(m_last[index], m_sends[index]);
        }
        if (m_step.isDelayed() && pass.step.kind == PassKind::backward)
            addToOrder({StepTaskKind::optimizer, pass.stage, index}, optimizerTime(chunk), pass.order);
    }

    TaskIndex addToOrder(const StepTask& what, Duration time, std::int32_t order) {
        const TaskIndex task = add(what, time, ModelStep::poolOf(what.stage, StepLane::compute), order);
        auto& previous = m_ends[placeOf(what.stage)].previous;
        previous = {task, previous[0]};
        return task;
    }

    /// Returns the section of a chunk, counted from its beginning, at a place in a pass.
    static std::int64_t sectionAt(const engine::PipelinePass& pass, const engine::StageChunk& chunk,
                                  std::int64_t place) {
        return pass.step.kind == PassKind::forward ? place : chunk.sections() - 1 - place;
    }

    template <typename Visit>
    void eachMessage(const engine::PipelinePass& pass, std::int64_t section, MessageMoment moment, const Visit& visit) {
        const std::vector<StageMessage>& messages = m_step.stages[placeOf(pass.stage)].messages;
        const bool last = pass.step.microbatch + 1 == m_shape.microbatches;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const StageMessage& message = messages[i];
            if (message.moment == moment && message.chunk == pass.step.chunk && message.section == section &&
                (message.eachMicrobatch || last))
                visit(i);
        }
    }

    TaskIndex addMessage(std::int64_t stage, std::size_t message) {
        const StageMessage& of = m_step.stages[placeOf(stage)].messages[message];
        const Duration one = of.moment == MessageMoment::control ? controlTime(m_base) : m_policy.timeOf(kindOf(of));
        return add({.kind = StepTaskKind::message, .stage = stage, .message = message}, one * of.count,
                   ModelStep::poolOf(stage, StepLane::data), engine::Task::kNone);
    }

    /// Adds the gathers that the next section waits for. They begin with the section before it (assumed).
    void addGather(const engine::PipelinePass& pass, const engine::StageChunk& chunk, std::int64_t place) {
        if (pass.step.kind == PassKind::weight)
            return;
        const auto moment =
            pass.step.kind == PassKind::forward ? MessageMoment::forwardGather : MessageMoment::backwardGather;
        eachMessage(pass, sectionAt(pass, chunk, place), moment, [&](std::size_t message) {
            const TaskIndex gather = addMessage(pass.stage, message);
            if (const TaskIndex before = m_ends[placeOf(pass.stage)].previous[1]; before != kNoTask)
                after(before, gather);
            m_gathers.push_back(gather);
        });
    }

    void addGradients(const engine::PipelinePass& pass, const engine::StageChunk& chunk, std::int64_t place,
                      TaskIndex task) {
        if (pass.step.kind != lastPass(m_shape))
            return;
        eachMessage(pass, sectionAt(pass, chunk, place), MessageMoment::gradients, [&](std::size_t message) {
            const TaskIndex sent = addMessage(pass.stage, message);
            after(task, sent);
            m_ends[placeOf(pass.stage)].gradients.push_back(sent);
        });
    }

    void addPassInputs() {
        for (const engine::PassInput& input : m_step.plan.inputs) {
            if (isSend(input))
                after(m_sends[input.from], m_first[input.to], m_sendLatency);
            else
                after(m_last[input.from], m_first[input.to]);
        }
    }

    /// Returns the time of the optimizer for the weights of a chunk, or of a whole stage.
    Duration optimizerTime(const engine::StageChunk& chunk) const {
        const bool embeds = chunk.begin || chunk.end;
        Duration time;
        for (std::size_t op = 0; op < m_run.graph.operators.size(); ++op) {
            const engine::Operator& of = m_run.graph.operators[op];
            if (of.pass == engine::OperatorPass::optimizer)
                time += m_policy.operators[op].time.total() * (of.inLayer ? chunk.layers : embeds ? 1 : 0);
        }
        const std::int64_t shards = m_base.division.sharding == engine::Sharding::none ? 1 : m_base.division.dp;
        return {(time.ps + shards - 1) / shards};
    }

    /// Adds what follows the passes of all stages: the messages of the tied embedding and of control, the optimizer, and
    /// the messages of new weights.
    void addEndOfStep() {
        // The optimizer of a network, which has one stage and no control messages, waits for the gradients themselves.
        const bool several = m_base.division.dp * m_base.division.pp > 1 && !engine::isNetwork(m_base);
        std::vector<TaskIndex> tied;
        for (std::int64_t stage = 0; stage < m_shape.stages; ++stage)
            addAll(stage, MessageMoment::tied, tied);
        for (const TaskIndex message : tied) {
            for (const TaskIndex other : tied)
                afterGradients(m_step.tasks[other].stage, message);
        }
        TaskIndex all = kNoTask;
        if (several) {
            all = add({.kind = StepTaskKind::barrier}, {}, m_step.graph.pools.size() - 1, engine::Task::kNone);
            for (std::int64_t stage = 0; stage < m_shape.stages; ++stage)
                afterGradients(stage, all);
            for (const TaskIndex message : tied)
                after(message, all);
        }
        for (std::int64_t stage = 0; stage < m_shape.stages; ++stage)
            addOptimizer(stage, all);
    }

    void addAll(std::int64_t stage, MessageMoment moment, std::vector<TaskIndex>& added) {
        const std::vector<StageMessage>& messages = m_step.stages[placeOf(stage)].messages;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            if (messages[i].moment == moment)
                added.push_back(addMessage(stage, i));
        }
    }

    void afterGradients(std::int64_t stage, TaskIndex task) {
        const StageEnd& end = m_ends[placeOf(stage)];
        after(end.previous[0], task);
        for (const TaskIndex message : end.gradients)
            after(message, task);
    }

    void addOptimizer(std::int64_t stage, TaskIndex all) {
        std::vector<TaskIndex> control, weights;
        if (all != kNoTask)
            addAll(stage, MessageMoment::control, control);
        for (const TaskIndex message : control)
            after(all, message);
        engine::StageChunk whole;
        for (const engine::StageChunk& chunk : m_step.stages[placeOf(stage)].chunks)
            whole = {whole.begin || chunk.begin, whole.layers + chunk.layers, whole.end || chunk.end};
        const std::int32_t order = m_step.graph.tasks[m_ends[placeOf(stage)].previous[0]].order;
        const TaskIndex optimizer = addToOrder({StepTaskKind::optimizer, stage}, optimizerTime(whole), order);
        for (const TaskIndex message : control)
            after(message, optimizer);
        if (all == kNoTask) {
            for (const TaskIndex message : m_ends[placeOf(stage)].gradients)
                after(message, optimizer);
        }
        addAll(stage, MessageMoment::weights, weights);
        for (const TaskIndex message : weights)
            after(optimizer, message);
    }

    const ModelRun& m_run;
    const engine::Experiment& m_base;
    const PolicyModelTime& m_policy;
    ModelStep& m_step;
    const engine::PipelineShape& m_shape;
    std::vector<StageEnd> m_ends;                     // by stage
    std::vector<bool> m_isSent;                       // by pass
    std::vector<TaskIndex> m_first, m_last, m_sends;  // by pass
    std::vector<TaskIndex> m_gathers;                 // that the next section waits for
    std::int64_t m_sendLatency, m_sendTime;
};

}  // namespace

void addStepTasks(const ModelRun& run, const PolicyModelTime& policy, ModelStep& step) {
    if (run.graph.phase == engine::ModelPhase::training) {
        for (std::int64_t stage = 0; stage < step.shape.stages; ++stage)
            step.stages[placeOf(stage)].messages = engine::stepMessages(run.base, run.graph, stage);
    }
    StepTasks(run, policy, step).build();
}

double mostStepTasks(const engine::Experiment& experiment, engine::ModelPhase phase) {
    const engine::DivisionConfig& division = experiment.division;
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const engine::PipelineShape shape = engine::shapeOf(division);
    const double parts = engine::isDelayed(division.schedule) ? 2 : real(division.interleave);
    const double rounds =
        real(engine::isDelayed(division.schedule) ? engine::delayedMinibatches(division.pp) : division.microbatches);
    const double kinds = phase != engine::ModelPhase::training ? 1 : engine::splitsBackward(division.schedule) ? 3 : 2;
    constexpr double kWithSend = 2, kOfStage = 8;
    double tasks = real(shape.stages) * (rounds * parts * kinds * kWithSend + kOfStage);
    if (engine::isNetwork(experiment)) {
        constexpr double kMostOfNetwork = 4096;  // operators, each with a message for its gradients
        tasks += kMostOfNetwork;
    } else if (division.dp > 1) {
        // A cut pass has a task, and at most three messages, for each of its sections.
        constexpr double kOfSection = 4;
        const double cut = division.sharding >= engine::Sharding::gradients ? rounds * kinds : 1;
        tasks += cut * kOfSection * (real(engine::layersOfModel(experiment)) + 2 * real(shape.stages));
    }
    return tasks;
}

}  // namespace data
