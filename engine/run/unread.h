#pragma once

#include "engine/api/experiment.h"

namespace engine {

/// Adds a notice for each parameter of a GEMM alone, of a companion and of dispatch that is set and that this experiment does
/// not read, with the reason. Precondition: the experiment is valid.
void addUnreadParallelWork(const Experiment& experiment, Notices& notices);

}  // namespace engine
