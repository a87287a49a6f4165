#pragma once

#include "engine/api/baselines.h"
#include "engine/api/results.h"
#include "engine/record/invariants.h"
#include "engine/run/shared_parts.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace engine {

/// A finished simulation: an experiment under its own policy, or one of its baselines.
struct SimulatedRun {
    RunFacts facts;
    std::uint32_t lastGpu = 0;  ///< the GPU that ended last, lowest index first
    std::int64_t events = 0;
    std::int64_t wallNs = 0;
    std::shared_ptr<const Trace> trace;  ///< present on request

    const GpuResult& last() const { return facts.gpus[lastGpu].result; }
};

/// The cache of simulated baselines, by key (engine/run/baseline_key.h).
class BaselineMemory : public SharedParts<SimulatedRun> {
public:
    explicit BaselineMemory(std::size_t mostGpus)
        : SharedParts(mostGpus, [](const SimulatedRun& run) { return run.facts.gpus.size(); }) {}
};

}  // namespace engine
