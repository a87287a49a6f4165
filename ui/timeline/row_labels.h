#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/timeline_model.h"

#include <QFontMetricsF>

#include <cstddef>

namespace ui {

/// The indices at which a row's entries begin in a list.
struct RowFirsts {
    std::size_t item = 0;
    std::size_t gap = 0;
    std::size_t pieceEnd = 0;
};

/// Appends the labels of a row's content where they fit: chunks, waves, ends of pieces, empty slots, the parts of a
/// bound.
void appendRowLabels(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
                     const QFontMetricsF& metrics, RowFirsts first, DrawList& list);

}  // namespace ui
