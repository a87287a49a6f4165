#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <optional>

namespace engine {

/// The data that a stage's collective moves, and the means by which it moves them, for the experiment's own collective
/// or that of a companion.
/// `layout` must outlive this object.
struct CollectiveWork {
    const OutputLayout& layout;
    std::int64_t workgroups = 1;       ///< workgroups of a kernel; each occupies a whole CU
    std::optional<Bytes> window{};     ///< window of each link, see SendWindow; empty: unlimited
    Duration issue{};                  ///< time that the host needs to issue one DMA copy
    std::uint8_t kernel = kOwnKernel;  ///< as of Span::peer
    std::uint32_t firstAddress = 0;    ///< address of its first granule, see address_space.h
    bool byCopies = false;             ///< copies by DMA send in the place of a kernel, which only adds

    bool isOwn() const { return kernel == kOwnKernel; }
};

}  // namespace engine
