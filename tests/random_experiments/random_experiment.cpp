#include "tests/random_experiments/random_experiment.h"

#include "engine/api/dram_place.h"
#include "engine/api/dram_queue.h"
#include "engine/api/expected_work.h"
#include "engine/api/parameter_field.h"
#include "engine/memory/memory_controller.h"
#include "engine/workload/gemm_shape.h"
#include "tests/golden/combinations.h"
#include "tests/random_experiments/drawn_groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tests {

namespace {

using namespace engine;

constexpr double kMostEvents = 150'000;         // of one run of all GPUs
constexpr double kMostEventsTogether = 50'000;  // short runs show how parameters act together, too
constexpr double kWideRange =
    100;  // values of a range with at least this ratio are drawn with equal probability for equal ratios
// The smallest values above 0 of wide ranges. Smaller ones would differ from 0 only by picoseconds.
constexpr double kShortestTime = 1000;   // a nanosecond
constexpr double kSlowestTraffic = 1e9;  // bytes a second

double numberOf(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return std::get<double>(value);
}

/// Returns the number as a value of the parameter: within its range, and a whole number or a power of two if it must
/// be.
ParameterValue asValue(const Parameter& parameter, double number) {
    number = std::clamp(number, smallestDrawn(parameter), largestDrawn(parameter));
    if (parameter.kind == ParameterKind::real)
        return number;
    const auto whole = static_cast<std::int64_t>(number);
    if (parameter.powerOfTwo)
        return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(whole)));
    return whole;
}

double anyNumber(const Parameter& parameter, RandomNumbers& random) {
    const double high = largestDrawn(parameter);
    double low = smallestDrawn(parameter);
    if (low <= 0)
        low = parameter.unit == ParameterUnit::picoseconds      ? kShortestTime
              : parameter.unit == ParameterUnit::bytesPerSecond ? kSlowestTraffic
                                                                : 1;
    if (low >= high || (!parameter.logarithmic && high / low < kWideRange))
        return random.between(smallestDrawn(parameter), high);
    return random.byRatio(low, high);
}

double numberNear(double number, RandomNumbers& random) {
    static constexpr std::array kFactors{0.5, 0.9, 1.1, 2.0, 3.0};
    return random.withChance(0.3) ? number + (random.withChance(0.5) ? 1 : -1)
                                  : number * random.oneOf(std::span<const double>(kFactors));
}

std::string linkText(RandomNumbers& random) {
    std::string text;
    if (random.withChance(0.4))
        text = "@" + std::to_string(random.between(std::int64_t{5}, std::int64_t{400})) + "GB/s";
    if (random.withChance(0.2))
        text +=
            (text.empty() ? "@," : ",") + std::to_string(random.between(std::int64_t{0}, std::int64_t{5000})) + "ns";
    return text;
}

/// Draws sub-layer, sizes, degree and topology.
void drawWorkload(Experiment& e, RandomNumbers& random) {
    static constexpr std::array<std::int64_t, 12> kDegrees{2, 2, 3, 4, 4, 4, 5, 6, 8, 8, 16, 32};
    static constexpr std::array<std::int64_t, 6> kTiles{32, 64, 64, 96, 128, 256};
    const auto anyOf = [&](auto values) { return static_cast<std::int64_t>(random.next() % values.size()); };
    e.parallel.tp = random.oneOf(std::span<const std::int64_t>(kDegrees));
    e.workload.sublayer = static_cast<SubLayer>(anyOf(kWords<SubLayer>));
    const std::int64_t step = 8 * e.parallel.tp;
    e.workload.hidden = std::max<std::int64_t>(64, random.between(std::int64_t{1}, 1024 / step) * step);
    e.workload.sequence = static_cast<std::int64_t>(random.byRatio(32, 2048));
    e.workload.batch = random.between(std::int64_t{1}, std::int64_t{3});
    e.workload.bytes = {4 * static_cast<std::int64_t>(random.byRatio(64, 1 << 19))};
    if (random.withChance(0.2))
        e.operators.elementBits = random.withChance(0.5) ? 8 : 32;
    e.tiles.padding = static_cast<TilePadding>(anyOf(kWords<TilePadding>));
    if (random.withChance(0.1))
        e.tiles.choice = TileChoice::best;
    if (random.withChance(0.6)) {
        e.gemm.tileM = random.oneOf(std::span<const std::int64_t>(kTiles));
        e.gemm.tileN = random.oneOf(std::span<const std::int64_t>(kTiles));
    }
    e.collective.operation = static_cast<CollectiveOperation>(anyOf(kWords<CollectiveOperation>));
    if (random.withChance(0.5))
        e.collective.algorithm = static_cast<CollectiveAlgorithm>(anyOf(kWords<CollectiveAlgorithm>));
    if (copiesByDma(e))
        e.collective.algorithm = CollectiveAlgorithm::direct;
    if (random.withChance(0.6))
        e.topology.kind = static_cast<TopologyKind>(anyOf(kWords<TopologyKind>));
    if (e.topology.kind == TopologyKind::custom)
        e.topology.links = randomLinks(e.parallel.tp, random);
    e.seed = random.between(std::int64_t{1}, std::int64_t{1000});
    if (e.workload.sublayer == SubLayer::gemm) {
        for (std::int64_t MatrixConfig::*side : {&MatrixConfig::m, &MatrixConfig::n, &MatrixConfig::k})
            e.matrix.*side = static_cast<std::int64_t>(random.byRatio(16, 1024));
        if (random.withChance(0.4))
            e.matrix.batch = random.between(std::int64_t{2}, std::int64_t{8});
    }
}

/// Draws the streams of an access pattern.
void drawAccess(Experiment& e, RandomNumbers& random) {
    AccessConfig& access = e.access;
    access.pattern = random.withChance(0.3) ? AccessPatternKind::random : AccessPatternKind::stride;
    for (std::int64_t AccessConfig::*streams : {&AccessConfig::reads, &AccessConfig::writes, &AccessConfig::updates})
        access.*streams = random.between(std::int64_t{0}, std::int64_t{3});
    access.communication =
        random.between(std::int64_t{0}, std::max<std::int64_t>(1, access.reads + access.writes + access.updates));
    access.count = static_cast<std::int64_t>(random.byRatio(1, 5000));
    const auto granules = [&](double least, double most) {
        return Bytes{static_cast<std::int64_t>(random.byRatio(least, most)) * e.detail.granule.count};
    };
    if (random.withChance(0.5))
        access.turn = granules(1, 16);
    if (random.withChance(0.5))
        access.stride = granules(1, 1024);
    access.footprint = granules(1024, 1 << 16);
    access.skew = granules(1, 64);
    if (random.withChance(0.3))
        access.outstanding = static_cast<std::int64_t>(random.byRatio(1, 1000));
}

/// Draws the companion and the dispatch rule.
void drawCompanion(Experiment& e, RandomNumbers& random) {
    constexpr double kOften = 0.4;
    if (!random.withChance(kOften) || isIdeal(e.policy.preset) || e.workload.sublayer == SubLayer::access)
        return;
    e.companion.operation =
        static_cast<CompanionOperation>(1 + random.next() % (kWords<CompanionOperation>.size() - 1));
    e.companion.bytes = {4 * static_cast<std::int64_t>(random.byRatio(64, 1 << 19))};
    if (hasCompanionCollective(e) && random.withChance(0.5))
        e.companion.by = CollectiveCarrier::dma;
    if (hasInMemoryPass(e)) {
        e.pass.cost = static_cast<double>(random.between(std::int64_t{1}, std::int64_t{4}));
        e.pass.switchTime = {random.between(std::int64_t{0}, std::int64_t{2'000'000})};
        e.pass.piece = {static_cast<std::int64_t>(random.byRatio(1 << 16, 1 << 20))};
    }
    if (hasCompanionGemm(e)) {
        e.companion.copies = random.between(std::int64_t{1}, std::int64_t{3});
        e.companion.m = static_cast<std::int64_t>(random.byRatio(16, 1024));
        e.companion.n = static_cast<std::int64_t>(random.byRatio(16, 1024));
        e.companion.k = static_cast<std::int64_t>(random.byRatio(16, 1024));
        if (random.withChance(0.1))
            e.tiles.choice = TileChoice::shared;
    }
    e.dispatch.rule = static_cast<DispatchRule>(random.next() % kWords<DispatchRule>.size());
    if (dispatchRuleOf(e) == DispatchRule::reserved)
        e.dispatch.reserved = random.between(std::int64_t{1}, e.cu.count - 1);
}

/// Returns a mapping that fits the machine if its counts are powers of two: the usual one, or letters in any order of
/// which the last ones fit into a granule.
std::string randomMapping(const Experiment& e, RandomNumbers& random) {
    const bool isFit = std::has_single_bit(static_cast<std::uint64_t>(e.dram.pseudoChannels)) &&
                       std::has_single_bit(static_cast<std::uint64_t>(e.dram.bankGroups)) &&
                       std::has_single_bit(static_cast<std::uint64_t>(e.dram.banksPerGroup)) &&
                       e.dram.row >= e.dram.burst &&
                       e.detail.granule.count >=
                           e.dram.burst.count * std::max<std::int64_t>(1, e.dram.pseudoChannels / e.detail.channels);
    if (!isFit || random.withChance(0.2))
        return kUsualMapping;
    const AddressBits bits = addressBitsOf(e);
    std::string inside, outside = std::string(bits.bank, kBankLetter) + std::string(bits.channel, kChannelLetter);
    std::string both = std::string(bits.group, kGroupLetter) + std::string(bits.column, kColumnLetter);
    const auto takeAny = [&](std::string& from) {
        const std::size_t place = random.next() % from.size();
        const char letter = from[place];
        from.erase(place, 1);
        return letter;
    };
    while (!both.empty() && inside.size() < bits.granule)
        inside += takeAny(both);
    outside += both;
    std::string letters;
    while (!outside.empty())
        letters += takeAny(outside);
    return letters + inside;
}

std::int64_t numberOfChanges(RandomNumbers& random) {
    const double kind = random.fraction();
    if (kind < 0.15)
        return random.between(std::int64_t{0}, std::int64_t{1});
    if (kind < 0.45)
        return 2;
    return kind < 0.8 ? random.between(std::int64_t{3}, std::int64_t{8})
                      : random.between(std::int64_t{9}, std::int64_t{40});
}

double sustainedReads(const Experiment& e) {
    if (e.memory.model == DramModel::banks)
        return DramBanks::sustainedReads(e, dramQueueEntries(e));
    return static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency;
}

/// Changes other parameters so that the change of `path` has an effect.
void addWhatItNeeds(Experiment& e, std::string_view path, RandomNumbers& random) {
    if (path.starts_with("variation.") && path != "variation.jitter" && !e.variation.gpu)
        e.variation.gpu = random.between(std::int64_t{0}, e.parallel.tp - 1);
    if (path == "variation.background_traffic")
        e.variation.backgroundTraffic.bytesPerSecond =
            std::min(e.variation.backgroundTraffic.bytesPerSecond, static_cast<std::int64_t>(0.9 * sustainedReads(e)));
    if (path == "address.hash" || path == "address.bank_hash")
        e.address.mapping = randomMapping(e, random);
    if (path.starts_with("address.") && random.withChance(0.5))
        e.memory.model = DramModel::banks;
    if (path == "topology.links")
        e.topology.kind = TopologyKind::custom;
    if (path == "topology.kind" && e.topology.kind == TopologyKind::custom)
        e.topology.links = randomLinks(e.parallel.tp, random);
    if (path.starts_with("dram.") && random.withChance(0.25))
        e.memory.model = DramModel::banks;
    if (path.starts_with("memory.write_drain") && random.withChance(0.8))
        e.memory.storeOrder = StoreOrder::writeDrain;
    if (path.starts_with("topology.node_") && e.parallel.tp % 2 == 0)
        e.topology.kind = TopologyKind::twoNodes;
    if (path == "topology.torus_columns") {
        e.topology.kind = TopologyKind::torus;
        if (e.topology.torusColumns)
            e.topology.torusColumns = std::gcd(e.parallel.tp, random.between(std::int64_t{1}, e.parallel.tp));
    }
    if (path.starts_with("companion.") && path != "companion.operation" && !hasCompanion(e))
        e.companion.operation = random.withChance(0.5) ? CompanionOperation::gemm : CompanionOperation::allGather;
    if (path.starts_with("access.") && !hasCompanion(e))
        e.workload.sublayer = SubLayer::access;
    if (path.starts_with("pass."))
        e.companion.operation = CompanionOperation::inMemory;
    if (path == "collective.by" || path == "dma.issue") {
        e.collective.by = CollectiveCarrier::dma;
        e.collective.algorithm = CollectiveAlgorithm::direct;
    }
    if (path == "dispatch.reserved" && random.withChance(0.8))
        e.dispatch.rule = DispatchRule::reserved;
}

using ParameterList = std::vector<const Parameter*>;

/// Returns all parameters that are drawn, by group.
const std::vector<ParameterList>& drawnGroups() {
    static const std::vector<ParameterList> kGroups = [] {
        std::map<ParameterGroup, ParameterList> byGroup;
        for (const Parameter& parameter : parameters()) {
            if (isDrawn(parameter))
                byGroup[parameter.group].push_back(&parameter);
        }
        std::vector<ParameterList> groups;
        groups.reserve(byGroup.size());
        for (auto& [group, drawn] : byGroup)
            groups.push_back(std::move(drawn));
        return groups;
    }();
    return kGroups;
}

/// Draws a parameter. Each group is equally likely, so that groups with few parameters are drawn as often as large
/// ones.
const Parameter& randomParameter(RandomNumbers& random) {
    const ParameterList& group = random.oneOf(std::span<const ParameterList>(drawnGroups()));
    return *random.oneOf(std::span<const Parameter* const>(group));
}

/// Returns the bytes that one GPU's links and kernels move; for an all-reduce, those of both halves.
double movedBytes(const Experiment& e) {
    const double companion = hasCompanionCollective(e) ? static_cast<double>(e.companion.bytes.count) : 0;
    return 2 * (static_cast<double>(shapeOf(e).outputBytes.count) + companion);
}

/// Returns the largest number of links on the route of a packet.
double hopsOf(const Experiment& e) {
    const auto gpus = static_cast<double>(e.parallel.tp);
    if (e.topology.kind == TopologyKind::fullyConnected)
        return 1;
    return e.topology.kind == TopologyKind::switched || e.topology.kind == TopologyKind::twoNodes ? 3 : gpus / 2 + 1;
}

double packetEvents(const Experiment& e) {
    const auto granule = static_cast<double>(e.detail.granule.count);
    const double packet = std::min(granule, static_cast<double>(e.link.packet.value_or(e.detail.granule).count));
    return movedBytes(e) / packet * hopsOf(e) * static_cast<double>(e.parallel.tp);
}

double slowestLink(const Experiment& e) {
    double slowest = static_cast<double>(e.link.bandwidth.bytesPerSecond) * std::min(1.0, e.variation.linkFactor);
    if (e.topology.kind == TopologyKind::custom)
        slowest = std::min(slowest, 5e9);
    if (e.topology.kind == TopologyKind::twoNodes)
        slowest = std::min(slowest, static_cast<double>(e.topology.nodeBandwidth.bytesPerSecond));
    return slowest;
}

double secondsOf(Duration duration) { return static_cast<double>(duration.ps) * 1e-12; }

double computeTime(const Experiment& e, double steps) {
    const double rate =
        static_cast<double>(peakFlopsOfCu(e)) * e.cu.tensorEfficiency * std::min(1.0, e.variation.clockFactor);
    return 2 * steps * static_cast<double>(e.gemm.tileM * e.gemm.tileN) / rate;
}

double memoryTime(const Experiment& e, double bytes) {
    const auto queue = static_cast<double>(std::max(e.memory.queue, e.detail.granule).count);
    // In the worst case all data are in one channel.
    const double channels = hasAddressMapping(e) ? static_cast<double>(e.detail.channels) : 1;
    return channels * 3 * e.memory.updateCost * bytes /
               (static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency) +
           bytes / queue * secondsOf(e.memory.latency + e.memory.turnaround);
}

double communicationTime(const Experiment& e) {
    const double kernels =
        e.collective.cuBandwidth ? movedBytes(e) / static_cast<double>(e.collective.cuBandwidth->bytesPerSecond) : 0;
    return kernels + movedBytes(e) * hopsOf(e) / slowestLink(e);
}

/// Returns the number of kernels: the GEMM, both halves of its collective, and the companion.
double kernelsInTurn(const Experiment& e) {
    constexpr double kOwn = 3;
    return kOwn + (hasCompanion(e) ? static_cast<double>(std::max<std::int64_t>(2, e.companion.copies)) : 0);
}

/// Returns the seconds of a pass inside memory if requests interrupt it after each piece.
double passTime(const Experiment& e) {
    if (!hasInMemoryPass(e))
        return 0;
    const auto bytes = static_cast<double>(e.companion.bytes.count);
    return bytes * e.pass.cost / (e.pass.rate * static_cast<double>(e.memory.bandwidth.bytesPerSecond)) +
           2 * secondsOf(e.pass.switchTime) * (1 + bytes / static_cast<double>(e.pass.piece.count));
}

/// Returns an upper estimate of the simulated seconds of a run, as if nothing happened at the same time.
double longestTime(const Experiment& e) {
    const Shape shape = shapeOf(e);
    const auto tiles = static_cast<double>(shape.tiles);
    double steps = static_cast<double>(shape.k) * tiles;
    if (hasCompanionGemm(e)) {
        // The companion is counted with the tile size of the own GEMM, and with at least one tile.
        const GemmSize size = companionGemmOf(e);
        steps += static_cast<double>(e.companion.copies * size.k) *
                 std::ceil(static_cast<double>(size.m) / static_cast<double>(e.gemm.tileM)) *
                 std::ceil(static_cast<double>(size.n) / static_cast<double>(e.gemm.tileN));
    }
    const double loaded =
        static_cast<double>(elementBytes(e)) * steps * static_cast<double>(e.gemm.tileM + e.gemm.tileN);
    const Duration ofTile = e.gemm.epilogue + e.memory.latency + e.llc.latency + e.variation.jitter + e.cu.startJitter;
    const Duration ofStep = e.link.latency + e.topology.nodeLatency + e.dma.startupLatency + e.tracker.triggerLatency +
                            e.collective.startLatency;
    return computeTime(e, steps) + memoryTime(e, loaded + movedBytes(e)) + communicationTime(e) + passTime(e) +
           secondsOf(ofTile) * tiles + secondsOf(ofStep) * (static_cast<double>(e.parallel.tp) + tiles) +
           secondsOf(e.variation.startSkew) + secondsOf(e.launch.kernel) * kernelsInTurn(e);
}

double backgroundEvents(const Experiment& e) {
    return static_cast<double>(e.variation.backgroundTraffic.bytesPerSecond) * longestTime(e) /
           static_cast<double>(e.detail.granule.count);
}

}  // namespace

bool isDrawn(const Parameter& parameter) {
    const bool isOfCompanions =
        parameter.group == ParameterGroup::companion || parameter.group == ParameterGroup::dispatch;
    if (isOfCompanions && !kDrawsCompanions)
        return false;
    return parameter.kind != ParameterKind::text || parameter.path == "topology.links" ||
           parameter.path == "address.mapping";
}

double smallestDrawn(const Parameter& parameter) {
    constexpr double kFewestGpus = 2;
    return parameter.path == "parallel.tp" ? kFewestGpus : parameter.minimum;
}

double largestDrawn(const Parameter& parameter) {
    static const std::map<std::string_view, double> kLargest{
        {"workload.hidden", 2048},
        {"workload.sequence", 4096},
        {"workload.batch", 8},
        {"workload.bytes", 4 << 20},
        {"gemm.tile_m", 1024},
        {"gemm.tile_n", 1024},
        {"workload.feed_forward", 8192},
        {"matrix.m", 4096},
        {"matrix.n", 4096},
        {"matrix.k", 4096},
        {"companion.m", 4096},
        {"companion.n", 4096},
        {"companion.k", 4096},
        {"companion.tile_m", 1024},
        {"companion.tile_n", 1024},
        {"companion.bytes", 4 << 20},
        {"access.count", 20'000},
    };
    const auto found = kLargest.find(parameter.path);
    return found == kLargest.end() ? parameter.maximum : found->second;
}

ParameterValue randomValue(const Parameter& parameter, const Experiment& experiment, RandomNumbers& random) {
    if (parameter.path == "address.mapping")
        return randomMapping(experiment, random);
    if (parameter.kind == ParameterKind::text)
        return randomLinks(experiment.parallel.tp, random);
    const double kind = random.fraction();
    if (parameter.kind == ParameterKind::choice || (!parameter.words.empty() && kind < 0.1))
        return random.oneOf(std::span<const std::string>(parameter.words));
    if (kind < 0.25)
        return asValue(parameter, smallestDrawn(parameter));
    if (kind < 0.4)
        return asValue(parameter, largestDrawn(parameter));
    if (kind < 0.65 && !std::holds_alternative<std::string>(parameter.defaultValue))
        return asValue(parameter, numberNear(numberOf(parameter.defaultValue), random));
    return asValue(parameter, anyNumber(parameter, random));
}

std::string randomLinks(std::int64_t gpus, RandomNumbers& random) {
    std::vector<std::string> links;
    const auto join = [&](const std::string& from, const std::string& to) {
        links.push_back(from + "-" + to + linkText(random));
    };
    const auto name = [](std::int64_t gpu) { return std::to_string(gpu); };
    const bool ring = random.withChance(0.7), star = !ring || random.withChance(0.3);
    for (std::int64_t gpu = 0; ring && gpu < (gpus > 2 ? gpus : 1); ++gpu)
        join(name(gpu), name((gpu + 1) % gpus));
    for (std::int64_t gpu = 0; star && gpu < gpus; ++gpu) {
        if (!ring || random.withChance(0.5))
            join("s0", name(gpu));
    }
    for (std::int64_t gpu = 0; gpu + 2 < gpus && gpus > 4; ++gpu) {
        if (random.withChance(0.2))
            join(name(gpu), name(gpu + 2));
    }
    std::string text;
    for (const std::string& link : links)
        text += (text.empty() ? "" : " ") + link;
    return text;
}

void setValue(Experiment& experiment, const Parameter& parameter, const ParameterValue& value) {
    parameter.write(experiment, value);
    if (parameter.path == "policy.preset")
        applyPolicyPreset(experiment, experiment.policy.preset);
    if (parameter.path == "detail.level")
        applyDetailLevel(experiment, experiment.detail.level);
}

double eventsOfAllGpus(const Experiment& experiment) {
    Experiment full = experiment;
    full.detail.mode = DetailMode::full;
    if (isIdeal(full.policy.preset))
        applyPolicyPreset(full, PolicyPreset::sequential);
    // A run of all GPUs may be rejected as too long although a mirrored run is accepted.
    return std::max(expectedEvents(full), expectedEvents(experiment)) + packetEvents(full) + backgroundEvents(full);
}

bool canBeTried(const Experiment& experiment) {
    return validate(experiment).empty() && eventsOfAllGpus(experiment) <= kMostEvents;
}

Experiment startingPoint(RandomNumbers& random) {
    static constexpr std::array kLevels{DetailLevel::interactive, DetailLevel::interactive, DetailLevel::interactive,
                                        DetailLevel::standard,    DetailLevel::standard,    DetailLevel::fine};
    for (;;) {
        const auto policy = static_cast<PolicyPreset>(random.next() % kWords<PolicyPreset>.size());
        Experiment e = smallInteractive(policy, 4);
        drawWorkload(e, random);
        if (kDrawsCompanions)
            drawCompanion(e, random);
        applyDetailLevel(e, random.oneOf(std::span<const DetailLevel>(kLevels)));
        if (e.workload.sublayer == SubLayer::access)
            drawAccess(e, random);
        dropWhatIsNotRead(e);
        if (canBeTried(e))
            return e;
    }
}

Experiment withChanged(const Experiment& experiment, const Parameter& parameter, RandomNumbers& random) {
    Experiment changed = experiment;
    setValue(changed, parameter, randomValue(parameter, experiment, random));
    addWhatItNeeds(changed, parameter.path, random);
    dropWhatIsNotRead(changed);
    return changed;
}

Experiment randomExperiment(std::uint64_t seed, std::uint64_t index) {
    RandomNumbers random(seed, index);
    Experiment experiment = startingPoint(random);
    const std::int64_t changes = numberOfChanges(random);
    for (std::int64_t i = 0; i < changes; ++i) {
        Experiment changed = withChanged(experiment, randomParameter(random), random);
        if (canBeTried(changed))
            experiment = std::move(changed);
    }
    return experiment;
}

}  // namespace tests
