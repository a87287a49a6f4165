// Hierarchical. The reduce-scatter runs within each of two nodes, then between counterparts. The all-gather sends to
// the own node and the counterpart, then the counterpart's chunk to the own node.
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/collective/algorithm.h"

namespace engine {

namespace {

std::vector<CollectiveStep> scatterOverNodes(const RingSchedule& ring) {
    const std::uint32_t counterpart = ring.counterpart();
    CollectiveStep within;
    for (const std::uint32_t other : ring.others()) {
        if (!ring.onMyNode(other))
            continue;
        // The other node's share comes first because it has the longer way.
        within.sends.push_back({ring.chunkOf(ring.counterpartOf(other)), {other}});
        within.sends.push_back({ring.chunkOf(other), {other}});
        within.receives.push_back({other, ring.chunkOf(counterpart)});
        within.receives.push_back({other, ring.ownChunk()});
    }
    const CollectiveStep between{{{ring.chunkOf(counterpart), {counterpart}}}, {{counterpart, ring.ownChunk()}}};
    if (within.sends.empty())
        return {between};
    return {within, between};
}

std::vector<CollectiveStep> gatherOverNodes(const RingSchedule& ring) {
    const std::uint32_t counterpart = ring.counterpart();
    CollectiveStep own, passedOn;
    Transfer first{ring.ownChunk(), {counterpart}}, second{ring.chunkOf(counterpart), {}};
    own.receives.push_back({counterpart, ring.chunkOf(counterpart)});
    for (const std::uint32_t other : ring.others()) {
        if (!ring.onMyNode(other))
            continue;
        first.to.push_back(other);
        second.to.push_back(other);
        own.receives.push_back({other, ring.chunkOf(other)});
        passedOn.receives.push_back({other, ring.chunkOf(ring.counterpartOf(other))});
    }
    own.sends.push_back(first);
    if (second.to.empty())
        return {own};
    passedOn.sends.push_back(second);
    return {own, passedOn};
}

std::vector<CollectiveStep> hierarchicalSteps(CollectiveKind kind, const RingSchedule& ring) {
    return kind == CollectiveKind::allGather ? gatherOverNodes(ring) : scatterOverNodes(ring);
}

void refuseHierarchical(const Experiment& experiment, const RunParts& parts, std::vector<std::string>& reasons) {
    if (parts.allToAll)
        reasons.emplace_back("an all-to-all has no sums; choose ring or direct");
    if (experiment.topology.kind != TopologyKind::twoNodes)
        reasons.emplace_back("goes over two nodes; choose topology.kind=two-nodes, or ring or direct");
}

// In a node of one GPU what is for the counterpart is stored here first, as in a larger one.
void arrangeHierarchical(CollectiveKind kind, const RingSchedule& ring, AddressMap& map) {
    sortDownTheRing(map, ring, ring.counterpart());
    if (kind != CollectiveKind::reduceScatter || ring.gpus != 2)
        return;
    for (ChunkRoute& route : map.routes)
        if (route.chunk != ring.ownChunk())
            route = {.chunk = route.chunk,
                     .storesAreUpdates = true,
                     .updatesPerElement = 1,
                     .tracked = true,
                     .dma = DmaTrigger::whenUpdated,
                     .dmaTo = {ring.counterpart()}};
}

}  // namespace

extern const Algorithm kHierarchicalAlgorithm;
const Algorithm kHierarchicalAlgorithm{
    .steps = hierarchicalSteps, .refuse = refuseHierarchical, .arrange = arrangeHierarchical};

}  // namespace engine
