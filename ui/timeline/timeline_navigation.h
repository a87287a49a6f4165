#pragma once

#include "data/replay/time_range.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

class LaneEditor;
class TimelineLayout;
class TimelineModel;
class ViewState;

/// What was in sight, as a browser remembers pages. Changes that follow each other closely, such as the notches of a
/// wheel or the steps of a drag, are one.
class ZoomHistory {
public:
    static constexpr std::int64_t kPauseMs = 700;  ///< that long without a change begins another entry
    static constexpr std::size_t kMostEntries = 100;

    /// The range has become `range` at `nowMs` of any clock.
    void record(data::TimeRange range, std::int64_t nowMs);
    /// The range to show instead; nothing at the end. What is shown then need not be recorded, though it may.
    std::optional<data::TimeRange> back();
    std::optional<data::TimeRange> forward();
    /// Of another run: what was in sight there means nothing here.
    void restart(data::TimeRange range);

private:
    std::vector<data::TimeRange> m_entries;
    std::size_t m_at = 0;
    std::optional<std::int64_t> m_lastMs;
};

/// Moves the range in sight and the selection: zooms, pans, goes back and forward, steps from span to span.
class TimelineNavigation {
public:
    /// All must outlive it.
    TimelineNavigation(ViewState& viewState, const TimelineLayout& layout, LaneEditor& lanes);

    void zoomBy(double factor);            ///< around the cursor if it is in sight, else around the middle
    void zoomAt(double x, double factor);  ///< the moment at `x` stays there
    void panBy(double share);              ///< of the visible range
    void goBack();                         ///< to the range that was in sight before
    void goForward();
    /// Records the range that is in sight now, as a step to go back to.
    void recordRange();
    /// Forgets the ranges before this one: those of another run mean nothing.
    void restartHistory();

    void showSelection();          ///< brings it into sight and leaves the zoom as far as it can
    void zoomToSelection();        ///< as large as it fits
    void selectNeighbour(int by);  ///< the next or previous span of the selected one's lane, or of the lane in focus

private:
    std::optional<data::TimeRange> selectedRange() const;

    ViewState& m_viewState;
    const TimelineLayout& m_layout;
    LaneEditor& m_lanes;
    ZoomHistory m_history;
};

}  // namespace ui
