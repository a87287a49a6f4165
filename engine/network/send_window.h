#pragma once

#include "engine/api/units.h"
#include "engine/kernel/event_queue.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace engine {

/// Limits the bytes that a sender has read and that have not left its GPU, for each link by itself. A link takes whatever is
/// handed to it, so that of two senders the one that reads faster would own the wire; with windows each gets a share of the
/// link as large as its window. A window for each link, and not one for all, since otherwise what waits at one link would keep
/// the others idle: a block for one GPU, or what stands behind other traffic. GPUs that are reached by one link share its
/// window, and of what goes to several GPUs each copy counts, until it has left.
/// Without a limit it costs nothing and schedules nothing. With one it schedules an event only while the sender waits: for
/// the first departure from a full link that is known, and for an earlier one that becomes known later.
class SendWindow {
public:
    /// `bytes`: of each link of `network`, which must outlive the window; nothing: no limit. `room` is scheduled with `index`
    /// when the sender waits and something has left.
    SendWindow(std::optional<Bytes> bytes, const NetworkPort& network, const EventPort& room, std::uint32_t index)
        : m_bytes(bytes ? bytes->count : std::numeric_limits<std::int64_t>::max()), m_limits(bytes.has_value()),
          m_network(network), m_room(room), m_index(index), m_links(bytes ? network.links() : 0) {}

    bool limits() const { return m_limits; }

    /// True where so much may be read now for each of the GPUs `to`. What is larger than a window goes alone.
    bool mayRead(const std::vector<std::uint32_t>& to, std::uint32_t bytes) { return !m_limits || fits(to, bytes); }
    /// After mayRead was false: the event comes as soon as something has left by a link that was full.
    void wait();

    /// So much has been read, for each of the GPUs `to`.
    void read(const std::vector<std::uint32_t>& to, std::uint32_t bytes) {
        if (m_limits)
            noteRead(to, bytes);
    }
    /// So much of it has left towards GPU `to`, or will have, at `when`.
    void leaves(std::uint32_t to, std::uint32_t bytes, TimePoint when) {
        if (m_limits)
            noteLeaving(to, bytes, when);
    }

    /// The event has come. False where another came before it for the same wait.
    bool hasRoom();

private:
    struct Departure {
        TimePoint when;
        std::uint32_t bytes;
    };
    struct PerLink {
        std::int64_t asked = 0;
        std::int64_t underWay = 0;          // read, and not yet known to have left
        std::vector<Departure> departures;  // a heap by later
        bool full = false;                  // when it was asked last
    };
    static bool later(const Departure& a, const Departure& b) { return a.when > b.when; }

    PerLink& linkTo(std::uint32_t gpu) { return m_links[m_network.linkTo(gpu)]; }
    bool fits(const std::vector<std::uint32_t>& to, std::uint32_t bytes);
    void noteRead(const std::vector<std::uint32_t>& to, std::uint32_t bytes);
    void noteLeaving(std::uint32_t to, std::uint32_t bytes, TimePoint when);
    void dropDeparted(PerLink& link) const;
    void awaitDeparture(const PerLink& link);

    std::int64_t m_bytes;
    bool m_limits;
    const NetworkPort& m_network;
    EventPort m_room;
    std::uint32_t m_index;
    std::vector<PerLink> m_links;  // empty without a limit
    bool m_waits = false;
    TimePoint m_wakesAt = kNever;
};

}  // namespace engine
