#include "engine/workload/stages.h"

#include "engine/api/division.h"
#include "engine/api/footprint.h"
#include "engine/api/parameters.h"
#include "engine/api/pipeline.h"

#include <string>
#include <utility>

namespace engine {
namespace {

std::int64_t roundedUp(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

Problem refusedFootprint(const char* path, const Experiment& experiment, std::string text) {
    const Parameter& parameter = *findParameter(path);
    return {path, formatValue(parameter, parameter.read(experiment)), std::move(text)};
}

}  // namespace

std::vector<ModelStage> stagesOf(std::int64_t layers, const DivisionConfig& division) {
    const std::int64_t stages = division.pp, last = isDelayed(division.schedule) ? 0 : stages - 1;
    std::vector<ModelStage> dealt;
    for (std::int64_t i = 0; i < stages; ++i)
        dealt.push_back({layers / stages + (i < layers % stages ? 1 : 0), i == 0, i == last});
    return dealt;
}

std::vector<StageChunk> chunksOfStage(const DivisionConfig& division, std::int64_t layers, std::int64_t stage) {
    const ModelStage of = stagesOf(layers, division)[static_cast<std::size_t>(stage)];
    const std::int64_t parts = partsOf(shapeOf(division), stage);
    std::vector<StageChunk> chunks(static_cast<std::size_t>(parts), {false, of.layers / parts, false});
    chunks.front().begin = of.first;
    chunks.back().end = of.last;
    return chunks;
}

DividedWeights dividedWeights(const Experiment& experiment, const OperatorGraph& graph) {
    DividedWeights weights{graph.gpus, experiment.division.pp, 0, 0, 0, stagesOf(graph.layers, experiment.division)};
    for (const Operator& op : graph.operators) {
        if (op.pass == OperatorPass::forward)
            (op.inLayer ? weights.layer : weights.embedding) += op.weights;
    }
    return weights;
}

DividedWeights dividedBareWeights(const Experiment& experiment) {
    const std::int64_t tp = experiment.parallel.tp, pp = experiment.division.pp;
    return {tp, pp, 0, 0, roundedUp(*experiment.division.weights, tp * pp), stagesOf(0, experiment.division)};
}

bool standsIn(const ModelStage& stage, const Operator& op) {
    return !op.inLayer && (isOfEmbedding(op) ? stage.first : stage.last);
}

SubLayer collectiveOf(const OperatorGraph& graph, const Operator& op) {
    if (op.workload)
        return op.workload->sublayer;
    return collectiveAlone(op.feeder ? graph.operators[*op.feeder].operation : op.operation);
}

Problems footprintProblems(const Experiment& experiment, ModelPhase phase) {
    Problems problems = divisionProblems(experiment);
    const DivisionConfig& division = experiment.division;
    if (division.sharding != Sharding::none && phase != ModelPhase::training)
        problems.push_back(refusedFootprint("division.sharding", experiment,
                                            "only a training step has gradients and an optimizer; allowed: none, or "
                                            "the phase training"));
    if (isDelayed(division.schedule) && phase != ModelPhase::training)
        problems.push_back(refusedFootprint("division.schedule", experiment,
                                            "only a training step has gradients that are delayed; allowed: 1f1b, or "
                                            "the phase training"));
    if (!division.weights) {
        const Problems ofGraph = operatorGraphProblems(experiment, phase);
        problems.insert(problems.end(), ofGraph.begin(), ofGraph.end());
        return problems;
    }
    if (phase != ModelPhase::training)
        problems.push_back(refusedFootprint("division.weights", experiment,
                                            "a number of weights does not determine keys and values; allowed: model, "
                                            "or the phase training"));
    if (experiment.training.accounting == Accounting::deepspeed && division.sharding == Sharding::weights)
        problems.push_back(
            refusedFootprint("division.weights", experiment,
                             "DeepSpeed's buffers hold the largest layer, and a number of weights has no layers; "
                             "allowed: model, or division.sharding=gradients"));
    return problems;
}

}  // namespace engine
