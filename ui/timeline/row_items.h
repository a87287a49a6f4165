#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/timeline_model.h"

namespace ui {

/// The colour that stands for a row, and for its spans where they have no colours of their own.
Role roleOf(RowKind kind);

/// A row that shows shares of a whole has a ground as high as the whole.
bool hasGround(const Row& row);

/// Adds what a row shows. `box` is in the viewport's coordinates; `columns` are those of the whole run.
/// Spans stand side by side as long as they can be told apart; where there are too many for the pixels the row becomes
/// the area of how many of its tracks are busy, and says so by the area's mark.
void appendRow(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
               const PixelColumns& columns, DrawList& list);

}  // namespace ui
