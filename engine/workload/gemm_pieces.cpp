#include "engine/workload/gemm_pieces.h"

#include <algorithm>

namespace engine {

std::vector<std::uint32_t> pieceEnds(std::uint32_t pieces, const std::vector<std::uint32_t>& chunkTiles) {
    const auto chunks = static_cast<std::uint32_t>(chunkTiles.size());
    const std::uint32_t cuts = std::max(1u, pieces / chunks), chunksOfPiece = std::max(1u, chunks / pieces);
    std::vector<std::uint32_t> ends;
    std::uint32_t begin = 0;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        for (std::uint32_t cut = 1; cut < cuts; ++cut)
            ends.push_back(begin + static_cast<std::uint32_t>(std::uint64_t{cut} * chunkTiles[chunk] / cuts));
        begin += chunkTiles[chunk];
        if ((chunk + 1) % chunksOfPiece == 0)
            ends.push_back(begin);
    }
    return ends;
}

}  // namespace engine
