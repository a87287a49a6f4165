#pragma once

#include "tests/engine/experiments.h"

// GEMMs whose memory takes almost no time: their time depends on waves, K-steps, the CUs' tensor pipes, epilogue and
// jitter.

namespace tests {

/// Returns a GEMM of 32 tiles of 256 x 128 with K = 512. A CU does 1024 flop per cycle at 1 GHz, so the 2*256*128*512
/// flop of a tile take 32,768 ns. The memory has 1000 TB/s and no latency, there is no jitter, and the epilogue takes 1
/// us.
inline engine::Experiment freeMemory(std::int64_t cus, std::int64_t slots,
                                     engine::PolicyPreset policy = engine::PolicyPreset::sequential) {
    using namespace engine;
    Experiment experiment = smallExperiment(policy);
    experiment.cu.count = cus;
    experiment.cu.residency = Residency::slots;
    experiment.cu.slots = slots;
    experiment.cu.clock = 1000_MHz;
    experiment.cu.flopsPerCycle = 1024;
    experiment.cu.tensorEfficiency = 1;
    experiment.cu.startJitter = {};
    experiment.gemm.prefetch = 64;
    experiment.llc.latency = {};
    experiment.memory.bandwidth = {1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.updateCost = 1;
    experiment.memory.latency = {};
    return experiment;
}

inline constexpr std::int64_t kTile = 32'768'000;
inline constexpr std::int64_t kEpilogue = 1'000'000;

/// The time in ps that this memory still takes: the first K-step's loads of all workgroups and the stores at the end, 4
/// MB at 1000 TB/s, and a few picoseconds from rounding.
inline constexpr std::int64_t kMemory = 20'000;

/// Returns the same GEMM without a collective.
inline engine::Experiment freeMemoryGemm(std::int64_t cus, std::int64_t slots) {
    engine::Experiment experiment = freeMemory(cus, slots);
    experiment.workload.sublayer = engine::SubLayer::gemm;
    experiment.matrix = {2048, 512, 512};
    return experiment;
}

}  // namespace tests
