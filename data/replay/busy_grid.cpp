#include "data/replay/busy_grid.h"

#include <algorithm>
#include <bit>

namespace data {
namespace {

constexpr std::size_t kFewestBuckets = 256;
constexpr std::size_t kMostBuckets = 65'536;
constexpr std::size_t kSpansInBucket = 4;

}  // namespace

BusyGrid::BusyGrid(std::int64_t end, std::size_t spans) {
    const auto wanted = static_cast<std::uint64_t>(std::clamp(spans / kSpansInBucket, kFewestBuckets, kMostBuckets));
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(end, 1));
    m_shift = static_cast<int>(std::bit_width(length / wanted));  // a power of two: a bucket is found by a shift
    const auto buckets = static_cast<std::size_t>(length >> m_shift) + 2;
    m_busy.assign(buckets, 0);
    m_whole.assign(buckets, 0);
}

void BusyGrid::add(std::int64_t start, std::int64_t end) {
    const std::size_t last = m_busy.size() - 2;
    const auto from = std::min(static_cast<std::size_t>(start >> m_shift), last);
    const auto to = std::min(static_cast<std::size_t>(end >> m_shift), last);
    ++m_spans;
    if (from == to) {
        m_busy[from] += end - start;
        return;
    }
    m_busy[from] += (static_cast<std::int64_t>(from + 1) << m_shift) - start;
    m_busy[to] += end - (static_cast<std::int64_t>(to) << m_shift);
    ++m_whole[from + 1];
    --m_whole[to];
}

void BusyGrid::finish() {
    std::int64_t busy = 0;
    std::int32_t covering = 0;
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
        covering += m_whole[i];
        const std::int64_t own = m_busy[i] + (static_cast<std::int64_t>(covering) << m_shift);
        m_busy[i] = busy;
        busy += own;
    }
    m_whole = {};
}

std::int64_t BusyGrid::busyUntil(std::int64_t ps) const {
    if (empty() || ps <= 0)
        return 0;
    const auto at = static_cast<std::size_t>(ps >> m_shift);
    if (at + 1 >= m_busy.size())
        return m_busy.back();
    const auto share = static_cast<double>(ps & (bucket() - 1)) / static_cast<double>(bucket());
    return m_busy[at] + static_cast<std::int64_t>(static_cast<double>(m_busy[at + 1] - m_busy[at]) * share);
}

}  // namespace data
