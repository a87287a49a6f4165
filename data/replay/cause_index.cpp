#include "data/replay/cause_index.h"

#include <algorithm>

namespace data {
namespace {

constexpr std::size_t kBlock = 8;  // steps: one cache line each

}  // namespace

engine::CauseTimes minus(engine::CauseTimes a, const engine::CauseTimes& b) {
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        a.by[i] -= b.by[i];
    return a;
}

CauseIndex::CauseIndex(std::shared_ptr<const engine::CriticalPath> path) : m_path(std::move(path)) {
    const std::vector<engine::PathStep>& all = steps();
    engine::CauseTimes sum;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % kBlock == 0) {
            m_starts.push_back(all[i].start.ps);
            m_until.push_back(sum);
        }
        sum[all[i].cause] += all[i].end - all[i].start;
    }
}

const std::vector<engine::PathStep>& CauseIndex::steps() const {
    static const std::vector<engine::PathStep> kNone;
    return m_path ? m_path->steps : kNone;
}

std::size_t CauseIndex::blockOf(std::int64_t ps) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), ps);
    return after == m_starts.begin() ? 0 : static_cast<std::size_t>(after - m_starts.begin()) - 1;
}

engine::CauseTimes CauseIndex::until(std::int64_t ps) const {
    if (empty())
        return {};
    const std::vector<engine::PathStep>& all = steps();
    const std::size_t block = blockOf(ps);
    engine::CauseTimes sum = m_until[block];
    for (std::size_t i = block * kBlock; i < all.size() && all[i].start.ps < ps; ++i)
        sum[all[i].cause] += engine::TimePoint{std::min(all[i].end.ps, ps)} - all[i].start;
    return sum;
}

engine::CauseTimes CauseIndex::between(TimeRange range) const { return minus(until(range.end), until(range.start)); }

std::size_t CauseIndex::stepAt(std::int64_t ps) const {
    const std::vector<engine::PathStep>& all = steps();
    std::size_t i = blockOf(ps) * kBlock;
    while (i + 1 < all.size() && all[i].end.ps <= ps)
        ++i;
    return i;
}

}  // namespace data
