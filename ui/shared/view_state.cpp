#include "ui/shared/view_state.h"

#include <algorithm>

namespace ui {

void ViewState::setRunEnd(std::int64_t ps) {
    ps = std::max(ps, kShortestRange);
    if (ps == m_runEnd)
        return;
    const bool all = showsAll();
    m_runEnd = ps;
    // Spans are those of the run before; a stretch of time is one in every run.
    if (m_selectedArea)
        selectArea(*m_selectedArea);
    else
        clearSelection();
    if (m_cursor && *m_cursor > ps)
        setCursor(std::nullopt);
    setRange(all ? data::TimeRange{0, ps} : m_range);
    Q_EMIT runEndChanged(ps);
}

void ViewState::setRange(data::TimeRange range) {
    const std::int64_t span = std::clamp(range.span(), std::min(kShortestRange, m_runEnd), m_runEnd);
    const std::int64_t start = std::clamp<std::int64_t>(range.start, 0, m_runEnd - span);
    const data::TimeRange clamped{start, start + span};
    if (clamped == m_range)
        return;
    m_range = clamped;
    Q_EMIT rangeChanged();
}

void ViewState::setCursor(std::optional<std::int64_t> ps, std::optional<std::uint64_t> events) {
    if (ps)
        ps = std::clamp<std::int64_t>(*ps, 0, m_runEnd);
    if (ps == m_cursor && events == m_eventsAtCursor)
        return;
    m_cursor = ps;
    m_eventsAtCursor = events;
    Q_EMIT cursorChanged();
}

void ViewState::revealCursor() {
    if (!m_cursor || (*m_cursor >= m_range.start && *m_cursor <= m_range.end))
        return;
    const std::int64_t span = m_range.span();
    setRange({*m_cursor - span / 10, *m_cursor - span / 10 + span});
}

void ViewState::setFollowedChunk(std::optional<std::uint32_t> chunk) {
    if (chunk == m_followedChunk)
        return;
    m_followedChunk = chunk;
    Q_EMIT followedChunkChanged();
}

void ViewState::setFocusedGpu(std::uint32_t gpu) {
    if (gpu == m_focusedGpu)
        return;
    m_focusedGpu = gpu;
    Q_EMIT focusedGpuChanged();
}

void ViewState::selectSpan(data::SpanRef span) {
    if (m_selectedSpan == span)
        return;
    m_selectedSpan = span;
    m_selectedArea.reset();
    Q_EMIT selectionChanged();
}

void ViewState::selectArea(data::Area area) {
    area.range.start = std::clamp<std::int64_t>(area.range.start, 0, m_runEnd);
    area.range.end = std::clamp<std::int64_t>(area.range.end, 0, m_runEnd);
    if (area.range.span() <= 0)
        return clearSelection();
    if (m_selectedArea == area)
        return;
    m_selectedSpan.reset();
    m_selectedArea = area;
    Q_EMIT selectionChanged();
}

void ViewState::clearSelection() {
    if (!m_selectedSpan && !m_selectedArea)
        return;
    m_selectedSpan.reset();
    m_selectedArea.reset();
    Q_EMIT selectionChanged();
}

}  // namespace ui
