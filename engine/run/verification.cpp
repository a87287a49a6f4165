#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/api/runner.h"
#include "engine/api/tile_choice.h"
#include "engine/api/trace.h"
#include "engine/collective/collective_schedule.h"
#include "engine/compute/dispatcher.h"
#include "engine/kernel/rate.h"
#include "engine/record/contribution_ledger.h"
#include "engine/run/baseline_key.h"
#include "engine/run/companion_run.h"
#include "engine/run/experiment_run.h"
#include "engine/run/room_taken.h"

#include <algorithm>

namespace engine {

namespace {

constexpr int kStages = 6;

bool isFormula(const Experiment& experiment) { return isIdeal(experiment.policy.preset); }

// Returns whether the values are equal that must not depend on threads or on mirroring.
bool sameOutcome(const RunResult& a, const RunResult& b) { return a.last == b.last && a.bounds == b.bounds; }

std::string picoseconds(Duration duration) { return std::to_string(duration.ps) + " ps"; }

/// Checks every invariant that applies to one experiment, with as many runs as that takes: the run itself, a run with a
/// trace, one with a ledger of contributions, runs on other thread counts, and runs in limits for which a closed form
/// is known. A check is left out if its assumptions do not hold.
class Verification {
public:
    /// Precondition: the experiment is valid.
    Verification(const Experiment& experiment, const RunOptions& options);

    std::vector<Check> run();

private:
    void checkOwnRun();
    void checkContributions();
    struct Ends {
        bool exchanged = false;  // in place of reduced
        bool gathered = false;
    };
    void addContributions(const std::string& whose, const Ends& ends, const OutputLayout& layout,
                          const ContributionLedger& ledger);
    void checkRoom(const Trace& trace);
    void checkExclusivity();
    void checkDeterminism();
    bool gpusDoTheSame() const;
    void checkLimits();
    void checkCollectiveLimit(const char* name, SubLayer collective, Bytes bytes, std::int64_t gpus);
    Duration firstGemmEnd(const Experiment& sequential) const;
    void checkBaselineIsolation();
    void checkInfiniteCache();
    void checkInfiniteCacheOfCopies();
    void checkCompanionAlone();

    void add(const char* group, std::string name, bool held, std::string evidence);
    void done();

    Experiment m_experiment;
    RunOptions m_options;
    RunOptions m_quiet;  // the options without progress, trace and baselines
    std::vector<Check> m_checks;
    int m_stages = 0;
};

// The data before a collective begins: none, each GPU's contribution to all chunks, or whole chunks at their owners.
struct Beginning {
    bool whole = false;
    bool data = false;
};

ContributionLedger ledgerOf(const Experiment& experiment, const OutputLayout& layout, const Beginning& beginning) {
    const auto gpus = static_cast<std::uint32_t>(experiment.parallel.tp);
    ContributionLedger ledger(gpus, layout.granules());
    const std::vector<std::uint32_t> owners = ownersOf(experiment.collective.algorithm, gpus);
    for (std::uint32_t granule = 0; beginning.whole && granule < layout.granules(); ++granule)
        ledger.startReduced(owners[layout.chunkOf(layout.tileOf(granule))], granule);
    if (!beginning.whole && beginning.data)
        ledger.startWithOwnContributions();
    return ledger;
}

}  // namespace

Verification::Verification(const Experiment& experiment, const RunOptions& options)
    : m_experiment(experiment), m_options(options) {
    m_quiet.baselines = false;
    m_quiet.threads = options.threads;
    m_quiet.stop = options.stop;
    m_quiet.accesses = options.accesses;
}

std::vector<Check> Verification::run() {
    checkOwnRun();
    done();
    if (!isFormula(m_experiment)) {
        checkContributions();
        done();
        checkExclusivity();
        done();
        checkDeterminism();
        done();
    }
    checkLimits();
    done();
    if (hasOwnGemm(m_experiment.workload.sublayer)) {
        checkBaselineIsolation();
        checkInfiniteCache();
    }
    checkCompanionAlone();
    done();
    return std::move(m_checks);
}

void Verification::add(const char* group, std::string name, bool held, std::string evidence) {
    m_checks.push_back({group, std::move(name), held, std::move(evidence)});
}

void Verification::done() {
    ++m_stages;
    if (m_options.progress)
        m_options.progress(std::min(1.0, static_cast<double>(m_stages) / kStages));
}

void Verification::checkOwnRun() {
    ExperimentRun own(m_experiment, m_quiet);
    const RunResult result = own.run();
    if (!isFormula(m_experiment)) {
        m_checks = own.checks();
        return;
    }
    const TimeResult& time = result.last.time;
    const bool consumes = runPartsOf(m_experiment).consumes;
    const Duration beside = consumes ? time.allGather : time.reduceScatter + time.allToAll;
    const Duration after = consumes ? Duration{} : time.allGather;
    add("bounds", "the total is the longer of GEMM and the collective beside it, plus the collective after both",
        time.total == std::max(time.gemm, beside) + after, picoseconds(time.total));
    add("bounds", "the total is not below the bound of compute and links", time.total >= result.bounds.total,
        picoseconds(time.total) + " >= " + picoseconds(result.bounds.total));
}

void Verification::checkContributions() {
    // The output of a GEMM alone stays where it is, and an access pattern has none.
    if (!sendsData(m_experiment.workload.sublayer) && !hasCompanion(m_experiment))
        return;
    // Contributions are distinguished by GPU, so that all GPUs are simulated.
    Experiment full = m_experiment;
    full.detail.mode = DetailMode::full;
    const Plan plan(full);
    const RunParts parts = runPartsOf(full);
    const bool collectives = parts.scatters() || parts.allGather;
    std::optional<ContributionLedger> own, companion;
    // With side-by-side work the collective moves data that are in memory at the beginning, not the GEMM's output. So
    // does a collective that feeds the GEMM.
    if (collectives)
        own = ledgerOf(full, plan.layout, {.whole = !parts.scatters(), .data = parts.startsWithData()});
    if (hasCompanionCollective(full))
        companion = ledgerOf(full, plan.companion->layout,
                             {.whole = full.companion.operation == CompanionOperation::allGather, .data = true});
    if (!own && !companion)
        return;
    if (full.policy.start == CommunicationStart::concurrent) {
        if (full.dispatch.rule == DispatchRule::reserved)
            full.dispatch.reserved = reservedCus(full);  // after the GEMM the collective would have all CUs
        full.policy.start = CommunicationStart::afterGemm;
    }
    Simulation simulation(full, plan,
                          {.gemm = !parts.startsWithData() || !collectives,
                           .ledgers = {own ? &*own : nullptr, companion ? &*companion : nullptr}});
    simulation.run(1, m_options.stop, {});
    if (own)
        addContributions("", {parts.allToAll, parts.allGather || parts.reducesAtOnce}, plan.layout, *own);
    if (companion)
        addContributions("of the companion, ",
                         {full.companion.operation == CompanionOperation::allToAll,
                          full.companion.operation == CompanionOperation::allGather ||
                              full.companion.operation == CompanionOperation::allReduce},
                         plan.companion->layout, *companion);
}

void Verification::addContributions(const std::string& whose, const Ends& ends, const OutputLayout& layout,
                                    const ContributionLedger& ledger) {
    const auto gpus = static_cast<std::uint32_t>(m_experiment.parallel.tp);
    const std::vector<std::uint32_t> owners = ownersOf(m_experiment.collective.algorithm, gpus);
    const std::int64_t granules = layout.granules();
    std::int64_t reduced = 0, gathered = 0;
    for (std::uint32_t granule = 0; granule < layout.granules(); ++granule) {
        reduced += ledger.complete(owners[layout.chunkOf(layout.tileOf(granule))], granule);
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
            gathered += ledger.complete(gpu, granule);
    }
    add("conservation",
        whose + (ends.exchanged ? "every GPU ends with the data that each GPU had for it"
                                : "every output granule ends reduced at its owner, with a contribution from each GPU"),
        reduced == granules, std::to_string(reduced) + " of " + std::to_string(granules) + " granules");
    add("conservation", whose + "no contribution is added twice", ledger.repeated() == 0,
        std::to_string(ledger.repeated()) + " repetitions");
    if (ends.gathered)
        add("conservation", whose + "every GPU ends with the whole reduced output", gathered == granules * gpus,
            std::to_string(gathered) + " of " + std::to_string(granules * gpus) + " granules");
}

void Verification::checkExclusivity() {
    RunOptions traced = m_quiet;
    traced.recordTrace = true;
    traced.attribution = true;
    const RunResult result = ExperimentRun(m_experiment, traced).run();
    std::int64_t lanes = 0, spans = 0, overlaps = 0;
    for (const Lane& lane : result.trace->lanes) {
        if (!lane.exclusive)
            continue;
        ++lanes;
        for (std::size_t i = 1; i < lane.spans.size(); ++i)
            overlaps += lane.spans[i].start < lane.spans[i - 1].end;
        spans += static_cast<std::int64_t>(lane.spans.size());
    }
    add("exclusivity", "no workgroup slot, DRAM channel or link does two things at once", overlaps == 0,
        std::to_string(overlaps) + " overlaps among " + std::to_string(spans) + " spans in " + std::to_string(lanes) +
            " lanes");
    if (hasCompanion(m_experiment))
        checkRoom(*result.trace);
    const Duration explained = result.attribution->causes.total();
    add("exclusivity", "every picosecond of the total has exactly one cause", explained == result.last.time.total,
        picoseconds(explained) + " = " + picoseconds(result.last.time.total));
    const RunResult plain = ExperimentRun(m_experiment, m_quiet).run();
    add("determinism", "recording a trace changes nothing", sameOutcome(plain, result) && plain.events == result.events,
        picoseconds(plain.last.time.total) + ", " + std::to_string(plain.events) + " events");
}

// Checks the room on the CUs. A workgroup of a GEMM with s slots takes 1/s of a CU, one of a collective kernel a whole
// CU.
void Verification::checkRoom(const Trace& trace) {
    const std::int64_t most = mostRoomTaken(trace, m_experiment);
    add("exclusivity", "the workgroups on a CU never take more room than it has", most <= kWholeCu,
        std::to_string(most) + " of " + std::to_string(kWholeCu));
}

void Verification::checkDeterminism() {
    Experiment full = m_experiment;
    full.detail.mode = DetailMode::full;
    RunOptions options = m_quiet;
    std::optional<RunResult> first;
    for (const int threads : {1, 2, 8}) {
        options.threads = threads;
        const RunResult result = ExperimentRun(full, options).run();
        if (!first) {
            first = result;
            continue;
        }
        add("determinism", "all GPUs on " + std::to_string(threads) + " threads give what one thread gives",
            sameOutcome(*first, result) && first->perGpu == result.perGpu && first->events == result.events,
            picoseconds(result.last.time.total) + ", " + std::to_string(result.events) + " events");
    }
    if (!gpusDoTheSame())
        return;
    Experiment mirrored = m_experiment;
    mirrored.detail.mode = DetailMode::mirrored;
    const RunResult one = ExperimentRun(mirrored, m_quiet).run();
    const bool alike =
        std::all_of(first->perGpu.begin(), first->perGpu.end(), [&](const GpuResult& gpu) { return gpu == one.last; });
    add("determinism", "one mirrored GPU does what every GPU of the full ring does", alike,
        picoseconds(one.last.time.total) + " and " + picoseconds(first->last.time.total));
}

// Returns whether all GPUs do the same. If so, one GPU may stand for all, and no GPU is ahead of the others.
bool Verification::gpusDoTheSame() const {
    return Plan(m_experiment).exact && !m_experiment.variation.any() && !whyNotMirrored(m_experiment);
}

// Checks a limit in which memory is almost free and the CUs keep up, so that only the link decides the time. The
// remaining time of memory is known from the run: in a step the link can wait for one channel before its first packet,
// and the GPU for another after the last; every step is alike. So the link waits no longer than two channels serve in
// total.
void Verification::checkCollectiveLimit(const char* name, SubLayer collective, Bytes bytes, std::int64_t gpus) {
    Experiment limit = sequentialOf(m_experiment);
    limit.launch = {};
    limit.workload.sublayer = collective;
    limit.workload.bytes = bytes;
    limit.parallel.tp = gpus;
    limit.memory.model = DramModel::sustained;
    limit.address = {};  // with a mapping, steps use channels differently
    limit.memory.bandwidth = {1'000'000'000'000'000};
    limit.memory.efficiency = 1;
    limit.memory.latency = {};
    limit.memory.turnaround = {};
    limit.collective.cuBandwidth.reset();
    limit.collective.startLatency = {};
    limit.collective.staging = 1;
    limit.collective.piece.reset();
    limit.link.header = {};
    limit.collective.algorithm = CollectiveAlgorithm::ring;
    limit.topology = {};
    limit.variation = {};
    limit.detail.mode = DetailMode::mirrored;
    const Plan plan(limit);
    if (!plan.exact)
        return;
    Simulation simulation(limit, plan, {});
    simulation.run(1, m_options.stop, {});
    const GpuFacts facts = simulation.facts().gpus.front();
    const Duration total = facts.result.time.total;
    const std::int64_t chunk = bytes.count / gpus;
    const Duration expected =
        (timeAtRate(chunk, packetBandwidth(limit.link).bytesPerSecond) + limit.link.latency) * (gpus - 1);
    const Duration memory = facts.busiestChannel * 2;
    add("limits", std::string(name) + " with free memory takes (N-1)(c/B + latency) and the remaining time of memory",
        total >= expected && total <= expected + memory,
        picoseconds(total) + " and " + picoseconds(expected) + " + " + picoseconds(memory));
}

void Verification::checkLimits() {
    // A GEMM alone has an output of its own, which may be too small to divide.
    if (!sendsData(m_experiment.workload.sublayer))
        return;
    const std::int64_t gpus = m_experiment.parallel.tp;
    const Shape shape = shapeOf(m_experiment);
    const std::int64_t element = elementBytes(m_experiment);
    const Bytes slab{m_experiment.gemm.tileM * m_experiment.gemm.tileN * element};
    const Bytes even{shape.outputBytes.count / (gpus * element) * gpus * element};
    checkCollectiveLimit("reduce-scatter", SubLayer::reduceScatter, even, gpus);
    checkCollectiveLimit("all-gather", SubLayer::allGather, even, gpus);
    checkCollectiveLimit("reduce-scatter on two GPUs", SubLayer::reduceScatter, even, 2);
    if (slab * gpus <= even)  // otherwise the chunks are no more than that already
        checkCollectiveLimit("reduce-scatter of one tile a chunk", SubLayer::reduceScatter, slab * gpus, gpus);
}

// Returns when the first GPU ends its GEMM: no data are sent before. Later GPUs may compete with the data that it
// sends.
Duration Verification::firstGemmEnd(const Experiment& sequential) const {
    RunOptions options = m_quiet;
    options.perGpu = true;
    const RunResult result = ExperimentRun(sequential, options).run();
    Duration first{kNever.ps};
    for (std::size_t gpu = 0; gpu < result.perGpu.size(); ++gpu) {
        const bool late = sequential.variation.gpu == static_cast<std::int64_t>(gpu);
        const Duration start = late ? sequential.variation.startSkew : Duration{};
        first = std::min(first, start + result.perGpu[gpu].time.gemm);
    }
    return first;
}

void Verification::checkBaselineIsolation() {
    // A GEMM that consumes gathered data runs after the collective; if GPUs differ, the collective may still run beside
    // it.
    if (runPartsOf(m_experiment).consumes && !gpusDoTheSame())
        return;
    Experiment baseline = sequentialOf(m_experiment);
    Experiment changed = baseline;
    changed.link.bandwidth = {std::max<std::int64_t>(1, baseline.link.bandwidth.bytesPerSecond / 2)};
    changed.link.latency = baseline.link.latency * 3;
    changed.dma.blockTiles = baseline.dma.blockTiles * 2;
    changed.arbitration.share = baseline.arbitration.share + 1;
    changed.memory.updateCost = baseline.memory.updateCost + 0.5;
    changed.tracker.entries = std::max<std::int64_t>(1, baseline.tracker.entries / 2);
    const Duration gemm = firstGemmEnd(baseline), other = firstGemmEnd(changed);
    add("limits", "the baseline GEMM does not depend on link, DMA, arbiter, tracker and update settings", gemm == other,
        picoseconds(gemm) + " and " + picoseconds(other));
}

void Verification::checkInfiniteCache() {
    const std::int64_t operands = compulsoryBytes(gemmShapeOf(m_experiment), elementBytes(m_experiment)).count;
    checkInfiniteCacheOfCopies();
    for (const PolicyPreset preset : {PolicyPreset::sequential, m_experiment.policy.preset}) {
        if (isFormula(m_experiment) && preset == m_experiment.policy.preset)
            continue;
        Experiment infinite = preset == PolicyPreset::sequential ? sequentialOf(m_experiment) : alone(m_experiment);
        infinite.llc.size = {std::int64_t{1} << 50};
        const std::int64_t reads = ExperimentRun(infinite, m_quiet).run().last.dram->gemmRead.count;
        add("limits", "with an infinite cache the GEMM reads A and B exactly once under " + std::string(name(preset)),
            reads == operands, std::to_string(reads) + " and " + std::to_string(operands) + " bytes");
        if (m_experiment.policy.preset == PolicyPreset::sequential)
            return;
    }
}

void Verification::checkInfiniteCacheOfCopies() {
    if (!hasCompanionGemm(m_experiment))
        return;
    Experiment infinite = m_experiment;
    infinite.llc.size = {std::int64_t{1} << 50};
    const std::int64_t reads = ExperimentRun(infinite, m_quiet).run().last.companion->dramRead.count;
    const std::int64_t operands =
        compulsoryBytes(companionGemmOf(infinite), elementBytes(infinite)).count * infinite.companion.copies;
    add("limits", "with an infinite cache each copy of the companion reads A and B exactly once", reads == operands,
        std::to_string(reads) + " and " + std::to_string(operands) + " bytes");
}

// Checks that one copy of the companion's GEMM alone, which the ratios of the companion refer to, takes as long as the
// same GEMM as own work. Both run without jitter, which is drawn anew for each kernel, and without banks and address
// mapping, because their addresses differ.
void Verification::checkCompanionAlone() {
    if (!hasCompanionGemm(m_experiment))
        return;
    Experiment companion = companionAlone(m_experiment, CollectiveCarrier::kernel, 1);
    companion.cu.startJitter = companion.variation.jitter = {};
    companion.memory.model = DramModel::sustained;
    companion.address = {};
    const GemmSize size = companionGemmOf(m_experiment);
    Experiment own = alone(companion);
    own.matrix = {size.m, size.n, size.k / size.partsOfK, size.partsOfK};
    own.gemm = companionTilingOf(m_experiment);
    own.cu.slots = companionSlots(m_experiment);
    own.cu.residency = Residency::slots;
    own.tiles.padding = companionPaysFullTiles(m_experiment) ? TilePadding::full : TilePadding::real;
    const auto timeOf = [&](const Experiment& experiment, bool isOwn) {
        const Plan plan(experiment);
        Simulation simulation(experiment, plan, {.gemm = isOwn, .collectives = isOwn, .companion = !isOwn});
        simulation.run(m_options.threads, m_options.stop, {});
        return simulation.longestTotal();
    };
    const Duration beside = timeOf(companion, false), itself = timeOf(own, true);
    add("limits", "a copy of the companion's GEMM alone takes as long as the same GEMM as own work", beside == itself,
        picoseconds(beside) + " and " + picoseconds(itself));
}

std::vector<Check> verify(const Experiment& experiment, const RunOptions& options) {
    requireValid(experiment);
    requireRequests(experiment, options);
    return Verification(withChosenTile(experiment, options.stop), options).run();
}

}  // namespace engine
