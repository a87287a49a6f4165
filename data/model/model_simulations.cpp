#include "data/model/model_simulations.h"

#include "engine/api/baselines.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cassert>

namespace data {
namespace {

using engine::Experiment;
using engine::PolicyPreset;

/// A sub-layer as the engine reads it: an output of M x H and a K. Its name, and what K was made of, play no part.
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

PolicyPreset aloneUnder(PolicyPreset policy) {
    switch (policy) {
    case PolicyPreset::t3:
    case PolicyPreset::t3Mca: return policy;
    case PolicyPreset::idealOverlapNmc: return PolicyPreset::t3;
    case PolicyPreset::sequential:
    case PolicyPreset::idealOverlap:
    case PolicyPreset::cuSplit: break;
    }
    return PolicyPreset::sequential;
}

/// Partial sums are written as any output; then each element's are read and their sum is written.
engine::Duration sumTime(const Experiment& machine, const engine::GemmSize& size, std::int64_t parts) {
    if (parts == 1)
        return {};
    constexpr double kElement = 2;
    const double elements = static_cast<double>(size.m) * static_cast<double>(size.n);
    const double moved = kElement * elements * static_cast<double>(parts + 1);
    return engine::rooflineTime(machine, elements * static_cast<double>(parts),
                                {static_cast<std::int64_t>(std::min(moved, 9e18))});
}

double workOf(const engine::GemmSize& size) {
    return static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.k);
}

}  // namespace

Experiment simulatedExperiment(const Experiment& base, const engine::Operator& op, PolicyPreset policy) {
    Experiment experiment = base;
    experiment.workload = op.workload.value();
    experiment.collective.operation = op.operation;
    const bool alone = engine::isCollectiveAlone(experiment.workload.sublayer);
    if (!alone)
        normalise(experiment.workload);
    engine::applyPolicyPreset(experiment, alone ? aloneUnder(policy) : policy);
    return experiment;
}

std::int64_t partsOfK(const Experiment& machine, const engine::GemmSize& size) {
    const auto ceilDiv = [](std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; };
    const std::int64_t tiles = ceilDiv(size.m, machine.gemm.tileM) * ceilDiv(size.n, machine.gemm.tileN);
    const std::int64_t slots = machine.cu.count * machine.cu.slots;
    // No part is shorter than a K-step.
    return std::clamp<std::int64_t>(slots / tiles, 1, std::max<std::int64_t>(1, size.k / machine.gemm.kStep));
}

ModelSimulations::ModelSimulations(const Experiment& base, const engine::OperatorGraph& graph,
                                   const std::vector<PolicyPreset>& policies)
    : m_base(base) {
    for (const engine::Operator& op : graph.operators) {
        if (op.kind == engine::OperatorKind::gemm)
            m_gemms.emplace(*op.gemm, engine::Duration{});
        if (!op.workload)
            continue;
        for (const PolicyPreset policy : policies) {
            Experiment experiment = simulatedExperiment(base, op, policy);
            if (std::find(m_experiments.begin(), m_experiments.end(), experiment) == m_experiments.end())
                m_experiments.push_back(std::move(experiment));
        }
    }
    m_times.resize(m_experiments.size());
}

/// Of the sub-layers, then of the GEMMs, each as they stand.
std::vector<double> ModelSimulations::expectedWork() const {
    std::vector<double> work = costsOf(m_experiments, false);
    for (const auto& [size, time] : m_gemms) {
        engine::GemmSize split = size;
        split.partsOfK = partsOfK(m_base, size);
        work.push_back(RunCosts::kEventsOfAnyRun + engine::expectedEvents(m_base, split));
    }
    return work;
}

void ModelSimulations::run(const ModelRunOptions& options) {
    WorkProgress progress(expectedWork(), options.progress);
    runSublayers(options, progress);
    runGemms(options, progress);
}

void ModelSimulations::runSublayers(const ModelRunOptions& options, WorkProgress& progress) {
    engine::RunManyOptions many;
    many.each.baselines = false;
    many.each.baselineCache = options.baselineCache ? options.baselineCache : std::make_shared<engine::BaselineCache>();
    many.threads = options.threads;
    many.stop = options.stop;
    std::vector<const Experiment*> missing;
    for (std::size_t i = 0; i < m_experiments.size(); ++i) {
        if (const auto known = options.memory ? options.memory->run(m_experiments[i]) : std::nullopt) {
            take(i, *known);
            ++m_remembered;
            progress.leaveOut(i);
        } else {
            missing.push_back(&m_experiments[i]);
        }
    }
    const auto placeOf = [&](std::size_t i) { return static_cast<std::size_t>(missing[i] - m_experiments.data()); };
    many.progress = [&](std::size_t index, double done) { progress.reached(placeOf(index), done); };
    // Kept as soon as it has ended: a stop loses only what is at work.
    many.finished = [&](std::size_t index, engine::RunOutcome& outcome, std::size_t) {
        // A run that broke an invariant is not remembered: it would be taken for a sound one.
        if (options.memory && outcome.result && outcome.result->invariants.failed.empty())
            options.memory->keep(*missing[index], {outcome.result->last.time, outcome.result->notices});
        progress.ended(placeOf(index));
    };
    const auto outcomes = engine::runMany(missing, many);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i].stopped)
            throw engine::RunStopped();
        // One that failed is run once more by itself: that throws what it threw.
        engine::RunOptions again = many.each;
        again.stop = options.stop;
        const engine::RunResult result = outcomes[i].result ? *outcomes[i].result : engine::run(*missing[i], again);
        m_broken.add(*missing[i], result.invariants);
        take(placeOf(i), {result.last.time, result.notices});
    }
}

void ModelSimulations::take(std::size_t index, const ModelMemory::Run& run) {
    m_times[index] = run.time;
    for (const engine::Notice& notice : run.notices) {
        if (std::find(m_notices.begin(), m_notices.end(), notice) == m_notices.end())
            m_notices.push_back(notice);
    }
}

void ModelSimulations::runGemms(const ModelRunOptions& options, WorkProgress& progress) {
    struct Gemm {
        const engine::GemmSize* size;
        engine::Duration* time;
        std::size_t place;
    };
    std::vector<Gemm> work;
    work.reserve(m_gemms.size());
    std::size_t place = m_experiments.size();
    for (auto& [size, time] : m_gemms) {
        if (const auto known = options.memory ? options.memory->gemm(m_base, size) : std::nullopt) {
            time = *known;
            ++m_remembered;
            progress.leaveOut(place);
        } else {
            work.push_back({&size, &time, place});
        }
        ++place;
    }
    // The longest first, so that none is left over for one thread at the end.
    std::stable_sort(work.begin(), work.end(),
                     [](const auto& a, const auto& b) { return workOf(*a.size) > workOf(*b.size); });
    std::vector<engine::GemmSize> sizes;
    for (const Gemm& gemm : work) {
        sizes.push_back(*gemm.size);
        sizes.back().partsOfK = partsOfK(m_base, *gemm.size);
    }
    engine::GemmsOptions gemms;
    gemms.threads = std::max(1, options.threads);
    gemms.stop = options.stop;
    gemms.finished = [&](std::size_t i, const engine::GemmOutcome& outcome) {
        const engine::GemmSize& size = *work[i].size;
        *work[i].time = outcome.time + sumTime(m_base, size, sizes[i].partsOfK);
        if (options.memory)
            options.memory->keep(m_base, size, *work[i].time);
        progress.ended(work[i].place);
    };
    gemms.progress = [&](std::size_t i, double done) { progress.reached(work[i].place, done); };
    engine::runGemms(m_base, sizes, gemms);
}

const engine::TimeResult& ModelSimulations::runOf(const engine::Operator& op, PolicyPreset policy) const {
    const auto found = std::find(m_experiments.begin(), m_experiments.end(), simulatedExperiment(m_base, op, policy));
    assert(found != m_experiments.end());
    return m_times[static_cast<std::size_t>(found - m_experiments.begin())];
}

}  // namespace data
