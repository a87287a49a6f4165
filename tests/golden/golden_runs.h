#pragma once

#include "engine/api/experiment.h"

#include <string>
#include <vector>

namespace tests {

/// One experiment of the short transcript. Its name has the arguments of the command line: a case, and the settings for
/// --set, in quotation marks if they contain spaces: "t-nlg/fc-2/tp8 policy=t3 detail.level=interactive".
struct GoldenRun {
    std::string name;
    engine::Experiment experiment;
};

/// Returns 24 experiments with different models, sub-layers, collectives alone, degrees, policies, topologies,
/// algorithms, operations, details, memory models, store orders and GPUs that differ, some mirrored and some with all
/// GPUs simulated. Throws std::runtime_error with the problem if the engine rejects one.
std::vector<GoldenRun> goldenRuns();

/// Returns the same experiments with every mechanism switched off that engine 0.4 introduced.
std::vector<GoldenRun> goldenRunsWithoutMechanisms();

}  // namespace tests
