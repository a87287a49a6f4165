#include "engine/api/experiment.h"

#include <algorithm>
#include <cmath>

namespace engine {
namespace {

// CUs that a collective kernel takes from a GEMM beside it: enough to fill a link (16 x 13.3 GB/s > 150 GB/s).
constexpr std::int64_t kSplitCus = 16;

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

/// Sums up the output's tiles in raster order, in closed form, because a form calls this at every key press.
struct Raster {
    std::int64_t fast, slow;          // elements along the two sides
    std::int64_t tileFast, tileSlow;  // elements of a whole tile
    std::int64_t perRow;              // tiles

    explicit Raster(const Shape& shape, const GemmConfig& gemm) {
        const bool alongN = shape.n <= shape.m;
        fast = alongN ? shape.n : shape.m;
        slow = alongN ? shape.m : shape.n;
        tileFast = alongN ? gemm.tileN : gemm.tileM;
        tileSlow = alongN ? gemm.tileM : gemm.tileN;
        perRow = ceilDiv(fast, tileFast);
    }

    std::int64_t tiles() const { return perRow * ceilDiv(slow, tileSlow); }

    /// Returns the number of elements in the first `count` tiles.
    std::int64_t elementsBefore(std::int64_t count) const {
        const std::int64_t above = std::min(count / perRow * tileSlow, slow);
        const std::int64_t height = std::min(tileSlow, slow - above);
        return above * fast + height * std::min(count % perRow * tileFast, fast);
    }
};

void cutElements(Shape& shape, std::int64_t elements, const Experiment& e) {
    const std::int64_t gpus = e.parallel.tp, element = elementBytes(e);
    shape.outputBytes = Bytes{element * elements};
    for (std::int64_t chunk = 0; chunk < gpus; ++chunk)
        shape.chunkBytes.push_back(Bytes{element * (elements * (chunk + 1) / gpus - elements * chunk / gpus)});
}

// Cuts the GEMM's input A, M x H, into the chunks that the collective moves; each GPU has a part of the rows.
void cutGatheredInput(Shape& shape, const Experiment& e) {
    std::swap(shape.n, shape.k);
    shape.tiles = Raster(shape, e.gemm).tiles();
    cutElements(shape, shape.m * shape.k, e);
}

void cutGemmOutput(Shape& shape, const Experiment& e) {
    // A GEMM alone sends nothing to other GPUs: its output is one chunk.
    const bool isAlone = e.workload.sublayer == SubLayer::gemm;
    const std::int64_t gpus = isAlone ? 1 : e.parallel.tp, element = elementBytes(e);
    if (isAlone) {
        shape.m = e.matrix.m;
        shape.n = e.matrix.n;
        shape.k = e.matrix.k;
        shape.batch = e.matrix.batch;
    } else {
        shape.m = e.workload.sequence * e.workload.batch;
        shape.n = e.workload.hidden;
        shape.k = slicedSide(e.workload) / gpus;
    }
    if (consumesAllGather(e)) {
        cutGatheredInput(shape, e);
        return;
    }
    shape.outputBytes = Bytes{element * shape.m * shape.n * shape.batch};
    const Raster raster(shape, e.gemm);
    shape.tiles = raster.tiles() * shape.batch;
    if (isAlone) {
        shape.chunkBytes.push_back(shape.outputBytes);
        return;
    }
    for (std::int64_t chunk = 0; chunk < gpus; ++chunk) {
        const std::int64_t first = shape.tiles * chunk / gpus, end = shape.tiles * (chunk + 1) / gpus;
        shape.chunkBytes.push_back(Bytes{element * (raster.elementsBefore(end) - raster.elementsBefore(first))});
    }
}

void cutCollective(Shape& shape, const Experiment& e) {
    const std::int64_t element = elementBytes(e);
    shape.tiles = ceilDiv(e.workload.bytes.count, e.gemm.tileM * e.gemm.tileN * element);
    cutElements(shape, e.workload.bytes.count / element, e);
}

}  // namespace

std::int64_t queryHeads(const WorkloadConfig& workload) {
    // One for each 128 columns, the usual size.
    return workload.heads.value_or(std::max<std::int64_t>(1, workload.hidden / 128));
}

std::int64_t queryWidth(const WorkloadConfig& workload) {
    return workload.headSize ? queryHeads(workload) * *workload.headSize : workload.hidden;
}

std::int64_t keyWidth(const WorkloadConfig& workload) {
    if (!workload.kvHeads)
        return queryWidth(workload);
    return *workload.kvHeads * workload.headSize.value_or(workload.hidden / queryHeads(workload));
}

std::int64_t feedForwardWidth(const WorkloadConfig& workload) {
    return workload.feedForward.value_or(4 * workload.hidden);
}

std::int64_t slicedSide(const WorkloadConfig& workload) {
    switch (workload.sublayer) {
    case SubLayer::op: return queryWidth(workload);
    case SubLayer::fc2: return feedForwardWidth(workload);
    case SubLayer::fc1: return feedForwardWidth(workload) * (workload.mlp == Mlp::gated ? 2 : 1);
    case SubLayer::ip: return queryWidth(workload) + 2 * keyWidth(workload);
    case SubLayer::reduceScatter:
    case SubLayer::allGather:
    case SubLayer::allReduce:
    case SubLayer::allToAll:
    case SubLayer::gemm:
    case SubLayer::access: break;
    }
    return 0;
}

bool isCollectiveAlone(SubLayer sublayer) {
    return sublayer == SubLayer::reduceScatter || sublayer == SubLayer::allGather || sublayer == SubLayer::allReduce ||
           sublayer == SubLayer::allToAll;
}

SubLayer collectiveAlone(CollectiveOperation operation) {
    switch (operation) {
    case CollectiveOperation::allReduce: return SubLayer::allReduce;
    case CollectiveOperation::reduceScatter: return SubLayer::reduceScatter;
    case CollectiveOperation::allToAll: return SubLayer::allToAll;
    case CollectiveOperation::allGather: break;
    }
    return SubLayer::allGather;
}

bool isPartOfModel(SubLayer sublayer) { return sendsData(sublayer) && !isCollectiveAlone(sublayer); }

bool isNetwork(const Experiment& experiment) { return experiment.workload.network != WorkloadConfig{}.network; }

std::int64_t layersOfModel(const Experiment& experiment) {
    return isNetwork(experiment) ? 1 : experiment.workload.layers;
}

bool hasOwnGemm(SubLayer sublayer) { return isPartOfModel(sublayer) || sublayer == SubLayer::gemm; }

bool sendsData(SubLayer sublayer) { return sublayer != SubLayer::gemm && sublayer != SubLayer::access; }

bool hasCompanion(const Experiment& experiment) { return experiment.companion.operation != CompanionOperation::none; }

bool hasAddressMapping(const Experiment& experiment) { return experiment.address.mapping != kSpreadMapping; }

bool feelsAddresses(const Experiment& experiment) {
    return experiment.memory.model == DramModel::banks || hasAddressMapping(experiment);
}

bool hasCompanionCollective(const Experiment& experiment) {
    return hasCompanion(experiment) && !hasCompanionGemm(experiment) && !hasInMemoryPass(experiment);
}

bool hasCompanionGemm(const Experiment& experiment) {
    return experiment.companion.operation == CompanionOperation::gemm;
}

bool hasInMemoryPass(const Experiment& experiment) {
    return experiment.companion.operation == CompanionOperation::inMemory;
}

DispatchRule dispatchRuleOf(const Experiment& experiment) {
    if (experiment.dispatch.rule != DispatchRule::automatic)
        return experiment.dispatch.rule;
    // The kernel begins with the first piece that has ended, so that nothing runs beside a GEMM of one.
    const bool afterGemm = experiment.policy.start == CommunicationStart::byPiece && piecesOf(experiment) == 1;
    return hasKernelBesideGemm(experiment) && !afterGemm ? DispatchRule::reserved : DispatchRule::inOrder;
}

std::int64_t reservedCus(const Experiment& experiment) {
    if (dispatchRuleOf(experiment) != DispatchRule::reserved)
        return 0;
    if (experiment.dispatch.reserved)
        return *experiment.dispatch.reserved;
    return hasCompanionCollective(experiment) ? experiment.companion.workgroups : collectiveCus(experiment);
}

bool consumesAllGather(const Experiment& experiment) {
    return isPartOfModel(experiment.workload.sublayer) &&
           experiment.collective.operation == CollectiveOperation::allGather;
}

bool overlapsInSoftware(const Experiment& experiment) {
    const PolicyConfig& policy = experiment.policy;
    const bool asProduced =
        policy.start == CommunicationStart::byPiece || policy.start == CommunicationStart::whenReady;
    return asProduced && policy.mapping == OutputMapping::local && isPartOfModel(experiment.workload.sublayer) &&
           !consumesAllGather(experiment);
}

bool copiesByDma(const Experiment& experiment) {
    const PolicyConfig& policy = experiment.policy;
    return policy.start == CommunicationStart::byPiece && policy.mapping == OutputMapping::local &&
           experiment.collective.by == CollectiveCarrier::dma && isPartOfModel(experiment.workload.sublayer);
}

bool hasKernelBesideGemm(const Experiment& experiment) {
    return experiment.policy.start == CommunicationStart::concurrent ||
           (overlapsInSoftware(experiment) && !copiesByDma(experiment));
}

bool launchesPieces(const Experiment& experiment) {
    return experiment.policy.start == CommunicationStart::byPiece &&
           (overlapsInSoftware(experiment) || copiesByDma(experiment));
}

std::int64_t piecesOf(const Experiment& experiment) {
    if (!launchesPieces(experiment))
        return 1;
    return experiment.policy.pieces.value_or(experiment.parallel.tp);
}

std::int64_t elementBytes(const Experiment& experiment) { return experiment.operators.elementBits / 8; }

OperatorsConfig operatorsOfRun(const Experiment& experiment) {
    OperatorsConfig read;
    read.elementBits = experiment.operators.elementBits;
    return read;
}

double elementRate(const Experiment& experiment) {
    switch (experiment.operators.elementBits) {
    case 8: return experiment.cu.rate8;
    case 32: return experiment.cu.rate32;
    default: return 1;
    }
}

Frequency matrixClockOf(const Experiment& experiment) {
    return experiment.cu.matrixClock.value_or(experiment.cu.clock);
}

std::int64_t peakFlopsOfCu(const Experiment& experiment) {
    constexpr double kHighest = 9.2e18;
    const CuConfig& cu = experiment.cu;
    const double rate = elementRate(experiment);
    const std::int64_t hertz = matrixClockOf(experiment).hertz;
    const double peak = static_cast<double>(cu.flopsPerCycle) * static_cast<double>(hertz);
    if (!(std::abs(peak) < kHighest && std::abs(peak * rate) < kHighest))
        return static_cast<std::int64_t>(kHighest);
    const std::int64_t exact = cu.flopsPerCycle * hertz;
    return rate == 1 ? exact : std::llround(static_cast<double>(exact) * rate);
}

bool paysFullTiles(const Experiment& experiment) {
    if (experiment.tiles.padding != TilePadding::automatic)
        return experiment.tiles.padding == TilePadding::full;
    return experiment.workload.sublayer == SubLayer::gemm;
}

bool companionPaysFullTiles(const Experiment& experiment) { return experiment.tiles.padding != TilePadding::real; }

std::int64_t residentWorkgroups(const Experiment& experiment) {
    if (experiment.cu.residency == Residency::slots)
        return experiment.cu.slots;
    constexpr std::int64_t kAccumulatorBytes = 4, kMostResident = 64;
    const GemmConfig& gemm = experiment.gemm;
    const std::int64_t stage = stageBytes(experiment, gemm).count;
    std::int64_t resident = experiment.cu.registers.count / (gemm.tileM * gemm.tileN * kAccumulatorBytes + stage);
    if (!gemm.prefetch)
        resident = std::min(resident, experiment.cu.localMemory.count / (kLeastStages * stage));
    return std::clamp<std::int64_t>(resident, 1, kMostResident);
}

Bytes stageBytes(const Experiment& experiment, const GemmConfig& tiling) {
    return {(tiling.tileM + tiling.tileN) * tiling.kStep * elementBytes(experiment)};
}

std::int64_t prefetchOf(const Experiment& experiment, const GemmConfig& tiling, std::int64_t workgroups) {
    if (tiling.prefetch)
        return *tiling.prefetch;
    const std::int64_t stages = experiment.cu.localMemory.count / (workgroups * stageBytes(experiment, tiling).count);
    return std::max(kLeastStages, stages) * tiling.kStep;
}

bool copiesThroughBuffers(const Experiment& experiment) { return experiment.collective.staging == kPassesOfBuffers; }

bool addsInSwitch(const Experiment& experiment) {
    return kCollectiveAlgorithms.at(static_cast<std::size_t>(experiment.collective.algorithm)).addsInSwitch;
}

std::int64_t collectiveCus(const Experiment& experiment) {
    const CollectiveCus& cus = experiment.collective.cuCount;
    if (cus.kind == CollectiveCus::Kind::number)
        return cus.number;
    // Only a kernel beside a GEMM leaves CUs to others; any other has the GPU to itself.
    return cus.kind == CollectiveCus::Kind::automatic && hasKernelBesideGemm(experiment) ? kSplitCus
                                                                                         : experiment.cu.count;
}

Bandwidth packetBandwidth(const LinkConfig& link) {
    const double packets = static_cast<double>(link.bandwidth.bytesPerSecond) * link.efficiency;
    return {std::max<std::int64_t>(1, std::llround(packets))};
}

void applyPolicyPreset(Experiment& experiment, PolicyPreset preset) {
    const PolicyParts& parts = rowOf(preset).parts;
    experiment.policy.preset = preset;
    experiment.policy.order = parts.order;
    experiment.policy.mapping = parts.mapping;
    experiment.policy.outputCaching = parts.caching;
    experiment.policy.start = parts.start;
    experiment.collective.reduction = parts.reduction;
    experiment.collective.by = parts.by;
    experiment.arbitration.policy = parts.arbitration;
}

Experiment asOnGpu(const Experiment& experiment, std::int64_t gpu) {
    Experiment own = experiment;
    if (experiment.variation.gpu != gpu)
        return own;
    const auto scaled = [](std::int64_t value, double factor) {
        return std::max<std::int64_t>(1, std::llround(static_cast<double>(value) * factor));
    };
    own.link.bandwidth.bytesPerSecond = scaled(own.link.bandwidth.bytesPerSecond, experiment.variation.linkFactor);
    own.cu.clock.hertz = scaled(own.cu.clock.hertz, experiment.variation.clockFactor);
    if (own.cu.matrixClock)
        own.cu.matrixClock->hertz = scaled(own.cu.matrixClock->hertz, experiment.variation.clockFactor);
    return own;
}

void applyDetailLevel(Experiment& experiment, DetailLevel level) {
    DetailConfig& detail = experiment.detail;
    detail.level = level;
    switch (level) {
    case DetailLevel::interactive:
        detail.granule = 16_KiB;
        detail.channels = 1;
        break;
    case DetailLevel::standard:
        detail.granule = 4_KiB;
        detail.channels = 8;
        break;
    case DetailLevel::fine:
        detail.granule = 256_B;
        detail.channels = 32;
        break;
    }
}

Shape shapeOf(const Experiment& experiment) {
    Shape shape;
    shape.chunkBytes.reserve(static_cast<std::size_t>(experiment.parallel.tp));
    if (experiment.workload.sublayer == SubLayer::access) {
        shape.chunkBytes.push_back(Bytes{});  // it has no output
    } else if (isCollectiveAlone(experiment.workload.sublayer)) {
        cutCollective(shape, experiment);
    } else {
        cutGemmOutput(shape, experiment);
    }
    return shape;
}

}  // namespace engine
