#pragma once

#include "engine/api/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// A view of sorted spans that do not overlap: all spans of a list, or some of them by index. The list must outlive it.
class SpanList {
public:
    SpanList() = default;
    SpanList(const std::vector<engine::Span>& all) : m_spans(all.data()), m_size(all.size()) {}  // NOLINT: a view
    /// `picked`: indices into `all`, ascending.
    SpanList(const std::vector<engine::Span>& all, const std::vector<std::uint32_t>& picked)
        : m_spans(all.data()), m_picked(picked.data()), m_size(picked.size()) {}

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    /// Returns the index of a span in the list it was picked from.
    std::uint32_t indexOf(std::size_t i) const {
        return m_picked != nullptr ? m_picked[i] : static_cast<std::uint32_t>(i);
    }
    const engine::Span& operator[](std::size_t i) const { return m_spans[indexOf(i)]; }

    /// Returns the first span that ends after `ps`, or size(); an instant counts as one picosecond. The search begins
    /// at `from`, and the nearer the answer is, the faster it is.
    std::size_t firstEndingAfter(std::int64_t ps, std::size_t from = 0) const;
    /// Returns the span that covers `ps`.
    std::optional<std::size_t> at(std::int64_t ps) const;

private:
    const engine::Span* m_spans = nullptr;
    const std::uint32_t* m_picked = nullptr;
    std::size_t m_size = 0;
};

/// Returns the span that covers `ps`, or null.
const engine::Span* spanAt(const SpanList& spans, std::int64_t ps);

}  // namespace data
