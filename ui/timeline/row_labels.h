#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/timeline_model.h"

#include <QFontMetricsF>

#include <cstddef>

namespace ui {

/// Where in the list a row begins.
struct RowFirsts {
    std::size_t item = 0;
    std::size_t gap = 0;
};

/// Words upon what a row shows, where they fit: chunks, waves, empty slots, the parts of a bound.
void appendRowLabels(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
                     const QFontMetricsF& metrics, RowFirsts first, DrawList& list);

}  // namespace ui
