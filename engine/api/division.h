#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

namespace engine {

/// Returns every reason why the model of `experiment` cannot be divided over GPUs as division.*, operators.* and
/// training.* ask, in table order; empty if footprint and messages can be computed. It checks only rules between
/// several values. Precondition: each value has passed the checks of the parameter table. A run of a sub-layer does not
/// read the division, so these problems do not prevent it.
Problems divisionProblems(const Experiment& experiment);

}  // namespace engine
