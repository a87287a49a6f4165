#pragma once

#include "data/experiment/gpu_part.h"
#include "data/replay/span_ref.h"
#include "ui/look/timeline_geometry.h"

#include <QJsonValue>
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
    /// The span whose facts are told. At most one of span, area and part is selected.
    std::optional<data::SpanRef> selectedSpan() const { return m_selectedSpan; }
    std::optional<data::Area> selectedArea() const { return m_selectedArea; }
    /// A part of the GPU in focus.
    std::optional<data::GpuPartRef> selectedPart() const { return m_selectedPart; }
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
    void selectPart(data::GpuPartRef part);
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
    std::optional<data::GpuPartRef> m_selectedPart;
};

/// Returns the range, the cursor and the followed chunk as the session's file keeps them; null if the whole run is shown
/// and neither a cursor nor a chunk is set.
QJsonValue savedMoment(const ViewState& state);

/// Restores what savedMoment() returned, in a run on `gpus` GPUs that `state` already has. Returns false and changes
/// nothing if `kept` does not fit the run.
bool restoreMoment(const QJsonValue& kept, ViewState& state, std::int64_t gpus);

/// How far the axis of time reaches, so that lengths of runs can be compared by eye: over the run that is shown and the
/// pinned one, or over all runs that are compared. All times in picoseconds.
class RunReach final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void setShown(std::int64_t end);
    void setPinned(std::int64_t end);  ///< 0: no run is pinned
    /// The longest of the compared runs while they are what the window shows; nothing else.
    void setCompared(std::optional<std::int64_t> end);

    /// Where playback ends.
    std::int64_t playEnd() const;
    /// Where the axis ends.
    std::int64_t axisEnd() const;

Q_SIGNALS:
    void changed();

private:
    std::int64_t m_shown = 0, m_pinned = 0;
    std::optional<std::int64_t> m_compared;
};

}  // namespace ui
