#pragma once

#include "tests/engine/experiments.h"

// GEMMs for which memory is free: what is left are waves, K-steps, the CUs' tensor pipes, epilogue and jitter.

namespace tests {

/// 32 tiles of 256 x 128 with K = 512. A CU does 1024 flop a cycle at 1 GHz, so that a tile's 2*256*128*512 flop take
/// 32,768 ns. Memory at 1000 TB/s without latency, no jitter, an epilogue of 1 us.
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
    experiment.llc.latency = {};
    experiment.memory.bandwidth = {1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.updateCost = 1;
    experiment.memory.latency = {};
    return experiment;
}

inline constexpr std::int64_t kTile = 32'768'000;
inline constexpr std::int64_t kEpilogue = 1'000'000;

/// What free memory still costs: the first K-step's loads of all workgroups and the stores at the end, 4 MB at
/// 1000 TB/s, and one picosecond here and there.
inline constexpr std::int64_t kMemory = 20'000;

/// The same as a GEMM of its own.
inline engine::Experiment freeMemoryGemm(std::int64_t cus, std::int64_t slots) {
    engine::Experiment experiment = freeMemory(cus, slots);
    experiment.workload.sublayer = engine::SubLayer::gemm;
    experiment.matrix = {2048, 512, 512};
    return experiment;
}

}  // namespace tests
