#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

/// Returns the total busy time of several resources up to any moment, by one look-up, so that the cost of drawing a
/// lane of a million spans depends only on its pixels. The time is divided into equal buckets, which hold sums from the
/// start of the run; one resolution therefore serves all coarser ones. The sum is exact at the edges of buckets and
/// interpolated linearly between them. If a pixel is narrower than a bucket, the caller reads the spans instead.
class BusyGrid {
public:
    BusyGrid() = default;
    /// `spans`: about how many spans will be added, which decides the number of buckets.
    BusyGrid(std::int64_t end, std::size_t spans);

    /// Adds a span. Spans may come in any order and may overlap.
    void add(std::int64_t start, std::int64_t end);
    /// Call after the last add() and before the first busyUntil().
    void finish();

    bool empty() const { return m_spans == 0; }
    std::size_t spans() const { return m_spans; }
    std::int64_t bucket() const { return std::int64_t{1} << m_shift; }
    std::int64_t busyUntil(std::int64_t ps) const;

private:
    int m_shift = 0;
    std::size_t m_spans = 0;
    std::vector<std::int64_t> m_busy;   // before finish(): busy time in the bucket; afterwards: in all buckets before
                                        // it
    std::vector<std::int32_t> m_whole;  // before finish(): by how much the number of spans that cover the whole bucket
                                        // differs from that of the bucket before
};

}  // namespace data
