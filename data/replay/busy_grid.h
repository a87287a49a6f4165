#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

/// How long a set of resources has been busy together up to any moment, at one look-up a
/// question: what a lane of a million spans costs to draw follows from its pixels alone. Kept in buckets of equal time
/// as sums from the start of the run, so that one level answers for all coarser ones; exact at a bucket's edges and even
/// in between. Where a pixel is narrower than a bucket the spans themselves are asked.
class BusyGrid {
public:
    BusyGrid() = default;
    /// `spans`: about how many will be added. Finer buckets would cost more than they show.
    BusyGrid(std::int64_t end, std::size_t spans);

    /// In any order, also overlapping.
    void add(std::int64_t start, std::int64_t end);
    /// After the last span and before the first question.
    void finish();

    bool empty() const { return m_spans == 0; }
    std::size_t spans() const { return m_spans; }
    std::int64_t bucket() const { return std::int64_t{1} << m_shift; }
    std::int64_t busyUntil(std::int64_t ps) const;

private:
    int m_shift = 0;
    std::size_t m_spans = 0;
    std::vector<std::int64_t> m_busy;   // while adding: of the bucket; then: of all before it
    std::vector<std::int32_t> m_whole;  // while adding: how many spans more than in the bucket before cover all of it
};

}  // namespace data
