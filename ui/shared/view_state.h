#pragma once

#include "data/replay/span_ref.h"
#include "ui/look/timeline_geometry.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace ui {

/// What all panels look at together: the visible range, the time cursor, the chunk that is followed, the GPU in
/// focus, the selection.
/// Panels listen to it and never to each other. A setter that changes nothing says nothing.
class ViewState : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    std::int64_t runEnd() const { return m_runEnd; }
    data::TimeRange range() const { return m_range; }
    /// Nothing: no moment is singled out and the whole run is drawn bright.
    std::optional<std::int64_t> cursor() const { return m_cursor; }
    /// Of the events of the cursor's moment only as many have happened as make this number in all, from the
    /// beginning; nothing: all of them.
    std::optional<std::uint64_t> eventsAtCursor() const { return m_eventsAtCursor; }
    std::optional<std::uint32_t> followedChunk() const { return m_followedChunk; }
    /// The GPU that is shown large. A run of fewer GPUs shows its last one.
    std::uint32_t focusedGpu() const { return m_focusedGpu; }
    /// The span whose facts are told. At most one of span and area is selected.
    std::optional<data::SpanRef> selectedSpan() const { return m_selectedSpan; }
    std::optional<data::Area> selectedArea() const { return m_selectedArea; }
    bool showsAll() const { return m_range == data::TimeRange{0, m_runEnd}; }

    /// A new run: what was zoomed stays zoomed, what showed all shows all of the new one.
    void setRunEnd(std::int64_t ps);
    /// Clamped into the run, never shorter than kShortestRange.
    void setRange(data::TimeRange range);
    void showAll() { setRange({0, m_runEnd}); }
    void setCursor(std::optional<std::int64_t> ps, std::optional<std::uint64_t> events = std::nullopt);
    /// Moves the range so that the cursor is seen, when it is not.
    void revealCursor();
    void setFollowedChunk(std::optional<std::uint32_t> chunk);
    void setFocusedGpu(std::uint32_t gpu);
    void selectSpan(data::SpanRef span);
    /// Clamped into the run; an empty stretch selects nothing.
    void selectArea(data::Area area);
    void clearSelection();

    static constexpr std::int64_t kShortestRange = TimelineGeometry::kShortestRange;

Q_SIGNALS:
    void runEndChanged(qint64 ps);
    void rangeChanged();
    void cursorChanged();
    void followedChunkChanged();
    void focusedGpuChanged();
    void selectionChanged();

private:
    std::int64_t m_runEnd = 1'000'000;
    data::TimeRange m_range{0, 1'000'000};
    std::optional<std::int64_t> m_cursor;
    std::optional<std::uint64_t> m_eventsAtCursor;
    std::optional<std::uint32_t> m_followedChunk;
    std::uint32_t m_focusedGpu = 0;
    std::optional<data::SpanRef> m_selectedSpan;
    std::optional<data::Area> m_selectedArea;
};

}  // namespace ui
