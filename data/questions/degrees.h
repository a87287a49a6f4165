#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/questions/pair.h"
#include "engine/api/experiment.h"
#include "engine/api/tile_choice.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace data {

/// How many copies of a GEMM to run at once. GOLDYLOC (arXiv 2409.02227) calls their number the degree, and the tile
/// that is fastest at a degree its GO-kernel.
struct DegreesQuestion {
    ExperimentDraft draft;              ///< a GEMM alone; own presets written out
    std::vector<std::int64_t> degrees;  ///< rising
};

inline constexpr std::int64_t kLargestDegree = 16;
inline constexpr std::size_t kMostDegrees = 8;

/// So many kernels of the GEMM at once.
struct DegreeRow {
    std::int64_t degree = 0;
    ExperimentDraft draft;  ///< the experiment of this degree
    engine::Experiment experiment;
    engine::Tile tile;
    engine::Duration perKernel;  ///< the time of all kernels, divided by their number
    engine::Duration estimate;   ///< estimatedPerKernel, with this tile
};

struct Degrees {
    engine::Experiment experiment;  ///< the GEMM alone
    std::string name;               ///< "gemm/4096x1024x1024"
    std::vector<DegreeRow> rows;    ///< in the order of the question, at least one
    engine::Duration alone;         ///< one kernel on the whole GPU, with its best tile
    engine::Notices notices;
    BrokenInvariants broken;

    /// Returns the time of the kernels one after another, over the time of all at once.
    double overSequential(const DegreeRow& row) const;
    /// Returns the row with the least time for each kernel, and of equal ones the first.
    const DegreeRow& fastest() const;
    /// Returns the same by the estimates.
    const DegreeRow& advised() const;
    /// Returns "fastest", "advised", "fastest, advised" or an empty text. `row` is one of `rows`.
    std::string markOf(const DegreeRow& row) const;
};

/// Returns the experiment of a degree: the GEMM with copies of itself as companions, dispatched in turn
/// (dispatch.rule=round-robin), with the tile that is fastest beside them (tiles.choice=shared), unless the draft sets
/// rule or choice. Degree 1 has no companion and, in place of a shared tile, the best one.
ExperimentDraft draftOfDegree(const ExperimentDraft& draft, std::int64_t degree);

/// Returns an estimate of the time for each kernel if `degree` kernels of the own GEMM run at once:
///
///     max(ceil(d T / C) w / d, bytes / bandwidth) + F / d
///
/// T is the number of tiles, C that of CUs for GEMMs, and w the time of a whole tile on a CU. The CUs work on d T tiles
/// in turn, and in the last round some have none; several kernels together have one such round. `bytes` are those of A,
/// B and C, each moved once, and `bandwidth` is what DRAM sustains. F does not depend on the work: memory.latency,
/// gemm.epilogue, half of cu.start_jitter and launch.kernel. The kernels wait for them at the same time. (derived; that
/// such a rule is enough to choose a degree is GOLDYLOC's, arXiv 2409.02227.) Precondition: a GEMM alone with a fixed
/// tile, valid; degree >= 1.
engine::Duration estimatedPerKernel(const engine::Experiment& experiment, std::int64_t degree);

/// Returns all problems of the question; empty if it can be answered.
engine::Problems check(const DegreesQuestion& question);

/// Simulates every degree, and one kernel alone. Throws engine::InvalidExperiment for the problems of check,
/// engine::RunStopped and engine::Deadlock.
Degrees degreesOf(const DegreesQuestion& question, const PairOptions& options = {});

}  // namespace data
