#include "engine/collective/received_pieces.h"

#include <algorithm>

namespace engine {

ReceivedPieces::ReceivedPieces(Bytes piece, const std::vector<Bandwidth>& incoming, std::size_t steps,
                               std::size_t sources)
    : m_piece(piece.count), m_sources(sources), m_pieces(steps * sources) {
    for (const Bandwidth link : incoming)
        m_ports.push_back({CarryingRate(link.bytesPerSecond), {}});
}

const std::vector<ReceivedPieces::Handled>& ReceivedPieces::landed(std::size_t step, std::size_t source,
                                                                   std::size_t port, const Handled& granule) {
    m_handled.clear();
    Piece& piece = of(step, source);
    piece.left -= granule.bytes;
    piece.bytes += granule.bytes;
    piece.complete = std::max(piece.complete, granule.when);
    piece.granules.push_back(granule);
    if (piece.bytes < m_piece && piece.left != 0)
        return m_handled;
    Port& at = m_ports[port];
    at.freeAt = std::max(at.freeAt, piece.complete);
    for (Handled each : piece.granules) {
        at.freeAt = at.freeAt + at.rate.take(each.bytes);
        each.when = at.freeAt;
        m_handled.push_back(each);
    }
    piece.bytes = 0;
    piece.granules.clear();
    return m_handled;
}

}  // namespace engine
