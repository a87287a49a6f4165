#include "ui/timeline/timeline_navigation.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/lane_editor.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/timeline_layout.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ui {
namespace {

constexpr double kMargin = 0.08;  // on both sides of the selection, as a share of its time

std::int64_t nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

TimelineNavigation::TimelineNavigation(ViewState& viewState, const TimelineLayout& layout, LaneEditor& lanes)
    : m_viewState(viewState), m_layout(layout), m_lanes(lanes) {
    restartHistory();
}

void TimelineNavigation::zoomBy(double factor) {
    const TimelineGeometry& geometry = m_layout.geometry();
    const bool shown = m_viewState.cursor() && *m_viewState.cursor() >= geometry.range.start &&
                       *m_viewState.cursor() <= geometry.range.end;
    zoomAt(shown ? geometry.xOf(*m_viewState.cursor()) : geometry.left + geometry.width / 2, factor);
}

void TimelineNavigation::zoomAt(double x, double factor) {
    m_viewState.setRange(m_layout.geometry().zoomed(x, factor, m_viewState.runEnd()));
}

void TimelineNavigation::panBy(double share) {
    m_viewState.setRange(m_layout.geometry().panned(share * m_layout.geometry().width, m_viewState.runEnd()));
}

void TimelineNavigation::goBack() {
    if (const std::optional<data::TimeRange> range = m_history.back())
        m_viewState.setRange(*range);
}

void TimelineNavigation::goForward() {
    if (const std::optional<data::TimeRange> range = m_history.forward())
        m_viewState.setRange(*range);
}

void TimelineNavigation::recordRange() { m_history.record(m_viewState.range(), nowMs()); }

void TimelineNavigation::restartHistory() { m_history.restart(m_viewState.range()); }

std::optional<data::TimeRange> TimelineNavigation::selectedRange() const {
    if (m_viewState.selectedArea())
        return m_viewState.selectedArea()->range;
    const data::TraceIndex* index = m_layout.model().index();
    if (!m_viewState.selectedSpan() || index == nullptr)
        return std::nullopt;
    const data::SpanRef ref = *m_viewState.selectedSpan();
    const std::vector<engine::Lane>& lanes = index->trace().lanes;
    if (ref.lane >= lanes.size() || ref.span >= lanes[ref.lane].spans.size())
        return std::nullopt;
    const engine::Span& span = lanes[ref.lane].spans[ref.span];
    return data::TimeRange{span.start.ps, span.end.ps};
}

void TimelineNavigation::showSelection() {
    const std::optional<data::TimeRange> wanted = selectedRange();
    if (!wanted)
        return;
    const data::TimeRange range = m_viewState.range();
    const std::int64_t span = std::max(range.span(), wanted->span());
    if (wanted->start < range.start || wanted->end > range.end) {
        const std::int64_t start = wanted->start + wanted->span() / 2 - span / 2;
        m_viewState.setRange({start, start + span});
    }
    if (!m_viewState.selectedSpan())
        return;
    const std::vector<Row>& rows = m_layout.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (shownIn(m_layout.model(), rows[i], *m_viewState.selectedSpan()))
            return m_lanes.revealRow(i);
    }
}

void TimelineNavigation::zoomToSelection() {
    const std::optional<data::TimeRange> wanted = selectedRange();
    if (!wanted)
        return;
    const auto margin = static_cast<std::int64_t>(std::llround(static_cast<double>(wanted->span()) * kMargin));
    m_viewState.setRange({wanted->start - margin, wanted->end + margin});
    showSelection();
}

void TimelineNavigation::selectNeighbour(int by) {
    const TimelineModel& model = m_layout.model();
    const std::vector<Row>& rows = m_layout.rows();
    if (model.index() == nullptr || rows.empty() || by == 0)
        return;
    const std::optional<data::SpanRef> selected = m_viewState.selectedSpan();
    std::size_t row = m_lanes.focusedRow().value_or(0);
    // Takes the row in focus if it shows the selected span, else the first row that shows it.
    for (std::size_t i = 0; selected && i < rows.size() && !shownIn(model, rows[row], *selected); ++i) {
        if (shownIn(model, rows[i], *selected))
            row = i;
    }
    const bool known = selected && shownIn(model, rows[row], *selected);
    const std::int64_t edge = by > 0 ? m_viewState.range().start : m_viewState.range().end;
    const std::optional<data::SpanRef> best =
        neighbourIn(model, rows[row], known ? selected : std::nullopt, m_viewState.cursor().value_or(edge), by);
    if (!best)
        return;
    m_lanes.focusRow(row);
    m_viewState.selectSpan(*best);
    showSelection();
}

}  // namespace ui
