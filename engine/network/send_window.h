#pragma once

#include "engine/api/units.h"
#include "engine/kernel/event_queue.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace engine {

/// Limits the bytes that a sender has read and that have not left its GPU. A link takes whatever is handed to it, so that
/// of two senders the one that reads faster would own the wire; with windows each gets a share as large as its window.
/// Without a limit it costs nothing and schedules nothing. With one it schedules an event only while the sender waits: for
/// the first departure that is known, and for an earlier one that becomes known later.
class SendWindow {
public:
    /// `room` is scheduled with `index` when the sender waits and something has left.
    SendWindow(std::optional<Bytes> bytes, const EventPort& room, std::uint32_t index)
        : m_bytes(bytes ? bytes->count : std::numeric_limits<std::int64_t>::max()), m_limits(bytes.has_value()),
          m_room(room), m_index(index) {}

    bool limits() const { return m_limits; }

    /// True where so much more may be read now; a window smaller than that lets it through alone. After false the event
    /// comes as soon as there is more room.
    bool mayRead(std::uint32_t bytes) { return !m_limits || fits(bytes); }
    void read(std::uint32_t bytes) {
        if (m_limits)
            m_underWay += bytes;
    }
    /// Of what was read so much has left everywhere it goes, or will have, at `when`.
    void leaves(std::uint32_t bytes, TimePoint when) {
        if (m_limits)
            add({when, bytes});
    }

    /// The event has come. False where another came before it for the same wait.
    bool hasRoom() {
        if (m_room.now() != m_wakesAt)
            return false;
        m_wakesAt = kNever;
        m_waits = false;
        return true;
    }

private:
    struct Departure {
        TimePoint when;
        std::uint32_t bytes;
    };
    static bool later(const Departure& a, const Departure& b) { return a.when > b.when; }

    bool fits(std::uint32_t bytes) {
        while (!m_departures.empty() && m_departures.front().when <= m_room.now()) {
            m_underWay -= m_departures.front().bytes;
            std::pop_heap(m_departures.begin(), m_departures.end(), later);
            m_departures.pop_back();
        }
        if (m_underWay == 0 || m_underWay + bytes <= m_bytes)
            return true;
        m_waits = true;
        awaitDeparture();
        return false;
    }

    void add(const Departure& departure) {
        m_departures.push_back(departure);
        std::push_heap(m_departures.begin(), m_departures.end(), later);
        if (m_waits)
            awaitDeparture();
    }

    void awaitDeparture() {
        if (m_departures.empty() || m_departures.front().when >= m_wakesAt)
            return;
        m_wakesAt = m_departures.front().when;
        m_room.schedule(m_wakesAt, m_index);
    }

    std::int64_t m_bytes;
    bool m_limits;
    EventPort m_room;
    std::uint32_t m_index;
    std::int64_t m_underWay = 0;          // read, and not yet known to have left
    std::vector<Departure> m_departures;  // a heap by later
    bool m_waits = false;
    TimePoint m_wakesAt = kNever;
};

}  // namespace engine
