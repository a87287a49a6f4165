#include "engine/run/plan.h"

#include "engine/collective/algorithm.h"
#include "engine/collective/collective_kernel.h"
#include "engine/memory/address_space.h"
#include "engine/run/program.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace engine {

namespace {

std::optional<TileGrid> gridOf(const Experiment& experiment) {
    if (!hasOwnGemm(experiment.workload.sublayer))
        return std::nullopt;
    const GemmSize shape = gemmShapeOf(experiment);
    return TileGrid(shape.m, shape.n, experiment.gemm.tileM, experiment.gemm.tileN, elementBytes(experiment),
                    consumesAllGather(experiment), shape.partsOfK);
}

// Returns the size of the slabs into which a chunk without a GEMM is cut.
Bytes wholeTile(const Experiment& experiment) {
    return {experiment.gemm.tileM * experiment.gemm.tileN * elementBytes(experiment)};
}

OutputLayout outputOf(const Experiment& experiment, const std::optional<TileGrid>& grid) {
    const std::int64_t gpus = sendsData(experiment.workload.sublayer) ? experiment.parallel.tp : 1;
    if (grid)
        return {*grid, gpus, experiment.detail.granule};
    // An access pattern has no output. Its layout is one granule, because a layout has at least one tile.
    const bool isAccess = experiment.workload.sublayer == SubLayer::access;
    return {isAccess ? experiment.detail.granule : experiment.workload.bytes, wholeTile(experiment), gpus,
            experiment.detail.granule, elementBytes(experiment)};
}

OutputLayout movedLayoutOf(const Experiment& experiment, const GemmSize& gemm, const OutputLayout& output) {
    if (!consumesAllGather(experiment))
        return output;
    const std::int64_t element = elementBytes(experiment);
    return {Bytes{gemm.m * gemm.k * element}, output, experiment.detail.granule, element};
}

TileWalk walkOf(const Experiment& experiment, const std::optional<TileGrid>& grid, const OutputLayout& output) {
    return grid ? TileWalk(*grid, output, experiment.gemm.group) : TileWalk();
}

// Returns whether each hop of the ring is one link that no other hop takes, and all these links are equal.
bool hopsAreAlike(const Topology& topology) {
    if (topology.ring.empty() || !topology.sharedByRing.empty())
        return false;
    const TopologyLink& first = topology.links[topology.ring.front().front()];
    return std::all_of(topology.ring.begin(), topology.ring.end(), [&](const std::vector<std::uint32_t>& hop) {
        const TopologyLink& link = topology.links[hop.front()];
        return hop.size() == 1 && link.bandwidth == first.bandwidth && link.latency == first.latency;
    });
}

// Returns whether each pair of GPUs is joined by a link of its own in each direction, and all these links are equal.
bool pairsAreAlike(const Topology& topology) {
    const std::size_t gpus = topology.gpus;
    const TopologyLink& first = topology.links.front();
    return topology.nodes.size() == gpus && topology.links.size() == gpus * (gpus - 1) &&
           std::all_of(topology.links.begin(), topology.links.end(), [&](const TopologyLink& link) {
               return topology.nextLink[link.from * gpus + link.to] ==
                          static_cast<std::uint32_t>(&link - topology.links.data()) &&
                      link.bandwidth == first.bandwidth && link.latency == first.latency;
           });
}

// Returns why the sends of a companion's collective prevent mirroring; null if they do not. A packet that goes directly
// arrives by a link of its own only if the own work sends nothing. When packets arrive at the same time by several
// links, each GPU takes them in a different order.
const char* whyPacketsAreUnlike(const Experiment& experiment, const Plan& plan, bool ownSends) {
    if (!plan.companion->layout.chunksAreAlike())
        return "the chunks of the companion differ";
    if (experiment.memory.model == DramModel::banks)
        return "chunks begin at different banks on each GPU (memory.model=banks)";
    if (hasAddressMapping(experiment))
        return "chunks begin in different channels on each GPU (address.mapping)";
    if (companionGoesAroundRing(experiment))
        return hopsAreAlike(plan.topology) ? nullptr : "the hops of the ring differ";
    if (!algorithmOf(experiment.collective.algorithm).turnsWithGpu)
        return "the algorithm gives each GPU a different part (collective.algorithm)";
    if (!pairsAreAlike(plan.topology))
        return "the companion sends to several GPUs, and not every pair of GPUs has equal links of its own";
    return ownSends ? "the own work sends data, and the companion sends to several GPUs" : nullptr;
}

const char* whyUnlike(const Experiment& experiment, const Plan& plan, const ProgramParts& parts) {
    const bool ownSends = ownWorkSends(experiment, parts);
    if (experiment.variation.any())
        return "the GPUs differ (variation.*)";
    if (ownSends && !plan.exact)
        return "the own work differs from GPU to GPU (its chunks, its order, its addresses or its routes)";
    return hasCompanionCollective(experiment) ? whyPacketsAreUnlike(experiment, plan, ownSends) : nullptr;
}

}  // namespace

std::optional<CompanionPlan> companionPlanOf(const Experiment& experiment) {
    if (!hasCompanion(experiment) || hasInMemoryPass(experiment))
        return std::nullopt;
    if (hasCompanionCollective(experiment)) {
        const OutputLayout layout{experiment.companion.bytes, wholeTile(experiment), experiment.parallel.tp,
                                  experiment.detail.granule, elementBytes(experiment)};
        return CompanionPlan{{}, {}, layout, {}};
    }
    const GemmSize size = companionGemmOf(experiment);
    const GemmConfig tiling = companionTilingOf(experiment);
    const TileGrid grid(size.m, size.n, tiling.tileM, tiling.tileN, elementBytes(experiment), false, size.partsOfK);
    const OutputLayout layout{grid, 1, experiment.detail.granule};
    return CompanionPlan{size, grid, layout, TileWalk(grid, layout, tiling.group)};
}

Plan::Plan(const Experiment& experiment)
    : gemm(hasOwnGemm(experiment.workload.sublayer) ? gemmShapeOf(experiment) : GemmSize{}), grid(gridOf(experiment)),
      output(outputOf(experiment, grid)), walk(walkOf(experiment, grid, output)),
      layout(movedLayoutOf(experiment, gemm, output)), companion(companionPlanOf(experiment)),
      topology(topologyOf(experiment)) {
    if (!ownWorkSends(experiment)) {
        alike = exact = true;
        return;
    }
    alike = layout.chunksAreAlike() && output.chunksAreAlike() && hopsAreAlike(topology) && sendsAroundRing(experiment);
    // A plain order begins with chunk 0 on every GPU, so that the place of the chunk that the fused map sends directly
    // differs between GPUs.
    const bool sameOrder =
        experiment.policy.order == ProducerOrder::staggered || experiment.policy.mapping == OutputMapping::local;
    const bool wholeRows = !grid || output.chunkTiles(0) % grid->rasterRow() == 0;
    // Chunks begin at different addresses, so that GPUs open different rows, or use different channels, at the same
    // moment.
    exact = alike && wholeRows && !feelsAddresses(experiment) && (!grid || sameOrder);
}

namespace {

// Returns the number of copies of a chunk that a GPU receives at most.
std::uint32_t mostCopiesOf(const Experiment& experiment, CollectiveKind kind) {
    const auto gpus = static_cast<std::uint32_t>(experiment.parallel.tp);
    std::uint32_t most = 0;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        std::vector<std::uint32_t> copies(gpus);
        for (const CollectiveStep& step : scheduleOf(kind, experiment.collective.algorithm, {gpus, gpu}).steps)
            for (const Receipt& receipt : step.receives)
                most = std::max(most, ++copies[receipt.chunk]);
    }
    return most;
}

// Returns the granules of A, B and a cached output, as the cache lays them out.
std::array<std::uint32_t, kMatrices> matrixGranules(const Experiment& experiment, const GemmSize& size,
                                                    const TileGrid& grid, std::int64_t kStep,
                                                    const OutputLayout& output) {
    const OperandSlabs slabs = operandSlabsOf(grid, size, kStep, experiment.detail.granule);
    return {slabs.slabsOfA * slabs.granulesOfA, slabs.slabsOfB * slabs.granulesOfB,
            output.tiles() * output.mostGranulesOfTile()};
}

}  // namespace

AddressRooms addressRoomsOf(const Experiment& experiment, const Plan& plan, const Program& program) {
    AddressRooms rooms{};
    const auto need = [&](std::uint32_t address, std::uint32_t granules) {
        rooms[address >> 24] = std::max(rooms[address >> 24], granules);
    };
    for (const Stage& stage : program.stages) {
        if (stage.access || stage.inMemory)  // addresses that are granules of memory, and none
            continue;
        const OutputLayout& layout = stage.companion ? plan.companion->layout : plan.layout;
        if (stage.isGemm() && !stage.companion) {
            need(0, plan.output.granules());
            const auto granules = matrixGranules(experiment, plan.gemm, *plan.grid, experiment.gemm.kStep, plan.output);
            const bool cached = experiment.policy.outputCaching == OutputCaching::allocate;
            for (std::uint32_t matrix = 0; matrix < (cached ? kMatrices : kMatrices - 1); ++matrix)
                need(matrixAddress(matrix), granules[matrix]);
        } else if (stage.isGemm()) {
            const auto granules = matrixGranules(experiment, plan.companion->gemm, *plan.companion->grid,
                                                 companionTilingOf(experiment).kStep, layout);
            need(kCompanionAddress, std::accumulate(granules.begin(), granules.end(), 0u) *
                                        static_cast<std::uint32_t>(experiment.companion.copies));
        } else {
            need(stage.companion ? kCompanionAddress : 0, layout.granules());
            if (stage.byDma || !receivesBesideOutput(experiment, *stage.collective, stage.byCopies))
                continue;
            for (std::uint32_t copy = 1; copy <= mostCopiesOf(experiment, *stage.collective); ++copy)
                need(stage.companion ? companionCopyAddress(copy) : receivedCopyAddress(copy), layout.granules());
        }
    }
    if (experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        need(kBackgroundAddress, kCopyRoom);
    return rooms;
}

bool mirrors(const Experiment& experiment, const Plan& plan, const ProgramParts& parts) {
    const bool companion = parts.companion && hasCompanion(experiment);
    if (!companion && !parts.collectives)
        return true;
    if (companion)
        return experiment.detail.mode != DetailMode::full && whyUnlike(experiment, plan, parts) == nullptr;
    if (experiment.variation.any() || !plan.alike)
        return false;
    switch (experiment.detail.mode) {
    case DetailMode::full: return false;
    case DetailMode::mirrored: return true;
    case DetailMode::automatic: break;
    }
    return plan.exact || (experiment.detail.level == DetailLevel::interactive && !feelsAddresses(experiment));
}

std::optional<std::string> whyNotMirrored(const Experiment& experiment) {
    if (!hasCompanion(experiment))
        return std::nullopt;
    const char* const why = whyUnlike(experiment, Plan(experiment), {});
    return why ? std::optional<std::string>(why) : std::nullopt;
}

}  // namespace engine
