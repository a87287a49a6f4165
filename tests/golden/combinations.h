#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tests {

/// One experiment that is run for what it combines: "two-nodes/all-gather/hierarchical/t3-mca/tp4".
struct Combination {
    std::string name;
    engine::Experiment experiment;
};

/// The 2,386 combinations that the engine is asked about as a whole, in a fixed order. Each is small and at interactive
/// detail: a GEMM of 2048 x 512 x 2048/N, or a collective of 2 MiB.
///
/// 1. On 4 and on 8 GPUs: every topology x every operation, after a GEMM and alone x every algorithm x every policy, as far
///    as the engine accepts them: 2 x 523. The topology `custom` is `unlikeLinks`.
/// 2. On 4 GPUs in two nodes: 19 unusual machines (`unusualMachines`) x the three operations that every algorithm plays
///    (all-reduce, reduce-scatter, all-gather), with a GEMM x every algorithm x the policies that simulate something,
///    as far as the engine accepts them: 19 x 30.
std::vector<Combination> allCombinations();

/// A machine out of the ordinary: what it changes in an experiment.
struct UnusualMachine {
    std::string name;
    void (*change)(engine::Experiment&);
};

std::vector<UnusualMachine> unusualMachines();

/// `topology.links` of a ring whose links have three different bandwidths and two latencies, with a chord and a slow
/// switch that every other GPU hangs on.
std::string unlikeLinks(std::int64_t gpus);

/// Puts what the kind of workload does not read to its default: the bytes of a sub-layer, the model of a collective alone.
/// Documents and the command line refuse anything else.
void dropWhatIsNotRead(engine::Experiment& experiment);

/// What every combination, and every random experiment before anything is drawn, begins with.
engine::Experiment smallInteractive(engine::PolicyPreset policy, std::int64_t gpus);

}  // namespace tests
