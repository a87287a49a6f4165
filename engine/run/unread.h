#pragma once

#include "engine/api/experiment.h"

namespace engine {

/// Adds a notice, with the reason, for each parameter of a GEMM alone, of a companion and of dispatch that is set
/// although this experiment does not read it. Precondition: the experiment is valid.
void addUnreadParallelWork(const Experiment& experiment, Notices& notices);

}  // namespace engine
