#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"

#include <string>
#include <vector>

namespace data {

/// DRAM traffic of one GPU in time slices of equal length, by kernel and direction.
struct TrafficProfile {
    std::string policy;
    engine::Duration slice;
    struct Slice {
        engine::Bytes gemmRead, gemmWrite, rsRead, rsWrite, agRead, agWrite;  ///< updates are writes
        engine::Bytes companion;                                              ///< all its reads and writes
        engine::Bytes total() const { return gemmRead + gemmWrite + rsRead + rsWrite + agRead + agWrite + companion; }
    };
    std::vector<Slice> slices;  ///< from the run's begin to its last event
};

/// Returns the traffic of GPU 0. A request counts when its service ends, because its bytes have moved by then.
/// Communication counts as all-gather from the time at which the all-gather begins on this GPU; if GPUs differ, some
/// bytes of one collective may count as the other's.
TrafficProfile trafficOf(const engine::Trace& trace, engine::Duration slice);

}  // namespace data
