#include "ui/timeline/timeline_tools.h"

#include "ui/look/format.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kGrip = 4;  // pixels on both sides of an end in which a press grips the end
constexpr double kSnap = 8;  // pixels

/// Returns the left and right x of the visible matches; matches that would touch become one. Searches at most once for
/// each pixel, however many matches there are.
std::vector<std::pair<double, double>> markedColumns(const data::SpanMatches::Lane& matches,
                                                     const std::vector<engine::Span>& spans,
                                                     const TimelineGeometry& geometry) {
    std::vector<std::pair<double, double>> marks;
    const auto from = [&](std::vector<std::uint32_t>::const_iterator begin, std::int64_t ps) {
        return std::partition_point(begin, matches.spans.end(),
                                    [&](std::uint32_t span) { return spans[span].start.ps < ps; });
    };
    auto at = from(matches.spans.begin(), geometry.range.start);
    // Includes a match that begins before the range and reaches into it.
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

constexpr double kLeastArrow = 6;  // pixels: a shorter arrow would consist of its head only

/// The two points at which an arrow begins and ends.
struct ArrowEnds {
    QPointF from, to;
};

QPainterPath curveOf(const ArrowEnds& ends, double line) {
    const double dx = ends.to.x() - ends.from.x();
    const double dy = ends.to.y() - ends.from.y();
    // The ends of the curve are level if time passes along it; an arrow between two rows at the same time is straight.
    const double bend = std::clamp(dx * 0.5, 0.0, line * 5);
    const double rise = dx > 0 ? dy * std::clamp(0.4 - bend / (line * 5), 0.0, 0.4) : dy * 0.4;
    QPainterPath path(ends.from);
    path.cubicTo(ends.from + QPointF(bend, rise), ends.to - QPointF(bend, rise), ends.to);
    return path;
}

void drawHead(QPainter& painter, const QPainterPath& path, double share, double size) {
    const QPointF tip = path.pointAtPercent(share);
    const double length = std::max(1.0, path.length());
    const QPointF before = path.pointAtPercent(std::max(0.0, share - size / length));
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    QPainterPath head(tip);
    for (const double turn : {0.42, -0.42})
        head.lineTo(tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size);
    head.closeSubpath();
    painter.drawPath(head);
}

/// Returns the last position on the path that is inside `clip`, 0 to 1; an empty optional if the path is outside.
std::optional<double> lastInside(const QPainterPath& path, const QRectF& clip) {
    constexpr int kSteps = 48;
    for (int i = kSteps; i >= 0; --i) {
        const double share = static_cast<double>(i) / kSteps;
        if (clip.contains(path.pointAtPercent(share)))
            return share;
    }
    return std::nullopt;
}

/// Returns the arrow from one span to the next, between the boxes that represent them. It begins at the end of the
/// first span, or at the start of the second if that is earlier; at a tracked tile it ends at the tile's completion.
ArrowEnds arrowBetween(const data::Flow& flow, const data::FlowEdge& edge, const QRectF& from, const QRectF& to,
                       const TimelineGeometry& geometry) {
    const engine::Span& cause = flow.span(edge.from);
    const engine::Span& effect = flow.span(edge.to);
    const bool completes = effect.kind == engine::SpanKind::trackedTile;
    const std::int64_t leaves = completes ? cause.end.ps : std::clamp(effect.start.ps, cause.start.ps, cause.end.ps);
    const std::int64_t arrives = completes ? std::clamp(cause.end.ps, effect.start.ps, effect.end.ps) : effect.start.ps;
    return {QPointF(geometry.xOf(leaves), from.center().y()), QPointF(geometry.xOf(arrives), to.center().y())};
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
    // The outline of a short span is widened to be visible. A light line around the dark one sets it off from any fill.
    const double least = picture.line * 0.35;
    QRectF box = anchor->box;
    if (box.width() < least)
        box.adjust(-(least - box.width()) / 2, 0, (least - box.width()) / 2, 0);
    // Cuts off ends far outside the picture: drawing their dash pattern would take seconds.
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
    const QColor dimming = Palette::seeThrough(color, 70);
    for (const data::SpanMatches::Lane& lane : m_matches->lanes()) {
        const data::SpanRef any{lane.gpu, lane.lane, lane.spans.front()};
        const auto anchor = anchorOf(picture, flow, any);
        if (!anchor)
            continue;
        for (const auto& [left, right] : markedColumns(lane, flow.lane(any).spans, picture.geometry)) {
            const double width = std::max(right - left, 2.0);
            painter.fillRect(QRectF(left, anchor->box.top(), width, anchor->box.height()), dimming);
            painter.fillRect(QRectF(left, anchor->box.bottom() - thickness, width, thickness), color);
            // Marks the match under the axis, too, for rows that are scrolled out of view.
            painter.fillRect(QRectF(left, picture.clip.top(), width, thickness), color);
        }
    }
}

void BookmarkOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    const QColor color = picture.palette.accent;
    QFont small = painter.font();
    small.setPixelSize(std::max(7, static_cast<int>(picture.line * 0.7)));
    painter.setFont(small);
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
        painter.drawText(flag, Qt::AlignCenter, QString::number(number));
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

void FlowOverlay::showRun(std::shared_ptr<const data::Flow> flow) {
    m_flow = std::move(flow);
    m_chainOf.reset();
}

const data::FlowChain& FlowOverlay::chain(data::SpanRef of) const {
    if (m_chainOf != of) {
        m_chain = m_flow->chain(of);
        m_chainOf = of;
    }
    return m_chain;
}

void FlowOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    const auto selected = m_viewState.selectedSpan();
    if (!selected || !m_flow || !m_flow->contains(*selected))
        return;
    struct Arrow {
        QPainterPath path;
        double inside;
        bool decisive;
    };
    std::vector<Arrow> arrows;
    for (const data::FlowEdge& edge : chain(*selected).edges) {
        const auto from = anchorOf(picture, *m_flow, edge.from);
        const auto to = anchorOf(picture, *m_flow, edge.to);
        if (!from || !to)
            continue;
        const ArrowEnds ends = arrowBetween(*m_flow, edge, from->box, to->box, picture.geometry);
        const QRectF extent = QRectF(ends.from, ends.to).normalized().adjusted(-1, -1, 1, 1);
        if (std::hypot(ends.to.x() - ends.from.x(), ends.to.y() - ends.from.y()) < kLeastArrow ||
            !extent.intersects(picture.clip))
            continue;
        const QPainterPath path = curveOf(ends, picture.line);
        if (const auto inside = lastInside(path, picture.clip))
            arrows.push_back({path, *inside, edge.decisive});
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = std::max(1.5, picture.line * 0.1);
    const double head = picture.line * 0.55;
    // Draws all halos first, so that the halo of one arrow does not cut another arrow in two.
    painter.setBrush(Qt::NoBrush);
    const QColor halo = Palette::seeThrough(picture.palette.surface, 215);
    painter.setPen(QPen(halo, width * 2.6));
    for (const Arrow& arrow : arrows)
        painter.drawPath(arrow.path);
    for (const Arrow& arrow : arrows) {
        const QColor color = arrow.decisive ? picture.palette.ink : picture.palette.inkSoft;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(
            QPen(color, arrow.decisive ? width : width * 0.8, arrow.decisive ? Qt::SolidLine : Qt::DashLine));
        painter.drawPath(arrow.path);
        painter.setPen(QPen(halo, 1));
        painter.setBrush(color);
        drawHead(painter, arrow.path, arrow.inside, head);
    }
}

MeasureOverlay::MeasureOverlay(Measures& measures, TimelineView& view) : m_measures(measures), m_view(view) {
    view.viewport()->installEventFilter(this);
    connect(&measures, &Measures::changed, &view, &TimelineView::repaintOverlays);
}

void MeasureOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    for (const data::TimeRange& range : m_measures.kept())
        paintRuler(painter, picture, range, false);
    if (m_measures.current())
        paintRuler(painter, picture, *m_measures.current(), true);
}

void MeasureOverlay::paintRuler(QPainter& painter, const TimelinePicture& picture, data::TimeRange range,
                                bool current) const {
    const TimelineGeometry& geometry = picture.geometry;
    const double left = geometry.xOf(range.start);
    const double right = geometry.xOf(range.end);
    if (right < picture.clip.left() || left > picture.clip.right())
        return;
    const QColor color = current ? picture.palette.ink : picture.palette.inkSoft;
    const double y = picture.clip.bottom() - picture.line * (current ? 1.0 : 2.5);
    painter.setPen(QPen(color, current ? 2 : 1, current ? Qt::SolidLine : Qt::DashLine));
    for (const double x : {left, right}) {
        if (x >= picture.clip.left() - 1 && x <= picture.clip.right() + 1)
            painter.drawLine(QPointF(x, picture.clip.top()), QPointF(x, picture.clip.bottom()));
    }
    const double from = std::max(left, picture.clip.left() - 2);
    const double to = std::min(right, picture.clip.right() + 2);
    painter.setPen(QPen(color, current ? 2 : 1));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    const double tick = picture.line * 0.3;
    for (const double x : {from, to}) {
        if (x == left || x == right)
            painter.drawLine(QPointF(x, y - tick), QPointF(x, y + tick));
    }
    drawPlate(painter, picture, QPointF((from + to) / 2, y), formatTime(range.span(), 5), color);
}

MeasureOverlay::End MeasureOverlay::endAt(QPointF position) const {
    if (!m_measures.current() || !m_view.picture().clip.contains(position))
        return End::none;
    const TimelineGeometry geometry = m_view.geometry();
    const double start = std::abs(geometry.xOf(m_measures.current()->start) - position.x());
    const double end = std::abs(geometry.xOf(m_measures.current()->end) - position.x());
    if (std::min(start, end) > kGrip)
        return End::none;
    return start < end ? End::start : End::end;
}

bool MeasureOverlay::press(const QMouseEvent& event) {
    const End end = event.button() == Qt::LeftButton ? endAt(event.position()) : End::none;
    if (end == End::none)
        return false;
    m_dragged = end;
    m_other = end == End::start ? m_measures.current()->end : m_measures.current()->start;
    return true;
}

bool MeasureOverlay::move(const QMouseEvent& event) {
    if (m_dragged == End::none) {
        if (event.buttons() != Qt::NoButton || endAt(event.position()) == End::none)
            return false;
        m_view.viewport()->setCursor(Qt::SizeHorCursor);
        return true;
    }
    const TimelineGeometry geometry = m_view.geometry();
    std::int64_t ps = geometry.timeAt(event.position().x());
    if (const auto spot = m_view.layout().spotAt(event.position())) {
        const auto reach = static_cast<std::int64_t>(geometry.psPerPixel() / geometry.pixel * kSnap);
        ps = snapped(tracksOf(m_view.model(), m_view.picture().rows[spot->row].row), spot->ps, reach);
    }
    m_measures.moveTo({m_other, ps});
    return true;
}

bool MeasureOverlay::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove: return move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease: return std::exchange(m_dragged, End::none) != End::none;
    default: return QObject::eventFilter(watched, event);
    }
}

TimelineTools::TimelineTools(const ViewState& viewState, const Bookmarks& bookmarks, Measures& measures,
                             TimelineView& view)
    : m_view(view), m_selection(viewState), m_flow(viewState), m_measures(measures, view), m_bookmarks(bookmarks) {
    // In this order, from back to front: a selected match covers its mark, and the outline of the selected span covers
    // the arrows that lead to it.
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
