#pragma once

#include "data/replay/time_range.h"

#include <cstdint>

namespace data {

/// One span of the shown run, as a reader points at it: `gpu` is the GPU whose row it was met in, which differs from the
/// recorded one when the trace is mirrored.
struct SpanRef {
    std::uint32_t gpu = 0;
    std::uint32_t lane = 0;  ///< index into Trace::lanes
    std::uint32_t span = 0;  ///< index into Lane::spans
    bool operator==(const SpanRef&) const = default;
};

/// A rectangle of the picture: a stretch of time on a run of GPUs, both ends included.
struct Area {
    TimeRange range;
    std::uint32_t firstGpu = 0;
    std::uint32_t lastGpu = 0;
    bool operator==(const Area&) const = default;
};

}  // namespace data
