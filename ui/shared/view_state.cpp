#include "ui/shared/view_state.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace ui {
namespace {

/// Returns a whole number from 0 to `most`, or an empty optional.
std::optional<std::int64_t> numberUpTo(std::int64_t most, const QJsonValue& value) {
    const std::int64_t number = value.toInteger(-1);
    return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace

void ViewState::setRunEnd(std::int64_t ps) {
    ps = std::max(ps, kShortestRange);
    if (ps == m_runEnd)
        return;
    const bool all = showsAll();
    m_runEnd = ps;
    // A selected span belongs to the former run; a range of time is valid in every run.
    if (m_selectedArea)
        selectArea(*m_selectedArea);
    else if (!m_selectedPart)
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
    m_selectedPart.reset();
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
    m_selectedPart.reset();
    m_selectedArea = area;
    Q_EMIT selectionChanged();
}

void ViewState::selectPart(data::GpuPartRef part) {
    if (m_selectedPart == part)
        return;
    m_selectedSpan.reset();
    m_selectedArea.reset();
    m_selectedPart = part;
    Q_EMIT selectionChanged();
}

void ViewState::clearSelection() {
    if (!m_selectedSpan && !m_selectedArea && !m_selectedPart)
        return;
    m_selectedSpan.reset();
    m_selectedArea.reset();
    m_selectedPart.reset();
    Q_EMIT selectionChanged();
}

QJsonValue savedMoment(const ViewState& state) {
    QJsonObject kept;
    if (!state.showsAll())
        kept.insert(QStringLiteral("rangePs"),
                    QJsonArray{static_cast<qint64>(state.range().start), static_cast<qint64>(state.range().end)});
    if (state.cursor())
        kept.insert(QStringLiteral("cursorPs"), static_cast<qint64>(*state.cursor()));
    if (state.followedChunk())
        kept.insert(QStringLiteral("chunk"), static_cast<qint64>(*state.followedChunk()));
    return kept.isEmpty() ? QJsonValue() : kept;
}

bool restoreMoment(const QJsonValue& kept, ViewState& state, std::int64_t gpus) {
    const QJsonObject moment = kept.toObject();
    const QJsonArray range = moment.value(QStringLiteral("rangePs")).toArray();
    const std::int64_t end = state.runEnd();
    const auto from = numberUpTo(end, range.at(0)), to = numberUpTo(end, range.at(1));
    const auto cursor = numberUpTo(end, moment.value(QStringLiteral("cursorPs")));
    const auto chunk = numberUpTo(gpus - 1, moment.value(QStringLiteral("chunk")));
    if (!kept.isObject() || (moment.contains(QStringLiteral("rangePs")) && !(from && to && *from < *to)) ||
        (moment.contains(QStringLiteral("cursorPs")) && !cursor) ||
        (moment.contains(QStringLiteral("chunk")) && !chunk))
        return false;
    if (from && to)
        state.setRange({*from, *to});
    state.setCursor(cursor);
    state.setFollowedChunk(chunk ? std::optional(static_cast<std::uint32_t>(*chunk)) : std::nullopt);
    return true;
}

void RunReach::setShown(std::int64_t end) {
    m_shown = end;
    Q_EMIT changed();
}

void RunReach::setPinned(std::int64_t end) {
    m_pinned = end;
    Q_EMIT changed();
}

void RunReach::setCompared(std::optional<std::int64_t> end) {
    m_compared = end;
    Q_EMIT changed();
}

std::int64_t RunReach::playEnd() const { return std::max(m_shown, m_compared.value_or(0)); }

std::int64_t RunReach::axisEnd() const { return std::max(playEnd(), m_compared ? 0 : m_pinned); }

}  // namespace ui
