#include "ui/timeline/timeline_tools.h"

#include "ui/look/format.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kGrip = 4;  // pixels on both sides of an end that a hand can take hold of it
constexpr double kSnap = 8;

}  // namespace

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
    if (const auto spot = m_view.spotAt(event.position())) {
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

}  // namespace ui
