#include "data/questions/model_advice.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/run_outcome.h"
#include "data/laboratory/work_progress.h"
#include "data/model/model_run.h"
#include "engine/api/baselines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;
using engine::ModelPhase;
using engine::Operator;
using engine::OperatorGraph;

struct ScopeNames {
    std::string_view name, title;
};
// In the order of the enumeration.
constexpr std::array<ScopeNames, 5> kScopes{{{"head-gemm", "the head's GEMM"},
                                             {"attention-gemms", "the batched GEMMs of attention"},
                                             {"layer-gemms", "the GEMMs of a layer"},
                                             {"pipeline", "the pipeline's layers with their bubble"},
                                             {"step", "the step"}}};

AdviceScope scopeOf(ShapeRule rule) {
    switch (rule) {
    case ShapeRule::vocabulary: return AdviceScope::head;
    case ShapeRule::headsDivideWidth:
    case ShapeRule::headSize:
    case ShapeRule::headsOfGpu: return AdviceScope::attention;
    case ShapeRule::tokens:
    case ShapeRule::widthOfGpu: return AdviceScope::layer;
    case ShapeRule::stagesDivideLayers: return AdviceScope::pipeline;
    case ShapeRule::microBatch:
    case ShapeRule::degree: break;
    }
    return AdviceScope::step;
}

/// A GEMM that each GPU of the experiment's machine does, and how often it does it.
struct AdvisedGemm {
    Experiment experiment;
    std::int64_t count = 1;
};

/// The result of simulating a GEMM.
struct GemmRun {
    Duration time;
    engine::GemmResult gemm;  ///< with the tile that was used
};

Experiment gemmOn(const Experiment& machine, const engine::MatrixConfig& matrix) {
    Experiment gemm = machine;
    engine::applyPolicyPreset(gemm, engine::PolicyPreset::sequential);
    gemm.workload = {};
    gemm.workload.sublayer = engine::SubLayer::gemm;
    gemm.matrix = matrix;
    // The topology does not affect a GEMM. A run needs at least two GPUs.
    gemm.parallel.tp = 2;
    gemm.topology = {};
    gemm.collective = {};
    gemm.variation = {};
    gemm.companion = {};
    gemm.dispatch = {};
    gemm.division = {};
    gemm.training = {};
    gemm.node = {};
    gemm.operators = engine::operatorsOfRun(machine);
    return gemm;
}

/// Returns the batched GEMMs of all heads of a GPU, or of the GPU with the most heads if they are not divided evenly.
std::vector<AdvisedGemm> attentionGemms(const Experiment& e, ModelPhase phase) {
    const std::int64_t heads = engine::queryHeads(e.workload), sequence = e.workload.sequence;
    const std::int64_t size = e.workload.headSize.value_or(e.workload.hidden / heads);
    const std::int64_t tokens = phase == ModelPhase::generation ? 1 : sequence;
    const std::int64_t products = (e.workload.batch * heads + e.parallel.tp - 1) / e.parallel.tp;
    return {{gemmOn(e, {tokens, sequence, size, products})}, {gemmOn(e, {tokens, size, sequence, products})}};
}

std::vector<AdvisedGemm> gemmsOf(const Experiment& e, const OperatorGraph& graph, AdviceScope scope) {
    if (scope == AdviceScope::attention)
        return attentionGemms(e, graph.phase);
    std::vector<AdvisedGemm> gemms;
    for (const Operator& op : graph.operators) {
        if (op.gemm && op.pass == engine::OperatorPass::forward && op.inLayer == (scope == AdviceScope::layer))
            gemms.push_back({gemmOn(e, {op.gemm->m, op.gemm->n, op.gemm->k}), op.gemms});
    }
    return gemms;
}

bool hasGemms(AdviceScope scope) { return scope != AdviceScope::pipeline && scope != AdviceScope::step; }

/// Returns the experiment with one micro-batch of the model on one stage.
Experiment oneMicroBatch(Experiment experiment) {
    experiment.division = {};
    return experiment;
}

/// The times from which a step is computed.
struct StepParts {
    Duration layer, outside;                    ///< of one micro-batch
    Duration layerOptimizer, outsideOptimizer;  ///< of one step
};

/// A step that was simulated, or the reason why it has no time.
struct StepRun {
    StepParts parts;
    std::string whyNot;
};

StepParts partsOf(const ModelRun& run) {
    StepParts parts;
    const PolicyModelTime& times = run.policies.front();
    for (std::size_t i = 0; i < times.operators.size(); ++i) {
        const Operator& op = run.graph.operators[i];
        const bool ofOptimizer = op.pass == engine::OperatorPass::optimizer;
        Duration& part = op.inLayer ? (ofOptimizer ? parts.layerOptimizer : parts.layer)
                                    : (ofOptimizer ? parts.outsideOptimizer : parts.outside);
        part += times.operators[i].time.total();
    }
    return parts;
}

std::int64_t layersOfStage(const Experiment& e) { return (e.workload.layers + e.division.pp - 1) / e.division.pp; }

/// Returns (m + (p-1)/v) times the layers of the slowest stage.
Duration pipelineTime(const Experiment& e, const StepParts& parts) {
    const engine::DivisionConfig& division = e.division;
    const Duration stage = parts.layer * layersOfStage(e);
    return stage * division.microbatches + Duration{stage.ps / division.interleave} * (division.pp - 1);
}

AdvisedStep stepOf(const Experiment& e, ModelPhase phase, const StepParts& parts) {
    AdvisedStep step;
    step.time = pipelineTime(e, parts) + parts.outside * e.division.microbatches +
                parts.layerOptimizer * layersOfStage(e) + parts.outsideOptimizer;
    step.tokens =
        e.workload.batch * e.division.microbatches * (phase == ModelPhase::generation ? 1 : e.workload.sequence);
    step.gpus = e.parallel.tp * e.division.pp;
    return step;
}

Duration ofToken(Duration time, std::int64_t gpus, std::int64_t tokens) {
    return {std::llround(static_cast<double>(time.ps) * static_cast<double>(gpus) / static_cast<double>(tokens))};
}

std::string joinedProblems(const engine::Problems& problems) {
    std::vector<std::string> lines;
    for (const engine::Problem& problem : problems)
        lines.push_back(engine::describe(problem));
    return joined(lines, "; ");
}

/// Simulates the GEMMs and steps that the broken rules need, each once.
class AdviceRun {
public:
    AdviceRun(const AdviceQuestion& question, const AdviceOptions& options)
        : m_experiment(question.experiment), m_phase(question.phase), m_options(options) {
        m_advice.experiment = m_experiment;
        m_advice.phase = m_phase;
    }

    ModelAdvice advice() {
        for (RuleCheck& check : checkRules(m_experiment, m_phase)) {
            const AdviceScope scope = scopeOf(check.rule);
            m_advice.rules.push_back({std::move(check), scope, {}, {}, false, {}, {}});
        }
        poll();
        if (headsDivideWidth(m_experiment))
            simulateBroken();
        addNotices();
        return std::move(m_advice);
    }

private:
    /// The two sides of a rule that is simulated: the experiment as it is, and with the change.
    struct Sides {
        RuleAdvice* advice;
        std::array<Experiment, 2> experiments;
        std::array<std::vector<AdvisedGemm>, 2> gemms;
    };

    void poll() const {
        if (m_options.stop.stop_requested())
            throw engine::RunStopped();
    }

    ModelRunOptions stepOptions() const {
        ModelRunOptions options;
        options.phase = m_phase;
        options.policies = {m_experiment.policy.preset};
        options.threads = m_options.threads;
        options.stop = m_options.stop;
        return options;
    }

    void simulateBroken() {
        const OperatorGraph own = engine::operatorGraphOf(m_experiment, m_phase);
        for (RuleAdvice& advice : m_advice.rules) {
            if (advice.isBroken() && !advice.check.change.empty())
                plan(advice, own);
        }
        if (m_sides.empty())
            return;
        WorkProgress progress(expectedWork(), m_options.progress);
        runGemmsOfSides(progress);
        runSteps(progress);
        for (const Sides& sides : m_sides)
            report(sides);
        m_advice.gemms = m_gemms.size();
        m_advice.steps = m_steps.size();
    }

    void plan(RuleAdvice& advice, const OperatorGraph& own) {
        Sides sides{&advice, {m_experiment, withChange(m_experiment, advice.check.change)}, {}};
        const OperatorGraph changed = engine::operatorGraphOf(sides.experiments[1], m_phase);
        const auto weights = [](const OperatorGraph& graph) {
            return static_cast<double>(graph.weightsOfModel()) * static_cast<double>(graph.gpus);
        };
        advice.weightsChange = weights(changed) / weights(own) - 1;
        const OperatorGraph* graphs[] = {&own, &changed};
        for (std::size_t side = 0; side < sides.experiments.size(); ++side) {
            if (hasGemms(advice.scope))
                sides.gemms[side] = gemmsOf(sides.experiments[side], *graphs[side], advice.scope);
            advice.notSimulated = whyNot(sides, side);
            if (!advice.notSimulated.empty())
                return;
        }
        for (const auto& gemms : sides.gemms) {
            for (const AdvisedGemm& gemm : gemms)
                addOnce(m_gemms, gemm.experiment);
        }
        for (const Experiment& experiment : sides.experiments)
            addOnce(m_steps, oneMicroBatch(experiment));
        m_sides.push_back(std::move(sides));
    }

    /// Returns why one side cannot be simulated; empty if it can.
    std::string whyNot(const Sides& sides, std::size_t side) const {
        engine::Problems problems;
        for (const AdvisedGemm& gemm : sides.gemms[side]) {
            for (engine::Problem& problem : engine::validate(gemm.experiment))
                addOnce(problems, std::move(problem));
        }
        for (engine::Problem& problem : modelRunProblems(oneMicroBatch(sides.experiments[side]), stepOptions()))
            addOnce(problems, std::move(problem));
        return joinedProblems(problems);
    }

    /// Returns the expected work of the GEMMs, then of the steps.
    std::vector<double> expectedWork() const {
        std::vector<double> work = costsOf(m_gemms, false);
        std::map<std::string, bool> met;  // simulations that several steps share count once
        for (const Experiment& step : m_steps) {
            double events = RunCosts::kEventsOfAnyRun;
            for (const ModelSimulation& simulation : simulationsOf(step, stepOptions())) {
                if (!std::exchange(met[simulation.identity], true))
                    events += simulation.events;
            }
            work.push_back(events);
        }
        return work;
    }

    void runGemmsOfSides(WorkProgress& progress) {
        engine::RunManyOptions many;
        many.each.baselines = false;
        many.threads = m_options.threads;
        many.stop = m_options.stop;
        progress.follow(many);
        std::vector<engine::RunOutcome> outcomes = m_options.runs(m_gemms, many);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            const engine::RunResult result = resultOf(std::move(outcomes[i]), caseName(m_gemms[i]));
            m_advice.broken.add(m_gemms[i], result.invariants);
            m_gemmRuns.push_back({result.last.time.total, result.gemm.value()});
        }
    }

    void runSteps(WorkProgress& progress) {
        ModelRunOptions options = stepOptions();
        options.memory = m_options.memory ? m_options.memory : std::make_shared<ModelMemory>();
        options.baselineCache = std::make_shared<engine::BaselineCache>();
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            options.progress = progress.of(m_gemms.size() + i);
            StepRun& step = m_stepRuns.emplace_back();
            try {
                const ModelRun run = modelRun(m_steps[i], options);
                m_advice.broken.add(run.broken);
                step.parts = partsOf(run);
            } catch (const engine::InvalidExperiment& refused) {  // its time is only known to be too long afterwards
                step.whyNot = joinedProblems(refused.problems());
            }
            progress.ended(m_gemms.size() + i);
        }
    }

    const StepRun& stepRunOf(const Experiment& experiment) const {
        const auto place = std::ranges::find(m_steps, oneMicroBatch(experiment)) - m_steps.begin();
        return m_stepRuns[static_cast<std::size_t>(place)];
    }

    const GemmRun& runOf(const AdvisedGemm& gemm) const {
        const auto place = std::ranges::find(m_gemms, gemm.experiment) - m_gemms.begin();
        return m_gemmRuns[static_cast<std::size_t>(place)];
    }

    Duration gemmTime(const std::vector<AdvisedGemm>& gemms) const {
        Duration sum;
        for (const AdvisedGemm& gemm : gemms)
            sum += runOf(gemm).time * gemm.count;
        return sum;
    }

    AdviceTimes timesOf(const Sides& sides, std::size_t side) const {
        const Experiment& experiment = sides.experiments[side];
        const StepParts& parts = stepRunOf(experiment).parts;
        AdviceTimes times{{}, {}, stepOf(experiment, m_phase, parts)};
        const AdviceScope scope = sides.advice->scope;
        times.part = scope == AdviceScope::step       ? times.step.time
                     : scope == AdviceScope::pipeline ? pipelineTime(experiment, parts)
                                                      : gemmTime(sides.gemms[side]);
        // GEMMs are of one micro-batch and one group of tensor-parallel GPUs.
        const engine::DivisionConfig& division = experiment.division;
        times.partOfToken = hasGemms(scope)
                                ? ofToken(times.part, experiment.parallel.tp, times.step.tokens / division.microbatches)
                                : ofToken(times.part, times.step.gpus, times.step.tokens);
        return times;
    }

    void report(const Sides& sides) const {
        for (const Experiment& experiment : sides.experiments) {
            sides.advice->notSimulated = stepRunOf(experiment).whyNot;
            if (!sides.advice->notSimulated.empty())
                return;
        }
        sides.advice->now = timesOf(sides, 0);
        sides.advice->changed = timesOf(sides, 1);
        const auto& [before, after] = sides.gemms;
        sides.advice->hasSameWaves =
            !before.empty() && std::ranges::equal(before, after, [this](const AdvisedGemm& a, const AdvisedGemm& b) {
                const engine::GemmResult &first = runOf(a).gemm, &second = runOf(b).gemm;
                return first.tiles == second.tiles && first.waves == second.waves;
            });
    }

    void addNotices() {
        engine::Notices& notices = m_advice.notices;
        notices.push_back(
            {"advise",
             "alignment of rows is not modelled: on a real GPU a broken rule may cost more than these times"});
        if (m_sides.empty())
            return;
        const Experiment& e = m_experiment;
        if (std::ranges::any_of(m_sides,
                                [](const Sides& sides) { return sides.advice->scope == AdviceScope::attention; }))
            notices.push_back({"operators.attention",
                               "the batched GEMMs of attention are simulated by themselves; in a step, attention takes "
                               "the time of its flops and bytes, as operators.attention says"});
        if (e.division.pp > 1 || e.division.dp > 1 || e.division.microbatches > 1)
            notices.push_back({"division",
                               "a step counts micro-batches, stages and their bubble; messages between stages "
                               "and between replicas are left out"});
    }

    const Experiment& m_experiment;
    ModelPhase m_phase;
    const AdviceOptions& m_options;
    ModelAdvice m_advice;
    std::vector<Sides> m_sides;
    std::vector<Experiment> m_gemms, m_steps;  ///< each once
    std::vector<GemmRun> m_gemmRuns;           ///< by GEMM
    std::vector<StepRun> m_stepRuns;           ///< by step
};

}  // namespace

std::string_view name(AdviceScope scope) { return kScopes.at(static_cast<std::size_t>(scope)).name; }

std::string_view title(AdviceScope scope) { return kScopes.at(static_cast<std::size_t>(scope)).title; }

Duration AdvisedStep::ofToken() const { return data::ofToken(time, gpus, tokens); }

bool RuleAdvice::comparesTokens() const {
    return now->step.tokens != changed->step.tokens || now->step.gpus != changed->step.gpus;
}

std::size_t ModelAdvice::brokenRules() const {
    return static_cast<std::size_t>(std::ranges::count_if(rules, &RuleAdvice::isBroken));
}

ModelAdvice modelAdviceOf(const AdviceQuestion& question, const AdviceOptions& options) {
    refuseAny(ruleProblems(question.experiment, question.phase));
    return AdviceRun(question, options).advice();
}

}  // namespace data
