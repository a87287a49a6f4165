#include "engine/run/experiment_run.h"

#include "engine/api/baselines.h"
#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/api/run_times.h"
#include "engine/api/trace.h"
#include "engine/kernel/rate.h"
#include "engine/kernel/thread_pool.h"
#include "engine/record/critical_path.h"
#include "engine/run/baseline_key.h"
#include "engine/run/baseline_memory.h"
#include "engine/run/companion_run.h"
#include "engine/run/gemm_result.h"
#include "engine/run/network_facts.h"
#include "engine/run/program.h"
#include "engine/run/tile_trials.h"
#include "engine/run/unread.h"
#include "engine/workload/tile_choice.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

namespace engine {

namespace {

// Returns whether a ratio to `sequential` needs the times of parts alone.
bool comparesWithSequential(const Experiment& experiment) {
    return isPartOfModel(experiment.workload.sublayer) && !hasCompanion(experiment);
}

// Returns whether the experiment's own run is the sequential run, so that its parts need no second run.
bool isSequential(const Experiment& experiment) {
    if (experiment.workload.sublayer == SubLayer::access)
        return false;
    Experiment sequential = sequentialOf(experiment);
    sequential.policy.preset = experiment.policy.preset;
    return sequential == experiment;
}

AccessResult accessResultOf(const Experiment& experiment, const GpuResult& gpu) {
    AccessResult access;
    access.bytes = gpu.dram->total;
    access.requests = access.bytes.count / experiment.detail.granule.count;
    const std::int64_t peak = experiment.memory.bandwidth.bytesPerSecond;
    access.bandwidth.bytesPerSecond = scaledBy(access.bytes.count, kPicosecondsPerSecond, gpu.time.total.ps);
    access.shareOfPeak = static_cast<double>(access.bandwidth.bytesPerSecond) / static_cast<double>(peak);
    return access;
}

// Returns the share of a run's progress that the trials of tiles have. With tiles.choice=shared each trial is a run.
double shareOfTrials(const Experiment& experiment) {
    constexpr double kOfWaves = 0.2, kOfRuns = 0.8;
    return experiment.tiles.choice == TileChoice::shared ? kOfRuns : kOfWaves;
}

std::function<void(double)> before(const std::function<void(double)>& progress, double share) {
    if (!progress)
        return {};
    return [&progress, share](double done) { progress(share * done); };
}

}  // namespace

/// The part of its side's progress that a simulation covers. The progress of both sides adds up to that of the whole
/// run.
struct ExperimentRun::Range {
    double from = 0, to = 1;
    Side side = Side::own;
    Range before(double share) const { return {from, from + (to - from) * share, side}; }
    Range after(double share) const { return {from + (to - from) * share, to, side}; }
};

ExperimentRun::ExperimentRun(const Experiment& experiment, const RunOptions& options)
    : m_asked(experiment),
      m_trials(choosesTile(experiment)
                   ? tileTrials(experiment, options.stop, before(options.progress, shareOfTrials(experiment)))
                   : std::vector<TileTrial>{}),
      m_experiment(m_trials.empty() ? experiment : withTile(experiment, m_trials.front().tile)), m_options(options),
      m_plan(m_experiment),
      m_compares(comparesWithSequential(experiment) && (options.baselines || isIdeal(experiment.policy.preset))),
      m_sequential(isSequential(experiment)),
      m_cache(hasOwnGemm(experiment.workload.sublayer) || hasCompanion(experiment) ? options.baselineCache : nullptr),
      m_atOnce(m_compares && !isIdeal(m_experiment.policy.preset) && options.threads > 1 &&
               mirrors(m_experiment, m_plan)) {
    if (m_options.progress && !m_trials.empty())
        m_options.progress = [report = options.progress, share = shareOfTrials(experiment)](double done) {
            report(share + (1 - share) * done);
        };
}

RunResult ExperimentRun::run() {
    RunResult result;
    result.shape = shapeOf(m_experiment);
    result.threads = m_options.threads;
    std::optional<Baselines> parts;
    // Its own run takes about as long as the sequential one.
    const double loss = m_compares && copiesByDma(m_experiment) ? (m_options.attribution ? 2 : 1) : 0;
    const double all = (m_sequential ? 1 : 2) + isolatedScatterShare(m_experiment) + loss;
    if (!isIdeal(m_experiment.policy.preset)) {
        const double ownEnd = m_compares ? 1 / all : hasCompanion(m_experiment) && m_options.baselines ? 0.5 : 1;
        const double baselinesEnd = m_compares ? 1 - (1 + loss) / all : 1 - ownEnd;
        const Range ofOwn{0, ownEnd, Side::own}, ofBaselines{0, baselinesEnd, Side::baselines};
        const auto own = m_atOnce ? atOnce(ofOwn, ofBaselines) : ownPart(ofOwn);
        addPolicyRun(result, *own);
        if (hasCompanion(m_experiment))
            addCompanion(result, {ownEnd, 1});
        result.network = networkResultOf(m_experiment, m_plan.topology, own->lastGpu);
        if (m_compares)
            parts = baselines(m_sequential ? own.get() : nullptr, ofBaselines);
    } else {
        parts = baselines(nullptr, {0, 1, Side::baselines});
        addIdeal(result, *parts);
        result.network = networkResultOf(m_experiment, m_plan.topology, parts->lastGpu);
    }
    if (hasOwnGemm(m_experiment.workload.sublayer))
        result.gemm = gemmResultOf(m_experiment, timesOfRun(result).gemm);
    if (m_experiment.workload.sublayer == SubLayer::access)
        result.access = accessResultOf(m_experiment, result.last);
    if (!m_trials.empty())
        result.gemm->tilesTried = static_cast<std::int64_t>(m_trials.size());
    if (parts) {
        result.isolated = parts->isolated;
        result.sequentialTotal = parts->sequential;
        result.sequentialGemm = parts->sequentialGemm;
        result.speedupOverSequential =
            static_cast<double>(parts->sequential.ps) / static_cast<double>(result.last.time.total.ps);
    }
    if (parts && copiesByDma(m_experiment))
        addLoss(result, {1 - (1 + loss) / all, 1 - 1 / all, Side::baselines});
    addNotices(result, result.mirrored);
    return result;
}

// Splits what a GEMM in pieces loses beside copies. Its own run, and one kernel in its place, are simulated without a
// collective.
void ExperimentRun::addLoss(RunResult& result, Range progress) {
    const bool records = m_options.attribution;
    const auto gemmOf = [](const SimulatedRun& run) {
        return run.facts.whole ? run.facts.whole->time.gemm : run.last().time.gemm;
    };
    const SimulationOptions options{.collectives = false, .recordTrace = records};
    const SimulatedRun pieces = simulate(m_experiment, options, progress.before(records ? 0.5 : 1));
    result.gemm->decomposition = gemmOf(pieces) - *result.sequentialGemm;
    result.gemm->contention = timesOfRun(result).gemm - gemmOf(pieces);
    if (!records)
        return;
    const SimulatedRun kernel = simulate(sequentialOf(m_experiment), options, progress.after(0.5));
    Experiment alone = m_experiment;
    alone.workload.sublayer = SubLayer::gemm;
    const auto causesOf = [&](const SimulatedRun& run) {
        return attributionOf(criticalPathOf(*run.trace, alone), run.trace->gpus).causes;
    };
    const CauseTimes inPieces = causesOf(pieces);
    result.loss = {inPieces - causesOf(kernel), {}};
    const CauseTimes& ofRun = result.attribution->byPhase[static_cast<std::size_t>(WorkPhase::gemm)];
    if (ofRun.total() == timesOfRun(result).gemm)
        result.loss->contention = ofRun - inPieces;
}

std::stop_token ExperimentRun::stopOf(Side side) const {
    return m_atOnce && side == Side::baselines ? m_stopBaselines.get_token() : m_options.stop;
}

void ExperimentRun::report(const Range& range, double done) {
    const std::lock_guard lock(m_telling);
    double& reached = m_reached[static_cast<std::size_t>(range.side)];
    reached = std::max(reached, range.from + (range.to - range.from) * done);
    m_options.progress(m_reached[0] + m_reached[1]);
}

// Simulates the policy and its baselines at the same time, on a thread each, and returns the policy's run. If the
// policy's own run throws, that exception is rethrown whatever became of the baselines, as if they ran after it.
std::shared_ptr<const SimulatedRun> ExperimentRun::atOnce(Range own, Range baselines) {
    const std::stop_callback stopBoth(m_options.stop, [this] { m_stopBaselines.request_stop(); });
    std::shared_ptr<const SimulatedRun> part;
    std::array<std::exception_ptr, 2> thrown;
    ThreadPool(2).forEach(2, [&](std::size_t side) {
        try {
            if (side == 0)
                part = ownPart(own);
            else
                simulateBaselines(!m_sequential, baselines);
        } catch (...) {
            thrown[side] = std::current_exception();
            if (side == 0)
                m_stopBaselines.request_stop();
        }
    });
    for (const std::exception_ptr& each : thrown)
        if (each)
            std::rethrow_exception(each);
    return part;
}

SimulatedRun ExperimentRun::simulate(const Experiment& experiment, const SimulationOptions& options, Range range) {
    return simulate(experiment, m_plan, options, range);
}

SimulatedRun ExperimentRun::simulate(const Experiment& experiment, const Plan& plan, const SimulationOptions& options,
                                     Range range) {
    const auto begin = std::chrono::steady_clock::now();
    Simulation simulation(experiment, plan, options);
    std::function<void(double)> progress;
    if (m_options.progress)
        progress = [&](double done) { report(range, done); };
    simulation.run(m_options.threads, stopOf(range.side), progress);
    SimulatedRun part;
    part.facts = simulation.facts();
    part.events = simulation.events();
    if (options.recordTrace)
        part.trace = simulation.takeTrace();
    part.wallNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    for (std::uint32_t gpu = 1; gpu < part.facts.gpus.size(); ++gpu)
        if (part.facts.gpus[gpu].result.time.total > part.last().time.total)
            part.lastGpu = gpu;
    if (progress)
        progress(1);
    return part;
}

std::shared_ptr<const SimulatedRun> ExperimentRun::shared(const std::string& key, Side side,
                                                          const std::function<SimulatedRun()>& simulate) {
    if (m_cache)
        return m_cache->memory().of(key, stopOf(side), simulate);
    return std::make_shared<const SimulatedRun>(simulate());
}

std::shared_ptr<const SimulatedRun> ExperimentRun::ownPart(Range progress) {
    const bool records = m_options.recordTrace || m_options.attribution;
    if (m_sequential && !records)
        return sequentialPart(progress);
    std::optional<SimulatedRun> own;
    const auto simulateOwn = [&] {
        own = simulate(
            m_experiment,
            {.recordTrace = records, .recordGranules = m_options.recordGranules, .accesses = m_options.accesses},
            progress);
    };
    // A trace is not shared. If it was recorded only for the attribution it is already gone by now, and the rest of the
    // run can serve as a baseline.
    if (m_sequential && m_cache && !m_options.recordTrace) {
        shared(sequentialKey(m_experiment, mirrors(m_experiment, m_plan)), progress.side, [&] {
            simulateOwn();
            SimulatedRun others = *own;
            others.trace.reset();
            return others;
        });
    }
    if (!own)
        simulateOwn();
    return std::make_shared<const SimulatedRun>(*std::move(own));
}

std::shared_ptr<const SimulatedRun> ExperimentRun::sequentialPart(Range progress) {
    std::string key;
    if (m_cache) {
        key = sequentialKey(m_experiment, mirrors(m_experiment, m_plan));
        // Instead of waiting for another thread, this one first does work that has to be done anyway.
        const bool scatters = runPartsOf(m_experiment).reduceScatter;
        if (!m_atOnce && m_compares && scatters && !m_isolatedScatter && m_cache->memory().underWay(key))
            m_isolatedScatter = isolatedScatter(progress.before(0.5));
    }
    return shared(key, progress.side, [&] { return simulate(sequentialOf(m_experiment), {}, progress); });
}

Duration ExperimentRun::isolatedScatter(Range progress) {
    const std::string key = m_cache ? isolatedScatterKey(m_experiment, mirrors(m_experiment, m_plan)) : "";
    const auto part = shared(key, progress.side,
                             [&] { return simulate(isolatedScatterOf(m_experiment), {.gemm = false}, progress); });
    return part->last().time.reduceScatter;
}

void ExperimentRun::simulateBaselines(bool withSequential, Range progress) {
    const double sequentialShare = withSequential ? 1 / (1 + isolatedScatterShare(m_experiment)) : 0;
    if (withSequential)
        m_sequentialPart = sequentialPart(progress.before(sequentialShare));
    // Only a reduction can be sped up near memory.
    if (!runPartsOf(m_experiment).reduceScatter)
        m_isolatedScatter = Duration{};
    if (!m_isolatedScatter)
        m_isolatedScatter = isolatedScatter(progress.after(sequentialShare));
}

ExperimentRun::Baselines ExperimentRun::baselines(const SimulatedRun* own, Range progress) {
    if (!m_atOnce)
        simulateBaselines(own == nullptr, progress);
    const SimulatedRun& part = own == nullptr ? *m_sequentialPart : *own;
    const TimeResult& sequential = part.last().time;
    return {{sequential.gemm, sequential.reduceScatter, *m_isolatedScatter, sequential.allGather, sequential.allToAll},
            sequential.total,
            part.facts.whole ? part.facts.whole->time.gemm : sequential.gemm,
            part.lastGpu};
}

Duration ExperimentRun::aloneTime(const Experiment& alone, bool own, Range progress) {
    const Plan plan(alone);
    const SimulationOptions options{.gemm = own, .collectives = own, .companion = !own};
    std::string key;
    if (m_cache) {
        const bool mirrored = mirrors(alone, plan, {own, own, !own});
        key = own ? ownAloneKey(alone, mirrored) : companionAloneKey(alone, mirrored);
    }
    return shared(key, progress.side, [&] { return simulate(alone, plan, options, progress); })->last().time.total;
}

void ExperimentRun::addCompanion(RunResult& result, Range progress) {
    std::optional<AloneTimes> alone;
    if (m_options.baselines) {
        const CompanionConfig& config = m_experiment.companion;
        alone.emplace();
        alone->own = aloneTime(engine::alone(m_experiment), true, progress.before(0.5));
        const bool asSet = config.by == CollectiveCarrier::kernel && config.copies == 1;
        const Range ofCompanion = progress.after(0.5);
        const double kernelShare = asSet ? 1 : 0.5;
        alone->kernel = aloneTime(companionAlone(m_experiment, CollectiveCarrier::kernel, 1), false,
                                  ofCompanion.before(kernelShare));
        alone->companion = asSet ? alone->kernel
                                 : aloneTime(companionAlone(m_experiment, config.by, config.copies), false,
                                             ofCompanion.after(kernelShare));
    }
    result.companion = companionResultOf(m_experiment, result.last, alone);
}

void ExperimentRun::addPolicyRun(RunResult& result, const SimulatedRun& part) {
    result.last = part.last();
    result.whole = part.facts.whole;
    result.bounds = boundsOf(m_experiment, result.shape, part.facts);
    result.mirrored = part.facts.mirrored;
    result.events = part.events;
    result.wallNs = part.wallNs;
    if (m_options.attribution)
        addAttribution(result, *part.trace);
    if (m_options.recordTrace)
        result.trace = part.trace;
    m_checks = checkRun(m_experiment, result.shape, part.facts);
    result.invariants = summarise(m_checks);
    if (!part.facts.mirrored)
        for (const GpuFacts& gpu : part.facts.gpus)
            result.perGpu.push_back(gpu.result);
    else if (m_options.perGpu)
        result.perGpu.assign(static_cast<std::size_t>(m_experiment.parallel.tp), part.last());
}

void ExperimentRun::addAttribution(RunResult& result, const Trace& trace) const {
    CriticalPath path = criticalPathOf(trace, m_experiment);
    result.attribution = attributionOf(path, trace.gpus);
    if (m_options.recordTrace)
        result.path = std::make_shared<const CriticalPath>(std::move(path));
}

void ExperimentRun::addIdeal(RunResult& result, const Baselines& parts) const {
    const IsolatedTimes& isolated = parts.isolated;
    const Duration scatter = m_experiment.policy.preset == PolicyPreset::idealOverlapNmc ? isolated.reduceScatterNmc
                                                                                         : isolated.reduceScatter;
    // The communication that the GEMM can hide: the collective that follows it directly, or that feeds it.
    const bool consumes = runPartsOf(m_experiment).consumes;
    const Duration hideable = consumes ? isolated.allGather : scatter + isolated.allToAll;
    TimeResult& time = result.last.time;
    time.gemm = isolated.gemm;
    time.reduceScatter = scatter;
    time.allGather = isolated.allGather;
    time.allToAll = isolated.allToAll;
    time.total = std::max(isolated.gemm, hideable) + (consumes ? Duration{} : isolated.allGather);
    time.overlapped = std::min(isolated.gemm, hideable);
    time.exposedCommunication = time.total - time.gemm;
    result.bounds = boundsOfFormula(m_experiment, result.shape, networkFactsOf(m_experiment, m_plan.topology),
                                    parts.lastGpu, m_plan.exact && !m_experiment.variation.any());
    result.invariants.checked = 1;
    if (time.total < result.bounds.total)
        result.invariants.failed.emplace_back("bounds: the total is not below the bound of compute and links");
}

// The bounds are formulas over the times of sequential, so that parts of a policy that were set by hand do not affect
// them.
void ExperimentRun::addUnreadParts(Notices& notices) const {
    const Experiment preset = underPolicy(m_experiment, m_experiment.policy.preset);
    for (const std::string_view path : kPolicyPartPaths) {
        const Parameter& part = *findParameter(path);
        if (part.read(preset) != part.read(m_experiment))
            notices.push_back(
                {std::string(path), "not read: " + std::string(name(m_experiment.policy.preset)) +
                                        " is a formula over the times of sequential and has the parts of sequential"});
    }
}

void ExperimentRun::addTileChoice(Notices& notices) const {
    if (m_trials.empty())
        return;
    const auto sides = [](const Tile& tile) { return std::to_string(tile.m) + " x " + std::to_string(tile.n); };
    const TileTrial& best = m_trials.front();
    const bool isShared = m_asked.tiles.choice == TileChoice::shared;
    std::string text = sides(best.tile) + " chosen of " + std::to_string(m_trials.size());
    if (m_trials.size() == 1)
        text += isShared ? " tile that fits beside the companion" : " tile that fits";
    else
        text += isShared ? " tiles, each simulated beside the companion" : " tiles, by two simulated waves of each";
    if (m_trials.size() > 1) {
        constexpr double kTenths = 1000;  // of a percent
        const double longer = static_cast<double>(m_trials[1].time.ps) / static_cast<double>(best.time.ps) - 1;
        const std::int64_t tenths = std::llround(longer * kTenths);
        text +=
            "; the next, " + sides(m_trials[1].tile) + ", takes " +
            (tenths == 0 ? "as long" : std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " % longer");
    }
    notices.push_back({"tiles.choice", std::move(text)});
}

// Updates that waited for a set of the tracker take no room in the tracker itself.
void ExperimentRun::addHeldUpdates(RunResult& result) const {
    TrackerResult most = result.last.tracker.value_or(TrackerResult{});
    for (const GpuResult& gpu : result.perGpu) {
        const TrackerResult own = gpu.tracker.value_or(TrackerResult{});
        most.heldPeak = std::max(most.heldPeak, own.heldPeak);
        most.arrivalStalls = std::max(most.arrivalStalls, own.arrivalStalls);
    }
    if (most.heldPeak.count == 0 && most.arrivalStalls == 0)
        return;
    const Parameter& bound = *findParameter("tracker.held_bytes");
    std::string text = "up to " + formatValue(bound, most.heldPeak.count) +
                       " of arriving updates waited on a GPU for a set of the tracker, ";
    if (!m_experiment.tracker.heldBytes)
        text += "in a buffer without a limit";
    else
        text += "in a buffer of " + formatValue(bound, m_experiment.tracker.heldBytes->count) + "; arrivals stalled " +
                std::to_string(most.arrivalStalls) + " times";
    result.notices.push_back({bound.path, std::move(text)});
}

// The memory of a GPU is left out, since the presets of real machines set it.
void ExperimentRun::addUnreadDivision(Notices& notices) const {
    using enum ParameterGroup;
    for (const Parameter& parameter : parameters()) {
        const bool ofOperators = parameter.group == operators && parameter.path != "operators.element_bits";
        const bool ofWholeModels = parameter.group == division || parameter.group == step || ofOperators ||
                                   parameter.group == training || parameter.path == "node.gpus";
        if (ofWholeModels && parameter.read(m_experiment) != parameter.defaultValue)
            notices.push_back({parameter.path, "not read: a run simulates one sub-layer or collective of a "
                                               "tensor-parallel group, whatever the rest of the model is like"});
    }
}

void ExperimentRun::addNotices(RunResult& result, bool mirrored) const {
    addUnreadDivision(result.notices);
    addUnreadParallelWork(m_asked, result.notices);
    addTileChoice(result.notices);
    if (isIdeal(m_experiment.policy.preset))
        addUnreadParts(result.notices);
    else
        addHeldUpdates(result);
    if (m_plan.grid && m_experiment.cu.residency == Residency::registers && m_experiment.cu.slots != CuConfig{}.slots)
        result.notices.push_back({"cu.slots", "not read: with cu.residency=registers a CU has room for " +
                                                  std::to_string(residentWorkgroups(m_experiment)) +
                                                  " of these workgroups; cu.residency=slots reads it"});
    if (!mirrored || m_plan.exact)
        return;
    result.notices.push_back(
        {"detail.mode",
         std::string("one GPU stands for all although ") +
             (m_experiment.memory.model == DramModel::banks
                  ? "chunks begin at different banks on each GPU: an approximation, differences of up to 2 % have "
                    "been seen; detail.mode=full simulates every GPU"
              : hasAddressMapping(m_experiment)
                  ? "chunks begin in different channels on each GPU (address.mapping): an approximation; "
                    "detail.mode=full simulates every GPU"
                  : "its chunks are not whole rows of tiles: an approximation, differences of 0 to 4 % have been "
                    "seen")});
}

std::string_view engineVersion() { return "0.5.1"; }

void requireValid(const Experiment& experiment) {
    if (Problems problems = validate(experiment); !problems.empty())
        throw InvalidExperiment(std::move(problems));
}

void requireRequests(const Experiment& experiment, const RunOptions& options) {
    const std::string& wanted = experiment.access.trace;
    if (experiment.workload.sublayer != SubLayer::access || experiment.access.pattern != AccessPatternKind::trace)
        return;
    if (!options.accesses)
        throw InvalidExperiment({{"access.trace", wanted, "the requests of this file were not given"}});
    if (options.accesses->digest != wanted)
        throw InvalidExperiment(
            {{"access.trace", wanted, "the given requests are those of another file, " + options.accesses->digest}});
}

RunResult run(const Experiment& experiment, const RunOptions& options) {
    requireValid(experiment);
    requireRequests(experiment, options);
    return ExperimentRun(experiment, options).run();
}

}  // namespace engine
