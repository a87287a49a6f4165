#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace data {

/// Between the threads that make something and the one that takes it. Holds no more than `most`: who is faster than
/// the taker waits for it. Nobody waits for a taker that has given up.
template <typename Item>
class ArrivalQueue {
public:
    explicit ArrivalQueue(std::size_t most) : m_most(most) {}

    /// Waits for room. What comes after the taker has given up is dropped.
    void push(Item&& item) {
        std::unique_lock lock(m_mutex);
        m_room.wait(lock, [this] { return m_items.size() < m_most || m_givenUp; });
        if (m_givenUp)
            return;
        m_items.push_back(std::move(item));
        m_arrived.notify_one();
    }

    /// Nothing more will come.
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_arrived.notify_one();
    }

    /// Nothing more will be taken.
    void giveUp() {
        const std::lock_guard lock(m_mutex);
        m_givenUp = true;
        m_items.clear();
        m_room.notify_all();
    }

    /// All that is there, as soon as it is `enough`, the queue is closed or `patience` has passed.
    std::vector<Item> take(std::size_t enough, std::chrono::milliseconds patience) {
        std::unique_lock lock(m_mutex);
        m_arrived.wait_for(lock, patience, [&] { return m_items.size() >= enough || m_closed; });
        m_room.notify_all();
        return std::exchange(m_items, {});
    }

    /// Closed, and everything taken.
    bool exhausted() const {
        const std::lock_guard lock(m_mutex);
        return m_closed && m_items.empty();
    }

private:
    const std::size_t m_most;
    mutable std::mutex m_mutex;
    std::condition_variable m_arrived, m_room;
    std::vector<Item> m_items;
    bool m_closed = false;
    bool m_givenUp = false;
};

}  // namespace data
