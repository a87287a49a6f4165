#pragma once

#include "engine/api/experiment.h"

#include <string>
#include <vector>

namespace tests {

/// One experiment of the short transcript. Its name is what the command line is given: a case, then settings, each for a
/// --set of its own, in quotation marks where it has spaces: "t-nlg/fc-2/tp8 policy=t3 detail.level=interactive".
struct GoldenRun {
    std::string name;
    engine::Experiment experiment;
};

/// 24 experiments, spread over models, sub-layers, collectives alone, degrees, policies, topologies, algorithms,
/// operations, details, memory models, store orders and GPUs that differ; mirrored and all GPUs.
/// Throws std::runtime_error that says what is wrong with one that the engine refuses.
std::vector<GoldenRun> goldenRuns();

/// The same with every mechanism that engine 0.4 brought switched off.
std::vector<GoldenRun> goldenRunsWithoutMechanisms();

}  // namespace tests
