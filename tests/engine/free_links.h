#pragma once

#include "tests/engine/experiments.h"

#include <QtTest>

namespace tests {

/// Times of a collective on a memory of 1000 TB/s: one of 8 channels serves a granule of 4 KiB in 4096 * 8 / 10^15 s,
/// rounded to 32 ps. On links of 128 GB/s a granule takes exactly 32,000 ps.
inline constexpr std::int64_t kServicePs = 32, kPacketPs = 32'000, kLatencyPs = 500'000;

/// Returns a collective with memory and CUs that are not the limit, and chunks of `granulesOfChunk`.
inline engine::Experiment collectiveOnFreeMemory(engine::SubLayer collective, engine::PolicyPreset policy,
                                                 std::int64_t gpus, std::int64_t granulesOfChunk) {
    engine::Experiment experiment = smallExperiment(policy, gpus);
    experiment.workload.sublayer = collective;
    experiment.workload.bytes = {gpus * granulesOfChunk * 4096};
    experiment.memory.bandwidth = {1'000'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.updateCost = 1;
    experiment.memory.latency = {};
    experiment.collective.cuBandwidth.reset();
    experiment.link.bandwidth = {128'000'000'000};
    experiment.link.latency = {kLatencyPs};
    return experiment;
}

/// Returns the total of an experiment run alone. The current test fails if an invariant does.
inline engine::Duration soundTotal(const engine::Experiment& experiment) {
    const engine::RunResult result = runAlone(experiment);
    if (!result.invariants.failed.empty())
        QTest::qFail(result.invariants.failed.front().c_str(), __FILE__, __LINE__);
    return result.last.time.total;
}

}  // namespace tests
