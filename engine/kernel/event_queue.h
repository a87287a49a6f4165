#pragma once

#include "engine/api/units.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace engine {

/// Order of events that happen at the same picosecond. Part of the model: what arrives is seen before what
/// completes, what completes may trigger, what is triggered may be dispatched, and memory arbitrates last,
/// when everything that wants service at this moment has entered its stream.
enum class Phase : std::uint8_t { arrival, completion, trigger, dispatch, arbitration };

/// Names the receiver of an event within one logical process; the process gives the numbers out.
using EventTarget = std::uint8_t;

/// Thrown when an experiment runs past the last moment that can be represented (about 13 days).
class TimeOverflow : public std::runtime_error {
public:
    TimeOverflow() : std::runtime_error("the simulated time exceeds 2^60 ps, about 13 days") {}
};

/// Pending events of one logical process, ordered by (time, phase, sequence of scheduling).
/// Modelled as a 4-ary heap of 16-byte entries: components keep at most one event pending for each busy channel,
/// slot or link, so a few hundred entries are the rule and the heap stays in the first-level cache.
/// Promise: pops never go back in time, and equal (time, phase) come out in the order they were scheduled.
class EventQueue {
public:
    struct Event {
        TimePoint time;
        EventTarget target;
        std::uint32_t index;  ///< which slot, channel, tile … of the target; below 2^24
    };

    static constexpr std::int64_t kLastTime = (std::int64_t{1} << 60) - 1;

    /// Throws TimeOverflow past kLastTime. Precondition: `time` is not before now().
    void schedule(TimePoint time, Phase phase, EventTarget target, std::uint32_t index) {
        if (time.ps > kLastTime)
            throw TimeOverflow();
        const std::uint64_t when = static_cast<std::uint64_t>(time.ps) * 8 + static_cast<std::uint64_t>(phase);
        const std::uint64_t what = (std::uint64_t{m_sequence++} << 32) | (std::uint64_t{target} << 24) | index;
        push((static_cast<Entry>(when) << 64) | what);
    }

    bool empty() const { return m_heap.empty(); }
    TimePoint nextTime() const { return m_heap.empty() ? kNever : timeOf(m_heap.front()); }

    /// Precondition: not empty. Moves now() to the event's time.
    Event pop();

    TimePoint now() const { return m_now; }
    std::int64_t processed() const { return m_processed; }

private:
    // One 128-bit number compares time, phase and sequence at once; target and index ride along below.
    __extension__ typedef unsigned __int128 Entry;

    static TimePoint timeOf(Entry entry) { return {static_cast<std::int64_t>(static_cast<std::uint64_t>(entry >> 64) / 8)}; }
    void push(Entry entry);

    std::vector<Entry> m_heap;
    TimePoint m_now;
    std::int64_t m_processed = 0;
    std::uint32_t m_sequence = 0;  // wraps after 4e9 events: only entries pending together are ever compared
};

inline void EventQueue::push(Entry entry) {
    std::size_t hole = m_heap.size();
    m_heap.push_back(entry);
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / 4;
        if (m_heap[parent] < entry)
            break;
        m_heap[hole] = m_heap[parent];
        hole = parent;
    }
    m_heap[hole] = entry;
}

inline EventQueue::Event EventQueue::pop() {
    const Entry top = m_heap.front();
    const Entry last = m_heap.back();
    m_heap.pop_back();
    const std::size_t size = m_heap.size();
    if (size > 0) {
        std::size_t hole = 0;
        for (;;) {
            const std::size_t first = hole * 4 + 1;
            if (first >= size)
                break;
            std::size_t best = first;
            const std::size_t end = first + 4 < size ? first + 4 : size;
            for (std::size_t child = first + 1; child < end; ++child)
                best = m_heap[child] < m_heap[best] ? child : best;
            if (last < m_heap[best])
                break;
            m_heap[hole] = m_heap[best];
            hole = best;
        }
        m_heap[hole] = last;
    }
    m_now = timeOf(top);
    ++m_processed;
    const auto what = static_cast<std::uint64_t>(top);
    return {m_now, static_cast<EventTarget>((what >> 24) & 0xff), static_cast<std::uint32_t>(what & 0xffffff)};
}

/// A component's way to be called back: its target within the process and the phase of what it schedules.
class EventPort {
public:
    EventPort(EventQueue& queue, Phase phase, EventTarget target) : m_queue(&queue), m_phase(phase), m_target(target) {}

    void schedule(TimePoint time, std::uint32_t index = 0) const { m_queue->schedule(time, m_phase, m_target, index); }
    TimePoint now() const { return m_queue->now(); }

private:
    EventQueue* m_queue;
    Phase m_phase;
    EventTarget m_target;
};

}  // namespace engine
