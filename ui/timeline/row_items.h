#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/timeline_model.h"

#include <vector>

namespace ui {

/// Where a row stands, in pixels below the first row's top.
struct RowBox {
    double top = 0;
    double height = 0;
    double bottom() const { return top + height; }
};

struct RowLayout {
    std::vector<RowBox> boxes;
    double height = 0;
    double pinnedHeight = 0;  ///< of the rows that do not scroll, which come first
};

/// Rows as high as their weight says, stretched to fill `available` as far as that looks well; never squeezed
/// so far that nothing can be told apart, so that too many GPUs scroll instead of becoming unreadable.
RowLayout layoutRows(const std::vector<Row>& rows, double available, double lineHeight);

/// A row that shows shares of a whole has a ground as high as the whole.
bool hasGround(const Row& row);

/// Adds what a row shows. `box` is in the viewport's coordinates; `columns` are those of the whole run.
/// Spans stand side by side as long as they can be told apart; where there are too many for the pixels the row becomes
/// the area of how many of its tracks are busy, and says so by the area's mark.
void appendRow(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
               const PixelColumns& columns, DrawList& list);

}  // namespace ui
