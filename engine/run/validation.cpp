#include "engine/api/dram_queue.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/api/topology.h"
#include "engine/collective/algorithm.h"
#include "engine/memory/memory_controller.h"
#include "engine/run/plan.h"
#include "engine/run/program.h"
#include "engine/run/validation_parts.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/tile_choice.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

// Checks rules between several values, except those of sizes and of the companion.

namespace engine {
namespace {

constexpr double kHighestPeak = 9e18;     // flop/s of one GPU, which have to fit into 63 bits
constexpr double kMostBackground = 0.95;  // share of what DRAM sustains; at 1 no other request would ever be served

/// Refuses mirroring, in which one GPU stands for all, if GPUs or their chunks differ.
void checkMirrored(const Experiment& e, Problems& problems) {
    if (e.detail.mode != DetailMode::mirrored)
        return;
    if (e.variation.any()) {
        problems.push_back(
            problemAt("detail.mode", e,
                      "the GPUs differ (variation.*), so that one cannot stand for all; allowed: auto or "
                      "full"));
        return;
    }
    const Shape shape = shapeOf(e);
    const auto [least, most] = std::minmax_element(shape.chunkBytes.begin(), shape.chunkBytes.end());
    if (*least == *most)
        return;
    problems.push_back(problemAt("detail.mode", e,
                                 "the chunks differ (" + std::to_string(least->count) + " to " +
                                     std::to_string(most->count) +
                                     " bytes), so that one GPU cannot stand for all; "
                                     "allowed: auto or full"));
}

/// Refuses mirroring for a direct or hierarchical collective, an exchange, and a ring whose hops differ, which need all
/// GPUs.
void checkOneForAll(const Experiment& e, Problems& problems) {
    if (e.detail.mode != DetailMode::mirrored || !sendsData(e.workload.sublayer))
        return;
    const auto refuse = [&](const char* why) {
        problems.push_back(problemAt("detail.mode", e,
                                     std::string(why) + ", so that one cannot stand for all; allowed: auto or full"));
    };
    if (!algorithmOf(e.collective.algorithm).aroundRing)
        return refuse("the GPUs send to several others, which are not alike");
    if (runPartsOf(e).allToAll)
        return refuse("each GPU exchanges data with every other GPU");
    if (e.topology.kind != TopologyKind::ring && e.topology.kind != TopologyKind::fullyConnected &&
        e.topology.kind != TopologyKind::torus)
        refuse("the hops of the ring may differ");
}

/// Precondition: the experiment has no other problem.
void checkCompanionMirrored(const Experiment& e, Problems& problems) {
    if (e.detail.mode != DetailMode::mirrored || !hasCompanion(e))
        return;
    if (const auto why = whyNotMirrored(e))
        problems.push_back(
            problemAt("detail.mode", e, *why + ", so that one cannot stand for all; allowed: auto or full"));
}

void checkStaging(const Experiment& e, Problems& problems) {
    if (e.collective.staging != 1 && e.collective.staging != kPassesOfBuffers)
        problems.push_back(problemAt("collective.staging", e,
                                     "a byte is written once, or goes through a buffer (written, read, written); "
                                     "allowed: 1 or 3"));
}

void checkOperation(const Experiment& e, Problems& problems) {
    std::vector<std::string> reasons;
    if (const auto refuse = algorithmOf(e.collective.algorithm).refuse; refuse && sendsData(e.workload.sublayer))
        refuse(e, runPartsOf(e), reasons);
    for (std::string& reason : reasons)
        problems.push_back(problemAt("collective.algorithm", e, std::move(reason)));
    checkCompanionOperation(e, problems);
    if (isPartOfModel(e.workload.sublayer) && e.collective.operation != CollectiveOperation::allReduce &&
        e.policy.start == CommunicationStart::concurrent)
        problems.push_back(
            problemAt("collective.operation", e,
                      "policy.start=concurrent runs an all-reduce beside the GEMM; choose all-reduce, or "
                      "another policy"));
}

/// Checks overlap in software: a collective kernel, or copies, beside the GEMM.
void checkOverlapInSoftware(const Experiment& e, Problems& problems) {
    const auto refuse = [&](const char* path, std::string text) {
        problems.push_back(problemAt(path, e, std::move(text)));
    };
    if (e.policy.mapping == OutputMapping::remoteDma)
        return refuse("policy.start", "T3 tracks tiles of one GEMM, not its pieces; choose when-ready, or "
                                      "policy.mapping=local");
    if (isCollectiveAlone(e.workload.sublayer))
        return refuse("policy.start", "there is no GEMM whose output could be sent; choose after-gemm");
    const bool copies = copiesByDma(e);
    if (consumesAllGather(e) && !copies)
        return refuse("policy.start", "a collective kernel beside the GEMM takes its output, and this GEMM reads what "
                                      "is gathered; choose after-gemm, policy.preset=chunked-dma or policy.preset=t3");
    if (copies && e.collective.algorithm != CollectiveAlgorithm::direct)
        refuse("collective.algorithm",
               "copies by DMA (collective.by=dma) go straight to the GPU that needs the data; choose "
               "direct, or collective.by=kernel");
    if (e.policy.order != ProducerOrder::staggered)
        refuse("policy.order", "in plain order the first chunk that a GPU sends comes late on all GPUs but one; choose "
                               "staggered, or policy.start=after-gemm");
    if (e.collective.reduction != Reduction::cu)
        refuse("collective.reduction", "updates (nmc) would be added to output that the GEMM has yet to write; choose "
                                       "cu, or policy.start=after-gemm");
    const std::int64_t gpus = e.parallel.tp, pieces = piecesOf(e);
    const bool byPiece = e.policy.start == CommunicationStart::byPiece;
    if (byPiece && gpus % pieces != 0 && pieces % gpus != 0)
        refuse("policy.pieces", "neither divides the chunks (parallel.tp = " + formatted("parallel.tp", e) +
                                    ") nor is a multiple of them; allowed: 1, a divisor, a multiple, or auto");
    const bool isAfterGemm = copies || (byPiece && pieces == 1 && dispatchRuleOf(e) == DispatchRule::inOrder);
    if (!isAfterGemm && dispatchRuleOf(e) != DispatchRule::reserved && collectiveCus(e) >= e.cu.count)
        refuse("collective.cu_count", "the collective kernel would take all CUs and wait for a GEMM that has none; "
                                      "allowed: fewer than cu.count = " +
                                          formatted("cu.count", e) + ", or auto");
}

/// Checks that no piece of the GEMM is empty. Precondition: the sizes are valid.
void checkPieces(const Experiment& e, Problems& problems) {
    if (!launchesPieces(e))
        return;
    const std::int64_t tiles = waveCountOf(e).tiles / e.parallel.tp, pieces = piecesOf(e);
    if (pieces > tiles * e.parallel.tp)
        problems.push_back(problemAt("policy.pieces", e,
                                     "more than the tiles of the chunks; allowed: at most " +
                                         std::to_string(tiles * e.parallel.tp) + " (" + std::to_string(tiles) +
                                         " tiles in the smallest chunk, parallel.tp = " + formatted("parallel.tp", e) +
                                         ")"));
}

void checkPolicyParts(const Experiment& e, Problems& problems) {
    const bool fused = e.policy.mapping == OutputMapping::remoteDma;
    const bool whenReady = e.policy.start == CommunicationStart::whenReady;
    const auto refuse = [&](const char* path, const char* text) { problems.push_back(problemAt(path, e, text)); };
    if (e.policy.start == CommunicationStart::concurrent && isCollectiveAlone(e.workload.sublayer))
        refuse("policy.start", "there is no GEMM to run beside; choose after-gemm");
    if (!sendsData(e.workload.sublayer)) {
        // No collective follows to which these parts could apply.
        if (e.policy.start == CommunicationStart::concurrent && !hasCompanionCollective(e))
            refuse("policy.start", "there is no collective to run beside; choose after-gemm, or a collective for "
                                   "companion.operation");
        return;
    }
    if (e.policy.start == CommunicationStart::byPiece || (whenReady && !fused))
        checkOverlapInSoftware(e, problems);
    if (!fused || e.policy.start == CommunicationStart::byPiece)
        return;
    if (!whenReady)
        refuse("policy.start", "stores that go straight to the neighbour cannot wait for the end of the GEMM; choose "
                               "when-ready, or policy.mapping=local");
    if (e.policy.order != ProducerOrder::staggered)
        refuse("policy.order", "with policy.mapping=remote-dma each GPU has to begin with the chunk that its neighbour "
                               "needs next; choose staggered, or policy.mapping=local");
    if (e.policy.outputCaching != OutputCaching::bypass)
        refuse("policy.output_caching", "with policy.mapping=remote-dma the output is updated in memory and cannot be "
                                        "cached; choose bypass, or policy.mapping=local");
    if (e.collective.reduction != Reduction::nmc)
        refuse("collective.reduction", "with policy.mapping=remote-dma contributions arrive as updates; choose nmc, or "
                                       "policy.mapping=local");
}

void checkWriteDrain(const Experiment& e, Problems& problems) {
    if (e.memory.writeDrainLow > e.memory.writeDrainHigh)
        problems.push_back(problemAt("memory.write_drain_low", e,
                                     "above memory.write_drain_high = " + formatted("memory.write_drain_high", e) +
                                         "; allowed: at most that"));
}

/// Returns the read bandwidth that DRAM sustains, which limits the background traffic. The experiment's own traffic is
/// finite and ends some time.
double sustainedReads(const Experiment& e) {
    if (e.memory.model == DramModel::banks)
        return DramBanks::sustainedReads(e, dramQueueEntries(e));
    return static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency;
}

void checkBackground(const Experiment& e, Problems& problems) {
    const double background = static_cast<double>(e.variation.backgroundTraffic.bytesPerSecond);
    const bool banks = e.memory.model == DramModel::banks;
    const double sustained = sustainedReads(e);
    if (background > kMostBackground * sustained)
        problems.push_back(problemAt("variation.background_traffic", e,
                                     "more than 0.95 of what DRAM sustains (" +
                                         std::string(banks ? "its banks, for reads one after the other"
                                                           : "memory.bandwidth x memory.efficiency") +
                                         "), so that other requests would hardly be served; allowed: 0 to " +
                                         formatValue(*findParameter("variation.background_traffic"),
                                                     static_cast<std::int64_t>(kMostBackground * sustained))));
}

void checkVariation(const Experiment& e, Problems& problems) {
    VariationConfig ofOneGpu = e.variation;
    ofOneGpu.jitter = {};
    if (e.variation.gpu && *e.variation.gpu >= e.parallel.tp)
        problems.push_back(
            problemAt("variation.gpu", e,
                      "there is no such GPU; allowed: 0 to " + std::to_string(e.parallel.tp - 1) + ", or none"));
    else if (!e.variation.gpu && ofOneGpu.any())
        problems.push_back(problemAt("variation.gpu", e,
                                     "a link factor, clock factor, skew or background traffic is set, but not for "
                                     "which GPU; allowed: 0 to " +
                                         std::to_string(e.parallel.tp - 1)));
    // The background traffic ends with the GPU's own work, which would then never end.
    const bool tracksOwn = e.policy.mapping == OutputMapping::remoteDma && sendsData(e.workload.sublayer);
    const bool tracksCompanion = hasCompanionCollective(e) && e.companion.by == CollectiveCarrier::dma;
    if (e.variation.backgroundTraffic.bytesPerSecond > 0 && e.tracker.ways == 0 && (tracksOwn || tracksCompanion))
        problems.push_back(problemAt("tracker.ways", e,
                                     "no tile can be tracked, so that the GPU and its background traffic would never "
                                     "end; allowed: 1 to 64, or variation.background_traffic=0"));
}

void checkPeakRate(const Experiment& e, Problems& problems) {
    const double clock =
        static_cast<double>(matrixClockOf(e).hertz) * (e.variation.gpu ? std::max(1.0, e.variation.clockFactor) : 1.0);
    const double peak =
        static_cast<double>(e.cu.count) * static_cast<double>(e.cu.flopsPerCycle) * clock * elementRate(e);
    const std::string others =
        elementRate(e) > 1 ? "; lower it, cu.count, cu.clock or cu.rate_" + std::to_string(e.operators.elementBits)
                           : "; lower it, cu.count or cu.clock";
    if (std::isfinite(peak) && peak > kHighestPeak)
        problems.push_back(problemAt("cu.flops_per_cycle", e,
                                     "the GPU would reach " + countText(peak / 1e15) + " Pflop/s, allowed are " +
                                         countText(kHighestPeak / 1e15) + others));
}

/// Checks that local memory holds two K-steps of the smallest tile: the own one, or the smallest of the library if that
/// is smaller.
void checkLocalMemory(const Experiment& e, Problems& problems) {
    const bool hasGemm = hasOwnGemm(e.workload.sublayer) || hasCompanionGemm(e);
    if (!hasGemm || e.gemm.prefetch)
        return;
    GemmConfig smallest = e.gemm;
    if (const Tile least = libraryTiles().back(); least.m + least.n < smallest.tileM + smallest.tileN) {
        smallest.tileM = least.m;
        smallest.tileN = least.n;
    }
    const Bytes least = stageBytes(e, smallest) * kLeastStages;
    if (e.cu.localMemory >= least)
        return;
    problems.push_back(problemAt("cu.local_memory", e,
                                 "holds less than two K-steps of a tile of " + std::to_string(smallest.tileM) + " x " +
                                     std::to_string(smallest.tileN) + " (gemm.k_step = " + formatted("gemm.k_step", e) +
                                     "); allowed: at least " +
                                     formatValue(*findParameter("cu.local_memory"), least.count) +
                                     ", or a number for gemm.prefetch"));
}

void checkMachine(const Experiment& e, Problems& problems) {
    checkPeakRate(e, problems);
    checkReservedCus(e, problems);
    const bool isSplitRefused = e.policy.start == CommunicationStart::concurrent && collectiveCus(e) >= e.cu.count &&
                                dispatchRuleOf(e) == DispatchRule::reserved && !e.dispatch.reserved &&
                                !hasCompanionCollective(e);
    if (!isSplitRefused && collectiveCus(e) > e.cu.count)
        problems.push_back(
            problemAt("collective.cu_count", e,
                      "more than the GPU has; allowed: 1 to " + std::to_string(e.cu.count) + ", all, or auto"));
    if (e.dma.window && *e.dma.window < e.detail.granule)
        problems.push_back(
            problemAt("dma.window", e,
                      "smaller than one request (detail.granule = " + formatted("detail.granule", e) +
                          "), so that no data could ever be sent; allowed: at least that, or unlimited"));
}

void sortByTable(Problems& problems) {
    const auto place = [](const Problem& problem) {
        const Parameter* parameter = findParameter(problem.path);
        return parameter ? parameter - parameters().data() : std::ptrdiff_t{0};
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
}

}  // namespace

std::string formatted(const char* path, const Experiment& experiment) {
    const Parameter* parameter = findParameter(path);
    return formatValue(*parameter, parameter->read(experiment));
}

Problem problemAt(const char* path, const Experiment& experiment, std::string text) {
    return {path, formatted(path, experiment), std::move(text)};
}

std::string countText(double count) { return std::to_string(static_cast<std::int64_t>(std::llround(count))); }

bool noneAt(const Problems& problems, std::initializer_list<std::string_view> prefixes) {
    return std::none_of(problems.begin(), problems.end(), [&](const Problem& problem) {
        return std::any_of(prefixes.begin(), prefixes.end(),
                           [&](std::string_view prefix) { return problem.path.starts_with(prefix); });
    });
}

namespace {

/// Returns the problems of an experiment with the tile that is set.
Problems problemsWithTile(const Experiment& experiment) {
    Problems problems = tableProblems(experiment);
    // The table allows one GPU, which a whole model may have.
    if (experiment.parallel.tp == 1)
        problems.push_back(problemAt("parallel.tp", experiment,
                                     "below the minimum; allowed: " + std::to_string(kSmallestTp) + " to " +
                                         std::to_string(kLargestTp) + ", and 1 for whole models only"));
    // Sizes may be multiplied, and DRAM's sustained rate be computed, only if none of their values was refused.
    const bool areSizesSound =
        noneAt(problems, {"workload.", "matrix.", "parallel.", "gemm.", "detail.", "cu.", "memory."});
    const bool isMemorySound = noneAt(problems, {"memory.", "dram.", "detail.", "address."});
    const bool isCompanionSound = noneAt(problems, {"companion.", "dispatch.", "parallel.", "gemm.", "detail.", "cu."});
    if (areSizesSound) {
        checkLocalMemory(experiment, problems);
        const std::size_t before = problems.size();
        checkSizes(experiment, problems);
        if (problems.size() == before) {
            checkMirrored(experiment, problems);
            checkPieces(experiment, problems);
        }
    }
    if (isCompanionSound)
        checkCompanion(experiment, problems);
    checkPolicyParts(experiment, problems);
    checkOperation(experiment, problems);
    if (noneAt(problems, {"collective.staging"}))
        checkStaging(experiment, problems);
    checkOneForAll(experiment, problems);
    if (noneAt(problems, {"parallel.tp", "topology.", "link."}))
        for (Problem& problem : topologyProblems(experiment))
            problems.push_back(std::move(problem));
    checkMachine(experiment, problems);
    checkVariation(experiment, problems);
    const std::size_t beforeAddresses = problems.size();
    if (isMemorySound)
        checkAddresses(experiment, problems);
    if (isMemorySound && problems.size() == beforeAddresses &&
        experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        checkBackground(experiment, problems);
    checkWriteDrain(experiment, problems);
    if (problems.empty())
        checkAddressRoom(experiment, problems);
    if (problems.empty())
        checkCompanionMirrored(experiment, problems);
    sortByTable(problems);
    return problems;
}

/// For an experiment that chooses its tile: no problems if it can be run with a tile of the list; otherwise the
/// problems with the largest tile that fits.
Problems problemsOfChoice(const Experiment& experiment) {
    const std::vector<Tile> tiles = fittingTiles(gemmShapeOf(experiment));
    if (tiles.empty()) {
        const Tile least = libraryTiles().back();
        const GemmSize size = gemmShapeOf(experiment);
        Problems problems = problemsWithTile(withTile(experiment, least));
        problems.push_back(problemAt("tiles.choice", experiment,
                                     "no tile of the list fits an output of " + std::to_string(size.m) + " x " +
                                         std::to_string(size.n) + "; allowed: fixed, or at least " +
                                         std::to_string(least.m) + " rows and " + std::to_string(least.n) +
                                         " columns"));
        sortByTable(problems);
        return problems;
    }
    std::optional<Problems> ofLargest;
    for (const Tile& tile : tiles) {
        Problems problems = problemsWithTile(withTile(experiment, tile));
        if (problems.empty())
            return problems;
        if (!ofLargest)
            ofLargest = std::move(problems);
    }
    for (Problem& problem : *ofLargest)
        if (problem.path.starts_with("gemm.tile_"))
            problem.text += "; it is the largest tile of " +
                            std::string(experiment.tiles.choice == TileChoice::shared ? "tiles.choice=shared"
                                                                                      : "tiles.choice=best") +
                            " that fits";
    return *std::move(ofLargest);
}

/// Refuses a tile that is chosen beside a companion GEMM if there is none.
void checkSharedChoice(const Experiment& e, Problems& problems) {
    if (e.tiles.choice != TileChoice::shared || hasCompanionGemm(e))
        return;
    problems.push_back(problemAt("tiles.choice", e,
                                 "the tile is chosen beside the companion's GEMMs, and companion.operation=" +
                                     formatted("companion.operation", e) +
                                     " has none; allowed: auto, fixed, best, or companion.operation=gemm"));
    sortByTable(problems);
}

}  // namespace

Problems validate(const Experiment& experiment) {
    const bool isSearch = tableProblems(experiment).empty() && choosesTile(experiment);
    Problems problems = isSearch ? problemsOfChoice(experiment) : problemsWithTile(experiment);
    checkSharedChoice(experiment, problems);
    return problems;
}

}  // namespace engine
