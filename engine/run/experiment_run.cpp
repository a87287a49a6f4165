#include "engine/run/experiment_run.h"

#include "engine/api/parameters.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <chrono>

namespace engine {

namespace {

bool isIdeal(PolicyPreset preset) {
    return preset == PolicyPreset::idealOverlap || preset == PolicyPreset::idealOverlapNmc;
}

// Whether the experiment's own run is what "sequential" stands for, so that its parts need no second run.
bool isSequential(const Experiment& experiment) {
    Experiment sequential = underPolicy(experiment, PolicyPreset::sequential);
    sequential.policy.preset = experiment.policy.preset;
    return sequential == experiment;
}

}  // namespace

Experiment underPolicy(Experiment experiment, PolicyPreset preset) {
    applyPolicyPreset(experiment, preset);
    return experiment;
}

ExperimentRun::ExperimentRun(const Experiment& experiment, const RunOptions& options)
    : m_experiment(experiment), m_options(options), m_plan(experiment) {}

RunResult ExperimentRun::run() {
    RunResult result;
    result.shape = shapeOf(m_experiment);
    result.threads = m_options.threads;
    const bool alone = isCollectiveAlone(m_experiment.workload.sublayer);
    const bool ideal = isIdeal(m_experiment.policy.preset);
    const bool compares = !alone && (m_options.baselines || ideal);

    std::optional<Baselines> parts;
    if (!ideal) {
        const Part own = simulate(m_experiment, false, m_options.recordTrace, 0, compares ? 0.5 : 1);
        addPolicyRun(result, own);
        if (compares)
            parts = baselines(isSequential(m_experiment) ? &own.last.time : nullptr, 0.5);
    } else {
        parts = baselines(nullptr, 0);
        addIdeal(result, parts->isolated);
    }
    if (parts) {
        result.isolated = parts->isolated;
        result.sequentialTotal = parts->sequential;
        result.speedupOverSequential =
            static_cast<double>(parts->sequential.ps) / static_cast<double>(result.last.time.total.ps);
    }
    addNotices(result, result.mirrored);
    return result;
}

ExperimentRun::Part ExperimentRun::simulate(const Experiment& experiment, bool collectiveAlone, bool trace, double from,
                                            double to) {
    const auto begin = std::chrono::steady_clock::now();
    Simulation simulation(experiment, m_plan, {collectiveAlone, trace, nullptr});
    std::function<void(double)> progress;
    if (m_options.progress)
        progress = [&](double done) { m_options.progress(from + (to - from) * done); };
    simulation.run(m_options.threads, m_options.stop, progress);
    Part part;
    part.facts = simulation.facts();
    part.mirrored = simulation.mirrored();
    part.events = simulation.events();
    if (trace)
        part.trace = simulation.takeTrace();
    part.wallNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    for (std::uint32_t gpu = 1; gpu < part.facts.gpus.size(); ++gpu)
        if (part.facts.gpus[gpu].result.time.total > part.facts.gpus[part.lastGpu].result.time.total)
            part.lastGpu = gpu;
    part.last = part.facts.gpus[part.lastGpu].result;
    if (progress)
        progress(1);
    return part;
}

ExperimentRun::Baselines ExperimentRun::baselines(const TimeResult* sequential, double from) {
    const double half = (1 + from) / 2;
    TimeResult parts;
    if (sequential != nullptr)
        parts = *sequential;
    else
        parts = simulate(underPolicy(m_experiment, PolicyPreset::sequential), false, false, from, half).last.time;
    // The reduce-scatter alone, its additions done near memory: a kernel after the GEMM, without the GEMM.
    Experiment nmc = underPolicy(m_experiment, PolicyPreset::sequential);
    nmc.collective.reduction = Reduction::nmc;
    nmc.workload.sublayer = SubLayer::reduceScatter;
    const Part scatter = simulate(nmc, true, false, half, 1);
    return {{parts.gemm, parts.reduceScatter, scatter.last.time.reduceScatter, parts.allGather}, parts.total};
}

void ExperimentRun::addPolicyRun(RunResult& result, const Part& part) {
    result.last = part.last;
    result.bounds =
        boundsOf(asOnGpu(m_experiment, part.lastGpu), result.shape, part.lastGpu, part.facts.gpus[part.lastGpu]);
    result.mirrored = part.mirrored;
    result.events = part.events;
    result.wallNs = part.wallNs;
    result.trace = part.trace;
    m_checks = checkRun(m_experiment, result.shape, part.facts);
    result.invariants = summarise(m_checks);
    if (!part.mirrored)
        for (const GpuFacts& gpu : part.facts.gpus)
            result.perGpu.push_back(gpu.result);
    else if (m_options.perGpu)
        result.perGpu.assign(static_cast<std::size_t>(m_experiment.parallel.tp), part.last);
}

void ExperimentRun::addIdeal(RunResult& result, const IsolatedTimes& isolated) const {
    const Duration scatter = m_experiment.policy.preset == PolicyPreset::idealOverlapNmc ? isolated.reduceScatterNmc
                                                                                         : isolated.reduceScatter;
    TimeResult& time = result.last.time;
    time.gemm = isolated.gemm;
    time.reduceScatter = scatter;
    time.allGather = isolated.allGather;
    time.total = std::max(isolated.gemm, scatter) + isolated.allGather;
    time.overlapped = std::min(isolated.gemm, scatter);
    time.exposedCommunication = time.total - time.gemm;
    Experiment overlapping = m_experiment;
    overlapping.policy.start = CommunicationStart::whenReady;
    result.bounds = boundsOf(overlapping, result.shape, 0, GpuFacts{result.last, {}, false, {}, 0});
    result.invariants.checked = 1;
    if (time.total < result.bounds.total)
        result.invariants.failed.emplace_back("bounds: the total is not below the bound of compute and links");
}

// The bounds are formulas over the times of sequential: parts of a policy that were set by hand have no say in them.
void ExperimentRun::addUnreadParts(Notices& notices) const {
    const Experiment preset = underPolicy(m_experiment, m_experiment.policy.preset);
    for (const char* path : {"policy.order", "policy.mapping", "policy.output_caching", "policy.start",
                             "collective.reduction", "arbitration.policy"}) {
        const Parameter& part = *findParameter(path);
        if (part.read(preset) != part.read(m_experiment))
            notices.push_back({path, "not read: " + std::string(name(m_experiment.policy.preset)) +
                                         " is a formula over the times of sequential, whose parts it has"});
    }
}

void ExperimentRun::addNotices(RunResult& result, bool mirrored) const {
    if (isIdeal(m_experiment.policy.preset))
        addUnreadParts(result.notices);
    if (mirrored && !m_plan.exact)
        result.notices.push_back({"detail.mode", "one GPU stands for all although its chunks are not whole rows of "
                                                 "tiles: an approximation, 0 to 4 % have been seen"});
    const ArbitrationConfig& arbitration = m_experiment.arbitration;
    if (!isIdeal(m_experiment.policy.preset) && arbitration.policy == ArbitrationPolicy::mca &&
        arbitration.threshold.kind == ArbitrationThreshold::Kind::automatic) {
        const std::int64_t queue = m_experiment.memory.queue.count;
        const std::int64_t low = MemoryController::thresholdEntries(m_experiment, {queue * 5 / 64});
        const std::int64_t high = MemoryController::thresholdEntries(m_experiment, {queue * 30 / 64});
        if (low == high)
            result.notices.push_back({"arbitration.threshold",
                                      "at this granule and number of channels the DRAM queue has " +
                                          std::to_string(MemoryController::queueEntries(m_experiment)) +
                                          " entries a channel, so that the thresholds 5/64, 10/64 and 30/64 are all " +
                                          std::to_string(low) + (low == 1 ? " entry" : " entries")});
    }
}

}  // namespace engine
