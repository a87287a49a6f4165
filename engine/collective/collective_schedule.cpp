#include "engine/collective/collective_schedule.h"

#include <algorithm>

namespace engine {

namespace {

// The others, beginning with the next of the ring: each GPU begins with another one.
std::vector<std::uint32_t> othersOf(const RingSchedule& ring) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t step = 1; step < ring.gpus; ++step)
        others.push_back((ring.gpu + step) % ring.gpus);
    return others;
}

std::vector<CollectiveStep> ringSteps(CollectiveKind kind, const RingSchedule& ring) {
    std::vector<CollectiveStep> steps;
    for (std::uint32_t step = 1; step < ring.gpus; ++step) {
        if (kind == CollectiveKind::allToAll) {
            const std::uint32_t to = (ring.gpu + ring.gpus - step) % ring.gpus;
            const std::uint32_t from = (ring.gpu + step) % ring.gpus;
            steps.push_back({{{ring.chunkOf(to), {to}}}, {{from, ring.ownChunk()}}});
            continue;
        }
        const bool scatter = kind == CollectiveKind::reduceScatter;
        const std::uint32_t sent = scatter ? ring.reduceScatterSends(step) : ring.allGatherSends(step);
        const std::uint32_t received = scatter ? ring.reduceScatterReceives(step) : ring.allGatherReceives(step);
        steps.push_back({{{sent, {ring.next()}}}, {{ring.before(), received}}});
    }
    return steps;
}

std::vector<CollectiveStep> directSteps(CollectiveKind kind, const RingSchedule& ring) {
    CollectiveStep step;
    const std::vector<std::uint32_t> others = othersOf(ring);
    if (kind == CollectiveKind::allGather)
        step.sends.push_back({ring.ownChunk(), others});
    for (const std::uint32_t other : others) {
        if (kind != CollectiveKind::allGather)
            step.sends.push_back({ring.chunkOf(other), {other}});
        step.receives.push_back({other, kind == CollectiveKind::allGather ? ring.chunkOf(other) : ring.ownChunk()});
    }
    return {step};
}

std::vector<CollectiveStep> scatterOverNodes(const RingSchedule& ring) {
    const std::uint32_t counterpart = ring.counterpart();
    CollectiveStep within;
    for (const std::uint32_t other : othersOf(ring)) {
        if (!ring.onMyNode(other))
            continue;
        // The other node's share first: it has the longer way to go.
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
    for (const std::uint32_t other : othersOf(ring)) {
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

}  // namespace

CollectiveSchedule scheduleOf(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    switch (algorithm) {
    case CollectiveAlgorithm::ring: return {kind, ringSteps(kind, ring)};
    case CollectiveAlgorithm::direct: return {kind, directSteps(kind, ring)};
    case CollectiveAlgorithm::hierarchical: break;
    }
    switch (kind) {
    case CollectiveKind::reduceScatter: return {kind, scatterOverNodes(ring)};
    case CollectiveKind::allGather: return {kind, gatherOverNodes(ring)};
    case CollectiveKind::allToAll: break;
    }
    return {kind, directSteps(kind, ring)};
}

}  // namespace engine
