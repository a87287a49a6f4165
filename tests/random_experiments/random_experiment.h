#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "tests/random_experiments/random_numbers.h"

#include <cstdint>
#include <string_view>

namespace tests {

/// Returns a random experiment that the engine accepts and that runs in milliseconds: a small workload of any kind
/// under any policy on any topology. One, two or many of its parameters have random values from the ranges of the
/// parameter table. The same seed and index give the same experiment, whatever was drawn before.
engine::Experiment randomExperiment(std::uint64_t seed, std::uint64_t index);

/// Returns a small workload of any kind under any policy on any topology, before parameters get random values.
engine::Experiment startingPoint(RandomNumbers& random);

/// Returns the experiment with another value of the parameter, and with other changes if the parameter is only then
/// read.
engine::Experiment withChanged(const engine::Experiment& experiment, const engine::Parameter& parameter,
                               RandomNumbers& random);

/// Returns a value that the table allows: a limit, a value near the default, or any value; in a wide range, equal
/// ratios are equally likely. Parameters that make a run long are drawn up to `largestDrawn`.
engine::ParameterValue randomValue(const engine::Parameter& parameter, const engine::Experiment& experiment,
                                   RandomNumbers& random);

/// Returns whether a parameter is drawn: false for names, which no simulation reads.
bool isDrawn(const engine::Parameter& parameter);

/// Returns the smallest value that a run can have, in base units. The table also allows one GPU, for whole models.
double smallestDrawn(const engine::Parameter& parameter);
/// Returns the largest value that is drawn, in base units: the table's, except for sizes of the workload.
double largestDrawn(const engine::Parameter& parameter);

/// Returns links that connect this many GPUs. Some of them have their own bandwidths and latencies.
std::string randomLinks(std::int64_t gpus, RandomNumbers& random);

/// Sets a parameter. For a preset (a policy, a level of detail), also sets all parameters of the preset.
void setValue(engine::Experiment& experiment, const engine::Parameter& parameter, const engine::ParameterValue& value);

/// Returns about how many events the longest run of an experiment has: all GPUs, with packets and background traffic.
double eventsOfAllGpus(const engine::Experiment& experiment);

/// Returns whether the engine accepts the experiment and a run of all GPUs takes at most about ten milliseconds.
/// `verify` makes about 15 runs.
bool canBeTried(const engine::Experiment& experiment);

}  // namespace tests
