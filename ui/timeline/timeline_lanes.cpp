// The part of TimelineView that arranges lanes: focus, pin, hide, open, move.
#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

void TimelineView::setArrangement(LaneArrangement arrangement) {
    if (arrangement == m_arrangement)
        return;
    m_arrangement = std::move(arrangement);
    relayout();
    Q_EMIT arrangementChanged();
}

void TimelineView::arrange(LaneArrangement arrangement) {
    const std::optional<std::size_t> row = focusedRow();
    setArrangement(std::move(arrangement));
    // The lane in focus may be gone: what stands in its place has it then.
    if (row && m_focused && !m_rows.empty()) {
        const bool there =
            std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& r) { return r.key() == *m_focused; });
        if (!there)
            focusRow(std::min(*row, m_rows.size() - 1));
    }
}

std::optional<std::size_t> TimelineView::focusedRow() const {
    if (m_rows.empty())
        return std::nullopt;
    if (!m_focused)
        return 0;
    // A closed GPU shows its compute in small also when the lane itself is pinned: the same key twice.
    for (const bool pinned : {m_focusedPinned, !m_focusedPinned}) {
        const auto exact = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.key() == *m_focused && row.pinned == pinned;
        });
        if (exact != m_rows.end())
            return static_cast<std::size_t>(exact - m_rows.begin());
    }
    // Another run, or its GPU was closed: that GPU's first row stands for it.
    const auto near =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.gpu == m_focused->gpu; });
    return near != m_rows.end() ? static_cast<std::size_t>(near - m_rows.begin()) : 0;
}

std::optional<LaneKey> TimelineView::focusedLane() const {
    const std::optional<std::size_t> row = focusedRow();
    return row ? std::optional(m_rows[*row].key()) : std::nullopt;
}

void TimelineView::focusRow(std::size_t row) {
    m_focused = m_rows[row].key();
    m_focusedPinned = m_rows[row].pinned;
    if (m_model.index() != nullptr)
        m_viewState.setFocusedGpu(m_rows[row].gpu);
    viewport()->update();
}

void TimelineView::revealRow(std::size_t row) {
    if (m_rows[row].pinned)
        return;
    const RowBox& box = m_layout.boxes[row];
    const double top = box.top - m_layout.pinnedHeight - m_line * 0.5;
    const double bottom = box.bottom() + m_line * 0.5 - rowsArea().height();
    const double now = verticalScrollBar()->value();
    verticalScrollBar()->setValue(static_cast<int>(std::clamp(now, std::ceil(bottom), std::max(bottom, top))));
}

void TimelineView::moveFocus(int by) {
    if (m_rows.empty() || m_model.isBound())
        return;
    const auto last = static_cast<std::ptrdiff_t>(m_rows.size()) - 1;
    const auto row = static_cast<std::ptrdiff_t>(focusedRow().value_or(0)) + by;
    focusRow(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, last)));
    revealRow(*focusedRow());
}

void TimelineView::toggleGpu(std::uint32_t gpu) {
    LaneArrangement next = m_arrangement;
    if (!next.expanded.erase(gpu))
        next.expanded.insert(gpu);
    arrange(std::move(next));
}

void TimelineView::toggleOpen(const Row& row) {
    if (!row.openable)
        return;
    LaneArrangement next = m_arrangement;
    if (!next.opened.erase(row.key()))
        next.opened.insert(row.key());
    arrange(std::move(next));
}

bool TimelineView::isOnGpuName(std::size_t row, QPointF position) const {
    if (!m_rows[row].opensGroup || m_rows[row].pinned)
        return m_rows[row].compact;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const double name = QFontMetricsF(bold).horizontalAdvance(tr("GPU %1").arg(m_rows[row].gpu));
    return m_rows[row].compact || position.x() < m_line * 1.7 + name;
}

void TimelineView::clickInGutter(QPointF position) {
    const std::optional<std::size_t> row = rowAt(position);
    if (!row)
        return;
    if (isOnGpuName(*row, position)) {
        toggleGpu(m_rows[*row].gpu);
    } else {
        toggleOpen(m_rows[*row]);
    }
}

void TimelineView::openFocused() {
    const auto row = focusedRow();
    if (!row || m_model.isBound())
        return;
    if (m_rows[*row].openable && !m_rows[*row].compact) {
        toggleOpen(m_rows[*row]);
    } else {
        toggleGpu(m_rows[*row].gpu);
    }
}

void TimelineView::pinFocused() {
    const auto row = focusedRow();
    if (!row || m_model.isBound())
        return;
    // What stands for a closed GPU's collectives is no lane of its own.
    if (m_rows[*row].kind == RowKind::collective)
        return;
    LaneArrangement next = m_arrangement;
    next.togglePinned(m_rows[*row].key());
    m_focused = m_rows[*row].key();
    m_focusedPinned = next.isPinned(*m_focused);
    arrange(std::move(next));
}

void TimelineView::hideFocused() {
    const auto row = focusedRow();
    if (!row || m_model.isBound() || m_rows.size() <= 1)
        return;
    LaneArrangement next = m_arrangement;
    if (m_rows[*row].compact) {
        next.hiddenGpus.insert(m_rows[*row].gpu);
    } else {
        std::erase(next.pinned, m_rows[*row].key());
        next.hidden.insert(m_rows[*row].key());
    }
    arrange(std::move(next));
}

QString TimelineView::hiddenReminder() const { return m_reminder; }

void TimelineView::showAllLanes() {
    LaneArrangement next = m_arrangement;
    next.showAll();
    arrange(std::move(next));
}

void TimelineView::shift(const Row& row, int by) {
    LaneArrangement next = m_arrangement;
    if (row.compact) {
        next.moveGpu(row.gpu, by, m_model.gpus());
    } else if (row.pinned) {
        const auto at = std::find(next.pinned.begin(), next.pinned.end(), row.key());
        const auto to = at - next.pinned.begin() + by;
        if (to < 0 || to >= static_cast<std::ptrdiff_t>(next.pinned.size()))
            return;
        next.pinned.erase(at);
        next.pinned.insert(next.pinned.begin() + to, row.key());
    } else {
        std::set<RowKind> seen;
        for (const Row& other : m_rows) {
            if (other.gpu == row.gpu && !other.pinned)
                seen.insert(LaneArrangement::lanesOwner(other.kind));
        }
        next.moveLane(row.kind, by, seen);
    }
    arrange(std::move(next));
}

void TimelineView::shiftFocused(int by) {
    const auto row = focusedRow();
    if (!row || m_model.isBound())
        return;
    const Row moved = m_rows[*row];
    shift(moved, by);
    revealRow(*focusedRow());
}

// As many places as lie between; GPUs move among GPUs, lanes among the lanes of a GPU.
void TimelineView::dropLane(QPointF position) {
    viewport()->update();
    const std::optional<std::size_t> from = rowAt(m_dragFrom);
    const std::optional<std::size_t> to = rowAt(position);
    if (!from || !to || m_rows[*from].pinned != m_rows[*to].pinned)
        return;
    const Row moved = m_rows[*from];
    const int direction = *to > *from ? 1 : -1;
    int places = 0;
    std::pair<std::uint32_t, RowKind> last{moved.gpu, LaneArrangement::lanesOwner(moved.kind)};
    for (std::size_t i = *from; i != *to;) {
        i = direction > 0 ? i + 1 : i - 1;
        const std::pair<std::uint32_t, RowKind> next{m_rows[i].gpu, LaneArrangement::lanesOwner(m_rows[i].kind)};
        const bool counts = moved.compact  ? next.first != last.first
                            : moved.pinned ? true
                                           : next.first == moved.gpu && next.second != last.second;
        places += counts ? direction : 0;
        last = next;
    }
    if (places != 0)
        shift(moved, places);
}

void TimelineView::fillMenu(QMenu& menu, const Row& row) {
    const auto add = [&](const QString& text, const QKeySequence& key, auto order) {
        QAction* action = menu.addAction(text, this, order);
        action->setShortcut(key);
        return action;
    };
    const QString gpu = tr("GPU %1").arg(row.gpu);
    if (row.kind != RowKind::collective)
        add(row.pinned ? tr("Unpin This Lane") : tr("Pin This Lane"), Qt::Key_P, &TimelineView::pinFocused);
    add(row.compact ? tr("Hide %1").arg(gpu) : tr("Hide This Lane"), Qt::Key_H, &TimelineView::hideFocused);
    if (!row.compact)
        add(tr("Hide %1").arg(gpu), {}, [this, number = row.gpu] {
            LaneArrangement next = m_arrangement;
            next.hiddenGpus.insert(number);
            arrange(std::move(next));
        })->setEnabled(m_model.gpus() > m_arrangement.hiddenGpus.size() + 1);
    add(tr("Show All Lanes"), Qt::SHIFT | Qt::Key_H, &TimelineView::showAllLanes)->setEnabled(!m_reminder.isEmpty());
    menu.addSeparator();
    add(tr("Move Up"), Qt::ALT | Qt::Key_Up, [this] { shiftFocused(-1); });
    add(tr("Move Down"), Qt::ALT | Qt::Key_Down, [this] { shiftFocused(1); });
    menu.addSeparator();
    fillOpenMenu(menu, row);
}

void TimelineView::fillOpenMenu(QMenu& menu, const Row& row) {
    const QString gpu = tr("GPU %1").arg(row.gpu);
    const auto add = [&](const QString& text, auto order) { return menu.addAction(text, this, order); };
    if (row.openable)
        add(row.open ? tr("Close This Lane") : tr("Open This Lane"), &TimelineView::openFocused)
            ->setShortcut(Qt::Key_Return);
    const auto setExpanded = [this](std::set<std::uint32_t> gpus) {
        LaneArrangement next = m_arrangement;
        next.expanded = std::move(gpus);
        arrange(std::move(next));
    };
    const bool expanded = m_arrangement.expanded.contains(row.gpu);
    add(expanded ? tr("Close %1").arg(gpu) : tr("Open %1").arg(gpu), [this, number = row.gpu] { toggleGpu(number); });
    std::set<std::uint32_t> all;
    for (std::uint32_t number = 0; number < m_model.gpus(); ++number)
        all.insert(number);
    add(tr("Open All GPUs"), [=] { setExpanded(all); });
    add(tr("Close All GPUs"), [=] { setExpanded({}); });
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_model.index() == nullptr || m_rows.empty())
        return;
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::optional<std::size_t> row = byKey ? focusedRow() : rowAt(event->pos());
    if (!row)
        return;
    focusRow(*row);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("laneMenu"));
    fillMenu(*menu, m_rows[*row]);
    const QPoint at(static_cast<int>(m_line * 2), static_cast<int>(shownBox(*row).bottom()));
    menu->popup(byKey ? viewport()->mapToGlobal(at) : event->globalPos());
}

}  // namespace ui
