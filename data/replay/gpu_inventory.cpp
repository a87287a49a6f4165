#include "data/replay/gpu_inventory.h"

#include "engine/api/dram_queue.h"
#include "engine/api/gemm.h"
#include "engine/api/run_parts.h"
#include "engine/api/topology.h"

#include <algorithm>

namespace data {
namespace {

using engine::Experiment;

std::uint32_t whole(std::int64_t number) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, number)); }

/// Returns how many compute units one collective kernel can have: a kernel of the own work, or else of the companion.
std::uint32_t collectiveUnitsOf(const Experiment& experiment, const engine::RunParts& parts) {
    const std::int64_t reserved = engine::reservedCus(experiment);
    const std::int64_t room = reserved > 0 ? reserved : experiment.cu.count;
    if ((parts.scatters() && !parts.scatterByDma) || (parts.allGather && !parts.gatherByDma))
        return whole(std::min(engine::collectiveCus(experiment), room));
    const bool byKernel = experiment.companion.by == engine::CollectiveCarrier::kernel;
    return engine::hasCompanionCollective(experiment) && byKernel
               ? whole(std::min(experiment.companion.workgroups, room))
               : 0;
}

bool addsInMemory(const Experiment& experiment, const engine::RunParts& parts) {
    const engine::CompanionOperation companion = experiment.companion.operation;
    const bool companionReduces =
        companion == engine::CompanionOperation::reduceScatter || companion == engine::CompanionOperation::allReduce;
    return experiment.collective.reduction == engine::Reduction::nmc && (parts.reduceScatter || companionReduces);
}

void addMemory(const Experiment& experiment, const engine::Trace& trace, std::uint32_t recorded,
               GpuInventory& inventory) {
    inventory.channels = whole(experiment.detail.channels);
    if (experiment.memory.model == engine::DramModel::banks) {
        inventory.bankGroups = whole(experiment.dram.bankGroups);
        inventory.banksPerGroup = whole(experiment.dram.banksPerGroup);
    }
    inventory.dramQueue = whole(engine::dramQueueEntries(experiment));
    inventory.arbitrates = experiment.arbitration.policy == engine::ArbitrationPolicy::mca;
    if (inventory.arbitrates && recorded < trace.arbiterLimits.size() && trace.arbiterLimits[recorded]) {
        const std::int64_t granule = experiment.detail.granule.count;
        inventory.thresholdBytes = trace.arbiterLimits[recorded]->count;
        inventory.threshold = whole((*inventory.thresholdBytes + granule - 1) / granule);
    }
    const double efficiency = experiment.memory.model == engine::DramModel::banks ? 1 : experiment.memory.efficiency;
    inventory.channelBytesPerSecond = static_cast<double>(experiment.memory.bandwidth.bytesPerSecond) * efficiency /
                                      static_cast<double>(experiment.detail.channels);
}

bool sends(const Experiment& experiment) {
    const engine::RunParts parts = engine::runPartsOf(experiment);
    return parts.scatters() || parts.allGather || engine::hasCompanionCollective(experiment);
}

void addLinks(const engine::Topology& topology, std::uint32_t gpu, GpuInventory& inventory) {
    const auto end = [&](std::uint32_t node) { return node < topology.gpus ? std::optional(node) : std::nullopt; };
    double fastest = 0;
    for (const std::uint32_t link : topology.linksFrom(gpu)) {
        inventory.linksOut.push_back(static_cast<std::uint32_t>(inventory.linksOut.size()));
        inventory.outTo.push_back(end(topology.links[link].to));
        fastest = std::max(fastest, static_cast<double>(topology.links[link].bandwidth.bytesPerSecond));
    }
    for (const std::uint32_t link : topology.linksTo(gpu)) {
        inventory.linksIn.push_back(static_cast<std::uint32_t>(inventory.linksIn.size()));
        inventory.inFrom.push_back(end(topology.links[link].from));
    }
    inventory.linkBytesPerSecond = fastest;
}

bool companionUsesDma(const Experiment& experiment) {
    return engine::hasCompanionCollective(experiment) && experiment.companion.by == engine::CollectiveCarrier::dma;
}

/// Returns whether any tile takes an entry of the tracker. Tiles whose stores go straight to their owners take none.
bool tracks(const LogFacts& facts) {
    return std::ranges::any_of(facts.parts, [](const ChunkPart& part) { return part.counted > 0; }) ||
           std::ranges::any_of(facts.commands, &DmaCommand::gathers);
}

std::uint32_t copiesOf(const engine::Trace& trace, std::uint32_t gpu) {
    std::ptrdiff_t copies = 0;
    for (const engine::Lane& lane : trace.lanes)
        if (lane.gpu == gpu && lane.kind == engine::LaneKind::dma)
            copies += std::ranges::count(lane.spans, engine::SpanKind::copy, &engine::Span::kind);
    return static_cast<std::uint32_t>(copies);
}

// Returns the parts of one GPU except its links.
GpuInventory inventoryOf(const Experiment& experiment, const engine::Trace& trace, const LogFacts& facts) {
    const engine::RunParts parts = engine::runPartsOf(experiment);
    GpuInventory inventory;
    const bool isAccess = experiment.workload.sublayer == engine::SubLayer::access;
    inventory.computeUnits = isAccess ? 0 : whole(experiment.cu.count);
    inventory.slots = whole(engine::slotsOfCu(experiment));
    inventory.collectiveUnits = collectiveUnitsOf(experiment, parts);
    inventory.hasCache = parts.gemm || engine::hasCompanionGemm(experiment);
    inventory.cacheBytes = inventory.hasCache ? experiment.llc.size.count : 0;
    inventory.hasNearMemory = isAccess ? experiment.access.updates > 0 : addsInMemory(experiment, parts);
    inventory.hasPass = engine::hasInMemoryPass(experiment);
    addMemory(experiment, trace, facts.gpu, inventory);
    inventory.commands = static_cast<std::uint32_t>(facts.commands.size());
    if (parts.byCopies)
        inventory.commands = copiesOf(trace, facts.gpu);
    if (inventory.commands != 0 || companionUsesDma(experiment))
        inventory.engines = whole(experiment.dma.engines);
    if (tracks(facts)) {
        inventory.trackerSets = whole(experiment.tracker.entries);
        inventory.trackerWays = whole(experiment.tracker.ways);
        inventory.wavefronts = facts.wavefronts;
    }
    return inventory;
}

}  // namespace

std::vector<GpuInventory> inventoriesOf(const Experiment& experiment, const engine::Trace& trace,
                                        const std::vector<const LogFacts*>& facts) {
    std::vector<GpuInventory> inventories;
    for (std::uint32_t gpu = 0; gpu < trace.gpus && !facts.empty(); ++gpu)
        inventories.push_back(inventoryOf(experiment, trace, *facts[trace.recorded(gpu)]));
    if (!sends(experiment))
        return inventories;
    const engine::Topology topology = engine::topologyOf(experiment);
    for (std::uint32_t gpu = 0; gpu < std::min<std::size_t>(inventories.size(), topology.gpus); ++gpu)
        addLinks(topology, gpu, inventories[gpu]);
    return inventories;
}

}  // namespace data
