#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/timeline_model.h"

#include <vector>

namespace ui {

/// The position of a row, in pixels below the top of the first row.
struct RowBox {
    double top = 0;
    double height = 0;
    double bottom() const { return top + height; }
};

struct RowLayout {
    std::vector<RowBox> boxes;
    double height = 0;
    double pinnedHeight = 0;  ///< total height of the pinned rows, which come first and do not scroll
};

/// Places the rows. Heights are in proportion to the rows' weights and grow to fill `available` up to a good size. They
/// never shrink below a readable height; with too many GPUs the rows scroll instead.
RowLayout layoutRows(const std::vector<Row>& rows, double available, double lineHeight);

/// Returns whether a row shows shares of a whole and therefore has a background as high as the whole.
bool hasGround(const Row& row);

/// Appends the content of a row. `box` is in the viewport's coordinates; `columns` are those of the whole run. Spans
/// are drawn one by one while they can be distinguished. If there are too many for the pixels, the row becomes an area
/// that shows which share of its tracks is busy, and the area is marked as merged.
void appendRow(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
               const PixelColumns& columns, DrawList& list);

}  // namespace ui
