// The part of TimelineView that answers hands: wheel, buttons and keys.
#include "ui/shared/view_state.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kWheelZoom = 1.2;
constexpr double kKeyZoom = 1.5;
constexpr double kDragThreshold = 4;

}  // namespace

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        QToolTip::hideText();
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::scrollContentsBy(int, int) { viewport()->update(); }

void TimelineView::hover(QPointF position, QPoint globalPosition) {
    const std::optional<Spot> spot = spotAt(position);
    QString text;
    if (spot) {
        const auto reach = static_cast<std::int64_t>(std::ceil(m_geometry.psPerPixel()));
        text = describeMoment(m_model, m_rows[spot->row], spot->heightShare, spot->ps, reach);
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(globalPosition + QPoint(14, 10), text, viewport());
    }
}

void TimelineView::click(QPointF position) {
    const std::optional<SpanRef> span = spanAt(position);
    if (!span || m_viewState.selectedSpan() == span) {
        m_viewState.clearSelection();
        m_viewState.setFollowedChunk(std::nullopt);
        if (!span)
            Q_EMIT emptyClicked();
        return;
    }
    const TraceIndex& index = *m_model.index();
    const engine::Span& facts = index.trace().lanes[span->lane].spans[span->span];
    // A wave's second number counts workgroups, a K-step's is its own.
    const bool ofChunk = facts.kind != engine::SpanKind::gemmWave && facts.kind != engine::SpanKind::workgroup &&
                         facts.kind != engine::SpanKind::load;
    const std::uint32_t chunk = ofChunk ? index.chunkOn(span->gpu, facts.second) : engine::kNone;
    m_viewState.setFollowedChunk(chunk != engine::kNone ? std::optional(chunk) : std::nullopt);
    m_viewState.selectSpan(*span);
    Q_EMIT spanClicked(*span);
}

std::uint32_t TimelineView::gpuNear(double y) const {
    const double at = y - m_axisHeight + verticalScrollBar()->value();
    std::uint32_t gpu = 0;
    for (std::size_t i = 0; i < m_rows.size() && m_layout.boxes[i].top <= at; ++i)
        gpu = m_rows[i].gpu;
    return gpu;
}

void TimelineView::drag(QPointF position) {
    const double moved = position.x() - m_dragFrom.x();
    switch (m_drag) {
    case Drag::cursor: Q_EMIT cursorRequested(m_geometry.timeAt(position.x())); break;
    case Drag::area: {
        const auto [gpuA, gpuB] = std::minmax({gpuNear(m_dragFrom.y()), gpuNear(position.y())});
        const auto [from, to] = std::minmax({m_geometry.timeAt(m_dragFrom.x()), m_geometry.timeAt(position.x())});
        m_viewState.selectArea({{from, to}, gpuA, gpuB});
        break;
    }
    case Drag::pan: {
        viewport()->setCursor(Qt::ClosedHandCursor);
        TimelineGeometry atPress = m_geometry;
        atPress.range = m_dragRange;
        m_viewState.setRange(atPress.panned(-moved, m_viewState.runEnd()));
        break;
    }
    case Drag::box:
        m_dragTo = position;
        viewport()->update();
        break;
    case Drag::none:
    case Drag::undecided: break;
    }
}

void TimelineView::zoomToBox(QPointF position) {
    viewport()->update();
    if (std::abs(position.x() - m_dragFrom.x()) <= kDragThreshold)
        return;
    const auto [from, to] = std::minmax({m_geometry.timeAt(m_dragFrom.x()), m_geometry.timeAt(position.x())});
    m_viewState.setRange({from, to});
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(notches * 3 * m_line));
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0) {
        panBy(-notches * 0.1);
    } else {
        const double factor = std::pow(kWheelZoom, notches);
        m_viewState.setRange(m_geometry.zoomed(event->position().x(), factor, m_viewState.runEnd()));
    }
    event->accept();
}

bool TimelineView::pressInGutter(QPointF position) {
    if (position.x() >= m_geometry.left || !rowsArea().contains(position))
        return false;
    const double y = position.y() - m_axisHeight + verticalScrollBar()->value();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (y < m_layout.boxes[i].top || y >= m_layout.boxes[i].bottom() || m_model.isBound())
            continue;
        const std::uint32_t gpu = m_rows[i].gpu;
        setExpanded(gpu, !isExpanded(gpu));
        break;
    }
    return true;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const QPointF at = event->position();
    const bool left = event->button() == Qt::LeftButton;
    if ((!left && event->button() != Qt::MiddleButton) || (left && pressInGutter(at)))
        return;
    m_dragFrom = m_dragTo = at;
    m_dragRange = m_viewState.range();
    if (!left) {
        m_drag = Drag::box;
    } else if (at.y() < m_axisHeight) {
        m_drag = Drag::cursor;
        drag(at);
    } else {
        m_drag = (event->modifiers() & Qt::ShiftModifier) != 0 ? Drag::pan : Drag::undecided;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag == Drag::none) {
        hover(event->position(), event->globalPosition().toPoint());
        const bool overGutter = event->position().x() < m_geometry.left && rowsArea().contains(event->position());
        viewport()->setCursor(overGutter && !m_model.isBound() ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    // A hand that trembles while it clicks selects no area.
    if (m_drag == Drag::undecided && (event->position() - m_dragFrom).manhattanLength() > kDragThreshold)
        m_drag = Drag::area;
    drag(event->position());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = std::exchange(m_drag, Drag::none);
    if (ended == Drag::undecided)
        click(event->position());
    if (ended == Drag::box)
        zoomToBox(event->position());
    viewport()->setCursor(Qt::ArrowCursor);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->position().x() >= m_geometry.left)
        Q_EMIT cursorRequested(m_geometry.timeAt(event->position().x()));
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double step = (event->modifiers() & Qt::ShiftModifier) != 0 ? 0.5 : 0.1;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kKeyZoom); return;
    case Qt::Key_S:
    case Qt::Key_Minus: zoomBy(1 / kKeyZoom); return;
    case Qt::Key_A:
    case Qt::Key_Left: panBy(-step); return;
    case Qt::Key_D:
    case Qt::Key_Right: panBy(step); return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace ui
