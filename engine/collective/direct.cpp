// Direct: one step, in which each GPU sends every chunk straight to all GPUs that need it (T3, section 7).
#include "engine/collective/algorithm.h"

namespace engine {

std::vector<CollectiveStep> directSteps(CollectiveKind kind, const RingSchedule& ring) {
    CollectiveStep step;
    const std::vector<std::uint32_t> others = ring.others();
    const bool gathers = kind == CollectiveKind::allGather;
    if (gathers)
        step.sends.push_back({ring.ownChunk(), others});
    for (const std::uint32_t other : others) {
        if (!gathers)
            step.sends.push_back({ring.chunkOf(other), {other}});
        step.receives.push_back({other, gathers ? ring.chunkOf(other) : ring.ownChunk()});
    }
    return {step};
}

namespace {

void arrangeDirect(CollectiveKind, const RingSchedule& ring, AddressMap& map) { sortDownTheRing(map, ring, ring.gpu); }

}  // namespace

extern const Algorithm kDirectAlgorithm;
const Algorithm kDirectAlgorithm{.steps = directSteps, .turnsWithGpu = true, .arrange = arrangeDirect};

}  // namespace engine
