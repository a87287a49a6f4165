#pragma once

#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The pieces of a GEMM that is launched as several kernels: each has the workgroups up to a position in the order of
/// its GPU, in whole chunks or equal parts of a chunk.
class GemmPieces {
public:
    /// Cuts the order into `pieces`: 1, a divisor of the number of chunks, or a multiple m of it; then chunk by chunk
    /// at floor(j * tiles / m). Precondition: no piece is empty.
    GemmPieces(std::uint32_t pieces, const OutputLayout& output, const TileOrder& order);

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_ends.size()); }
    /// Returns the position after the last workgroup of a piece.
    std::uint32_t end(std::uint32_t piece) const { return m_ends[piece]; }
    std::uint32_t begin(std::uint32_t piece) const { return piece == 0 ? 0 : m_ends[piece - 1]; }
    std::uint32_t workgroups(std::uint32_t piece) const { return end(piece) - begin(piece); }
    const std::vector<std::uint32_t>& ends() const { return m_ends; }

private:
    std::vector<std::uint32_t> m_ends;
};

}  // namespace engine
