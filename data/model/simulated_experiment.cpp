#include "data/model/simulated_experiment.h"

#include "data/model/collective_choice.h"
#include "engine/api/baselines.h"
#include "engine/api/gemm.h"
#include "engine/api/parameters.h"

namespace data {
namespace {

/// Reduces a workload to the shape that the engine reads: an output of M x H and a K. Sub-layers with other names, or
/// with other sizes that give the same K, become equal.
void normalise(engine::WorkloadConfig& workload) {
    const std::int64_t side = engine::slicedSide(workload);
    if (static_cast<double>(side) > engine::findParameter("workload.feed_forward")->maximum)
        return;
    engine::WorkloadConfig same;
    same.model = workload.model;
    same.sublayer = engine::SubLayer::fc2;
    same.hidden = workload.hidden;
    same.sequence = workload.sequence;
    same.batch = workload.batch;
    same.feedForward = side;
    workload = same;
}

}  // namespace

engine::Experiment withoutTable(engine::Experiment experiment) {
    experiment.collective.table = engine::CollectiveConfig{}.table;
    return experiment;
}

void useTable(const engine::Experiment& base, engine::Experiment& experiment) {
    if (const auto rule = ruleOf(base, experiment))
        engine::applyRule(*rule, experiment);
    experiment.collective.table = engine::CollectiveConfig{}.table;
}

engine::Experiment simulatedExperiment(const engine::Experiment& base, const engine::Operator& op,
                                       engine::PolicyPreset policy) {
    engine::Experiment experiment = base;
    experiment.workload = op.workload.value();
    experiment.collective.operation = op.operation;
    // The graph has used these already. Of them, a run reads only the size of an element.
    experiment.division = {};
    experiment.step = {};
    experiment.operators = engine::operatorsOfRun(base);
    experiment.training = {};
    experiment.node = {};
    // The sub-layers of a whole model run one after the other, without a companion.
    experiment.matrix = {};
    experiment.companion = {};
    experiment.dispatch = {};
    const bool alone = engine::isCollectiveAlone(experiment.workload.sublayer);
    if (!alone)
        normalise(experiment.workload);
    engine::applyPolicyPreset(experiment, alone ? engine::rowOf(policy).alone : policy);
    useTable(base, experiment);
    return experiment;
}

}  // namespace data
