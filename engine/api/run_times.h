#pragma once

#include "engine/api/results.h"

#include <optional>

namespace engine {

/// Returns the times of the whole run, over all GPUs. They are those of `last` unless GPUs differ.
const TimeResult& timesOfRun(const RunResult& result);

/// How much of the communication the GEMM hides, measured by what the run saves against the sequential run.
///
/// The GEMM alone is the GEMM of the sequential run. `exposed` is the run's total without it. `hidden` is the sequential
/// run's total without this run's total; it is negative when the run is slower than sequential, and that time is lost.
/// Both add up to the communication of the sequential run exactly. A GEMM that communication slows down hides nothing by
/// that: `gemmStretch` tells how much longer it takes here than alone.
struct Hiding {
    Duration hidden;
    Duration exposed;
    double gemmStretch = 1;

    /// Returns the communication of the sequential run: its total without its GEMM.
    Duration communication() const { return hidden + exposed; }
    bool operator==(const Hiding&) const = default;
};

/// Returns nothing when the result has no sequential run to compare with, as for a collective alone. Results of older
/// versions, which do not have the sequential run's times, are told by their speed-up and their isolated parts.
std::optional<Hiding> hidingOf(const RunResult& result);

}  // namespace engine
