#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/api/topology.h"
#include "engine/collective/algorithm.h"
#include "engine/memory/memory_controller.h"
#include "engine/run/program.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

// What only holds between values. Every sum here is done on values that have passed the table, whose limits keep it
// inside 64 bits; products that may leave them are computed as doubles, exact enough to compare with a limit.

namespace engine {
namespace {

constexpr std::int64_t kSmallestTp = 2, kLargestTp = 64;

// Limits on one run, so that a typing error ends in a message and not in minutes and gigabytes. The largest published
// case (MT-NLG at fine detail) needs a twentieth of the first three.
constexpr double kMostTiles = 1 << 20;
constexpr double kMostGranules = 1 << 24;            // of A, B and C on one GPU
constexpr double kMostGranulesInFullMode = 1 << 26;  // of all GPUs
constexpr double kMostKSteps = 1 << 27;              // of all tiles
constexpr double kMostLoads = 4294967296.0;          // requests of all tiles for A and B
constexpr std::int64_t kLargestSlab = 1 << 30;       // bytes of a tile or of a K-step's part of it
constexpr double kLongestSeconds = 1e5;              // simulated, of each resource; 2^60 ps are 1.15 million seconds
constexpr double kHighestPeak = 9e18;                // flop/s of one GPU, which have to fit into 63 bits
constexpr double kMostBackground = 0.95;             // of what DRAM sustains; at 1 nothing else would ever be served

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

std::string formatted(const char* path, const Experiment& experiment) {
    const Parameter* parameter = findParameter(path);
    return formatValue(*parameter, parameter->read(experiment));
}

Problem problemAt(const char* path, const Experiment& experiment, std::string text) {
    return {path, formatted(path, experiment), std::move(text)};
}

/// "nearest allowed: 7 and 8", the allowed degrees just below and above; or what has to change where there is none.
std::string nearestAllowedTps(std::int64_t numerator, std::int64_t tp) {
    std::optional<std::int64_t> below, above;
    for (std::int64_t candidate = kSmallestTp; candidate <= kLargestTp; ++candidate) {
        if (numerator % candidate != 0)
            continue;
        if (candidate < tp)
            below = candidate;
        if (candidate > tp && !above)
            above = candidate;
    }
    if (below && above)
        return "nearest allowed: " + std::to_string(*below) + " and " + std::to_string(*above);
    if (below || above)
        return "nearest allowed: " + std::to_string(below ? *below : *above);
    return "no degree does; choose another workload.hidden";
}

std::string numeratorText(const WorkloadConfig& workload) {
    const std::int64_t side = slicedSide(workload);
    if (side % workload.hidden != 0)
        return std::to_string(side);
    const std::int64_t factor = side / workload.hidden;
    return (factor == 1 ? "H" : std::to_string(factor) + "H") + " = " + std::to_string(side);
}

void checkDegree(const Experiment& e, Problems& problems) {
    const std::int64_t numerator = slicedSide(e.workload), tp = e.parallel.tp;
    if (numerator % tp == 0)
        return;
    problems.push_back(problemAt("parallel.tp", e,
                                 std::string("does not divide ") + (consumesAllGather(e) ? "N" : "K") +
                                     " before slicing (" + numeratorText(e.workload) + " for " +
                                     std::string(name(e.workload.sublayer)) + "); " +
                                     nearestAllowedTps(numerator, tp)));
}

struct GridSize {
    std::int64_t m, n, k;
    std::int64_t rows, columns, kSteps;
    std::int64_t tileM, tileN, kStep;  // no larger than the matrix
    double tiles() const { return static_cast<double>(rows) * static_cast<double>(columns); }
};

GridSize sizedGridOf(const Experiment& e) {
    GridSize g{};
    g.m = e.workload.sequence * e.workload.batch;
    g.n = e.workload.hidden;
    g.k = std::max<std::int64_t>(1, slicedSide(e.workload) / e.parallel.tp);
    if (consumesAllGather(e))
        std::swap(g.n, g.k);
    g.tileM = std::min(e.gemm.tileM, g.m);
    g.tileN = std::min(e.gemm.tileN, g.n);
    g.kStep = std::min(e.gemm.kStep, g.k);
    g.rows = ceilDiv(g.m, g.tileM);
    g.columns = ceilDiv(g.n, g.tileN);
    g.kSteps = ceilDiv(g.k, g.kStep);
    return g;
}

/// Granules of a matrix that lies slab after slab, each slab starting a granule of its own.
double granules(double slabs, std::int64_t slabBytes, std::int64_t granule) {
    return slabs * static_cast<double>(ceilDiv(slabBytes, granule));
}

std::string countText(double count) { return std::to_string(static_cast<std::int64_t>(std::llround(count))); }

void checkGranules(const Experiment& e, double onOneGpu, const char* remedy, Problems& problems) {
    if (onOneGpu > kMostGranules) {
        problems.push_back(problemAt("detail.granule", e,
                                     "the matrices come to " + countText(onOneGpu) + " granules, allowed are " +
                                         countText(kMostGranules) + "; " + remedy));
    } else if (e.detail.mode == DetailMode::full &&
               onOneGpu * static_cast<double>(e.parallel.tp) > kMostGranulesInFullMode) {
        problems.push_back(problemAt("detail.mode", e,
                                     "all GPUs together come to " +
                                         countText(onOneGpu * static_cast<double>(e.parallel.tp)) +
                                         " granules, allowed are " + countText(kMostGranulesInFullMode) +
                                         "; choose a larger detail.granule or detail.mode=auto"));
    }
}

std::string secondsText(double seconds) { return countText(std::min(seconds, 1e15)) + " s"; }

/// Keeps the sum of all service times far below 2^60 ps, where the clock of the simulation ends, also when all of it
/// falls on one channel.
void checkSimulatedTime(const Experiment& e, const GridSize& g, Problems& problems) {
    const double k = static_cast<double>(g.k), tileM = static_cast<double>(g.tileM),
                 tileN = static_cast<double>(g.tileN);
    const double waves = std::ceil(g.tiles() / static_cast<double>(e.cu.count));
    const double flopsPerSecond =
        static_cast<double>(e.cu.clock.hertz) * static_cast<double>(e.cu.flopsPerCycle) * e.cu.tensorEfficiency;
    const double computing = waves * 2 * tileM * tileN * k / flopsPerSecond;
    if (computing > kLongestSeconds)
        problems.push_back(problemAt("cu.flops_per_cycle", e,
                                     "the GEMM would compute for " + secondsText(computing) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it, cu.clock or cu.tensor_efficiency"));
    const double loaded = g.tiles() * 2 * (tileM + tileN) * k;
    const double stored = g.tiles() * 2 * tileM * tileN * 4 * e.memory.updateCost;
    const double moving =
        (loaded + stored) / (static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency);
    if (moving > kLongestSeconds)
        problems.push_back(problemAt("memory.bandwidth", e,
                                     "memory would be busy for " + secondsText(moving) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it or memory.efficiency, or choose larger tiles"));
}

/// The same for links and collective kernels, whose work follows from the output. A time that is not finite comes from a
/// value that the table has refused.
void checkCommunicationTime(const Experiment& e, double outputBytes, Problems& problems) {
    const double packet = static_cast<double>(e.link.packet.value_or(e.detail.granule).count);
    const double wireBytes = 2 * outputBytes * (1 + static_cast<double>(e.link.header.count) / packet);
    const double slowest = e.variation.gpu ? std::min(1.0, e.variation.linkFactor) : 1.0;
    const double sending = wireBytes / (static_cast<double>(e.link.bandwidth.bytesPerSecond) * slowest);
    if (std::isfinite(sending) && sending > kLongestSeconds)
        problems.push_back(problemAt(slowest < 1 ? "variation.link_factor" : "link.bandwidth", e,
                                     "a link would be busy for " + secondsText(sending) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it" + (slowest < 1 ? " or link.bandwidth" : "") +
                                         ", or choose a smaller output"));
    if (e.policy.mapping != OutputMapping::local || !e.collective.cuBandwidth)
        return;
    const double cus = static_cast<double>(std::min(collectiveCus(e), e.cu.count));
    const double kernels =
        2 * outputBytes / (static_cast<double>(e.collective.cuBandwidth->bytesPerSecond) * std::max(1.0, cus));
    if (std::isfinite(kernels) && kernels > kLongestSeconds)
        problems.push_back(problemAt("collective.cu_bandwidth", e,
                                     "the collective kernels would take " + secondsText(kernels) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it or collective.cu_count, or choose a smaller output"));
}

void checkGemmSize(const Experiment& e, Problems& problems) {
    const GridSize g = sizedGridOf(e);
    const double slabLimit = static_cast<double>(kLargestSlab);
    const auto area = [](std::int64_t a, std::int64_t b) {
        return 2.0 * static_cast<double>(a) * static_cast<double>(b);
    };
    if (area(g.tileM, g.tileN) > slabLimit) {
        problems.push_back(
            problemAt("gemm.tile_m", e, "a tile is larger than 1 GiB; choose smaller gemm.tile_m or gemm.tile_n"));
        return;
    }
    if (std::max(area(g.tileM, g.kStep), area(g.tileN, g.kStep)) > slabLimit) {
        problems.push_back(
            problemAt("gemm.k_step", e, "one K-step of a tile is larger than 1 GiB; choose a smaller gemm.k_step"));
        return;
    }
    if (g.tiles() > kMostTiles) {
        problems.push_back(problemAt("gemm.tile_m", e,
                                     "the output is cut into " + countText(g.tiles()) + " tiles, allowed are " +
                                         countText(kMostTiles) +
                                         "; choose larger gemm.tile_m or gemm.tile_n, or a smaller "
                                         "workload.hidden, workload.sequence or workload.batch"));
        return;
    }
    if (g.tiles() * static_cast<double>(g.kSteps) > kMostKSteps) {
        problems.push_back(problemAt("gemm.k_step", e,
                                     "all tiles together take " + countText(g.tiles() * static_cast<double>(g.kSteps)) +
                                         " K-steps, allowed are " + countText(kMostKSteps) +
                                         "; choose larger gemm.k_step, gemm.tile_m or gemm.tile_n"));
        return;
    }
    if (g.tiles() < static_cast<double>(e.parallel.tp)) {
        problems.push_back(
            problemAt("parallel.tp", e,
                      "the output has only " + countText(g.tiles()) +
                          " tiles, allowed is at least one a GPU; choose smaller gemm.tile_m or gemm.tile_n" +
                          (g.tiles() < kSmallestTp ? "" : ", or a degree of at most " + countText(g.tiles()))));
        return;
    }
    const std::int64_t granule = e.detail.granule.count;
    const double loads = g.tiles() * (granules(static_cast<double>(g.kSteps), 2 * g.tileM * g.kStep, granule) +
                                      granules(static_cast<double>(g.kSteps), 2 * g.tileN * g.kStep, granule));
    if (loads > kMostLoads) {
        problems.push_back(problemAt("detail.granule", e,
                                     "the tiles load " + countText(loads) + " granules, allowed are " +
                                         countText(kMostLoads) +
                                         "; choose a larger detail.granule, gemm.tile_m, gemm.tile_n or gemm.k_step"));
        return;
    }
    checkSimulatedTime(e, g, problems);
    const std::int64_t moved = consumesAllGather(e) ? g.k : g.n;
    checkCommunicationTime(e, 2.0 * static_cast<double>(g.m) * static_cast<double>(moved), problems);
    const double total =
        granules(static_cast<double>(g.rows) * static_cast<double>(g.kSteps), 2 * g.tileM * g.kStep, granule) +
        granules(static_cast<double>(g.columns) * static_cast<double>(g.kSteps), 2 * g.tileN * g.kStep, granule) +
        granules(g.tiles(), 2 * g.tileM * g.tileN, granule);
    checkGranules(e, total,
                  "choose a larger detail.granule or gemm.k_step, or a smaller workload.hidden, workload.sequence or "
                  "workload.batch",
                  problems);
}

void checkCollectiveSize(const Experiment& e, Problems& problems) {
    const std::int64_t bytes = e.workload.bytes.count;
    if (bytes % 2 != 0) {
        problems.push_back(
            problemAt("workload.bytes", e, "odd, but elements are fp16; allowed: even numbers of bytes"));
        return;
    }
    if (bytes < 2 * e.parallel.tp) {
        problems.push_back(problemAt("workload.bytes", e,
                                     "fewer elements than GPUs; allowed: at least " +
                                         std::to_string(2 * e.parallel.tp) +
                                         " B for parallel.tp = " + std::to_string(e.parallel.tp)));
        return;
    }
    const double slab = 2.0 * static_cast<double>(e.gemm.tileM) * static_cast<double>(e.gemm.tileN);
    if (slab > static_cast<double>(kLargestSlab)) {
        problems.push_back(
            problemAt("gemm.tile_m", e, "a tile is larger than 1 GiB; choose smaller gemm.tile_m or gemm.tile_n"));
        return;
    }
    const double tiles = std::ceil(static_cast<double>(bytes) / slab);
    if (tiles > kMostTiles) {
        problems.push_back(problemAt("workload.bytes", e,
                                     "comes to " + countText(tiles) + " tiles, allowed are " + countText(kMostTiles) +
                                         "; choose fewer bytes, or larger gemm.tile_m or gemm.tile_n"));
        return;
    }
    // Chunks and tiles each begin a granule of their own.
    const double total =
        static_cast<double>(ceilDiv(bytes, e.detail.granule.count)) + tiles + static_cast<double>(e.parallel.tp);
    checkGranules(e, total, "choose a larger detail.granule or a smaller workload.bytes", problems);
    const double moving = static_cast<double>(bytes) * 4 * e.memory.updateCost /
                          (static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency);
    if (moving > kLongestSeconds)
        problems.push_back(problemAt("memory.bandwidth", e,
                                     "memory would be busy for " + secondsText(moving) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it or memory.efficiency"));
    checkCommunicationTime(e, static_cast<double>(bytes), problems);
}

/// Mirroring lets one GPU stand for all, which is wrong as soon as GPUs or their chunks differ.
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

/// A direct or hierarchical collective, an exchange, or a ring whose hops differ need all GPUs.
void checkOneForAll(const Experiment& e, Problems& problems) {
    if (e.detail.mode != DetailMode::mirrored)
        return;
    const auto refuse = [&](const char* why) {
        problems.push_back(problemAt("detail.mode", e,
                                     std::string(why) + ", so that one cannot stand for all; allowed: auto or full"));
    };
    if (!algorithmOf(e.collective.algorithm).aroundRing)
        return refuse("the GPUs send to several others, which are not alike");
    if (runPartsOf(e).allToAll)
        return refuse("each GPU exchanges something with each other");
    if (e.topology.kind != TopologyKind::ring && e.topology.kind != TopologyKind::fullyConnected &&
        e.topology.kind != TopologyKind::torus)
        refuse("the hops of the ring may differ");
}

void checkOperation(const Experiment& e, Problems& problems) {
    std::vector<std::string> reasons;
    if (const auto refuse = algorithmOf(e.collective.algorithm).refuse)
        refuse(e, runPartsOf(e), reasons);
    for (std::string& reason : reasons)
        problems.push_back(problemAt("collective.algorithm", e, std::move(reason)));
    if (!isCollectiveAlone(e.workload.sublayer) && e.collective.operation != CollectiveOperation::allReduce &&
        e.policy.start == CommunicationStart::concurrent)
        problems.push_back(
            problemAt("collective.operation", e,
                      "policy.start=concurrent runs an all-reduce beside the GEMM; choose all-reduce, or "
                      "another policy"));
}

void checkPolicyParts(const Experiment& e, Problems& problems) {
    const bool fused = e.policy.mapping == OutputMapping::remoteDma;
    const bool whenReady = e.policy.start == CommunicationStart::whenReady;
    const auto refuse = [&](const char* path, const char* text) { problems.push_back(problemAt(path, e, text)); };
    if (e.policy.start == CommunicationStart::concurrent && isCollectiveAlone(e.workload.sublayer))
        refuse("policy.start", "there is no GEMM to run beside; choose after-gemm");
    if (!fused && whenReady)
        refuse("policy.start", "data that stay local cannot be sent as they become ready; choose after-gemm, or "
                               "policy.mapping=remote-dma");
    if (!fused)
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

/// What DRAM keeps up of background traffic. What the experiment itself adds is finite, and the rest ends some time.
double sustainedReads(const Experiment& e) {
    if (e.memory.model == DramModel::banks)
        return DramBanks::sustainedReads(e, MemoryController::queueEntries(e));
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
                                         "), so that hardly anything else would be served; allowed: 0 to " +
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
    // The traffic ends with the GPU's own work, which then never ends.
    if (e.variation.backgroundTraffic.bytesPerSecond > 0 && e.tracker.ways == 0 &&
        e.policy.mapping == OutputMapping::remoteDma)
        problems.push_back(problemAt("tracker.ways", e,
                                     "nothing can be tracked, so that the GPU and its background traffic would never "
                                     "end; allowed: 1 to 64, or variation.background_traffic=0"));
}

void checkPeakRate(const Experiment& e, Problems& problems) {
    const double clock =
        static_cast<double>(e.cu.clock.hertz) * (e.variation.gpu ? std::max(1.0, e.variation.clockFactor) : 1.0);
    const double peak = static_cast<double>(e.cu.count) * static_cast<double>(e.cu.flopsPerCycle) * clock;
    if (std::isfinite(peak) && peak > kHighestPeak)
        problems.push_back(problemAt("cu.flops_per_cycle", e,
                                     "the GPU would reach " + countText(peak / 1e15) + " Pflop/s, allowed are " +
                                         countText(kHighestPeak / 1e15) + "; lower it, cu.count or cu.clock"));
}

void checkMachine(const Experiment& e, Problems& problems) {
    checkPeakRate(e, problems);
    const bool splits = e.policy.start == CommunicationStart::concurrent;
    if (splits && e.cu.count == 1)
        problems.push_back(problemAt("cu.count", e,
                                     "with policy.start=concurrent the collective takes CUs from the GEMM, and both "
                                     "need one; allowed: at least 2, or another policy"));
    else if (splits && collectiveCus(e) >= e.cu.count)
        problems.push_back(problemAt("collective.cu_count", e,
                                     "with policy.start=concurrent the collective takes CUs from the GEMM, and both "
                                     "need some; allowed: 1 to " +
                                         std::to_string(e.cu.count - 1)));
    else if (collectiveCus(e) > e.cu.count)
        problems.push_back(
            problemAt("collective.cu_count", e,
                      "more than the GPU has; allowed: 1 to " + std::to_string(e.cu.count) + ", all, or auto"));
    if (e.dma.window && *e.dma.window < e.detail.granule)
        problems.push_back(problemAt("dma.window", e,
                                     "smaller than one request (detail.granule = " + formatted("detail.granule", e) +
                                         "), nothing could ever be sent; allowed: at least that, or unlimited"));
}

void sortByTable(Problems& problems) {
    const auto place = [](const Problem& problem) {
        const Parameter* parameter = findParameter(problem.path);
        return parameter ? parameter - parameters().data() : std::ptrdiff_t{0};
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
}

/// True when none of the values that decide sizes was refused, so that they may be multiplied.
bool sizesAreSound(const Problems& problems) {
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
        const std::string_view path = problem.path;
        return path.starts_with("workload.") || path.starts_with("parallel.") || path.starts_with("gemm.") ||
               path.starts_with("detail.") || path.starts_with("cu.") || path.starts_with("memory.");
    });
}

/// True when what DRAM sustains can be computed.
bool memoryIsSound(const Problems& problems) {
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
        const std::string_view path = problem.path;
        return path.starts_with("memory.") || path.starts_with("dram.") || path.starts_with("detail.");
    });
}

}  // namespace

Problems validate(const Experiment& experiment) {
    Problems problems;
    for (const Parameter& parameter : parameters()) {
        if (auto problem = check(parameter, parameter.read(experiment)))
            problems.push_back(std::move(*problem));
    }
    // The table allows one GPU, which a whole model may have.
    if (experiment.parallel.tp == 1)
        problems.push_back(problemAt("parallel.tp", experiment,
                                     "below the minimum; allowed: " + std::to_string(kSmallestTp) + " to " +
                                         std::to_string(kLargestTp) + ", and 1 for whole models only"));
    const bool isMemorySound = memoryIsSound(problems);
    if (sizesAreSound(problems)) {
        const std::size_t before = problems.size();
        if (isCollectiveAlone(experiment.workload.sublayer)) {
            checkCollectiveSize(experiment, problems);
        } else {
            checkDegree(experiment, problems);
            checkGemmSize(experiment, problems);
        }
        if (problems.size() == before)
            checkMirrored(experiment, problems);
    }
    checkPolicyParts(experiment, problems);
    checkOperation(experiment, problems);
    checkOneForAll(experiment, problems);
    if (std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
            return problem.path == "parallel.tp" || problem.path.starts_with("topology.") ||
                   problem.path.starts_with("link.");
        }))
        for (Problem& problem : topologyProblems(experiment))
            problems.push_back(std::move(problem));
    checkMachine(experiment, problems);
    checkVariation(experiment, problems);
    if (isMemorySound && experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        checkBackground(experiment, problems);
    checkWriteDrain(experiment, problems);
    sortByTable(problems);
    return problems;
}

}  // namespace engine
