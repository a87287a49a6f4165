#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tests {

/// An experiment named after its combination of choices: "two-nodes/all-gather/hierarchical/t3-mca/tp4".
struct Combination {
    std::string name;
    engine::Experiment experiment;
};

/// Returns the 2,744 combinations with which the whole engine is tested, in a fixed order. Each is small and at
/// interactive detail: a GEMM of 2048 x 512 x 2048/N, or a collective of 2 MiB.
///
/// 1. On 4 and on 8 GPUs: every topology x every operation, after a GEMM and alone x every algorithm x every policy, as
/// far
///    as the engine accepts them: 2 x 523. The topology `custom` is `unlikeLinks`.
/// 2. On 4 GPUs in two nodes: 19 unusual machines (`unusualMachines`) x the three operations that every algorithm
/// supports
///    (all-reduce, reduce-scatter, all-gather), with a GEMM x every algorithm x the policies that simulate something,
///    as far as the engine accepts them: 19 x 30.
std::vector<Combination> allCombinations();

/// An unusual machine: a name, and a function that changes an experiment.
struct UnusualMachine {
    std::string name;
    void (*change)(engine::Experiment&);
};

std::vector<UnusualMachine> unusualMachines();

/// Returns `topology.links` of a ring whose links have three different bandwidths and two latencies, with a chord, and
/// with a slow switch that connects every second GPU.
std::string unlikeLinks(std::int64_t gpus);

/// Resets parameters that the kind of workload does not read to their defaults: the bytes of a sub-layer, the model of
/// a collective alone. Documents and the command line reject other values.
void dropWhatIsNotRead(engine::Experiment& experiment);

/// Returns the experiment with which every combination begins, and every random experiment before values are drawn.
engine::Experiment smallInteractive(engine::PolicyPreset policy, std::int64_t gpus);

}  // namespace tests
