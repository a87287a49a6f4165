#pragma once

#include <cstdint>
#include <vector>

namespace engine {

/// Returns the pieces of a GEMM that is launched as several kernels, as the positions after their last workgroups in the
/// order of its GPU. `pieces`: 1, a divisor of the number of chunks, or a multiple m of it; then each chunk is cut at
/// floor(j * tiles / m). `chunkTiles`: tiles of each chunk in that order. Precondition: no piece is empty.
std::vector<std::uint32_t> pieceEnds(std::uint32_t pieces, const std::vector<std::uint32_t>& chunkTiles);

}  // namespace engine
