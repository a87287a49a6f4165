#include "ui/timeline/timeline_tools.h"

#include "ui/look/format.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

/// Left and right x of the matches that are in sight; those that would touch become one. At most one search for each
/// pixel, however many there are.
std::vector<std::pair<double, double>> markedColumns(const data::SpanMatches::Lane& matches,
                                                     const std::vector<engine::Span>& spans,
                                                     const TimelineGeometry& geometry) {
    std::vector<std::pair<double, double>> marks;
    const auto from = [&](std::vector<std::uint32_t>::const_iterator begin, std::int64_t ps) {
        return std::partition_point(begin, matches.spans.end(),
                                    [&](std::uint32_t span) { return spans[span].start.ps < ps; });
    };
    auto at = from(matches.spans.begin(), geometry.range.start);
    // One that began before and reaches into the picture.
    if (at != matches.spans.begin() && spans[*std::prev(at)].end.ps > geometry.range.start)
        --at;
    while (at != matches.spans.end() && spans[*at].start.ps < geometry.range.end) {
        const engine::Span& span = spans[*at];
        const double left = std::max(geometry.left, geometry.columnOf(span.start.ps));
        const double right =
            std::min(geometry.left + geometry.width, std::max(left + geometry.pixel, geometry.xOf(span.end.ps)));
        if (!marks.empty() && left <= marks.back().second)
            marks.back().second = std::max(marks.back().second, right);
        else
            marks.emplace_back(left, right);
        at = from(std::next(at), geometry.timeAt(left + geometry.pixel));
    }
    return marks;
}

}  // namespace
void SelectionOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (const auto span = m_viewState.selectedSpan(); span && m_flow && m_flow->contains(*span))
        paintSpan(painter, picture, *span);
    if (const auto area = m_viewState.selectedArea())
        paintArea(painter, picture, *area);
}

void SelectionOverlay::paintSpan(QPainter& painter, const TimelinePicture& picture, data::SpanRef span) const {
    const auto anchor = anchorOf(picture, *m_flow, span);
    if (!anchor)
        return;
    // However short the span, there is something to see; a light line outside the dark one parts it from any colour.
    const double least = picture.line * 0.35;
    QRectF box = anchor->box;
    if (box.width() < least)
        box.adjust(-(least - box.width()) / 2, 0, (least - box.width()) / 2, 0);
    // Ends far outside would make a dash pattern a matter of seconds.
    box = box.intersected(picture.clip.adjusted(-picture.line, -picture.line, picture.line, picture.line));
    if (box.isEmpty())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.surface, 2));
    painter.drawRect(box.adjusted(-3, -3, 3, 3));
    painter.setPen(QPen(picture.palette.ink, 2, anchor->own ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(box.adjusted(-1, -1, 1, 1));
}

void SelectionOverlay::paintArea(QPainter& painter, const TimelinePicture& picture, const data::Area& area) const {
    const auto rows = rowsOf(picture, area.firstGpu, area.lastGpu);
    if (!rows)
        return;
    const double left = std::max(picture.geometry.xOf(area.range.start), picture.clip.left() - 4);
    const double right = std::min(picture.geometry.xOf(area.range.end), picture.clip.right() + 4);
    if (right <= left)
        return;
    const double margin = picture.line * 0.15;
    const QRectF box(QPointF(left, rows->first - margin), QPointF(right, rows->second + margin));
    painter.fillRect(box, Palette::seeThrough(picture.palette.accent, picture.palette.theme == Theme::dark ? 70 : 45));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.accent, 2));
    painter.drawRect(box);
    drawPlate(painter, picture, QPointF(box.center().x(), std::max(box.top(), picture.clip.top()) + picture.line * 0.8),
              formatTime(area.range.span()), picture.palette.accent);
}

void MatchesOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (!m_matches || m_matches->count() == 0)
        return;
    const data::Flow& flow = m_matches->flow();
    const double thickness = std::max(2.0, picture.line * 0.16);
    const QColor color = picture.palette.cursor;
    const QColor veil = Palette::seeThrough(color, 70);
    for (const data::SpanMatches::Lane& lane : m_matches->lanes()) {
        const data::SpanRef any{lane.gpu, lane.lane, lane.spans.front()};
        const auto anchor = anchorOf(picture, flow, any);
        if (!anchor)
            continue;
        for (const auto& [left, right] : markedColumns(lane, flow.lane(any).spans, picture.geometry)) {
            const double width = std::max(right - left, 2.0);
            painter.fillRect(QRectF(left, anchor->box.top(), width, anchor->box.height()), veil);
            painter.fillRect(QRectF(left, anchor->box.bottom() - thickness, width, thickness), color);
            // And under the axis, for rows that are scrolled away.
            painter.fillRect(QRectF(left, picture.clip.top(), width, thickness), color);
        }
    }
}

void BookmarkOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    const QColor color = picture.palette.accent;
    QFont small = painter.font();
    small.setPixelSize(std::max(7, static_cast<int>(picture.line * 0.7)));
    for (int number = 1; number <= Bookmarks::kLast; ++number) {
        const auto& bookmark = m_bookmarks.at(number);
        if (!bookmark)
            continue;
        const double x = std::floor(picture.geometry.xOf(bookmark->moment()));
        const double size = std::round(picture.line * 0.95);
        if (x < picture.clip.left() - size || x > picture.clip.right())
            continue;
        const QRectF flag(x, picture.clip.top(), size, size);
        painter.fillRect(QRectF(x, picture.clip.top(), 1, picture.line * 2), picture.palette.ink);
        painter.setPen(QPen(picture.palette.ink, 1));
        painter.setBrush(color);
        painter.drawRect(flag);
        painter.setPen(Palette::inkOn(color));
        QFont before = painter.font();
        painter.setFont(small);
        painter.drawText(flag, Qt::AlignCenter, QString::number(number));
        painter.setFont(before);
    }
}

void LaneSpotOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (!m_lane)
        return;
    const RowKind own = *m_lane == engine::LaneKind::dramChannel ? RowKind::dram : rowsNear(*m_lane).front();
    const RowKind owner = LaneArrangement::lanesOwner(own);
    const auto has = [&](RowKind kind) {
        return std::find_if(picture.rows.begin(), picture.rows.end(),
                            [kind](const PicturedRow& row) { return row.row.kind == kind; });
    };
    auto row = has(own);
    if (row == picture.rows.end())
        row = has(owner);
    if (row == picture.rows.end())
        return;
    const double line = picture.line / 7, half = line / 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.of(Role::exposed), line));
    painter.drawRoundedRect(row->box.adjusted(half, half, -half, -half), line * 2, line * 2);
}

TimelineTools::TimelineTools(const ViewState& viewState, const Bookmarks& bookmarks, Measures& measures,
                             TimelineView& view)
    : m_view(view), m_selection(viewState), m_flow(viewState), m_measures(measures, view), m_bookmarks(bookmarks) {
    // Marks of a search lie beneath what was chosen among them; arrows beneath the outline that they lead to.
    for (const TimelineOverlay* overlay :
         std::initializer_list<const TimelineOverlay*>{&m_matches, &m_flow, &m_selection, &m_measures, &m_bookmarks})
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
