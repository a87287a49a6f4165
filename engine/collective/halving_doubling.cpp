// Recursive halving and doubling (Thakur, Rabenseifner and Gropp 2005). In step s of the reduce-scatter a GPU exchanges
// half of the chunks that it still sums up with the GPU at distance N/2^s. In step s of the all-gather it exchanges all
// chunks that it has with the GPU at distance 2^(s-1). Each GPU sends as many bytes as around a ring, in log2 N steps.
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/collective/algorithm.h"

#include <bit>

namespace engine {

namespace {

// Returns the chunks that are owned by the aligned group of `size` GPUs that contains `gpu`.
std::vector<std::uint32_t> chunksOfGroup(const RingSchedule& ring, std::uint32_t gpu, std::uint32_t size) {
    std::vector<std::uint32_t> chunks;
    const std::uint32_t first = gpu / size * size;
    for (std::uint32_t owner = first; owner < first + size; ++owner)
        chunks.push_back(ring.chunkOf(owner));
    return chunks;
}

std::vector<CollectiveStep> halvingDoublingSteps(CollectiveKind kind, const RingSchedule& ring) {
    const bool gathers = kind == CollectiveKind::allGather;
    std::vector<CollectiveStep> steps;
    for (std::uint32_t distance = gathers ? 1 : ring.gpus / 2; distance != 0 && distance < ring.gpus;
         distance = gathers ? 2 * distance : distance / 2) {
        const std::uint32_t partner = ring.gpu ^ distance;
        CollectiveStep step;
        for (const std::uint32_t chunk : chunksOfGroup(ring, gathers ? ring.gpu : partner, distance))
            step.sends.push_back({chunk, {partner}});
        for (const std::uint32_t chunk : chunksOfGroup(ring, gathers ? partner : ring.gpu, distance))
            step.receives.push_back({partner, chunk});
        steps.push_back(std::move(step));
    }
    return steps;
}

void refuseHalvingDoubling(const Experiment& experiment, const RunParts& parts, std::vector<std::string>& reasons) {
    const auto gpus = static_cast<std::uint64_t>(experiment.parallel.tp);
    if (parts.allToAll)
        reasons.emplace_back("an all-to-all has no sums; choose ring or direct");
    if (!std::has_single_bit(gpus))
        reasons.push_back("halves the GPUs in each step, and parallel.tp = " + std::to_string(gpus) +
                          " is no power of two; choose a power of two, or ring or direct");
}

// Chunks for the partner of the first step come first.
std::uint32_t firstOfPartner(const RingSchedule& ring) {
    return chunksOfGroup(ring, ring.gpu ^ (ring.gpus / 2), ring.gpus / 2).front();
}

}  // namespace

extern const Algorithm kHalvingDoublingAlgorithm;
const Algorithm kHalvingDoublingAlgorithm{
    .steps = halvingDoublingSteps, .refuse = refuseHalvingDoubling, .firstChunk = firstOfPartner};

}  // namespace engine
