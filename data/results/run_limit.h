#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <optional>
#include <string>

namespace data {

/// What a run is bound by, as every view names it.
struct RunLimit {
    engine::Cause cause{};
    engine::Duration time;  ///< of the critical path
    double share = 0;       ///< of the whole path
    std::string advice;     ///< one sentence with numbers that says what would help; empty if there is none to give

    /// Returns "bound by memory latency".
    std::string text() const { return "bound by " + std::string(engine::name(cause)); }
};

/// Returns the cause that takes most of a run's critical path. Latency, bandwidth and cache slices count together,
/// since each of them is a wait for the data of memory. While DRAM is less than half busy, they are the limit of a run
/// that mostly computes, too, if its tensor pipes idle for them in more than a tenth of the time in which they compute
/// or wait for loads. Of the three the limit is `cacheSlices` if those are the largest, otherwise `latency` while DRAM
/// is less than half busy. Empty without an attribution and without a path.
std::optional<RunLimit> limitOf(const engine::Experiment& experiment, const engine::RunResult& result);

/// Returns the share of a run in which DRAM serves requests: all bytes of the GPU that ends last at the bandwidth that
/// DRAM sustains.
double dramBusyShare(const engine::Experiment& experiment, const engine::RunResult& result);

}  // namespace data
