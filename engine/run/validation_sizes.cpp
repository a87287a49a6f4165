#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/run/validation_parts.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace engine {
namespace {

// Limits on one run, so that a typing error leads to a message instead of minutes of time and gigabytes of memory. The
// largest published case (MT-NLG at fine detail) needs a twentieth of the first three limits.
constexpr double kMostTiles = 1 << 20;
constexpr double kMostGranules = 1 << 24;            // of A, B and C on one GPU
constexpr double kMostGranulesInFullMode = 1 << 26;  // of all GPUs
constexpr double kMostKSteps = 1 << 27;              // of all tiles
constexpr double kMostLoads = 4294967296.0;          // requests of all tiles for A and B
constexpr std::int64_t kLargestSlab = 1 << 30;       // bytes of a tile or of a K-step's part of it

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

std::string secondsText(double seconds) { return countText(std::min(seconds, 1e15)) + " s"; }

/// The size of one part of a run on one GPU, or of both parts together.
struct Work {
    double tiles = 0, kSteps = 0, loads = 0, granules = 0;
    double computing = 0, moving = 0, caching = 0, sending = 0, kernels = 0;  // seconds of each resource

    Work& operator+=(const Work& other) {
        for (double Work::*amount : {&Work::tiles, &Work::kSteps, &Work::loads, &Work::granules, &Work::computing,
                                     &Work::moving, &Work::caching, &Work::sending, &Work::kernels})
            this->*amount += other.*amount;
        return *this;
    }
    Work times(std::int64_t copies) const {
        Work all;
        for (std::int64_t copy = 0; copy < copies; ++copy)
            all += *this;
        return all;
    }
};

/// Returns "nearest allowed: 7 and 8", the allowed degrees just below and above; or the parameters to change if there
/// are none.
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
    return "no degree is allowed; choose another workload.hidden";
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
    std::int64_t m, n, k, batch, element;
    std::int64_t rows, columns, kSteps;
    std::int64_t wholeTileM, wholeTileN;
    std::int64_t tileM, tileN, kStep;  // no larger than the matrix

    /// Takes the sides of one GEMM, the number of such GEMMs in the batch, and the bytes of an element.
    GridSize(std::int64_t sideM, std::int64_t sideN, std::int64_t sideK, std::int64_t gemms, const GemmConfig& tiling,
             std::int64_t elementBytes)
        : m(sideM), n(sideN), k(sideK), batch(gemms), element(elementBytes), wholeTileM(tiling.tileM),
          wholeTileN(tiling.tileN), tileM(std::min(tiling.tileM, m)), tileN(std::min(tiling.tileN, n)),
          kStep(std::min(tiling.kStep, k)) {
        rows = ceilDiv(m, tileM);
        columns = ceilDiv(n, tileN);
        kSteps = ceilDiv(k, kStep);
    }
    double tilesOfOne() const { return static_cast<double>(rows) * static_cast<double>(columns); }
    double tiles() const { return tilesOfOne() * static_cast<double>(batch); }
    double allKSteps() const { return tiles() * static_cast<double>(kSteps); }
    bool hasLargeTile() const { return area(tileM, tileN) > static_cast<double>(kLargestSlab); }
    bool hasLargeKStep() const {
        return std::max(area(tileM, kStep), area(tileN, kStep)) > static_cast<double>(kLargestSlab);
    }

    /// Returns the bytes of that many elements.
    double area(std::int64_t a, std::int64_t b) const {
        return static_cast<double>(element) * static_cast<double>(a) * static_cast<double>(b);
    }
};

GridSize sizedGridOf(const Experiment& e) {
    if (e.workload.sublayer == SubLayer::gemm)
        return {e.matrix.m, e.matrix.n, e.matrix.k, e.matrix.batch, e.gemm, elementBytes(e)};
    const std::int64_t slice = std::max<std::int64_t>(1, slicedSide(e.workload) / e.parallel.tp);
    const std::int64_t m = e.workload.sequence * e.workload.batch;
    return consumesAllGather(e) ? GridSize{m, slice, e.workload.hidden, 1, e.gemm, elementBytes(e)}
                                : GridSize{m, e.workload.hidden, slice, 1, e.gemm, elementBytes(e)};
}

/// Returns the granules of a matrix that lies slab after slab; each slab starts a new granule.
double granules(double slabs, std::int64_t slabBytes, std::int64_t granule) {
    return slabs * static_cast<double>(ceilDiv(slabBytes, granule));
}

double memorySeconds(const Experiment& e, double bytes) {
    return bytes / (static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency);
}

/// Checks that the sum of all service times stays far below 2^60 ps, where the clock of the simulation ends, even if
/// all requests go to one channel. Precondition: no slab is too large.
Work gemmWork(const Experiment& e, const GridSize& g, bool full) {
    const std::int64_t granule = e.detail.granule.count;
    const double k = static_cast<double>(g.k), tileM = static_cast<double>(g.tileM),
                 tileN = static_cast<double>(g.tileN), steps = static_cast<double>(g.kSteps);
    Work work;
    work.tiles = g.tiles();
    work.kSteps = g.allKSteps();
    work.loads = work.tiles * (granules(steps, g.element * g.tileM * g.kStep, granule) +
                               granules(steps, g.element * g.tileN * g.kStep, granule));
    work.granules = granules(static_cast<double>(g.rows * g.batch) * steps, g.element * g.tileM * g.kStep, granule) +
                    granules(static_cast<double>(g.columns * g.batch) * steps, g.element * g.tileN * g.kStep, granule) +
                    granules(work.tiles, g.element * g.tileM * g.tileN, granule);
    const double cus = static_cast<double>(std::max<std::int64_t>(1, e.cu.count - reservedCus(e)));
    const double flopsPerSecond = static_cast<double>(peakFlopsOfCu(e)) * e.cu.tensorEfficiency;
    const double computedM = full ? static_cast<double>(g.wholeTileM) : tileM,
                 computedN = full ? static_cast<double>(g.wholeTileN) : tileN;
    work.computing = std::ceil(work.tiles / cus) * 2 * computedM * computedN * k / flopsPerSecond;
    const double element = static_cast<double>(g.element);
    const double loaded = work.tiles * element * (tileM + tileN) * k;
    const double stored = work.tiles * element * tileM * tileN * 4 * e.memory.updateCost;
    work.moving = memorySeconds(e, loaded + stored);
    if (e.llc.bandwidth)
        work.caching = loaded / static_cast<double>(e.llc.bandwidth->bytesPerSecond);
    return work;
}

double slowestLinkFactor(const Experiment& e) { return e.variation.gpu ? std::min(1.0, e.variation.linkFactor) : 1.0; }

double sendingSeconds(const Experiment& e, double outputBytes) {
    const double packet = static_cast<double>(e.link.packet.value_or(e.detail.granule).count);
    const double wireBytes = 2 * outputBytes * (1 + static_cast<double>(e.link.header.count) / packet);
    return wireBytes /
           (static_cast<double>(e.link.bandwidth.bytesPerSecond) * e.link.efficiency * slowestLinkFactor(e));
}

/// Returns the seconds of the collective kernels, whose workgroups take `cus` CUs.
double kernelSeconds(const Experiment& e, double outputBytes, std::int64_t cus) {
    if (!e.collective.cuBandwidth)
        return 0;
    std::int64_t most = std::min(cus, e.cu.count);
    if (const std::int64_t reserved = reservedCus(e); reserved > 0)
        most = std::min(most, reserved);
    const double slower =
        std::max(1.0, static_cast<double>(e.cu.clock.hertz) / static_cast<double>(matrixClockOf(e).hertz));
    return 2 * outputBytes * slower /
           (static_cast<double>(e.collective.cuBandwidth->bytesPerSecond) *
            static_cast<double>(std::max<std::int64_t>(1, most)));
}

/// Adds the work of links and collective kernels of the own work, which follows from its output.
void addCommunication(const Experiment& e, double outputBytes, Work& work) {
    work.sending = sendingSeconds(e, outputBytes);
    if (e.policy.mapping == OutputMapping::local)
        work.kernels = kernelSeconds(e, outputBytes, collectiveCus(e));
}

/// Returns the bytes of a tile, which is also the slab into which a collective without a GEMM is cut.
double slabBytes(const Experiment& e) {
    return static_cast<double>(e.gemm.tileM) * static_cast<double>(e.gemm.tileN) * static_cast<double>(elementBytes(e));
}

/// Returns the work of a collective without a GEMM, except its sends. Each chunk and each tile begins a new granule.
Work collectiveWork(const Experiment& e, Bytes bytes) {
    Work work;
    work.tiles = std::ceil(static_cast<double>(bytes.count) / slabBytes(e));
    work.granules = static_cast<double>(ceilDiv(bytes.count, e.detail.granule.count)) + work.tiles +
                    static_cast<double>(e.parallel.tp);
    work.moving = memorySeconds(e, static_cast<double>(bytes.count) * 4 * e.memory.updateCost);
    return work;
}

void checkGranules(const Experiment& e, double onOneGpu, const std::string& remedy, Problems& problems) {
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

void checkComputingTime(const Experiment& e, const Work& work, Problems& problems) {
    if (work.computing > kLongestSeconds)
        problems.push_back(problemAt("cu.flops_per_cycle", e,
                                     "the GEMM would compute for " + secondsText(work.computing) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it, cu.clock or cu.tensor_efficiency"));
}

void checkMemoryTime(const Experiment& e, const Work& work, const char* remedy, Problems& problems) {
    if (work.moving > kLongestSeconds)
        problems.push_back(problemAt("memory.bandwidth", e,
                                     "memory would be busy for " + secondsText(work.moving) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it or memory.efficiency" + remedy));
}

void checkCacheTime(const Experiment& e, const Work& work, Problems& problems) {
    if (work.caching > kLongestSeconds)
        problems.push_back(problemAt("llc.bandwidth", e,
                                     "loads would pass from the cache for " + secondsText(work.caching) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it"));
}

/// A time that is not finite results from a value that the table has refused.
bool isTooLong(double seconds) { return std::isfinite(seconds) && seconds > kLongestSeconds; }

/// Checks the times of links and collective kernels.
void checkCommunicationTime(const Experiment& e, const Work& work, Problems& problems) {
    const bool slower = slowestLinkFactor(e) < 1;
    if (isTooLong(work.sending))
        problems.push_back(problemAt(slower ? "variation.link_factor" : "link.bandwidth", e,
                                     "a link would be busy for " + secondsText(work.sending) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it" + (slower ? " or link.bandwidth" : "") +
                                         ", or choose a smaller output"));
    if (isTooLong(work.kernels))
        problems.push_back(problemAt("collective.cu_bandwidth", e,
                                     "the collective kernels would take " + secondsText(work.kernels) +
                                         " of simulated time, allowed are " + secondsText(kLongestSeconds) +
                                         "; raise it or collective.cu_count, or choose a smaller output"));
}

/// Returns the parameters that make a GEMM smaller: a model's sizes, or the GEMM's own sides.
std::string smallerSides(const Experiment& e, bool output) {
    if (e.workload.sublayer == SubLayer::gemm)
        return output ? "matrix.m or matrix.n" : "matrix.m, matrix.n or matrix.k";
    return "workload.hidden, workload.sequence or workload.batch";
}

void checkGemmSize(const Experiment& e, Problems& problems) {
    const GridSize g = sizedGridOf(e);
    const bool isAlone = e.workload.sublayer == SubLayer::gemm;
    // The slices of a model's sub-layers may be smaller; their K-step is then cut off.
    if (isAlone && e.matrix.k < e.gemm.kStep)
        problems.push_back(problemAt("matrix.k", e,
                                     "smaller than a K-step (gemm.k_step = " + formatted("gemm.k_step", e) +
                                         "); allowed: at least that, or a smaller gemm.k_step"));
    if (g.hasLargeTile()) {
        problems.push_back(
            problemAt("gemm.tile_m", e, "a tile is larger than 1 GiB; choose smaller gemm.tile_m or gemm.tile_n"));
        return;
    }
    if (g.hasLargeKStep()) {
        problems.push_back(
            problemAt("gemm.k_step", e, "one K-step of a tile is larger than 1 GiB; choose a smaller gemm.k_step"));
        return;
    }
    if (g.tiles() > kMostTiles) {
        if (isAlone && g.tilesOfOne() <= kMostTiles) {
            problems.push_back(problemAt("matrix.batch", e,
                                         "makes " + countText(g.tiles()) + " tiles, allowed are " +
                                             countText(kMostTiles) + "; allowed: 1 to " +
                                             countText(std::floor(kMostTiles / g.tilesOfOne())) +
                                             " with these sides, or choose larger gemm.tile_m or gemm.tile_n"));
            return;
        }
        problems.push_back(problemAt(
            "gemm.tile_m", e,
            "the output is cut into " + countText(g.tiles()) + " tiles, allowed are " + countText(kMostTiles) +
                "; choose larger gemm.tile_m or gemm.tile_n, or a smaller " + smallerSides(e, true)));
        return;
    }
    if (g.allKSteps() > kMostKSteps) {
        problems.push_back(problemAt("gemm.k_step", e,
                                     "all tiles together take " + countText(g.allKSteps()) + " K-steps, allowed are " +
                                         countText(kMostKSteps) +
                                         "; choose larger gemm.k_step, gemm.tile_m or gemm.tile_n"));
        return;
    }
    // The output of a GEMM alone is not divided.
    if (!isAlone && g.tiles() < static_cast<double>(e.parallel.tp)) {
        problems.push_back(
            problemAt("parallel.tp", e,
                      "the output has only " + countText(g.tiles()) +
                          " tiles, allowed is at least one a GPU; choose smaller gemm.tile_m or gemm.tile_n" +
                          (g.tiles() < kSmallestTp ? "" : ", or a degree of at most " + countText(g.tiles()))));
        return;
    }
    Work work = gemmWork(e, g, paysFullTiles(e));
    if (work.loads > kMostLoads) {
        problems.push_back(problemAt("detail.granule", e,
                                     "the tiles load " + countText(work.loads) + " granules, allowed are " +
                                         countText(kMostLoads) +
                                         "; choose a larger detail.granule, gemm.tile_m, gemm.tile_n or gemm.k_step"));
        return;
    }
    checkComputingTime(e, work, problems);
    checkMemoryTime(e, work, ", or choose larger tiles", problems);
    checkCacheTime(e, work, problems);
    if (!isAlone) {
        addCommunication(e, g.area(g.m, consumesAllGather(e) ? g.k : g.n), work);
        checkCommunicationTime(e, work, problems);
    }
    checkGranules(e, work.granules,
                  "choose a larger detail.granule or gemm.k_step, or a smaller " + smallerSides(e, false), problems);
}

}  // namespace

bool checkElements(const char* path, Bytes bytes, const Experiment& e, Problems& problems) {
    const std::int64_t element = elementBytes(e), least = element * e.parallel.tp;
    if (bytes.count % element != 0) {
        problems.push_back(problemAt(path, e,
                                     "not a whole number of elements, which have " + std::to_string(element) +
                                         " B (operators.element_bits); allowed: multiples of " +
                                         std::to_string(element) + " B"));
        return false;
    }
    if (bytes.count < least) {
        problems.push_back(problemAt(path, e,
                                     "fewer elements than GPUs; allowed: at least " + std::to_string(least) +
                                         " B for parallel.tp = " + std::to_string(e.parallel.tp)));
        return false;
    }
    return true;
}

namespace {

void checkCollectiveSize(const Experiment& e, Problems& problems) {
    const std::int64_t bytes = e.workload.bytes.count;
    if (!checkElements("workload.bytes", e.workload.bytes, e, problems))
        return;
    if (slabBytes(e) > static_cast<double>(kLargestSlab)) {
        problems.push_back(
            problemAt("gemm.tile_m", e, "a tile is larger than 1 GiB; choose smaller gemm.tile_m or gemm.tile_n"));
        return;
    }
    Work work = collectiveWork(e, e.workload.bytes);
    if (work.tiles > kMostTiles) {
        problems.push_back(problemAt("workload.bytes", e,
                                     "comes to " + countText(work.tiles) + " tiles, allowed are " +
                                         countText(kMostTiles) +
                                         "; choose fewer bytes, or larger gemm.tile_m or gemm.tile_n"));
        return;
    }
    checkGranules(e, work.granules, "choose a larger detail.granule or a smaller workload.bytes", problems);
    checkMemoryTime(e, work, "", problems);
    addCommunication(e, static_cast<double>(bytes), work);
    checkCommunicationTime(e, work, problems);
}

/// Precondition: the work is within its limits.
Work ownWork(const Experiment& e) {
    if (isCollectiveAlone(e.workload.sublayer)) {
        Work work = collectiveWork(e, e.workload.bytes);
        addCommunication(e, static_cast<double>(e.workload.bytes.count), work);
        return work;
    }
    const GridSize g = sizedGridOf(e);
    Work work = gemmWork(e, g, paysFullTiles(e));
    if (e.workload.sublayer != SubLayer::gemm)
        addCommunication(e, g.area(g.m, consumesAllGather(e) ? g.k : g.n), work);
    return work;
}

/// Returns the work of all copies of a companion GEMM, or of its collective or pass; an empty optional, with a problem
/// added, if a tile is too large to count with.
std::optional<Work> companionWork(const Experiment& e, Problems& problems) {
    if (hasInMemoryPass(e))
        return Work{.moving = static_cast<double>(e.companion.bytes.count) * e.pass.cost / e.pass.rate /
                              static_cast<double>(e.memory.bandwidth.bytesPerSecond)};
    if (hasCompanionCollective(e)) {
        if (slabBytes(e) > static_cast<double>(kLargestSlab)) {
            problems.push_back(
                problemAt("gemm.tile_m", e,
                          "a tile, which the companion's bytes are cut into, is larger than 1 GiB; choose "
                          "smaller gemm.tile_m or gemm.tile_n"));
            return std::nullopt;
        }
        const double bytes = static_cast<double>(e.companion.bytes.count);
        Work work = collectiveWork(e, e.companion.bytes);
        work.sending = sendingSeconds(e, bytes);
        if (e.companion.by == CollectiveCarrier::kernel)
            work.kernels = kernelSeconds(e, bytes, e.companion.workgroups);
        return work;
    }
    const GemmSize size = companionGemmOf(e);
    const GridSize g(size.m, size.n, size.sliceOfK(), size.partsOfK, companionTilingOf(e), elementBytes(e));
    if (g.hasLargeTile() || g.hasLargeKStep()) {
        problems.push_back(problemAt("companion.tile_m", e,
                                     std::string(g.hasLargeTile() ? "a tile" : "one K-step of a tile") +
                                         " of the companion is larger than 1 GiB; choose smaller companion.tile_m or "
                                         "companion.tile_n"));
        return std::nullopt;
    }
    return gemmWork(e, g, companionPaysFullTiles(e)).times(e.companion.copies);
}

/// Refuses a companion whose work, added to own work within the limits, exceeds them.
class BothParts {
public:
    BothParts(const Experiment& experiment, Problems& problems)
        : m_experiment(experiment), m_problems(problems), m_hasBytes(!hasCompanionGemm(experiment)) {}

    void check() {
        const auto companion = companionWork(m_experiment, m_problems);
        if (!companion)
            return;
        Work both = ownWork(m_experiment);
        both += *companion;
        // Checks each limit only if the numbers before it are within theirs, so that messages can state the counts.
        if (isAbove(both.tiles, kMostTiles, "tiles", "larger gemm.tile_m or gemm.tile_n") ||
            isAbove(both.kSteps, kMostKSteps, "K-steps", "larger gemm.k_step") ||
            isAbove(both.loads, kMostLoads, "loaded granules", "a larger detail.granule") ||
            isAbove(both.granules, kMostGranules, "granules", "a larger detail.granule"))
            return;
        if (m_experiment.detail.mode == DetailMode::full)
            isAbove(both.granules * static_cast<double>(m_experiment.parallel.tp), kMostGranulesInFullMode,
                    "granules of all GPUs", "a larger detail.granule or detail.mode=auto");
        checkTime(both.computing, "compute", "raise cu.flops_per_cycle, cu.clock or cu.tensor_efficiency");
        checkTime(both.moving, "keep memory busy", "raise memory.bandwidth or memory.efficiency");
        checkTime(both.caching, "load from the cache", "raise llc.bandwidth");
        checkTime(both.sending, "keep a link busy", "raise link.bandwidth");
        checkTime(both.kernels, "run collective kernels", "raise collective.cu_bandwidth or companion.workgroups");
    }

private:
    bool isAbove(double amount, double most, const char* what, const char* remedy) {
        if (amount <= most)
            return false;
        refuse("own work and companion together come to " + countText(std::min(amount, 9e18)) + " " + what +
                   ", allowed are " + countText(most),
               std::string("choose ") + remedy);
        return true;
    }

    void checkTime(double seconds, const char* what, const char* remedy) {
        if (isTooLong(seconds))
            refuse("own work and companion together would " + std::string(what) + " for " + secondsText(seconds) +
                       " of simulated time, allowed are " + secondsText(kLongestSeconds),
                   remedy);
    }

    void refuse(const std::string& text, const std::string& remedy) {
        m_problems.push_back(problemAt(m_hasBytes ? "companion.bytes" : "companion.operation", m_experiment,
                                       text + "; " + remedy + ", or choose " +
                                           (m_hasBytes ? "fewer bytes"
                                                       : "smaller companion.m, companion.n or companion.k, or fewer "
                                                         "companion.copies")));
    }

    const Experiment& m_experiment;
    Problems& m_problems;
    bool m_hasBytes;  // the companion's size is a number of bytes
};

}  // namespace

void checkSizes(const Experiment& experiment, Problems& problems) {
    const std::size_t before = problems.size();
    if (experiment.workload.sublayer == SubLayer::access) {
        if (noneAt(problems, {"access.", "policy."}))
            checkAccess(experiment, problems);
        return;
    }
    if (isCollectiveAlone(experiment.workload.sublayer)) {
        checkCollectiveSize(experiment, problems);
    } else {
        if (isPartOfModel(experiment.workload.sublayer) && isNetwork(experiment)) {
            problems.push_back(
                {"workload.model", experiment.workload.model,
                 "a network has no sub-layers that T3 fuses: the view Model and `ringside-cli model` have its times; "
                 "allowed for a run: a Transformer, or a collective or a GEMM alone"});
            const Problems ofNetwork = operatorGraphProblems(experiment, ModelPhase::training);
            problems.insert(problems.end(), ofNetwork.begin(), ofNetwork.end());
            return;
        }
        if (isPartOfModel(experiment.workload.sublayer))
            checkDegree(experiment, problems);
        checkGemmSize(experiment, problems);
    }
    const bool isCompanionSound =
        noneAt(problems, {"companion.", "matrix.", "link.", "variation.", "collective.cu_", "dispatch."});
    if (problems.size() == before && isCompanionSound && hasCompanion(experiment))
        BothParts(experiment, problems).check();
}

}  // namespace engine
