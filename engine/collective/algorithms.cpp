#include "engine/collective/algorithm.h"

#include <algorithm>
#include <array>

namespace engine {

extern const Algorithm kRingAlgorithm, kDirectAlgorithm, kHierarchicalAlgorithm, kHalvingDoublingAlgorithm,
    kDoubleTreeAlgorithm, kInSwitchAlgorithm;

const Algorithm& algorithmOf(CollectiveAlgorithm algorithm) {
    static const std::array<const Algorithm*, kCollectiveAlgorithms.size()> kInOrder{
        &kRingAlgorithm,       &kDirectAlgorithm,  &kHierarchicalAlgorithm, &kHalvingDoublingAlgorithm,
        &kDoubleTreeAlgorithm, &kInSwitchAlgorithm};
    return *kInOrder.at(static_cast<std::size_t>(algorithm));
}

CollectiveSchedule scheduleOf(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    return {kind, algorithmOf(algorithm).steps(kind, ring)};
}

std::vector<std::uint32_t> keptChunks(const CollectiveSchedule& schedule, std::uint32_t chunks) {
    std::vector<bool> sent(chunks);
    for (const CollectiveStep& step : schedule.steps)
        for (const Transfer& transfer : step.sends)
            sent[transfer.chunk] = sent[transfer.chunk] || !transfer.to.empty();
    std::vector<std::uint32_t> kept;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
        if (!sent[chunk])
            kept.push_back(chunk);
    return kept;
}

void addSums(CollectiveSchedule& schedule, std::uint32_t chunks) {
    std::vector<std::size_t> complete(chunks);  // by chunk: the step, from 1, in which the last contribution arrives
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        for (const Receipt& receipt : schedule.steps[step].receives)
            complete[receipt.chunk] = step + 1;
    for (const std::uint32_t chunk : keptChunks(schedule, chunks)) {
        if (complete[chunk] >= schedule.steps.size())
            schedule.steps.resize(complete[chunk] + 1);
        schedule.steps[complete[chunk]].sends.push_back({chunk, {}});
    }
}

std::vector<std::uint32_t> ownersOf(CollectiveAlgorithm algorithm, std::uint32_t gpus) {
    std::vector<std::uint32_t> owners(gpus);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        for (const std::uint32_t chunk :
             keptChunks(scheduleOf(CollectiveKind::reduceScatter, algorithm, {gpus, gpu}), gpus))
            owners[chunk] = gpu;
    return owners;
}

void sortDownTheRing(AddressMap& map, const RingSchedule& ring, std::uint32_t first) {
    const auto place = [&](std::uint32_t gpu) { return gpu == first ? 0 : (ring.gpu + ring.gpus - gpu) % ring.gpus; };
    for (ChunkRoute& route : map.routes)
        std::sort(route.dmaTo.begin(), route.dmaTo.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
}

}  // namespace engine
