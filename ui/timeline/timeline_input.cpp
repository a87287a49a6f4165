// The part of TimelineView that answers the mouse.
#include "ui/shared/view_state.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ui {
namespace {

constexpr double kWheelZoom = 1.2;
constexpr double kDragThreshold = 4;

}  // namespace

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        QToolTip::hideText();
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::scrollContentsBy(int, int) { refresh(); }

void TimelineView::hover(QPointF position, QPoint globalPosition) {
    const std::optional<Spot> spot = spotAt(position);
    QString text;
    if (reminderBox().contains(position))
        text = tr("Click to show them again.");
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
    const std::optional<data::SpanRef> span = spanAt(position);
    if (!span || m_viewState.selectedSpan() == span) {
        m_viewState.clearSelection();
        m_viewState.setFollowedChunk(std::nullopt);
        if (!span)
            Q_EMIT emptyClicked();
        return;
    }
    const data::TraceIndex& index = *m_model.index();
    const engine::Span& facts = index.trace().lanes[span->lane].spans[span->span];
    // A wave's second number counts workgroups, a K-step's is its own.
    const bool ofChunk = facts.kind != engine::SpanKind::gemmWave && facts.kind != engine::SpanKind::workgroup &&
                         facts.kind != engine::SpanKind::load;
    const std::uint32_t chunk = ofChunk ? index.chunkOn(span->gpu, facts.second) : engine::kNone;
    m_viewState.setFollowedChunk(chunk != engine::kNone ? std::optional(chunk) : std::nullopt);
    m_viewState.selectSpan(*span);
    Q_EMIT spanClicked(*span);
}

// A collective without a GEMM beside it is asked about: the step of the collective that goes on at that moment is selected.
void TimelineView::clickOnPhase(QPointF position) {
    const bool alone = std::any_of(m_phaseItems.begin(), m_phaseItems.end(), [&](const PhaseItem& phase) {
        return phase.role == Role::exposed && phase.box.contains(position);
    });
    if (!alone || m_model.index() == nullptr)
        return;
    const data::TraceIndex& index = *m_model.index();
    const std::uint32_t gpu = std::min(m_viewState.focusedGpu(), index.gpus() - 1);
    const std::int64_t ps = m_geometry.timeAt(position.x());
    for (const data::PackedLane* lane : {&index.gpu(gpu).allGather, &index.gpu(gpu).reduceScatter}) {
        for (const data::Track& track : lane->tracks) {
            const auto at = track.spans().at(ps);
            if (!at)
                continue;
            const data::SpanRef span{gpu, track.laneIndex, track.spans().indexOf(*at)};
            const std::uint32_t chunk = track.spans()[*at].second;
            m_viewState.setFollowedChunk(chunk == engine::kNone ? std::nullopt
                                                                : std::optional(index.chunkOn(gpu, chunk)));
            m_viewState.selectSpan(span);
            Q_EMIT spanClicked(span);
            return;
        }
    }
}

// Also between rows and beyond the last one.
std::uint32_t TimelineView::gpuNear(double y) const {
    const bool pinned = y < m_axisHeight + m_layout.pinnedHeight;
    std::uint32_t gpu = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = shownBox(i);
        const double away = std::max({0.0, box.top - y, y - box.bottom()});
        if (m_rows[i].pinned != pinned || away >= nearest)
            continue;
        nearest = away;
        gpu = m_rows[i].gpu;
    }
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
    case Drag::lane:
        m_dragTo = position;
        viewport()->update();
        break;
    case Drag::gutter:
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

void TimelineView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const QPointF at = event->position();
    const bool left = event->button() == Qt::LeftButton;
    if (!left && event->button() != Qt::MiddleButton)
        return;
    if (left && reminderBox().contains(at))
        return showAllLanes();
    if (const std::optional<std::size_t> row = rowAt(at); row && !m_model.isBound())
        focusRow(*row);
    m_dragFrom = m_dragTo = at;
    m_dragRange = m_viewState.range();
    if (!left) {
        m_drag = Drag::box;
    } else if (at.x() < m_geometry.left) {
        m_drag = rowsArea().contains(at) && !m_model.isBound() ? Drag::gutter : Drag::none;
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
        const bool acts = (overGutter && !m_model.isBound()) || reminderBox().contains(event->position());
        viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    // A hand that trembles while it clicks selects no area and moves no lane.
    const bool moved = (event->position() - m_dragFrom).manhattanLength() > kDragThreshold;
    if (m_drag == Drag::undecided && moved)
        m_drag = Drag::area;
    if (m_drag == Drag::gutter && moved)
        m_drag = Drag::lane;
    drag(event->position());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = std::exchange(m_drag, Drag::none);
    viewport()->setCursor(Qt::ArrowCursor);
    const bool moved = (event->position() - m_dragFrom).manhattanLength() > kDragThreshold;
    if (ended == Drag::undecided)
        click(event->position());
    if (ended == Drag::cursor && !moved)
        clickOnPhase(event->position());
    if (ended == Drag::box)
        zoomToBox(event->position());
    if (ended == Drag::lane)
        dropLane(event->position());
    if (ended == Drag::gutter)
        clickInGutter(event->position());
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->position().x() >= m_geometry.left)
        Q_EMIT cursorRequested(m_geometry.timeAt(event->position().x()));
}

}  // namespace ui
