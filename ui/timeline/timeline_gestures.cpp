#include "ui/timeline/timeline_gestures.h"

#include "data/replay/kernel_number.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/lane_editor.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_navigation.h"

#include <QAbstractScrollArea>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

QString laneMenuTr(const char* text) { return QCoreApplication::translate("ui::TimelineView", text); }

void fillOpenEntries(QMenu& menu, LaneEditor& lanes, const Row& row) {
    const QString gpu = TimelineLayout::gpuName(row.gpu);
    const auto add = [&](const QString& text, auto order) { return menu.addAction(text, &lanes, order); };
    if (row.openable)
        add(row.open ? laneMenuTr("Close This Lane") : laneMenuTr("Open This Lane"), &LaneEditor::openFocused)
            ->setShortcut(Qt::Key_Return);
    const bool expanded = lanes.arrangement().expanded.contains(row.gpu);
    add((expanded ? laneMenuTr("Close %1") : laneMenuTr("Open %1")).arg(gpu),
        [&lanes, number = row.gpu] { lanes.toggleGpu(number); });
    add(laneMenuTr("Open All GPUs"), &LaneEditor::openAllGpus);
    add(laneMenuTr("Close All GPUs"), &LaneEditor::closeAllGpus);
}

void fillLaneMenu(QMenu& menu, LaneEditor& lanes, const Row& row) {
    const auto add = [&](const QString& text, const QKeySequence& key, auto order) {
        QAction* action = menu.addAction(text, &lanes, order);
        action->setShortcut(key);
        return action;
    };
    const QString hideGpu = laneMenuTr("Hide %1").arg(TimelineLayout::gpuName(row.gpu));
    if (row.kind != RowKind::collective)
        add(row.pinned ? laneMenuTr("Unpin This Lane") : laneMenuTr("Pin This Lane"), Qt::Key_P,
            &LaneEditor::pinFocused);
    add(row.compact ? hideGpu : laneMenuTr("Hide This Lane"), Qt::Key_H, &LaneEditor::hideFocused);
    if (!row.compact)
        add(hideGpu, {}, [&lanes, number = row.gpu] { lanes.hideGpu(number); })->setEnabled(!lanes.isLastGpu());
    add(laneMenuTr("Show All Lanes"), Qt::SHIFT | Qt::Key_H, &LaneEditor::showAll)
        ->setEnabled(!lanes.hiddenReminder().isEmpty());
    menu.addSeparator();
    add(laneMenuTr("Move Up"), Qt::ALT | Qt::Key_Up, [&lanes] { lanes.shiftFocused(-1); });
    add(laneMenuTr("Move Down"), Qt::ALT | Qt::Key_Down, [&lanes] { lanes.shiftFocused(1); });
    menu.addSeparator();
    fillOpenEntries(menu, lanes, row);
}

constexpr double kWheelZoom = 1.2;
constexpr double kDragThreshold = 4;

}  // namespace

TimelineGestures::TimelineGestures(QAbstractScrollArea& area, ViewState& viewState, const TimelineLayout& layout,
                                   LaneEditor& lanes, TimelineNavigation& navigation)
    : m_area(area), m_viewState(viewState), m_layout(layout), m_lanes(lanes), m_navigation(navigation) {}

void TimelineGestures::repaint() { m_area.viewport()->update(); }

bool TimelineGestures::hasMovedTo(QPointF position) const {
    return (position - m_from).manhattanLength() > kDragThreshold;
}

void TimelineGestures::hover(QPointF position, QPoint globalPosition) {
    const std::optional<TimelineLayout::Spot> spot = m_layout.spotAt(position);
    QString text;
    if (m_layout.reminderBox().contains(position))
        text = tr("Click to show the hidden lanes again.");
    if (spot) {
        const auto reach = static_cast<std::int64_t>(std::ceil(m_layout.geometry().psPerPixel()));
        text = describeMoment(m_layout.model(), m_layout.rows()[spot->row], spot->heightShare, spot->ps, reach);
    } else if (const auto row = m_layout.rowAt(position); text.isEmpty() && row) {
        text = explainRow(m_layout.rows()[*row]);
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(globalPosition + QPoint(14, 10), text, m_area.viewport());
    }
}

void TimelineGestures::click(QPointF position) {
    const std::optional<data::SpanRef> span = m_layout.spanAt(position);
    if (!span || m_viewState.selectedSpan() == span) {
        m_viewState.clearSelection();
        return m_viewState.setFollowedChunk(std::nullopt);
    }
    const data::TraceIndex& index = *m_layout.model().index();
    const engine::Span& facts = index.trace().lanes[span->lane].spans[span->span];
    select(*span, index.chunkOn(span->gpu, data::ownChunkOf(facts)));
}

void TimelineGestures::select(data::SpanRef span, std::uint32_t chunk) {
    m_viewState.setFollowedChunk(chunk != engine::kNone ? std::optional(chunk) : std::nullopt);
    m_viewState.selectSpan(span);
}

// If the phase is a collective without a GEMM beside it, selects the step of the collective that runs at that time.
void TimelineGestures::clickOnPhase(QPointF position) {
    const TimelineModel& model = m_layout.model();
    const bool alone = std::any_of(model.phases().begin(), model.phases().end(), [&](const Phase& phase) {
        const std::optional<QRectF> box = m_layout.boxOf(phase);
        return phase.role == Role::exposed && box && box->contains(position);
    });
    if (!alone || model.index() == nullptr)
        return;
    const data::TraceIndex& index = *model.index();
    const std::uint32_t gpu = std::min(m_viewState.focusedGpu(), index.gpus() - 1);
    const std::int64_t ps = m_layout.geometry().timeAt(position.x());
    for (const data::PackedLane* lane : {&index.gpu(gpu).allGather, &index.gpu(gpu).reduceScatter}) {
        for (const data::Track& track : lane->tracks) {
            const auto at = track.spans().at(ps);
            if (!at)
                continue;
            const std::uint32_t chunk = track.spans()[*at].second;
            return select({gpu, track.laneIndex, track.spans().indexOf(*at)},
                          chunk == engine::kNone ? engine::kNone : index.chunkOn(gpu, chunk));
        }
    }
}

void TimelineGestures::clickInGutter(QPointF position) {
    const std::optional<std::size_t> row = m_layout.rowAt(position);
    if (!row)
        return;
    if (m_layout.isOnGpuName(*row, position)) {
        m_lanes.toggleGpu(m_layout.rows()[*row].gpu);
    } else {
        m_lanes.toggleOpen(m_layout.rows()[*row]);
    }
}

void TimelineGestures::drag(QPointF position) {
    const TimelineGeometry& geometry = m_layout.geometry();
    switch (m_drag) {
    case Drag::cursor: Q_EMIT cursorRequested(geometry.timeAt(position.x())); break;
    case Drag::area: {
        const auto [gpuA, gpuB] = std::minmax({m_layout.gpuNear(m_from.y()), m_layout.gpuNear(position.y())});
        const auto [from, to] = std::minmax({geometry.timeAt(m_from.x()), geometry.timeAt(position.x())});
        m_viewState.selectArea({{from, to}, gpuA, gpuB});
        break;
    }
    case Drag::pan: {
        m_area.viewport()->setCursor(Qt::ClosedHandCursor);
        TimelineGeometry atPress = geometry;
        atPress.range = m_rangeAtPress;
        m_viewState.setRange(atPress.panned(m_from.x() - position.x(), m_viewState.runEnd()));
        break;
    }
    case Drag::box:
    case Drag::lane:
        m_to = position;
        repaint();
        break;
    default: break;
    }
}

void TimelineGestures::zoomToBox(QPointF position) {
    repaint();
    if (std::abs(position.x() - m_from.x()) <= kDragThreshold)
        return;
    const TimelineGeometry& geometry = m_layout.geometry();
    const auto [from, to] = std::minmax({geometry.timeAt(m_from.x()), geometry.timeAt(position.x())});
    m_viewState.setRange({from, to});
}

void TimelineGestures::dropLane(QPointF position) {
    repaint();
    const std::optional<std::size_t> from = m_layout.rowAt(m_from);
    const std::optional<std::size_t> to = m_layout.rowAt(position);
    if (from && to)
        m_lanes.moveRow(*from, *to);
}

DragFeedback TimelineGestures::feedback() const {
    if (m_drag == Drag::box) {
        const QRectF rows = m_layout.rowsArea();
        const double left = std::min(m_from.x(), m_to.x());
        return {QRectF(left, rows.top(), std::abs(m_to.x() - m_from.x()), rows.height()), std::nullopt};
    }
    const std::optional<std::size_t> over = m_drag == Drag::lane ? m_layout.rowAt(m_to) : std::nullopt;
    if (!over)
        return {};
    const RowBox box = m_layout.boxOf(*over);
    const double line = m_to.y() < m_from.y() ? box.top : box.bottom();
    return {std::nullopt, QRectF(0, line - 1, m_layout.right(), 2)};
}

void TimelineGestures::wheel(const QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    if ((event.modifiers() & Qt::ControlModifier) != 0) {
        QScrollBar& bar = *m_area.verticalScrollBar();
        bar.setValue(bar.value() - static_cast<int>(notches * 3 * m_layout.line()));
    } else if ((event.modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0) {
        m_navigation.panBy(-notches * 0.1);
    } else {
        m_navigation.zoomAt(event.position().x(), std::pow(kWheelZoom, notches));
    }
}

void TimelineGestures::press(const QMouseEvent& event) {
    m_area.setFocus(Qt::MouseFocusReason);
    const QPointF at = event.position();
    const bool left = event.button() == Qt::LeftButton;
    if (!left && event.button() != Qt::MiddleButton)
        return;
    if (left && m_layout.reminderBox().contains(at))
        return m_lanes.showAll();
    const bool isBound = m_layout.model().isBound();
    if (const std::optional<std::size_t> row = m_layout.rowAt(at); row && !isBound)
        m_lanes.focusRow(*row);
    m_from = m_to = at;
    m_rangeAtPress = m_viewState.range();
    if (!left) {
        m_drag = Drag::box;
    } else if (at.x() < m_layout.geometry().left) {
        m_drag = m_layout.rowsArea().contains(at) && !isBound ? Drag::gutter : Drag::none;
    } else if (at.y() < m_layout.axisHeight()) {
        m_drag = Drag::cursor;
        drag(at);
    } else {
        m_drag = (event.modifiers() & Qt::ShiftModifier) != 0 ? Drag::pan : Drag::undecided;
    }
}

void TimelineGestures::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (m_drag == Drag::none) {
        hover(at, event.globalPosition().toPoint());
        const bool overGutter = at.x() < m_layout.geometry().left && m_layout.rowsArea().contains(at);
        const bool acts = (overGutter && !m_layout.model().isBound()) || m_layout.reminderBox().contains(at);
        m_area.viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const bool moved = hasMovedTo(at);
    if (m_drag == Drag::undecided && moved)
        m_drag = Drag::area;
    if (m_drag == Drag::gutter && moved)
        m_drag = Drag::lane;
    drag(at);
}

void TimelineGestures::release(const QMouseEvent& event) {
    const Drag ended = std::exchange(m_drag, Drag::none);
    m_area.viewport()->setCursor(Qt::ArrowCursor);
    const QPointF at = event.position();
    if (ended == Drag::undecided)
        click(at);
    if (ended == Drag::cursor && !hasMovedTo(at))
        clickOnPhase(at);
    if (ended == Drag::box)
        zoomToBox(at);
    if (ended == Drag::lane)
        dropLane(at);
    if (ended == Drag::gutter)
        clickInGutter(at);
}

void TimelineGestures::doubleClick(const QMouseEvent& event) {
    if (event.position().x() >= m_layout.geometry().left)
        Q_EMIT cursorRequested(m_layout.geometry().timeAt(event.position().x()));
}

int TimelineGestures::spanStep(const QKeyEvent& event) const {
    if (!m_viewState.selectedSpan() || event.modifiers() != Qt::NoModifier)
        return 0;
    return event.key() == Qt::Key_Period ? 1 : event.key() == Qt::Key_Comma ? -1 : 0;
}

void TimelineGestures::openMenu(const QContextMenuEvent& event) {
    if (m_layout.model().index() == nullptr || m_layout.rows().empty())
        return;
    const bool byKey = event.reason() == QContextMenuEvent::Keyboard;
    const std::optional<std::size_t> row = byKey ? m_lanes.focusedRow() : m_layout.rowAt(event.pos());
    if (!row)
        return;
    m_lanes.focusRow(*row);
    auto* menu = new QMenu(&m_area);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("laneMenu"));
    fillLaneMenu(*menu, m_lanes, m_layout.rows()[*row]);
    const QPoint at(static_cast<int>(m_layout.line() * 2), static_cast<int>(m_layout.boxOf(*row).bottom()));
    menu->popup(byKey ? m_area.viewport()->mapToGlobal(at) : event.globalPos());
}

}  // namespace ui
