#pragma once

#include "engine/api/experiment.h"
#include "engine/api/topology.h"
#include "engine/run/program.h"
#include "engine/workload/dram_mapping.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <optional>
#include <string>

namespace engine {

/// How the data of a companion are cut and laid out; for a GEMM, those of one of its equal copies.
struct CompanionPlan {
    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< empty for a collective
    OutputLayout layout;  ///< layout of the data that a collective moves, or of the GEMM's output, which is one chunk
    TileWalk walk;        ///< of the GEMM's workgroups
};

/// Returns the plan of the companion; an empty optional without one.
std::optional<CompanionPlan> companionPlanOf(const Experiment& experiment);

/// How an experiment's data are cut and laid out, how its GPUs are connected, and whether one GPU may stand for all.
struct Plan {
    explicit Plan(const Experiment& experiment);

    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< empty for a collective alone
    OutputLayout output;           ///< of the GEMM
    TileWalk walk;                 ///< of the GEMM's workgroups over its output
    /// Layout of the data that the collectives move; differs from `output` only for a gathered input.
    OutputLayout layout;
    std::optional<CompanionPlan> companion;
    Topology topology;
    // These two concern the own work; see whyNotMirrored for a companion.
    /// Chunks have the same size and the ring's hops are alike, or nothing is sent: mirroring is possible.
    bool alike = false;
    bool exact = false;  ///< every GPU does the same on rotated data: mirroring changes no result

    /// Returns the layout of the data that the stage moves or, for a GEMM, stores. A pass inside memory has none.
    const OutputLayout& layoutOf(const Stage& stage) const { return stage.companion ? companion->layout : layout; }
};

/// Returns the room of the data of a program in the address space of one GPU.
AddressRooms addressRoomsOf(const Experiment& experiment, const Plan& plan, const Program& program);

/// Returns whether one GPU is simulated and stands for all in a run of those parts.
bool mirrors(const Experiment& experiment, const Plan& plan, const ProgramParts& parts = {});

/// Returns why one GPU cannot stand for all of a run with a companion, as the first half of a sentence: "the chunks of
/// the companion differ, so that …". Returns an empty optional without a companion, and if one GPU can stand for all.
/// It can if the own work is the same on every GPU and the companion's data go around a ring of equal hops, or over one
/// link for each pair of GPUs while the own work sends nothing. Precondition: the experiment is valid except for
/// detail.mode.
std::optional<std::string> whyNotMirrored(const Experiment& experiment);

}  // namespace engine
