#include "engine/api/division.h"

#include "engine/api/footprint.h"
#include "engine/api/parameters.h"
#include "engine/api/pipeline.h"
#include "engine/api/weight_copies.h"

#include <string>
#include <utility>

namespace engine {
namespace {

Problem refusedDivision(const char* path, const Experiment& experiment, std::string text) {
    const Parameter* parameter = findParameter(path);
    return {path, formatValue(*parameter, parameter->read(experiment)), std::move(text)};
}

/// Checks stages and chunks against the layers. A model of which only the number of weights is known has no layers.
void checkStages(const Experiment& e, Problems& problems) {
    if (!e.division.weights && e.division.pp > layersOfModel(e))
        problems.push_back(refusedDivision("division.pp", e,
                                           isNetwork(e) ? "a network is one layer, which is not divided; allowed: 1"
                                                        : "more stages than layers; allowed: 1 to " +
                                                              std::to_string(e.workload.layers)));
}

void checkInterleave(const Experiment& e, Problems& problems) {
    const DivisionConfig& division = e.division;
    if (division.interleave == 1)
        return;
    if (division.schedule != PipelineSchedule::oneForwardOneBackward) {
        problems.push_back(refusedDivision("division.interleave", e,
                                           "several chunks of layers need division.schedule=1f1b; allowed: 1, or that "
                                           "schedule"));
        return;
    }
    if (!division.weights && layersOfModel(e) % (division.pp * division.interleave) != 0)
        problems.push_back(refusedDivision(
            "division.interleave", e,
            "does not divide the layers of a stage (" + std::to_string(layersOfModel(e)) + " layers on " +
                std::to_string(division.pp) + (division.pp == 1 ? " stage" : " stages") +
                "); allowed: 1, or chunks of equally many layers, division.pp x division.interleave of them"));
}

// A delayed schedule gives stage 0 the first and the last module, with half of its layers each.
void checkDelayed(const Experiment& e, Problems& problems) {
    const DivisionConfig& division = e.division;
    if (!isDelayed(division.schedule))
        return;
    const auto refuse = [&](const char* path, const char* text) { problems.push_back(refusedDivision(path, e, text)); };
    if (division.pp == 1)
        refuse("division.schedule", "a delayed schedule needs several stages; allowed: 1f1b, all-forward or zb-h1, or "
                                    "division.pp above 1");
    if (division.dp > 1)
        refuse("division.dp", "a delayed schedule has one replica here; allowed: 1, or another division.schedule");
    if (division.microbatches > 1)
        refuse("division.microbatches", "a mini-batch of a delayed schedule is one micro-batch; allowed: 1, or another "
                                        "division.schedule");
    if (division.sharding != Sharding::none)
        refuse("division.sharding", "a delayed schedule has one replica, which holds all states; allowed: none, or "
                                    "another division.schedule");
    const std::int64_t ofFirst = (layersOfModel(e) + division.pp - 1) / division.pp;
    if (!division.weights && division.pp > 1 && ofFirst % 2 != 0)
        problems.push_back(refusedDivision("division.schedule", e,
                                           "the first stage has " + std::to_string(ofFirst) +
                                               " layers, which its two modules cannot share; allowed: a division.pp "
                                               "that gives it an even number, or another schedule"));
}

void checkMicrobatches(const Experiment& e, Problems& problems) {
    if (e.division.interleave > 1 && e.division.microbatches % e.division.pp != 0)
        problems.push_back(refusedDivision("division.microbatches", e,
                                           "division.pp = " + std::to_string(e.division.pp) +
                                               " does not divide it, which interleaved stages need; allowed: a "
                                               "multiple of division.pp, or division.interleave=1"));
}

void checkSharding(const Experiment& e, Problems& problems) {
    if (isNetwork(e) && !e.division.weights && e.division.sharding != Sharding::none)
        problems.push_back(refusedDivision("division.sharding", e,
                                           "the states of a network are not sharded: its operators' gradients are "
                                           "summed over different GPUs; allowed: none"));
    if (e.division.sharding == Sharding::weights && e.division.pp > 1)
        problems.push_back(
            refusedDivision("division.sharding", e,
                            "sharded weights in a pipeline are not modelled; allowed: none, optimizer or "
                            "gradients, or division.pp=1"));
}

void checkElementSize(const Experiment& e, Problems& problems) {
    const std::int64_t bits = e.operators.elementBits;
    if (e.training.accounting == Accounting::megatron && bits == 8)
        problems.push_back(refusedDivision("operators.element_bits", e,
                                           "Megatron-LM documents bytes of weights and gradients of 16 and 32 bits "
                                           "only; allowed: 16 or 32, or training.accounting=zero"));
    if (e.training.accounting == Accounting::deepspeed && bits != 16)
        problems.push_back(refusedDivision("operators.element_bits", e,
                                           "DeepSpeed's estimators cover weights of 16 bits only; allowed: 16, or "
                                           "training.accounting=zero"));
}

// Refuses settings for which the estimators have no formulas.
void checkAccounting(const Experiment& e, Problems& problems) {
    checkElementSize(e, problems);
    if (e.training.accounting != Accounting::deepspeed)
        return;
    if (e.training.optimizer != OptimizerKind::adam)
        problems.push_back(refusedDivision("training.optimizer", e,
                                           "DeepSpeed's estimators cover Adam only; allowed: adam, or "
                                           "training.accounting=zero or megatron"));
    if (e.division.sharding != Sharding::gradients && e.division.sharding != Sharding::weights)
        problems.push_back(refusedDivision("training.accounting", e,
                                           "DeepSpeed's estimators cover the stages 2 and 3 only; allowed: zero or "
                                           "megatron, or division.sharding=gradients or weights"));
}

void checkCopies(const Experiment& e, Problems& problems) {
    if (auto problem = readCopies(e.training.copies).problem)
        problems.push_back(std::move(*problem));
}

void checkStates(const Experiment& e, Problems& problems) {
    const std::int64_t least =
        weightAndGradientBytes({.accounting = e.training.accounting, .elementBytes = elementBytes(e)});
    if (e.training.states && e.training.states->count < least)
        problems.push_back(refusedDivision("training.states", e,
                                           "a weight and its gradient alone take " + std::to_string(least) +
                                               " B, by training.accounting and operators.element_bits; allowed: auto, "
                                               "or at least these bytes"));
}

}  // namespace

Problems divisionProblems(const Experiment& experiment) {
    Problems problems;
    checkStages(experiment, problems);
    if (problems.empty())
        checkInterleave(experiment, problems);
    checkDelayed(experiment, problems);
    checkMicrobatches(experiment, problems);
    checkSharding(experiment, problems);
    checkAccounting(experiment, problems);
    checkCopies(experiment, problems);
    checkStates(experiment, problems);
    return problems;
}

}  // namespace engine
