// In the switch (NVLink SHARP; Klenk et al. 2020): one step. The switch that joins all GPUs adds the packets of a
// reduction, and copies those of an all-gather. In a reduce-scatter each GPU sends the chunks of the others, and adds
// the sum that it receives to its own contribution. In an all-reduce it sends all chunks, its own too, and receives all
// sums.
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/collective/algorithm.h"

namespace engine {

namespace {

std::vector<CollectiveStep> inSwitchSteps(CollectiveKind kind, const RingSchedule& ring) {
    CollectiveStep step;
    const std::vector<std::uint32_t> others = ring.others();
    const auto gpus = static_cast<std::uint32_t>(others.size()) + 1;
    if (kind == CollectiveKind::allGather) {
        step.sends.push_back({ring.ownChunk(), others, 1});
        for (const std::uint32_t other : others)
            step.receives.push_back({other, ring.chunkOf(other)});
        return {step};
    }
    if (kind == CollectiveKind::reduceScatter) {
        for (const std::uint32_t other : others)
            step.sends.push_back({ring.chunkOf(other), {other}, gpus - 1});
        step.receives.push_back({kFromSwitch, ring.ownChunk()});
        return {step};
    }
    // A packet leaves towards the first receiver, which must be another GPU.
    std::vector<std::uint32_t> all = others;
    all.push_back(ring.gpu);
    for (std::uint32_t chunk = 0; chunk < gpus; ++chunk) {
        step.sends.push_back({chunk, all, gpus});
        step.receives.push_back({kFromSwitch, chunk});
    }
    return {step};
}

void refuseInSwitch(const Experiment& experiment, const RunParts& parts, std::vector<std::string>& reasons) {
    if (parts.allToAll)
        reasons.emplace_back("an all-to-all has no sums; choose ring or direct");
    if (experiment.topology.kind != TopologyKind::switched)
        reasons.emplace_back("needs one switch that joins all GPUs; choose topology.kind=switch, or ring or direct");
    if (parts.scatterByDma || parts.gatherByDma)
        reasons.emplace_back(
            "a switch adds packets that come at the same time, from kernels; tracker and DMA (policy.mapping=remote-dma, "
            "companion.by=dma) send a chunk when it is ready on each GPU; choose a policy whose data stay local, such as "
            "sequential, or ring or direct");
}

}  // namespace

extern const Algorithm kInSwitchAlgorithm;
const Algorithm kInSwitchAlgorithm{.steps = inSwitchSteps, .refuse = refuseInSwitch};

}  // namespace engine
