#include "data/model/model_point.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/document/text_hash.h"
#include "data/model/class_times.h"
#include "data/model/model_step.h"
#include "data/model/projection.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace data {
namespace {

using engine::Experiment;

ModelRunOptions optionsOf(const Experiment& experiment, ResultSubject subject, ModelRunOptions options = {}) {
    options.phase = phaseOf(subject).value();
    options.policies = {experiment.policy.preset};
    return options;
}

/// Returns the operations that the GPU performs in this time at its peak.
double peakFlops(const Experiment& experiment, engine::Duration time) {
    return static_cast<double>(experiment.cu.count) * static_cast<double>(engine::peakFlopsOfCu(experiment)) *
           static_cast<double>(time.ps) * 1e-12;
}

/// Returns whether memory bounds an operator, by the data-sheet rates of the GPU without efficiencies. A collective is
/// bound by links.
bool isBoundByMemory(const Experiment& machine, const engine::Operator& op, const OperatorWork& work) {
    const double flopsPerSecond =
        static_cast<double>(machine.cu.count) * static_cast<double>(engine::peakFlopsOfCu(machine));
    return op.operatorClass != engine::OperatorClass::collective &&
           work.bytes / static_cast<double>(machine.memory.bandwidth.bytesPerSecond) > work.flops / flopsPerSecond;
}

void addShares(const ModelRun& run, const PolicyModelTime& policy, ModelPoint& point) {
    TimeShares& shares = point.shares.emplace();
    for (const ClassTime& of : classTimesOf(run, policy)) {
        switch (of.operatorClass) {
        case engine::OperatorClass::gemm: shares.gemm = of.share; break;
        case engine::OperatorClass::batchedGemm: shares.batchedGemm = of.share; break;
        case engine::OperatorClass::attentionElementWise: shares.attentionElementWise = of.share; break;
        case engine::OperatorClass::elementWise: shares.elementWise = of.share; break;
        case engine::OperatorClass::optimizer: shares.optimizer = of.share; break;
        case engine::OperatorClass::collective: shares.collective = of.share; break;
        }
    }
    for (const OperatorPoint& of : operatorPointsOf(run, policy)) {
        const engine::Operator& op = run.graph.operators[of.index];
        if (!isBoundByMemory(run.base, op, of.work))
            continue;
        shares.memoryBound += of.share;
        if (op.operatorClass != engine::OperatorClass::optimizer)
            shares.memoryBoundWithoutOptimizer += of.share;
    }
}

/// Adds the step, whose ratios take the place of those of the model.
void addStep(const ModelRun& run, const PolicyModelTime& policy, ModelPoint& point) {
    const ModelStep step = stepOf(run, policy);
    const StepParts& parts = step.time;
    point.step = {parts.compute, parts.tensor, parts.data, parts.pipeline, parts.bubble, step.bubbleShare};
    const auto real = [](engine::Duration time) { return static_cast<double>(time.ps); };
    const double total = real(step.total);
    if (total <= 0)
        return;
    ModelRatios& ratios = point.ratios.emplace();
    ratios.communicationShare = real(parts.tensor + parts.data + parts.pipeline) / total;
    ratios.speedupOverSequential =
        policy.policy == engine::PolicyPreset::sequential ? 1 : real(stepOf(run, run.sequential).total) / total;
    // All stages together do the flops of every micro-batch once.
    const engine::DivisionConfig& division = run.base.division;
    const double flops =
        run.graph.flopsOfModel() * static_cast<double>(division.microbatches) / static_cast<double>(division.pp);
    ratios.flopsUtilisation = flops / peakFlops(run.base, step.total);
}

void addTimes(const ModelRun& run, ModelPoint& point) {
    const PolicyModelTime& policy = run.policies.front();
    point.time = policy.time;
    const double peak = peakFlops(run.base, policy.time.total());
    point.ratios = {policy.communicationShare, policy.speedupOverSequential,
                    peak > 0 ? run.graph.flopsOfModel() / peak : 0};
    addShares(run, policy, point);
    if (isStep(run.base))
        addStep(run, policy, point);
}

void addFootprint(const engine::Footprint& footprint, ModelPoint& point) {
    point.footprint = footprint.bytes();
    point.ofLayers = {footprint.stage().layerStates, footprint.stage().layerActivations};
    if (footprint.fits && footprint.mostWeights)
        point.fit = {*footprint.fits, *footprint.mostWeights};
    for (const engine::Notice& notice : footprint.notices)
        addOnce(point.notices, notice);
}

void addMessages(const Experiment& experiment, const engine::Messages& messages, ModelPoint& point) {
    point.messageRatios = engine::ratiosOf(experiment, messages);
    point.messages = {messages.count(),
                      messages.volume(),
                      messages.sent(),
                      messages.sentWithinNode(),
                      messages.sentBetweenNodes(),
                      messages.mostBetweenNodes.sent,
                      engine::floorTimeOf(experiment, messages)};
    for (const engine::MessageRow& row : messages.rows) {
        for (std::size_t i = 0; i < kMessageKeys.size(); ++i) {
            if (kMessageKeys[i].group != row.group || (kMessageKeys[i].ofLayers && !row.ofLayers))
                continue;
            MessageSum& sum = point.byGroup[i];
            sum.bytes = std::max(sum.bytes, row.bytes);
            sum.count += row.count;
            sum.volume += row.volume;
            sum.sent += row.sent;
        }
    }
}

}  // namespace

void setModelDefaults(ExperimentDraft& draft, ResultSubject subject) {
    if (isTimed(subject))
        draft.explicitValues.emplace("detail.level", std::string("interactive"));
}

Experiment wholeModelOf(ExperimentDraft draft) {
    draft.explicitValues.insert_or_assign("workload.sublayer",
                                          std::string(engine::name(engine::WorkloadConfig{}.sublayer)));
    return expandValues(draft).experiment;
}

Expansion expandModelPoint(ExperimentDraft draft, ResultSubject subject) {
    setModelDefaults(draft, subject);
    Expansion expansion = expandValues(draft);
    if (expansion.problems.empty())
        expansion.problems = modelPointProblems(expansion.experiment, subject);
    return expansion;
}

engine::Problems problemsOfShowing(const ExperimentDraft& draft) {
    return hasRun(draft) ? expand(draft).problems : expandModelPoint(draft, ResultSubject::footprint).problems;
}

engine::Problems modelPointProblems(const Experiment& experiment, ResultSubject subject) {
    if (!isTimed(subject)) {
        engine::Problems problems = engine::tableProblems(experiment);
        return problems.empty() ? engine::footprintProblems(experiment, phaseOf(subject).value()) : problems;
    }
    engine::Problems problems = modelRunProblems(experiment, optionsOf(experiment, subject));
    if (experiment.division.weights)
        problems.push_back({"division.weights", std::to_string(*experiment.division.weights),
                            "a number of weights alone cannot be timed; allowed: model, or \"of\": \"footprint\""});
    if (problems.empty())
        append(problems, engine::footprintProblems(experiment, phaseOf(subject).value()));
    return problems;
}

ModelPoint divisionPointOf(const Experiment& experiment, engine::ModelPhase phase) {
    ModelPoint point;
    if (experiment.division.weights) {
        addFootprint(engine::footprintOf(experiment, phase), point);
        addMessages(experiment, engine::messagesOf(experiment, phase), point);
    } else {
        const engine::OperatorGraph graph = engine::operatorGraphOf(experiment, phase);
        addFootprint(engine::footprintOf(experiment, graph), point);
        addMessages(experiment, engine::messagesOf(experiment, graph), point);
    }
    return point;
}

engine::Problems projectedPointProblems(const Experiment& experiment, ResultSubject subject, const Experiment& source) {
    return projectionProblems(experiment, source, optionsOf(experiment, subject));
}

ModelPointRun modelPointOf(const Experiment& experiment, ResultSubject subject, ModelRunOptions options,
                           const std::optional<Experiment>& source) {
    refuseAny(modelPointProblems(experiment, subject));
    if (!isTimed(subject))
        return {divisionPointOf(experiment, phaseOf(subject).value()), {}};
    options = optionsOf(experiment, subject, std::move(options));
    ModelRun run = source ? projectedRun(experiment, *source, options) : modelRun(experiment, options);
    ModelPointRun result;
    ModelPoint& point = result.point;
    point.subject = subject;
    addTimes(run, point);
    point.projection = std::move(run.projection);
    result.broken = std::move(run.broken);
    point.notices = std::move(run.notices);
    addFootprint(engine::footprintOf(experiment, run.graph), point);
    addMessages(experiment, engine::messagesOf(experiment, run.graph), point);
    return result;
}

std::string modelPointHash(const Experiment& experiment, ResultSubject subject,
                           const std::optional<Experiment>& source) {
    return sha256(canonicalForm(experiment) + "\nof " + std::string(name(subject)) +
                  (source ? "\nfrom " + canonicalForm(*source) : std::string()));
}

double ModelWork::add(const Experiment& experiment, ResultSubject subject, const std::optional<Experiment>& source) {
    if (!isTimed(subject))
        return 0;
    const Experiment& simulated = source ? *source : experiment;
    double events = 0;
    for (const ModelSimulation& simulation : simulationsOf(simulated, optionsOf(simulated, subject))) {
        if (m_known.insert(std::hash<std::string>()(simulation.identity)).second)
            events += simulation.events;
    }
    return events;
}

}  // namespace data
