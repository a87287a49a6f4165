#pragma once

class QMenu;

namespace ui {

class LaneEditor;
struct Row;

/// Fills the context menu of a lane with what `lanes` can do to it. The lane must have the focus.
void fillLaneMenu(QMenu& menu, LaneEditor& lanes, const Row& row);

}  // namespace ui
