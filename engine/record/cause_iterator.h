#pragma once

#include "engine/record/moment.h"

#include <cstddef>
#include <iterator>

namespace engine {

/// Leads through the edges of one moment. It has a copy of them, since they are nowhere else.
class CauseIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Enabling;
    using difference_type = std::ptrdiff_t;
    using pointer = const Enabling*;
    using reference = const Enabling&;

    CauseIterator() = default;
    CauseIterator(const Causes& causes, std::size_t at) : m_causes(causes), m_at(at) {}

    reference operator*() const { return m_causes.edges[m_at]; }
    pointer operator->() const { return &m_causes.edges[m_at]; }
    CauseIterator& operator++() {
        ++m_at;
        return *this;
    }
    CauseIterator operator++(int) {
        CauseIterator before = *this;
        ++m_at;
        return before;
    }
    bool operator==(const CauseIterator& other) const { return m_at == other.m_at; }

private:
    Causes m_causes;
    std::size_t m_at = 0;
};

}  // namespace engine
