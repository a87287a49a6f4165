#pragma once

#include "engine/api/topology.h"
#include "engine/api/trace.h"
#include "engine/network/credit.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace engine {

/// Is notified of the updates that it hands to a sender.
class UpdateOrigin {
public:
    virtual ~UpdateOrigin() = default;
    /// An update has been handed to the link. Its last byte leaves, or has left, at `when`.
    virtual void departed(const Packet& packet, TimePoint when) = 0;
};

/// Sends a GPU's updates to other GPUs. If the receivers' buffers are unlimited it hands all updates to the links at
/// once. If tracker.held_bytes bounds the buffers, each destination has a window: the number of bytes that may be in
/// the network or wait at the receiver. Updates beyond the window wait here, in order and without a limit, until
/// credits return. No component waits for them: a workgroup or an engine that did would wait for the neighbour's
/// tracker, which waits for a workgroup, and so on around the ring.
///
/// The window is as large as what the route holds while a credit returns, so that it slows down nothing as long as the
/// receiver keeps up. An update larger than the window is sent alone.
///
/// A receiver that cannot take more names its oldest open tile of each collective. Updates of that tile overtake all
/// others, in a window of their own: they are always taken, and without them no room would ever become free. That
/// window is as large as the ordinary one. With fewer bytes, such as one granule per round trip, times would depend on
/// the level of detail.
class UpdateSender {
public:
    /// Makes a sender without windows.
    explicit UpdateSender(NetworkPort& network) : m_network(network) {}

    /// Makes the sender of GPU `gpu`, with windows if `experiment` bounds the receivers' buffers. `stages`: number of
    /// stages of the program.
    UpdateSender(const Experiment& experiment, const Topology& topology, std::uint32_t gpu, std::size_t stages,
                 NetworkPort& network);

    /// Sends now, or as soon as there are credits. Notifies `origin`, perhaps before this returns.
    void send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk, UpdateOrigin& origin);

    /// Takes a message from GPU `credit.port`: a credit, or the name of a tile.
    void credited(const Credit& credit);

    /// Returns the port to which updates are handed.
    const NetworkPort& network() const { return m_network; }

    /// Returns the number of updates that wait for credits.
    std::int64_t waiting() const { return m_waiting; }
    /// Returns whether no update waits and every credit has returned.
    bool settled() const;

private:
    struct Update {
        Packet packet;
        std::uint32_t tile = 0;
        std::uint32_t chunk = 0;
        UpdateOrigin* origin = nullptr;
    };
    using Queue = std::deque<Update>;
    // The updates of the tile for which the receiver waits first.
    struct Escape {
        std::uint32_t tile = kNone;
        std::int64_t underWay = 0;  // bytes past the window
        Queue waiting;
    };
    struct Destination {
        std::int64_t window = 0;      // bytes
        std::int64_t underWay = 0;    // bytes of the window that are in use
        Queue waiting;                // without the updates in `escapes`
        std::vector<Escape> escapes;  // by stage

        bool fits(std::int64_t used, const Update& update) const {
            return used == 0 || used + update.packet.bytes <= window;
        }
    };

    void sendOn(Destination& destination);
    void hand(const Update& update);
    static void letEscape(Destination& destination, std::uint8_t stage, std::uint32_t tile);

    NetworkPort& m_network;
    std::vector<Destination> m_destinations;  // by GPU; empty without windows
    std::int64_t m_waiting = 0;
};

}  // namespace engine
