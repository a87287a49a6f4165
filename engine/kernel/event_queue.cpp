#include "engine/kernel/event_queue.h"

namespace engine {

void EventQueue::scheduleFar(TimePoint time, const Node& node) {
    if (time.ps > kLastTime || time < m_now)
        throw TimeOverflow();
    m_far.push_back(node);
    std::push_heap(m_far.begin(), m_far.end(), Later{});
}

TimePoint EventQueue::nextTime() const {
    if (m_pending == 0)
        return kNever;
    std::uint64_t when = ~std::uint64_t{0};
    if (m_inRing != 0)
        when = m_nodes[m_heads[firstBucket()]].when;
    if (!m_far.empty())
        when = std::min(when, m_far.front().when);
    return {static_cast<std::int64_t>(when / 8)};
}

}  // namespace engine
