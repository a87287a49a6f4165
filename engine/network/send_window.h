#pragma once

#include "engine/api/units.h"
#include "engine/kernel/event_queue.h"
#include "engine/network/network_port.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Limits, for each link separately, the bytes that a sender has read and that have not left its GPU. A link accepts
/// every packet, so that of two senders the one that reads faster would occupy the link; with windows each sender's
/// share of the link is proportional to its window. Each link has a window of its own, because with a common one the
/// data that wait for one link (a block for one GPU, or packets behind other traffic) would keep the other links idle.
/// GPUs that are reached by the same link share its window. Of data for several GPUs each copy counts until it has
/// left.
///
/// Without a limit the window costs no time and schedules no events. With a limit it schedules an event only while the
/// sender waits: for the first known departure from a full link, and for an earlier one that becomes known later.
class SendWindow {
public:
    /// `bytes`: the window of each link of `network`; empty: no limit. `network` must outlive the window. `room` is
    /// scheduled with `index` when the sender waits and bytes have left.
    SendWindow(std::optional<Bytes> bytes, const NetworkPort& network, const EventPort& room, std::uint32_t index)
        : m_bytes(bytes ? bytes->count : std::numeric_limits<std::int64_t>::max()), m_limits(bytes.has_value()),
          m_network(network), m_room(room), m_index(index), m_links(bytes ? network.links() : 0) {}

    bool limits() const { return m_limits; }

    /// Returns whether `bytes` may be read now for each of the GPUs `to`. A read larger than the window is allowed
    /// alone.
    bool mayRead(std::span<const std::uint32_t> to, std::uint32_t bytes) { return !m_limits || fits(to, bytes); }
    /// Call after mayRead returned false: the event comes as soon as bytes have left by a link that was full.
    void wait();

    /// Notes that `bytes` were read for each of the GPUs `to`.
    void read(std::span<const std::uint32_t> to, std::uint32_t bytes) {
        if (m_limits)
            noteRead(to, bytes);
    }
    /// Notes that `bytes` of them leave, or have left, towards GPU `to` at `when`.
    void leaves(std::uint32_t to, std::uint32_t bytes, TimePoint when) {
        if (m_limits)
            noteLeaving(to, bytes, when);
    }

    /// Handles the event. Returns false if another one came before it for the same wait.
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
        bool full = false;                  // whether it was full when it was checked last
    };
    static bool later(const Departure& a, const Departure& b) { return a.when > b.when; }

    PerLink& linkTo(std::uint32_t gpu) { return m_links[m_network.linkTo(gpu)]; }
    bool fits(std::span<const std::uint32_t> to, std::uint32_t bytes);
    void noteRead(std::span<const std::uint32_t> to, std::uint32_t bytes);
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
