#include "data/questions/reserve_advice.h"

#include "data/document/problem_list.h"
#include "data/laboratory/run_outcome.h"
#include "data/laboratory/work_progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace data {
namespace {

using engine::CompanionOperation;
using engine::Experiment;
using engine::SubLayer;

constexpr std::array kAlone{
    std::pair{CompanionOperation::allGather, SubLayer::allGather},
    std::pair{CompanionOperation::reduceScatter, SubLayer::reduceScatter},
    std::pair{CompanionOperation::allReduce, SubLayer::allReduce},
    std::pair{CompanionOperation::allToAll, SubLayer::allToAll},
};

/// Returns the name of a run of advisingRuns for messages.
std::string whatRan(const Experiment& experiment, std::size_t run) {
    const std::string cus = std::to_string(reserveCandidates(experiment.cu.count)[run / 2]);
    return run % 2 == 0 ? "own work beside " + cus + " reserved CUs" : "the companion alone on " + cus + " CUs";
}

}  // namespace

ManyRuns usualRuns() {
    return [](std::span<const Experiment> experiments, const engine::RunManyOptions& options) {
        return engine::runMany(experiments, options);
    };
}

bool canReserve(const Experiment& experiment) {
    return engine::hasCompanionCollective(experiment) && !engine::isCollectiveAlone(experiment.workload.sublayer) &&
           experiment.cu.count >= 2;
}

std::vector<std::int64_t> reserveCandidates(std::int64_t cus) {
    constexpr std::int64_t kFewest = 4;
    const std::int64_t most = cus / 2;
    std::vector<std::int64_t> candidates;
    for (std::int64_t reserved = std::min(kFewest, most); reserved <= most; reserved *= 2)
        candidates.push_back(reserved);
    return candidates;
}

Experiment ownBesideReserved(const Experiment& experiment, std::int64_t reserved) {
    Experiment own = experiment;
    own.companion = {};
    own.dispatch = {engine::DispatchRule::reserved, reserved};
    return own;
}

Experiment companionAlone(const Experiment& experiment, std::int64_t workgroups) {
    // Under `sequential` kernels carry collectives; the kind of reduction stays that of the experiment.
    Experiment alone = experiment;
    engine::applyPolicyPreset(alone, engine::PolicyPreset::sequential);
    alone.collective.reduction = experiment.collective.reduction;
    alone.collective.operation = engine::CollectiveConfig{}.operation;
    alone.collective.cuCount = workgroups;
    // Beside the GEMM its CUs run at the clock of the GEMM.
    if (alone.collective.cuBandwidth) {
        const double slower = static_cast<double>(engine::matrixClockOf(experiment).hertz) /
                              static_cast<double>(experiment.cu.clock.hertz);
        std::int64_t& pace = alone.collective.cuBandwidth->bytesPerSecond;
        pace = std::max<std::int64_t>(1, std::llround(static_cast<double>(pace) * slower));
    }
    alone.companion = {};
    alone.dispatch = {};
    for (const auto& [operation, sublayer] : kAlone) {
        if (operation == experiment.companion.operation)
            alone.workload.sublayer = sublayer;
    }
    alone.workload.bytes = experiment.companion.bytes;
    return alone;
}

std::vector<Experiment> advisingRuns(const Experiment& experiment) {
    std::vector<Experiment> runs;
    for (const std::int64_t reserved : reserveCandidates(experiment.cu.count)) {
        runs.push_back(ownBesideReserved(experiment, reserved));
        runs.push_back(companionAlone(experiment, std::min(reserved, experiment.companion.workgroups)));
    }
    return runs;
}

std::vector<engine::RunOutcome> outcomesOf(const std::vector<Experiment>& experiments, const ReserveOptions& options,
                                           const engine::RunOptions& each) {
    engine::RunManyOptions many;
    many.each = each;
    many.threads = options.threads;
    many.stop = options.stop;
    WorkProgress progress(costsOf(experiments, each.baselines), options.progress);
    progress.follow(many);
    return options.runs(experiments, many);
}

ReserveAdvice reserveAdvice(const Experiment& experiment, const ReserveOptions& options) {
    const std::vector<Experiment> experiments = advisingRuns(experiment);
    for (const Experiment& each : experiments)
        refuseAny(engine::validate(each));
    std::vector<engine::RunOutcome> outcomes = outcomesOf(experiments, options, {.baselines = false});

    ReserveAdvice advice;
    std::vector<engine::Duration> times;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const engine::RunResult result = resultOf(std::move(outcomes[i]), whatRan(experiment, i));
        advice.broken.add(experiments[i], result.invariants);
        times.push_back(result.last.time.total);
    }
    std::size_t next = 0;
    for (const std::int64_t reserved : reserveCandidates(experiment.cu.count)) {
        advice.candidates.push_back({reserved, times[next], times[next + 1]});
        next += 2;
    }
    const auto best =
        std::min_element(advice.candidates.begin(), advice.candidates.end(),
                         [](const ReserveCandidate& a, const ReserveCandidate& b) { return a.longer() < b.longer(); });
    advice.best = static_cast<std::size_t>(best - advice.candidates.begin());
    return advice;
}

}  // namespace data
