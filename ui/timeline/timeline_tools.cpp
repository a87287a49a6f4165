#include "ui/timeline/timeline_tools.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/overlay_anchor.h"
#include "ui/timeline/timeline_view.h"

#include <QScrollBar>

namespace ui {

TimelineTools::TimelineTools(const ViewState& viewState, const Bookmarks& bookmarks, Measures& measures,
                             TimelineView& view)
    : m_view(view), m_selection(viewState), m_flow(viewState), m_measures(measures, view), m_bookmarks(bookmarks) {
    // Marks of a search lie beneath what was chosen among them; arrows beneath the outline that they lead to.
    for (const TimelineOverlay* overlay :
         {static_cast<const TimelineOverlay*>(&m_matches), static_cast<const TimelineOverlay*>(&m_flow),
          static_cast<const TimelineOverlay*>(&m_selection), static_cast<const TimelineOverlay*>(&m_measures),
          static_cast<const TimelineOverlay*>(&m_bookmarks)})
        m_view.addOverlay(*overlay);
    connect(&viewState, &ViewState::selectionChanged, &m_view, &TimelineView::repaintOverlays);
    connect(&bookmarks, &Bookmarks::changed, &m_view, &TimelineView::repaintOverlays);
}

void TimelineTools::showRun(std::shared_ptr<const data::Flow> flow) {
    m_matches.showMatches(nullptr);
    m_shown = std::move(flow);
    m_selection.showRun(m_shown);
    m_flow.showRun(m_shown);
    m_view.repaintOverlays();
}

void TimelineTools::showMatches(std::shared_ptr<const data::SpanMatches> matches) {
    m_matches.showMatches(std::move(matches));
    m_view.repaintOverlays();
}

void TimelineTools::reveal(data::SpanRef span) {
    const TimelinePicture picture = m_view.picture();
    const auto anchor = m_shown && m_shown->contains(span) ? anchorOf(picture, *m_shown, span) : std::nullopt;
    if (!anchor || (anchor->box.top() >= picture.clip.top() && anchor->box.bottom() <= picture.clip.bottom()))
        return;
    QScrollBar* bar = m_view.verticalScrollBar();
    bar->setValue(bar->value() + static_cast<int>(anchor->box.center().y() - picture.clip.center().y()));
}

}  // namespace ui
