#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"

#include <string>
#include <vector>

namespace data {

/// DRAM traffic of one GPU in slices of equal length, by what asked and what for.
struct TrafficProfile {
    std::string policy;
    engine::Duration slice;
    struct Slice {
        engine::Bytes gemmRead, gemmWrite, rsRead, rsWrite, agRead, agWrite;  ///< updates are writes
        engine::Bytes companion;                                              ///< all that it reads and writes
        engine::Bytes total() const { return gemmRead + gemmWrite + rsRead + rsWrite + agRead + agWrite + companion; }
    };
    std::vector<Slice> slices;  ///< from the run's begin to its last event
};

/// Of GPU 0. A request counts where its service ends, when its bytes have moved. Communication counts as the
/// all-gather's from the moment that this begins on the GPU; one collective may so borrow from the other where GPUs differ.
TrafficProfile trafficOf(const engine::Trace& trace, engine::Duration slice);

}  // namespace data
