#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <optional>

namespace engine {

/// What a stage's collective moves, and with what means: the experiment's own collective or that of a companion.
/// `layout` must outlive it.
struct CollectiveWork {
    const OutputLayout& layout;
    std::int64_t workgroups = 1;       ///< of a kernel; each takes a whole CU
    std::optional<Bytes> window{};     ///< of each link, see SendWindow; nothing: unlimited
    Duration issue{};                  ///< what the host takes to hand over one DMA copy
    std::uint8_t kernel = kOwnKernel;  ///< as of Span::peer
    std::uint32_t firstAddress = 0;    ///< of its first granule, see address_space.h

    bool isOwn() const { return kernel == kOwnKernel; }
};

}  // namespace engine
