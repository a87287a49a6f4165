#pragma once

#include "engine/api/results.h"

#include <optional>

namespace engine {

/// Returns the times of the whole run, over all GPUs: those of `last` unless GPUs differ.
const TimeResult& timesOfRun(const RunResult& result);

/// How much of the communication the GEMM hides, measured by the time that the run saves against the sequential run.
///
/// The GEMM alone is the GEMM of the sequential run. `exposed` is the run's total minus the GEMM alone. `hidden` is the
/// sequential run's total minus this run's total; it is negative if the run is slower than sequential, and then that
/// time is lost. Both add up exactly to the communication of the sequential run. A GEMM that is slowed down by
/// communication hides nothing by its longer time; `gemmStretch` is its time here divided by its time alone.
struct Hiding {
    Duration hidden;
    Duration exposed;
    double gemmStretch = 1;

    /// Returns the communication of the sequential run: its total without its GEMM.
    Duration communication() const { return hidden + exposed; }
    bool operator==(const Hiding&) const = default;
};

/// Returns an empty optional if the result has no sequential run to compare with, as for a collective alone. For
/// results of older versions, which lack the sequential run's times, these are derived from the speed-up and the
/// isolated parts.
std::optional<Hiding> hidingOf(const RunResult& result);

}  // namespace engine
