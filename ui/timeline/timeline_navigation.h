#pragma once

#include "data/replay/time_range.h"
#include "ui/look/zoom_history.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

class LaneEditor;
class TimelineLayout;
class TimelineModel;
class ViewState;

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
