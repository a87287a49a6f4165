// The part of TimelineView that moves what is in sight and what is selected.
#include "ui/shared/view_state.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kMargin = 0.08;  // of what is zoomed to, on both sides

}  // namespace

void TimelineView::zoomBy(double factor) {
    const bool shown = m_viewState.cursor() && *m_viewState.cursor() >= m_geometry.range.start &&
                       *m_viewState.cursor() <= m_geometry.range.end;
    const double x = shown ? m_geometry.xOf(*m_viewState.cursor()) : m_geometry.left + m_geometry.width / 2;
    m_viewState.setRange(m_geometry.zoomed(x, factor, m_viewState.runEnd()));
}

void TimelineView::panBy(double share) {
    m_viewState.setRange(m_geometry.panned(share * m_geometry.width, m_viewState.runEnd()));
}

void TimelineView::goBack() {
    if (const std::optional<data::TimeRange> range = m_history.back())
        m_viewState.setRange(*range);
}

void TimelineView::goForward() {
    if (const std::optional<data::TimeRange> range = m_history.forward())
        m_viewState.setRange(*range);
}

std::optional<data::TimeRange> TimelineView::selectedRange() const {
    if (m_viewState.selectedArea())
        return m_viewState.selectedArea()->range;
    if (!m_viewState.selectedSpan() || m_model.index() == nullptr)
        return std::nullopt;
    const data::SpanRef ref = *m_viewState.selectedSpan();
    const std::vector<engine::Lane>& lanes = m_model.index()->trace().lanes;
    if (ref.lane >= lanes.size() || ref.span >= lanes[ref.lane].spans.size())
        return std::nullopt;
    const engine::Span& span = lanes[ref.lane].spans[ref.span];
    return data::TimeRange{span.start.ps, span.end.ps};
}

void TimelineView::showSelection() {
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
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (shownIn(m_model, m_rows[i], *m_viewState.selectedSpan()))
            return revealRow(i);
    }
}

void TimelineView::zoomToSelection() {
    const std::optional<data::TimeRange> wanted = selectedRange();
    if (!wanted)
        return;
    const auto margin = static_cast<std::int64_t>(std::llround(static_cast<double>(wanted->span()) * kMargin));
    m_viewState.setRange({wanted->start - margin, wanted->end + margin});
    showSelection();
}

void TimelineView::selectNeighbour(int by) {
    if (m_model.index() == nullptr || m_rows.empty() || by == 0)
        return;
    const std::optional<data::SpanRef> selected = m_viewState.selectedSpan();
    std::size_t row = focusedRow().value_or(0);
    // In the row in focus if it shows the span that is selected, else in the first that does.
    for (std::size_t i = 0; selected && i < m_rows.size() && !shownIn(m_model, m_rows[row], *selected); ++i) {
        if (shownIn(m_model, m_rows[i], *selected))
            row = i;
    }
    const bool known = selected && shownIn(m_model, m_rows[row], *selected);
    const std::int64_t edge = by > 0 ? m_viewState.range().start : m_viewState.range().end;
    const std::optional<data::SpanRef> best =
        neighbourIn(m_model, m_rows[row], known ? selected : std::nullopt, m_viewState.cursor().value_or(edge), by);
    if (!best)
        return;
    focusRow(row);
    m_viewState.selectSpan(*best);
    showSelection();
}

// While a span is selected . and , go along its lane, otherwise they are playback's.
bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && spanStep(*static_cast<QKeyEvent*>(event)) != 0)
        event->accept();
    return QAbstractScrollArea::event(event);
}

int TimelineView::spanStep(const QKeyEvent& event) const {
    if (!m_viewState.selectedSpan() || event.modifiers() != Qt::NoModifier)
        return 0;
    return event.key() == Qt::Key_Period ? 1 : event.key() == Qt::Key_Comma ? -1 : 0;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (const int step = spanStep(*event); step != 0) {
        selectNeighbour(step);
    } else {
        event->ignore();  // arrows would scroll; what they mean here is a command's
    }
}

void TimelineView::speakSelection() {
    const std::optional<data::SpanRef> selected = m_viewState.selectedSpan();
    const QString words = selected && m_model.index() != nullptr ? spanInWords(m_model, *selected) : QString();
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

}  // namespace ui
