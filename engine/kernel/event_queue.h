#pragma once

#include "engine/api/units.h"

#include <algorithm>
#include <array>
#include <bit>
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
/// Modelled as a calendar: a ring of short buckets that reaches a few microseconds ahead, each a sorted list (nearly
/// always of no or one event), with a bit for each bucket that holds something; what lies further ahead waits in a
/// heap. Components keep at most one event pending for each busy channel, slot or link, so that a few hundred entries
/// are the rule, nearly all of them within the ring.
/// Promise: pops never go back in time, and equal (time, phase) come out in the order they were scheduled.
class EventQueue {
public:
    struct Event {
        TimePoint time;
        EventTarget target;
        std::uint32_t index;  ///< which slot, channel, tile … of the target; below 2^24
    };

    static constexpr std::int64_t kLastTime = (std::int64_t{1} << 60) - 1;

    EventQueue() { m_heads.fill(kNoNode); }

    /// Throws TimeOverflow past kLastTime. Precondition: `time` is not before now().
    void schedule(TimePoint time, Phase phase, EventTarget target, std::uint32_t index);

    bool empty() const { return m_pending == 0; }
    TimePoint nextTime() const;

    /// Takes the next event if it comes before `limit`, and moves now() to its time.
    bool popBefore(TimePoint limit, Event& event);

    /// Precondition: not empty.
    Event pop() {
        Event event{};
        popBefore(kNever, event);
        return event;
    }

    TimePoint now() const { return m_now; }
    std::int64_t processed() const { return m_processed; }

private:
    // 1024 buckets of 4096 ps: one bucket holds 0.6 events on average at standard detail, and the ring reaches 4.2 us,
    // past every K-step, epilogue and link latency of the published machine.
    static constexpr int kBucketBits = 12;
    static constexpr std::int64_t kBuckets = 1024;
    static constexpr std::uint32_t kNoNode = 0xffffffffu;

    struct Node {
        std::uint64_t when = 0;  // time x 8 + phase: one number compares both
        std::uint32_t sequence = 0;
        std::uint32_t what = 0;  // target and index
        std::uint32_t next = kNoNode;
    };
    struct Later {
        bool operator()(const Node& a, const Node& b) const {
            return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
        }
    };

    static std::int64_t bucketOf(std::int64_t ps) { return ps >> kBucketBits; }
    std::uint32_t newNode();
    std::uint32_t firstBucket() const;
    void scheduleFar(TimePoint time, const Node& node);

    std::array<std::uint32_t, kBuckets> m_heads;
    std::array<std::uint64_t, kBuckets / 64> m_occupied{};
    std::vector<Node> m_nodes;
    std::uint32_t m_free = kNoNode;
    std::vector<Node> m_far;  // a heap by Later
    std::int64_t m_pending = 0;
    std::int64_t m_inRing = 0;
    TimePoint m_now;
    std::int64_t m_processed = 0;
    std::uint32_t m_sequence = 0;  // wraps after 4e9 events: only entries pending together are ever compared
};

inline std::uint32_t EventQueue::newNode() {
    if (m_free == kNoNode) {
        m_nodes.emplace_back();
        return static_cast<std::uint32_t>(m_nodes.size() - 1);
    }
    const std::uint32_t node = m_free;
    m_free = m_nodes[node].next;
    return node;
}

inline void EventQueue::schedule(TimePoint time, Phase phase, EventTarget target, std::uint32_t index) {
    Node entry;
    entry.when = static_cast<std::uint64_t>(time.ps) * 8 + static_cast<std::uint64_t>(phase);
    entry.sequence = m_sequence++;
    entry.what = (std::uint32_t{target} << 24) | index;
    ++m_pending;
    const std::int64_t bucket = bucketOf(time.ps);
    // Unsigned, so that a time that has overflowed is far as well, and refused there.
    if (static_cast<std::uint64_t>(bucket - bucketOf(m_now.ps)) >= std::uint64_t{kBuckets}) {
        scheduleFar(time, entry);
        return;
    }
    ++m_inRing;
    const auto slot = static_cast<std::size_t>(bucket & (kBuckets - 1));
    const std::uint32_t node = newNode();
    std::uint32_t* link = &m_heads[slot];
    // Behind everything of the same moment: it was scheduled earlier.
    while (*link != kNoNode && m_nodes[*link].when <= entry.when)
        link = &m_nodes[*link].next;
    entry.next = *link;
    m_nodes[node] = entry;
    *link = node;
    m_occupied[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

// Precondition: the ring holds something. The first occupied bucket at or after now's, going around once.
inline std::uint32_t EventQueue::firstBucket() const {
    const auto start = static_cast<std::uint32_t>(bucketOf(m_now.ps) & (kBuckets - 1));
    std::uint32_t word = start / 64;
    std::uint64_t bits = m_occupied[word] & (~std::uint64_t{0} << (start % 64));
    while (bits == 0) {
        word = (word + 1) % (kBuckets / 64);
        bits = m_occupied[word];
    }
    return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
}

inline bool EventQueue::popBefore(TimePoint limit, Event& event) {
    if (m_pending == 0)
        return false;
    Node found;
    std::uint32_t slot = 0;
    const bool ring = m_inRing != 0;
    if (ring) {
        slot = firstBucket();
        found = m_nodes[m_heads[slot]];
    }
    const bool far = !m_far.empty() && (!ring || Later{}(found, m_far.front()));
    if (far)
        found = m_far.front();
    const TimePoint time{static_cast<std::int64_t>(found.when / 8)};
    if (time >= limit)
        return false;
    if (far) {
        std::pop_heap(m_far.begin(), m_far.end(), Later{});
        m_far.pop_back();
    } else {
        const std::uint32_t node = m_heads[slot];
        m_heads[slot] = found.next;
        if (found.next == kNoNode)
            m_occupied[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        m_nodes[node].next = m_free;
        m_free = node;
        --m_inRing;
    }
    --m_pending;
    ++m_processed;
    m_now = time;
    event = {time, static_cast<EventTarget>(found.what >> 24), found.what & 0xffffff};
    return true;
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
