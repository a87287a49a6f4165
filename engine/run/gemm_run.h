#pragma once

#include "engine/api/gemm.h"

namespace engine {

/// Returns the experiment of a GEMM alone on the machine of an experiment, with the parts of `sequential`, without
/// communication and variation. Parts of K are represented as a batch. Tiles at the edge are real unless tiles.padding
/// is set.
Experiment gemmAlone(const Experiment& machine, const GemmSize& size);

}  // namespace engine
