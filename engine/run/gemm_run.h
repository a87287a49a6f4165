#pragma once

#include "engine/api/gemm.h"

namespace engine {

/// Returns the experiment of a GEMM by itself on the machine of an experiment, under the parts of `sequential`: nobody
/// to communicate with, no variation. A batch stands for the parts of K. Tiles at the edge are real unless
/// tiles.padding is set.
Experiment gemmAlone(const Experiment& machine, const GemmSize& size);

}  // namespace engine
