#pragma once

#include "engine/api/gemm.h"

namespace engine {

/// Returns the size of each copy of a companion GEMM. Sides that are `same`, and the number of GEMMs in a batch, are
/// those of the own GEMM or, without one, of `matrix`. A batch is represented as one GEMM whose K is cut into that many
/// parts, as for the own GEMM. Precondition: the experiment is valid.
GemmSize companionGemmOf(const Experiment& experiment);

}  // namespace engine
