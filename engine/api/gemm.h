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

/// The size of a GEMM on one GPU: C (m x n) = A (m x k) * B (k x n), fp16. With `partsOfK` above 1 (split-K) that many
/// workgroups compute each tile: each reads its own slice of A and B and writes a partial sum. Adding the partial sums
/// up is not part of the GEMM.
struct GemmSize {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t partsOfK = 1;
    /// Returns the longest slice of K that one workgroup computes.
    std::int64_t sliceOfK() const { return (k + partsOfK - 1) / partsOfK; }
    auto operator<=>(const GemmSize&) const = default;
};

/// How a GEMM's tiles fill a GPU (Anthony et al., arXiv 2401.14489, sections 3 and 4), by exact arithmetic without
/// simulation.
struct WaveCount {
    std::int64_t tiles = 0;  ///< tiles of all GEMMs of a batch: ceil(M/tile_m) ceil(N/tile_n) B
    std::int64_t slots = 0;  ///< workgroups that are resident at once: CUs available to the GEMM x workgroups of one CU
    std::int64_t waves = 0;  ///< ceil(tiles / slots)
    double tileEfficiency = 0;                                             ///< M N B / (tiles x tile_m x tile_n)
    double waveEfficiency = 0;                                             ///< tiles / (waves x slots)
    std::int64_t lastWave() const { return tiles - (waves - 1) * slots; }  ///< workgroups of the last wave
    bool operator==(const WaveCount&) const = default;
};

/// Returns the waves of the experiment's own GEMM with gemm.tile_m and gemm.tile_n, whatever tiles.choice says.
/// Precondition: the experiment is valid and not a collective alone.
WaveCount waveCountOf(const Experiment& experiment);

/// Returns for how many workgroups of GEMMs one CU has slots: those of the GEMM that has most; 1 if there is no GEMM.
/// Lanes of slots are numbered by CU, then by slot.
std::int64_t slotsOfCu(const Experiment& experiment);

/// The outcome of a GEMM that runs alone on the machine of an experiment.
struct GemmOutcome {
    Duration time;
    Bytes read, written;  ///< DRAM traffic
    /// The time that no GEMM of this size undercuts: its operations at peak rate, or A and B read once at peak
    /// bandwidth, whichever is longer.
    Duration bound;
    double flops = 0;  ///< 2mnk
    std::int64_t events = 0;
};

/// Returns why runGemm refuses a GEMM; empty if it runs.
Problems gemmProblems(const Experiment& machine, const GemmSize& size);

/// Simulates a GEMM without communication, of any shape, with K split as the size says. It uses the tile model of the
/// sub-layers with plain order and cached output. Of the experiment it reads the machine and the GEMM's tiles, not the
/// workload. Throws InvalidExperiment if there are gemmProblems, such as too much work.
GemmOutcome runGemm(const Experiment& machine, const GemmSize& size, const RunOptions& options = {});

struct GemmsOptions {
    int threads = 1;
    std::stop_token stop{};
    /// Called once for each GEMM that ended, on a worker thread, one call at a time.
    std::function<void(std::size_t index, const GemmOutcome& outcome)> finished{};
    /// Called with the rising fraction done of a running GEMM, on the thread that runs it, one call at a time, at most
    /// every few ms.
    std::function<void(std::size_t index, double fraction)> progress{};
};

/// Simulates GEMMs in parallel and starts them in the given order. If one cannot be run, stops all and throws what
/// `runGemm` throws; throws RunStopped after a stop.
void runGemms(const Experiment& machine, std::span<const GemmSize> sizes, const GemmsOptions& options);

}  // namespace engine
