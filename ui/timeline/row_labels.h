#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/timeline_model.h"

#include <QFontMetricsF>

namespace ui {

/// Words upon what a row shows, where they fit: chunks, waves, the parts of a bound. `firstItem`: the row's first in the list.
void appendRowLabels(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
                     const QFontMetricsF& metrics, std::size_t firstItem, DrawList& list);

}  // namespace ui
