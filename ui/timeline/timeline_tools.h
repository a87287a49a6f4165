#pragma once

#include "ui/timeline/bookmark_overlay.h"
#include "ui/timeline/flow_overlay.h"
#include "ui/timeline/matches_overlay.h"
#include "ui/timeline/measure_overlay.h"
#include "ui/timeline/selection_overlay.h"

#include <QObject>

namespace ui {

/// What is drawn upon the timeline besides the run: selection, the selection's way through the ring, rulers, matches
/// of a search, bookmarks. Repaints it when one of them changes.
class TimelineTools final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the tools; the view may be deleted before them.
    TimelineTools(const ViewState& viewState, const Bookmarks& bookmarks, Measures& measures, TimelineView& view);

    void showRun(std::shared_ptr<const data::Flow> flow);
    void showMatches(std::shared_ptr<const data::SpanMatches> matches);
    /// Scrolls to the row of a span or, where it has none, to that of its GPU which comes nearest.
    void reveal(data::SpanRef span);

private:
    TimelineView& m_view;
    std::shared_ptr<const data::Flow> m_shown;
    SelectionOverlay m_selection;
    FlowOverlay m_flow;
    MatchesOverlay m_matches;
    MeasureOverlay m_measures;
    BookmarkOverlay m_bookmarks;
};

}  // namespace ui
