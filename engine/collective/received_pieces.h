#pragma once

#include "engine/api/units.h"
#include "engine/kernel/rate.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// The pieces in which a kernel takes data from other GPUs (collective.piece). A piece is a number of bytes that one
/// GPU sends in one step; the last piece of a step may be shorter. Its flag comes when all its bytes are in memory.
/// Then the receiving workgroups handle its granules one after the other, as fast as the link delivers. Each link that
/// ends at the GPU has workgroups of its own, so that pieces which come by one link wait for each other.
///
/// Left out: the time of a flag, and a limit on the pieces that are under way.
class ReceivedPieces {
public:
    struct Handled {
        std::uint32_t id = 0;  ///< as given to `landed`
        std::uint32_t bytes = 0;
        TimePoint when;
    };

    /// `incoming`: bandwidth of each link that ends at the GPU.
    ReceivedPieces(Bytes piece, const std::vector<Bandwidth>& incoming, std::size_t steps, std::size_t sources);

    /// Announces bytes that `source` sends in `step`. Call for all data before the first lands.
    void expect(std::size_t step, std::size_t source, std::int64_t bytes) { of(step, source).left += bytes; }

    /// Notes that a granule which came by the link of `port` lands at `landing`. Returns the granules of the piece that
    /// it completes, in the order of their arrival, each with the time at which it has been handled; none while the
    /// piece is incomplete. The result is valid until the next call.
    const std::vector<Handled>& landed(std::size_t step, std::size_t source, std::size_t port, const Handled& granule);

private:
    struct Piece {
        std::int64_t left = 0;   // bytes of the step that have not landed
        std::int64_t bytes = 0;  // bytes of the piece that have landed or will land
        TimePoint complete;      // latest of their landings
        std::vector<Handled> granules;
    };
    struct Port {
        CarryingRate rate;
        TimePoint freeAt;
    };

    Piece& of(std::size_t step, std::size_t source) { return m_pieces[step * m_sources + source]; }

    std::int64_t m_piece;
    std::size_t m_sources;
    std::vector<Port> m_ports;
    std::vector<Piece> m_pieces;  // by step and source
    std::vector<Handled> m_handled;
};

}  // namespace engine
