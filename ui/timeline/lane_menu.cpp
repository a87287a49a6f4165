#include "ui/timeline/lane_menu.h"

#include "ui/timeline/lane_editor.h"
#include "ui/timeline/timeline_layout.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>

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

}  // namespace

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

}  // namespace ui
