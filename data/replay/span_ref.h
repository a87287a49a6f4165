#pragma once

#include "data/replay/time_range.h"

#include <cstdint>

namespace data {

/// A span of the shown run. `gpu` is the GPU in whose row the reader selected it; it differs from the recorded GPU if
/// the trace is mirrored.
struct SpanRef {
    std::uint32_t gpu = 0;
    std::uint32_t lane = 0;  ///< index into Trace::lanes
    std::uint32_t span = 0;  ///< index into Lane::spans
    bool operator==(const SpanRef&) const = default;
};

/// A rectangle of the timeline: a time range on consecutive GPUs, both ends included.
struct Area {
    TimeRange range;
    std::uint32_t firstGpu = 0;
    std::uint32_t lastGpu = 0;
    bool operator==(const Area&) const = default;
};

}  // namespace data
