#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "tests/random_experiments/random_numbers.h"

#include <cstdint>
#include <string_view>

namespace tests {

/// A random experiment that the engine accepts and that is run in milliseconds: a small workload of any kind under any
/// policy on any topology, in which some parameters, one, a pair or many, were drawn anew from what the parameter table
/// allows. The same for the same seed and index, whatever was drawn before.
engine::Experiment randomExperiment(std::uint64_t seed, std::uint64_t index);

/// A small workload of any kind under any policy on any topology, before parameters are drawn anew.
engine::Experiment startingPoint(RandomNumbers& random);

/// Returns the experiment with another value of the parameter, and what this value needs to be read.
engine::Experiment withChanged(const engine::Experiment& experiment, const engine::Parameter& parameter,
                               RandomNumbers& random);

/// A value that the table allows: an edge, something near the default, or anything, by ratio where the range is wide. What
/// makes a run long is drawn up to `largestDrawn`.
engine::ParameterValue randomValue(const engine::Parameter& parameter, const engine::Experiment& experiment,
                                   RandomNumbers& random);

/// False for names, which no simulation reads.
bool isDrawn(const engine::Parameter& parameter);

/// The largest value that is drawn, in base units: the table's, but for sizes of the workload.
/// The smallest value that a run can have: the table allows one GPU, for whole models.
double smallestDrawn(const engine::Parameter& parameter);
double largestDrawn(const engine::Parameter& parameter);

/// Links that join so many GPUs, with bandwidths and latencies of their own here and there.
std::string randomLinks(std::int64_t gpus, RandomNumbers& random);

/// Writes a value, and with a preset (a policy, a level of detail) all that it stands for.
void setValue(engine::Experiment& experiment, const engine::Parameter& parameter, const engine::ParameterValue& value);

/// About how many events the longest of an experiment's runs has: all GPUs, with its packets and its background traffic.
double eventsOfAllGpus(const engine::Experiment& experiment);

/// True when the engine accepts it and a run of all GPUs takes some ten milliseconds at most; `verify` makes about 15.
bool canBeTried(const engine::Experiment& experiment);

}  // namespace tests
