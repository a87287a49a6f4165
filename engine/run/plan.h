#pragma once

#include "engine/api/experiment.h"
#include "engine/api/topology.h"
#include "engine/run/program.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <optional>
#include <string>

namespace engine {

/// How the data of a companion are cut and laid out; of a GEMM those of one of its alike copies.
struct CompanionPlan {
    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< nothing for a collective
    OutputLayout layout;           ///< of what a collective moves, or of the GEMM's output, which is one chunk
    TileWalk walk;                 ///< of the GEMM's workgroups
};

/// Returns nothing without a companion.
std::optional<CompanionPlan> companionPlanOf(const Experiment& experiment);

/// How an experiment's data are cut and laid out, how its GPUs are joined, and whether one GPU may stand for all.
struct Plan {
    explicit Plan(const Experiment& experiment);

    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< nothing for a collective alone
    OutputLayout output;           ///< of the GEMM
    TileWalk walk;                 ///< of the GEMM's workgroups over its output
    OutputLayout layout;           ///< of what the collectives move; the same but for a gathered input
    std::optional<CompanionPlan> companion;
    Topology topology;
    // Of the own work; see whyNotMirrored for a companion.
    bool alike =
        false;  ///< chunks are the same size and the ring's hops alike, or nothing is sent: mirroring is possible
    bool exact = false;  ///< every GPU does the same on rotated data: mirroring changes nothing

    /// What the stage moves or, of a GEMM, stores.
    const OutputLayout& layoutOf(const Stage& stage) const { return stage.companion ? companion->layout : layout; }
};

/// Whether one GPU is simulated and stands for all in a run of those parts.
bool mirrors(const Experiment& experiment, const Plan& plan, const ProgramParts& parts = {});

/// Returns why one GPU cannot stand for all of a run with a companion, as the first half of a sentence: "the chunks of the
/// companion differ, so that …". Nothing where it can: the own work is the same on every GPU and what the companion sends goes
/// around a ring of like hops, or over one link for each pair of GPUs where the own work sends nothing. Nothing either without
/// a companion. Precondition: the experiment is valid but for detail.mode.
std::optional<std::string> whyNotMirrored(const Experiment& experiment);

}  // namespace engine
