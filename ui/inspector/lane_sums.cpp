#include "ui/inspector/lane_sums.h"

#include <algorithm>

namespace ui {
namespace {

std::size_t classOf(const engine::Span& span) {
    const bool dram = span.kind == engine::SpanKind::dramRead || span.kind == engine::SpanKind::dramWrite ||
                      span.kind == engine::SpanKind::dramUpdate;
    return ui::classOf(span.kind, dram ? static_cast<engine::Stream>(span.first & 1) : engine::Stream::compute);
}

SpanSums sumsOf(const engine::Span& span) {
    const std::int64_t lasts = (span.end - span.start).ps;
    return {1, lasts, lasts, span.bytes};
}

}  // namespace

void SpanSums::add(const SpanSums& other) {
    count += other.count;
    totalPs += other.totalPs;
    longestPs = std::max(longestPs, other.longestPs);
    bytes += other.bytes;
}

LaneSums::LaneSums(const engine::Lane& lane) : m_lane(lane) {
    constexpr auto kAbsent = static_cast<std::uint8_t>(kSpanClasses);
    std::array<std::uint8_t, kSpanClasses> placeOf;
    placeOf.fill(kAbsent);
    for (const engine::Span& span : lane.spans) {
        std::uint8_t& place = placeOf[classOf(span)];
        if (place == kAbsent) {
            place = static_cast<std::uint8_t>(m_classes.size());
            m_classes.push_back(classOf(span));
        }
    }
    const std::size_t blocks = lane.spans.size() / kBlock;
    const std::size_t classes = m_classes.size();
    m_blocks.resize(blocks * classes);
    m_before.resize((blocks + 1) * classes);
    for (std::size_t i = 0; i < blocks * kBlock; ++i)
        m_blocks[i / kBlock * classes + placeOf[classOf(lane.spans[i])]].add(sumsOf(lane.spans[i]));
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        m_before[i + classes] = m_before[i];
        m_before[i + classes].add(m_blocks[i]);
    }
}

void LaneSums::addSpans(std::size_t from, std::size_t to, ClassSums& sums) const {
    for (std::size_t i = from; i < to; ++i)
        sums[classOf(m_lane.spans[i])].add(sumsOf(m_lane.spans[i]));
}

void LaneSums::addTo(data::TimeRange range, ClassSums& sums) const {
    const auto firstFrom = [this](std::int64_t ps) {
        const auto at =
            std::lower_bound(m_lane.spans.begin(), m_lane.spans.end(), ps,
                             [](const engine::Span& span, std::int64_t start) { return span.start.ps < start; });
        return static_cast<std::size_t>(at - m_lane.spans.begin());
    };
    const std::size_t from = firstFrom(range.start);
    const std::size_t to = firstFrom(range.end);
    const std::size_t firstBlock = (from + kBlock - 1) / kBlock;
    const std::size_t endBlock = to / kBlock;
    if (firstBlock >= endBlock) {
        addSpans(from, to, sums);
        return;
    }
    addSpans(from, firstBlock * kBlock, sums);
    addSpans(endBlock * kBlock, to, sums);
    const std::size_t classes = m_classes.size();
    for (std::size_t i = 0; i < classes; ++i) {
        const SpanSums& before = m_before[firstBlock * classes + i];
        const SpanSums& until = m_before[endBlock * classes + i];
        SpanSums inside{until.count - before.count, until.totalPs - before.totalPs, 0, until.bytes - before.bytes};
        for (std::size_t block = firstBlock; block < endBlock; ++block)
            inside.longestPs = std::max(inside.longestPs, m_blocks[block * classes + i].longestPs);
        sums[m_classes[i]].add(inside);
    }
}

}  // namespace ui
