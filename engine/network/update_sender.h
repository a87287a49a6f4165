#pragma once

#include "engine/api/topology.h"
#include "engine/api/trace.h"
#include "engine/network/credit.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace engine {

/// Whoever hands updates to a sender.
class UpdateOrigin {
public:
    virtual ~UpdateOrigin() = default;
    /// An update has been handed to the link; its last byte has left, or will have, at `when`.
    virtual void departed(const Packet& packet, TimePoint when) = 0;
};

/// What a GPU's updates for other GPUs go through. Where those can hold what they like it hands all to the links at once.
/// Where tracker.held_bytes bounds that, each destination has a window: so many bytes may be on their way or wait there.
/// What exceeds it waits here, in order and without a limit, until credits come back. Nobody waits for it: a workgroup or
/// an engine that did would wait for the neighbour's tracker, which waits for a workgroup, and so on around the ring.
/// The window is what the route holds while a credit comes back, so that it slows down nothing as long as the receiver
/// keeps up; an update larger than that is let through alone.
/// A receiver that cannot take more tells its oldest open tile, of each collective. Updates of that tile leave past all
/// others, in a window of their own: they are always taken, and without them nothing would ever make room. That window is
/// as large, since with fewer bytes, such as one granule a round trip, times would follow from the detail of simulation.
class UpdateSender {
public:
    /// Without windows.
    explicit UpdateSender(NetworkPort& network) : m_network(network) {}

    /// Of GPU `gpu`, with windows where `experiment` bounds what receivers hold. `stages`: of the program.
    UpdateSender(const Experiment& experiment, const Topology& topology, std::uint32_t gpu, std::size_t stages,
                 NetworkPort& network);

    /// Sends now, or as soon as there are credits. `origin` is told, perhaps before this returns.
    void send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk, UpdateOrigin& origin);

    /// A credit, or a tile, has come from GPU `credit.port`.
    void credited(const Credit& credit);

    /// What it hands to.
    const NetworkPort& network() const { return m_network; }

    /// Updates that wait for credits.
    std::int64_t waiting() const { return m_waiting; }
    /// True when nothing waits and every credit has come back.
    bool settled() const;

private:
    struct Update {
        Packet packet;
        std::uint32_t tile = 0;
        std::uint32_t chunk = 0;
        UpdateOrigin* origin = nullptr;
    };
    using Queue = std::deque<Update>;
    // What is for the tile that the receiver waits for first.
    struct Escape {
        std::uint32_t tile = kNone;
        std::int64_t underWay = 0;  // bytes past the window
        Queue waiting;
    };
    struct Destination {
        std::int64_t window = 0;      // bytes
        std::int64_t underWay = 0;    // of the window
        Queue waiting;                // but for what escapes
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
