#pragma once

#include "data/questions/sensitivity.h"

#include <vector>

namespace data {

/// One parameter at another value.
struct ExperimentChange {
    Sensitivity what;  ///< without effect and noise
    engine::Experiment experiment;
};

/// All that is worth trying on an experiment and can be run: every parameter that its policy, topology and operation
/// read a step towards more of the resource, then, where `options` asks for them, the other choices.
std::vector<ExperimentChange> changesOf(const engine::Experiment& experiment, const SensitivityOptions& options);

}  // namespace data
