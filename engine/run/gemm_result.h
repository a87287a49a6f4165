#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/units.h"

namespace engine {

/// Returns how the own GEMM fills the GPU and the rate that it reached in `time`; the rate is 0 if `time` is 0. The
/// experiment has the tile that was used. Precondition: the experiment is valid and not a collective alone.
GemmResult gemmResultOf(const Experiment& experiment, Duration time);

}  // namespace engine
