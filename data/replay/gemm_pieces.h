#pragma once

#include "data/replay/time_range.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <vector>

namespace data {

/// A piece of a GPU's own GEMM: workgroups that were launched as one kernel.
struct GemmPiece {
    std::uint32_t number = 0;                            ///< from 0, in the order of launch
    TimeRange time{0, 0};                                ///< from its launch to its end, when its output is in memory
    std::uint32_t firstWorkgroup = 0, endWorkgroup = 0;  ///< in the order of dispatch
    std::uint32_t waves = 0;                             ///< no wave has workgroups of two pieces

    std::uint32_t workgroups() const { return endWorkgroup - firstWorkgroup; }
    bool operator==(const GemmPiece&) const = default;
};

/// Returns the pieces of the GEMM of a recorded GPU in the order of launch; none if the GEMM is one kernel.
std::vector<GemmPiece> gemmPiecesOf(const engine::Trace& trace, std::uint32_t recorded);

/// Returns the piece with the workgroup that is dispatched at this position; null if there is none.
const GemmPiece* pieceWith(const std::vector<GemmPiece>& pieces, std::uint32_t workgroup);

/// Returns the piece to which a wave or a workgroup of the own GEMM belongs; null for any other span.
const GemmPiece* pieceOf(const std::vector<GemmPiece>& pieces, const engine::Span& span);

}  // namespace data
