#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace engine {

/// An unbounded first-in first-out queue in one block of memory whose size is a power of two. The block only ever
/// grows, whereas std::deque allocates and frees blocks while a stream fills and drains.
template <typename T>
class RingFifo {
public:
    bool empty() const { return m_size == 0; }
    std::size_t size() const { return m_size; }
    T& front() {
        assert(m_size > 0);
        return m_items[m_head];
    }
    const T& front() const {
        assert(m_size > 0);
        return m_items[m_head];
    }

    /// Returns the item behind `index` others.
    const T& at(std::size_t index) const {
        assert(index < m_size);
        return m_items[(m_head + index) & m_mask];
    }

    void push(const T& item) {
        if (m_size > m_mask)
            grow();
        m_items[(m_head + m_size) & m_mask] = item;
        ++m_size;
    }

    void pop() {
        assert(m_size > 0);
        m_head = (m_head + 1) & m_mask;
        --m_size;
    }

    /// Removes the item behind `index` others, which keep their order.
    void removeAt(std::size_t index) {
        assert(index < m_size);
        for (; index > 0; --index)
            m_items[(m_head + index) & m_mask] = m_items[(m_head + index - 1) & m_mask];
        pop();
    }

private:
    void grow() {
        std::vector<T> larger(m_items.size() * 2);
        for (std::size_t i = 0; i < m_size; ++i)
            larger[i] = m_items[(m_head + i) & m_mask];
        m_items.swap(larger);
        m_mask = m_items.size() - 1;
        m_head = 0;
    }

    std::vector<T> m_items = std::vector<T>(16);
    std::size_t m_mask = 15;  // size of m_items less one: a size read from the vector costs a subtraction each time
    std::size_t m_head = 0;
    std::size_t m_size = 0;
};

}  // namespace engine
