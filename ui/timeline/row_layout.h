#pragma once

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

}  // namespace ui
