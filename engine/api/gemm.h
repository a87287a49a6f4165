#pragma once

#include "engine/api/experiment.h"
#include "engine/api/runner.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

namespace engine {

/// A GEMM of one GPU: C (m x n) = A (m x k) * B (k x n), fp16. With `partsOfK` above 1 (split-K) each tile is computed by
/// as many workgroups, of which each reads its own slice of A and B and writes a partial sum; adding them up is not part
/// of the GEMM.
struct GemmSize {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t partsOfK = 1;
    /// The longest slice of K that one workgroup computes.
    std::int64_t sliceOfK() const { return (k + partsOfK - 1) / partsOfK; }
    auto operator<=>(const GemmSize&) const = default;
};

/// How a GEMM's tiles fill a GPU (Anthony et al., arXiv 2401.14489, sections 3 and 4). Exact arithmetic, no simulation.
struct WaveCount {
    std::int64_t tiles = 0;     ///< of all GEMMs of a batch: ceil(M/tile_m) ceil(N/tile_n) B
    std::int64_t slots = 0;     ///< workgroups that are resident at once: CUs that take them x workgroups of one CU
    std::int64_t waves = 0;     ///< ceil(tiles / slots)
    double tileEfficiency = 0;  ///< M N B / (tiles x tile_m x tile_n)
    double waveEfficiency = 0;  ///< tiles / (waves x slots)
    std::int64_t lastWave() const { return tiles - (waves - 1) * slots; }  ///< its workgroups
    bool operator==(const WaveCount&) const = default;
};

/// Returns the waves of the experiment's own GEMM with gemm.tile_m and gemm.tile_n, whatever tiles.choice says.
/// Precondition: the experiment is valid and not a collective alone.
WaveCount waveCountOf(const Experiment& experiment);

/// Returns how many workgroups of GEMMs one CU has slots for: those of the GEMM that has most; 1 where there is none. Lanes
/// of slots are numbered by CU, then slot.
std::int64_t slotsOfCu(const Experiment& experiment);

/// What a GEMM by itself came to, on the machine of an experiment.
struct GemmOutcome {
    Duration time;
    Bytes read, written;  ///< DRAM traffic
    /// No GEMM of this size is faster: its operations at peak rate, or A and B read once at peak bandwidth.
    Duration bound;
    double flops = 0;  ///< 2mnk
    std::int64_t events = 0;
};

/// Simulates a GEMM that communicates with nobody: the tile model of the sub-layers with plain order and cached output,
/// for any shape, K split where the size says so. Of the experiment it reads the machine and the GEMM's tiles, no workload.
/// One whose work is too large throws InvalidExperiment, as a sub-layer of that size would.
GemmOutcome runGemm(const Experiment& machine, const GemmSize& size, const RunOptions& options = {});

struct GemmsOptions {
    int threads = 1;
    std::stop_token stop{};
    /// Called once for each GEMM that ended, one call at a time, on a working thread.
    std::function<void(std::size_t index, const GemmOutcome& outcome)> finished{};
    /// The fraction of a GEMM that is at work, rising, one call at a time, on its thread, at most every few ms.
    std::function<void(std::size_t index, double fraction)> progress{};
};

/// Simulates GEMMs side by side, begun in the order they stand. The first that cannot be run ends the whole; throws as
/// `runGemm` does, and RunStopped.
void runGemms(const Experiment& machine, std::span<const GemmSize> sizes, const GemmsOptions& options);

}  // namespace engine
