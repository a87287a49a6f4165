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

/// The history of visible ranges, like the pages of a browser. Changes in quick succession, such as the steps of a
/// wheel or a drag, count as one.
class ZoomHistory {
public:
    static constexpr std::int64_t kPauseMs = 700;  ///< a pause of this length begins a new entry
    static constexpr std::size_t kMostEntries = 100;

    /// Records that the range has changed to `range`, at `nowMs` of any clock.
    void record(data::TimeRange range, std::int64_t nowMs);
    /// Returns the range to show instead; an empty optional at the end of the history. Recording that range afterwards
    /// has no effect.
    std::optional<data::TimeRange> back();
    std::optional<data::TimeRange> forward();
    /// Clears the history for another run, in which the former ranges have no meaning.
    void restart(data::TimeRange range);

private:
    std::vector<data::TimeRange> m_entries;
    std::size_t m_at = 0;
    std::optional<std::int64_t> m_lastMs;
};

/// Changes the visible range and the selection: zooms, pans, goes back and forward, steps from span to span.
class TimelineNavigation {
public:
    /// All must outlive the navigation.
    TimelineNavigation(ViewState& viewState, const TimelineLayout& layout, LaneEditor& lanes);

    void zoomBy(double factor);            ///< around the cursor if it is visible, else around the middle
    void zoomAt(double x, double factor);  ///< the time at `x` stays there
    void panBy(double share);              ///< by this share of the visible range
    void goBack();                         ///< to the range that was visible before
    void goForward();
    /// Records the visible range as a step to go back to.
    void recordRange();
    /// Clears the history, because the former ranges belong to another run.
    void restartHistory();

    void showSelection();    ///< moves it into view; changes the zoom only if necessary
    void zoomToSelection();  ///< as large as possible
    void
    selectNeighbour(int by);  ///< the next or previous span in the lane of the selected one, or in the lane in focus

private:
    std::optional<data::TimeRange> selectedRange() const;

    ViewState& m_viewState;
    const TimelineLayout& m_layout;
    LaneEditor& m_lanes;
    ZoomHistory m_history;
};

}  // namespace ui
