#pragma once

#include "data/experiment/gpu_part.h"
#include "data/replay/span_ref.h"
#include "ui/look/timeline_geometry.h"

#include <QJsonValue>
#include <QObject>

#include <cstdint>
#include <optional>

namespace ui {

/// The state that all panels share: the visible range, the time cursor, the followed chunk, the focused GPU, the
/// selection. Panels listen to this object and never to each other. A setter emits a signal only if it changes
/// something.
class ViewState : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    std::int64_t runEnd() const { return m_runEnd; }
    data::TimeRange range() const { return m_range; }
    /// Returns the time of the cursor, or an empty optional if there is none; the whole run is then drawn bright.
    std::optional<std::int64_t> cursor() const { return m_cursor; }
    /// Returns how many events, counted from the start of the run, have happened at the cursor: some of the events at
    /// the cursor's time may still follow. An empty optional: all of them have happened.
    std::optional<std::uint64_t> eventsAtCursor() const { return m_eventsAtCursor; }
    std::optional<std::uint32_t> followedChunk() const { return m_followedChunk; }
    /// Returns the GPU that is shown large. A run with fewer GPUs shows its last one.
    std::uint32_t focusedGpu() const { return m_focusedGpu; }
    /// Returns the span whose facts are shown. At most one of span, area and part is selected.
    std::optional<data::SpanRef> selectedSpan() const { return m_selectedSpan; }
    std::optional<data::Area> selectedArea() const { return m_selectedArea; }
    /// Returns the selected part of the focused GPU.
    std::optional<data::GpuPartRef> selectedPart() const { return m_selectedPart; }
    bool showsAll() const { return m_range == data::TimeRange{0, m_runEnd}; }

    /// Sets the end of a new run. A zoomed range stays; a range that showed the whole run shows the whole new run.
    void setRunEnd(std::int64_t ps);
    /// Sets the visible range, clamped to the run and never shorter than kShortestRange.
    void setRange(data::TimeRange range);
    void showAll() { setRange({0, m_runEnd}); }
    void setCursor(std::optional<std::int64_t> ps, std::optional<std::uint64_t> events = std::nullopt);
    /// Moves the range so that the cursor is visible, if it is not.
    void revealCursor();
    void setFollowedChunk(std::optional<std::uint32_t> chunk);
    void setFocusedGpu(std::uint32_t gpu);
    void selectSpan(data::SpanRef span);
    /// Selects an area, clamped to the run; an empty area selects nothing.
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

/// Returns the range, the cursor and the followed chunk as JSON for the session's file; null if the whole run is shown
/// and neither a cursor nor a chunk is set.
QJsonValue savedMoment(const ViewState& state);

/// Restores what savedMoment() returned, in a run on `gpus` GPUs that `state` already has. Returns false and changes
/// nothing if `kept` does not fit the run.
bool restoreMoment(const QJsonValue& kept, ViewState& state, std::int64_t gpus);

/// The end of the time axis, chosen so that lengths of runs can be compared by eye: the longest of the shown and the
/// pinned run, or of all compared runs. All times are in picoseconds.
class RunReach final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void setShown(std::int64_t end);
    void setPinned(std::int64_t end);  ///< 0: no run is pinned
    /// Sets the end of the longest compared run while the window compares runs; an empty optional otherwise.
    void setCompared(std::optional<std::int64_t> end);

    /// Returns the time at which playback ends.
    std::int64_t playEnd() const;
    /// Returns the time at which the axis ends.
    std::int64_t axisEnd() const;

Q_SIGNALS:
    void changed();

private:
    std::int64_t m_shown = 0, m_pinned = 0;
    std::optional<std::int64_t> m_compared;
};

}  // namespace ui
