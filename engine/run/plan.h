#pragma once

#include "engine/api/experiment.h"
#include "engine/api/topology.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <optional>

namespace engine {

/// How the data of a companion are cut and laid out; of a GEMM those of one of its alike copies.
struct CompanionPlan {
    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< nothing for a collective
    OutputLayout layout;           ///< of what a collective moves, or of the GEMM's output, which is one chunk
    TileWalk walk;                 ///< of the GEMM's workgroups
};

/// How an experiment's data are cut and laid out, how its GPUs are joined, and whether one GPU may stand for all.
struct Plan {
    explicit Plan(const Experiment& experiment);
    /// A GEMM of any shape, by itself.
    Plan(const Experiment& experiment, const GemmSize& shape);

    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< nothing for a collective alone
    OutputLayout output;           ///< of the GEMM
    TileWalk walk;                 ///< of the GEMM's workgroups over its output
    OutputLayout layout;           ///< of what the collectives move; the same but for a gathered input
    std::optional<CompanionPlan> companion;
    Topology topology;
    bool alike = false;  ///< chunks are the same size and the ring's hops alike: mirroring is possible
    bool exact = false;  ///< every GPU does the same on rotated data: mirroring changes nothing
};

/// Whether one GPU is simulated and stands for all.
bool mirrors(const Experiment& experiment, const Plan& plan);

}  // namespace engine
