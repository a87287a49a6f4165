#include "data/replay/span_list.h"

#include <algorithm>

namespace data {

std::size_t SpanList::firstEndingAfter(std::int64_t ps, std::size_t from) const {
    const auto endsAfter = [this, ps](std::size_t i) {
        const engine::Span& span = (*this)[i];
        return ps < std::max(span.end.ps, span.start.ps + 1);
    };
    // Doubles the stride until it goes too far. The cost therefore depends on the distance from `from`, not on the
    // length of the list, which suits a caller that moves from pixel to pixel.
    std::size_t low = from;
    std::size_t stride = 1;
    while (low < m_size && !endsAfter(std::min(m_size - 1, low + stride - 1))) {
        low += stride;
        stride *= 2;
    }
    std::size_t count = low < m_size ? std::min(stride, m_size - low) : 0;
    while (count > 0) {
        const std::size_t half = count / 2;
        if (endsAfter(low + half)) {
            count = half;
        } else {
            low += half + 1;
            count -= half + 1;
        }
    }
    return std::min(low, m_size);
}

std::optional<std::size_t> SpanList::at(std::int64_t ps) const {
    const std::size_t i = firstEndingAfter(ps);
    return i < m_size && (*this)[i].start.ps <= ps ? std::optional(i) : std::nullopt;
}

const engine::Span* spanAt(const SpanList& spans, std::int64_t ps) {
    const std::optional<std::size_t> found = spans.at(ps);
    return found ? &spans[*found] : nullptr;
}

}  // namespace data
