#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

namespace engine {

/// Everything that keeps the model of `experiment` from being dealt out as division.*, operators.* and training.* say: what
/// only holds between values, in table order. Empty when a footprint and messages can be computed. The table's own checks
/// have passed. A run of a sub-layer does not read the division and is not refused for it.
Problems divisionProblems(const Experiment& experiment);

}  // namespace engine
