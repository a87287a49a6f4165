#pragma once

#include "data/replay/time_range.h"
#include "engine/api/trace.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ui {

/// Spans of one class added up.
struct SpanSums {
    std::int64_t count = 0;
    std::int64_t totalPs = 0;
    std::int64_t longestPs = 0;
    std::int64_t bytes = 0;

    void add(const SpanSums& other);
    bool operator==(const SpanSums&) const = default;
};

/// A kind of span, DRAM accesses further by their stream.
inline constexpr std::size_t kSpanKinds = static_cast<std::size_t>(engine::SpanKind::sumLanded) + 1;
inline constexpr std::size_t kSpanClasses = kSpanKinds * 2;
constexpr std::size_t classOf(engine::SpanKind kind, engine::Stream stream = engine::Stream::compute) {
    return static_cast<std::size_t>(kind) * 2 + static_cast<std::size_t>(stream);
}
using ClassSums = std::array<SpanSums, kSpanClasses>;

/// What began in a stretch of a lane, added up by class. A sum is kept for every few dozen spans, so that an answer
/// costs two binary searches and a look at the edges, however long the stretch.
class LaneSums {
public:
    /// `lane` must outlive it.
    explicit LaneSums(const engine::Lane& lane);

    void addTo(data::TimeRange range, ClassSums& sums) const;

private:
    void addSpans(std::size_t from, std::size_t to, ClassSums& sums) const;

    static constexpr std::size_t kBlock = 64;

    const engine::Lane& m_lane;
    std::vector<std::size_t> m_classes;  // that occur in this lane
    std::vector<SpanSums> m_blocks;      // for each block, for each class: of that block alone
    std::vector<SpanSums> m_before;      // likewise: of all blocks before it, but for the longest
};

}  // namespace ui
