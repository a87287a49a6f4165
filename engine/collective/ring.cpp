// Ring: N-1 steps to the neighbour; of an all-to-all, N-1 pairwise exchanges.
#include "engine/collective/algorithm.h"

namespace engine {

namespace {

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

}  // namespace

extern const Algorithm kRingAlgorithm;
const Algorithm kRingAlgorithm{.steps = ringSteps, .aroundRing = true, .turnsWithGpu = true, .tracksKept = true};

}  // namespace engine
