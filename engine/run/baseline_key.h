#pragma once

#include "engine/api/experiment.h"

#include <string>

namespace engine {

/// The cache keys of baselines. Two experiments with the same key can use the same baseline. A key contains every
/// parameter of the table except those that the baseline's components do not read, which are first set to one common
/// value. A new parameter is part of the key until it is proven irrelevant; tst_baselines has the proof for each
/// parameter that is left out. `mirrored`: whether one GPU stands for all in this experiment's runs.

/// Returns the key of the run under the policy `sequential`.
std::string sequentialKey(const Experiment& experiment, bool mirrored);

/// Returns the key of the reduce-scatter alone, with its additions done near memory.
std::string isolatedScatterKey(const Experiment& experiment, bool mirrored);

/// Returns the key of the own work without its companion, on the whole GPU.
std::string ownAloneKey(const Experiment& experiment, bool mirrored);

/// Returns the key of the companion without the own work. Precondition: `experiment` is the one that companionAlone
/// returns, so that no size of the companion is `same` as one of the own work. The workload of the own work is not part
/// of the key.
std::string companionAloneKey(const Experiment& experiment, bool mirrored);

/// Returns the experiment with the parts of another policy and with all other settings unchanged.
Experiment underPolicy(Experiment experiment, PolicyPreset preset);

/// Returns the experiment without a companion and with the defaults of `dispatch`, for comparison with each part. If
/// these defaults would reserve all CUs for a collective kernel, kernels are dispatched in order.
Experiment alone(Experiment experiment);

/// Returns the experiment that is simulated for the parts one after the other: the experiment alone, under
/// `sequential`.
Experiment sequentialOf(const Experiment& experiment);

/// Returns the experiment that is simulated for the reduce-scatter alone: its kernel as after the GEMM, without the
/// GEMM.
Experiment isolatedScatterOf(const Experiment& experiment);

}  // namespace engine
