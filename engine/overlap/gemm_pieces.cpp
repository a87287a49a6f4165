#include "engine/overlap/gemm_pieces.h"

namespace engine {

GemmPieces::GemmPieces(std::uint32_t pieces, const OutputLayout& output, const TileOrder& order) {
    const std::uint32_t chunks = output.chunks();
    const std::uint32_t first = output.chunkOf(order.tileAt(0));
    const std::uint32_t cuts = pieces > chunks ? pieces / chunks : 1;
    const std::uint32_t chunksOfPiece = pieces < chunks ? chunks / pieces : 1;
    std::uint32_t begin = 0;
    for (std::uint32_t place = 0; place < chunks; ++place) {
        const std::uint32_t tiles = output.chunkTiles((first + place) % chunks);
        for (std::uint32_t cut = 1; cut < cuts; ++cut)
            m_ends.push_back(begin + static_cast<std::uint32_t>(std::uint64_t{cut} * tiles / cuts));
        begin += tiles;
        if ((place + 1) % chunksOfPiece == 0)
            m_ends.push_back(begin);
    }
}

}  // namespace engine
