#pragma once

#include "engine/api/experiment.h"

#include <string>

namespace engine {

/// What two experiments must have in common for one baseline to serve both: every parameter of the table, except
/// those that the baseline's components do not read, which are set to one value first. A parameter that is new is
/// part of the key until somebody shows that it need not be; tst_baselines holds the proof for each that is not.
/// `mirrored`: whether one GPU stands for all in this experiment's runs.

/// Of the run under the policy `sequential`.
std::string sequentialKey(const Experiment& experiment, bool mirrored);

/// Of the reduce-scatter alone, its additions done near memory.
std::string isolatedScatterKey(const Experiment& experiment, bool mirrored);

/// Of the own work without its companion, on the whole GPU.
std::string ownAloneKey(const Experiment& experiment, bool mirrored);

/// Of the companion without the own work. Precondition: the experiment is what is simulated for that, so that no size of the
/// companion is `same` as one of the own work, whose workload has no say.
std::string companionAloneKey(const Experiment& experiment, bool mirrored);

/// The experiment with the parts of another policy; everything else as it is.
Experiment underPolicy(Experiment experiment, PolicyPreset preset);

/// The experiment without a companion, and with the defaults of `dispatch`: what each part is compared with. Where
/// these would reserve all CUs for a collective kernel, kernels are dispatched in order.
Experiment alone(Experiment experiment);

/// What is simulated for the parts one after the other: the experiment alone, under `sequential`.
Experiment sequentialOf(const Experiment& experiment);

/// What is simulated for the reduce-scatter alone: a kernel after the GEMM, without the GEMM.
Experiment isolatedScatterOf(const Experiment& experiment);

}  // namespace engine
