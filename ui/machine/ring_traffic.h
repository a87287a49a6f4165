#pragma once

#include "data/replay/ring_state.h"

#include <cstdint>
#include <vector>

namespace ui {

/// A chunk on its way from one GPU to the one that it sends to.
struct Parcel {
    std::uint32_t sender = 0;
    std::uint32_t chunk = 0;
    double share = 0;        ///< that has gone over, 0 to 1
    bool gathering = false;  ///< for the all-gather, else for the reduce-scatter
    bool moving = false;     ///< its packets are on the link at this moment; else it has begun and waits
    bool operator==(const Parcel&) const = default;
};

/// Everything that has partly gone over the link of GPU `sender`. `receiver` is the GPU it sends to.
std::vector<Parcel> parcelsOf(std::uint32_t sender, const data::GpuState& from, const data::GpuState& receiver);

}  // namespace ui
