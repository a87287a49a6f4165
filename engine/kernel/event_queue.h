#pragma once

#include "engine/api/units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace engine {

/// The order of events at the same picosecond. It is part of the model: arrivals come before completions, completions
/// may cause triggers, triggers may cause dispatches, and memory arbitrates last, when every request of this picosecond
/// has entered its stream.
enum class Phase : std::uint8_t { arrival, completion, trigger, dispatch, arbitration };

/// Identifies the receiver of an event within one logical process, which assigns the numbers.
using EventTarget = std::uint8_t;

/// Thrown when an experiment runs past the last time that can be represented (about 13 days).
class TimeOverflow : public std::runtime_error {
public:
    TimeOverflow() : std::runtime_error("the simulated time exceeds 2^60 ps, about 13 days") {}
};

/// The pending events of one logical process, ordered by (time, phase, sequence of scheduling). It is a calendar queue:
/// a ring of short buckets covers the next few microseconds. Each bucket is a sorted list, nearly always of no or one
/// event, and a bit for each bucket says whether it is empty. Later events are kept in a heap. Components keep at most
/// one event pending for each busy channel, slot or link. So there are usually a few hundred events, nearly all of them
/// in the ring.
///
/// Promise: pops never go back in time, and events of equal (time, phase) come out in the order in which they were
/// scheduled.
class EventQueue {
public:
    struct Event {
        TimePoint time;
        EventTarget target;
        std::uint32_t index;  ///< which slot, channel, tile … of the target; below 2^24
    };

    static constexpr std::int64_t kLastTime = (std::int64_t{1} << 60) - 1;

    EventQueue() { m_heads.fill(kNoNode); }

    /// Schedules an event. Throws TimeOverflow past kLastTime. Precondition: `time` is not before now(); builds with
    /// assertions stop there, others count it.
    void schedule(TimePoint time, Phase phase, EventTarget target, std::uint32_t index);

    bool empty() const { return pending() == 0; }
    TimePoint nextTime() const;

    /// Takes the next event if its time is before `limit`, and moves now() to its time. Otherwise returns false.
    bool popBefore(TimePoint limit, Event& event);

    /// Precondition: not empty.
    Event pop() {
        Event event{};
        popBefore(kNever, event);
        return event;
    }

    TimePoint now() const { return m_now; }
    std::int64_t processed() const { return m_scheduled - pending(); }
    /// Returns the number of events that were scheduled for a time before now(). No component may do that; `verify`
    /// checks that the number is 0.
    std::int64_t scheduledInThePast() const { return m_inThePast; }

private:
    // 1024 buckets of 4096 ps: one bucket holds 0.6 events on average at standard detail, and the ring reaches 4.2 us,
    // past every K-step, epilogue and link latency of the published machine.
    static constexpr int kBucketBits = 12;
    static constexpr std::int64_t kBuckets = 1024;
    static constexpr std::uint32_t kNoNode = 0xffffffffu;

    struct Node {
        std::uint64_t when = 0;  // time x 8 + phase: one number compares both
        std::uint32_t what = 0;  // target and index
        std::uint32_t next = kNoNode;
    };
    // Of two events of the same time and phase, one in the heap and one in the ring, the one in the heap was scheduled
    // earlier: at that time it was too far ahead for the ring. So only events within the heap need their sequence.
    struct FarNode {
        std::uint64_t when;
        std::int64_t sequence;
        std::uint32_t what;
    };
    struct Later {
        bool operator()(const FarNode& a, const FarNode& b) const {
            return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
        }
    };

    static std::int64_t bucketOf(std::int64_t ps) { return ps >> kBucketBits; }
    std::int64_t pending() const { return m_inRing + static_cast<std::int64_t>(m_far.size()); }
    void addNodes();
    std::uint32_t firstBucket() const;
    void scheduleFar(TimePoint time, std::uint64_t when, std::uint32_t what);
    bool popFarBefore(TimePoint limit, Event& event);
    static Event eventOf(std::uint64_t when, std::uint32_t what) {
        return {{static_cast<std::int64_t>(when / 8)}, static_cast<EventTarget>(what >> 24), what & 0xffffff};
    }

    std::array<std::uint32_t, kBuckets> m_heads;
    std::array<std::uint32_t, kBuckets> m_tails{};  // valid for buckets that are not empty
    std::array<std::uint64_t, kBuckets / 64> m_occupied{};
    std::vector<Node> m_nodes;
    std::uint32_t m_free = kNoNode;
    std::vector<FarNode> m_far;  // a heap by Later
    std::int64_t m_inRing = 0;
    std::int64_t m_scheduled = 0;
    std::int64_t m_inThePast = 0;
    TimePoint m_now;
};

inline void EventQueue::schedule(TimePoint time, Phase phase, EventTarget target, std::uint32_t index) {
    const std::uint64_t when = static_cast<std::uint64_t>(time.ps) * 8 + static_cast<std::uint64_t>(phase);
    const std::uint32_t what = (std::uint32_t{target} << 24) | index;
    ++m_scheduled;
    assert(time >= m_now || time.ps < 0);
    if (time < m_now) [[unlikely]]
        ++m_inThePast;
    const std::int64_t bucket = bucketOf(time.ps);
    // Unsigned, so that a time before now's bucket counts as far too, and scheduleFar refuses a time that has
    // overflowed.
    if (static_cast<std::uint64_t>(bucket - bucketOf(m_now.ps)) >= std::uint64_t{kBuckets}) {
        scheduleFar(time, when, what);
        return;
    }
    ++m_inRing;
    const auto slot = static_cast<std::size_t>(bucket & (kBuckets - 1));
    if (m_free == kNoNode)
        addNodes();
    Node* const nodes = m_nodes.data();
    const std::uint32_t node = m_free;
    m_free = nodes[node].next;
    // Insert behind all events of the same time and phase, which were scheduled earlier. CUs in lock step end many
    // K-steps at once, so most events belong at the end of the list.
    std::uint32_t* link = &m_heads[slot];
    if (*link != kNoNode && nodes[m_tails[slot]].when <= when)
        link = &nodes[m_tails[slot]].next;
    while (*link != kNoNode && nodes[*link].when <= when)
        link = &nodes[*link].next;
    nodes[node] = {when, what, *link};
    if (*link == kNoNode)
        m_tails[slot] = node;
    *link = node;
    m_occupied[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

// Returns the first occupied bucket at or after now's, searching around the ring once. Precondition: the ring is not
// empty.
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
    if (m_inRing == 0)
        return !m_far.empty() && popFarBefore(limit, event);
    const std::uint32_t slot = firstBucket();
    Node& found = m_nodes[m_heads[slot]];
    if (!m_far.empty() && m_far.front().when <= found.when)
        return popFarBefore(limit, event);
    event = eventOf(found.when, found.what);
    if (event.time >= limit)
        return false;
    const std::uint32_t node = m_heads[slot];
    m_heads[slot] = found.next;
    if (found.next == kNoNode)
        m_occupied[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    found.next = m_free;
    m_free = node;
    --m_inRing;
    m_now = event.time;
    return true;
}

/// Schedules events for one component: it knows the component's target within the process and the phase of its events.
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
