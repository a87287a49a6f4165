#include "engine/kernel/event_queue.h"

namespace engine {

void EventQueue::addNodes() {
    const auto first = static_cast<std::uint32_t>(m_nodes.size());
    const std::uint32_t last = first + std::max(first, 64u);
    m_nodes.resize(last);
    for (std::uint32_t node = first; node + 1 < last; ++node)
        m_nodes[node].next = node + 1;
    m_free = first;
}

void EventQueue::scheduleFar(TimePoint time, std::uint64_t when, std::uint32_t what) {
    if (time.ps > kLastTime || time.ps < 0)
        throw TimeOverflow();
    m_far.push_back({when, m_scheduled, what});
    std::push_heap(m_far.begin(), m_far.end(), Later{});
}

bool EventQueue::popFarBefore(TimePoint limit, Event& event) {
    event = eventOf(m_far.front().when, m_far.front().what);
    if (event.time >= limit)
        return false;
    std::pop_heap(m_far.begin(), m_far.end(), Later{});
    m_far.pop_back();
    m_now = event.time;
    return true;
}

TimePoint EventQueue::nextTime() const {
    std::uint64_t when = ~std::uint64_t{0};
    if (m_inRing != 0)
        when = m_nodes[m_heads[firstBucket()]].when;
    if (!m_far.empty())
        when = std::min(when, m_far.front().when);
    return empty() ? kNever : TimePoint{static_cast<std::int64_t>(when / 8)};
}

}  // namespace engine
