#include "engine/network/send_window.h"

#include <algorithm>
#include <utility>

namespace engine {

bool SendWindow::fits(std::span<const std::uint32_t> to, std::uint32_t bytes) {
    for (const std::uint32_t gpu : to)
        linkTo(gpu).asked += bytes;
    bool all = true;
    for (const std::uint32_t gpu : to) {
        PerLink& link = linkTo(gpu);
        const std::int64_t asked = std::exchange(link.asked, 0);
        if (asked == 0)  // another of these GPUs is reached by the same link
            continue;
        dropDeparted(link);
        link.full = link.underWay != 0 && link.underWay + asked > m_bytes;
        all = all && !link.full;
    }
    return all;
}

void SendWindow::dropDeparted(PerLink& link) const {
    while (!link.departures.empty() && link.departures.front().when <= m_room.now()) {
        link.underWay -= link.departures.front().bytes;
        std::pop_heap(link.departures.begin(), link.departures.end(), later);
        link.departures.pop_back();
    }
}

void SendWindow::wait() {
    m_waits = true;
    for (const PerLink& link : m_links)
        awaitDeparture(link);
}

void SendWindow::noteRead(std::span<const std::uint32_t> to, std::uint32_t bytes) {
    for (const std::uint32_t gpu : to)
        linkTo(gpu).underWay += bytes;
}

void SendWindow::noteLeaving(std::uint32_t to, std::uint32_t bytes, TimePoint when) {
    PerLink& link = linkTo(to);
    link.departures.push_back({when, bytes});
    std::push_heap(link.departures.begin(), link.departures.end(), later);
    if (m_waits)
        awaitDeparture(link);
}

bool SendWindow::hasRoom() {
    if (m_room.now() != m_wakesAt)
        return false;
    m_wakesAt = kNever;
    m_waits = false;
    for (PerLink& link : m_links)
        link.full = false;  // until the next check
    return true;
}

void SendWindow::awaitDeparture(const PerLink& link) {
    if (!link.full || link.departures.empty() || link.departures.front().when >= m_wakesAt)
        return;
    m_wakesAt = link.departures.front().when;
    m_room.schedule(m_wakesAt, m_index);
}

}  // namespace engine
