#pragma once

#include "data/replay/cause_index.h"
#include "ui/look/timeline_geometry.h"

#include <QImage>

#include <array>
#include <cstdint>
#include <vector>

namespace ui {

/// The time of each cause in every device pixel column that lies inside the run.
struct RibbonColumns {
    std::int64_t first = 0;  ///< device pixel of the first column
    std::vector<engine::CauseTimes> times;
};

RibbonColumns ribbonColumns(const data::CauseIndex& causes, const TimelineGeometry& geometry);

/// Adjacent slices of the width in which the same cause took the most time. A stretch can carry a label.
struct RibbonStretch {
    double left = 0, right = 0;  ///< in the widget's coordinates
    engine::Cause cause{};
    double share = 0;  ///< the cause's share of the stretch's time
};

/// Returns the stretches of a ribbon. Slices are `slice` wide, in the widget's coordinates; anything narrower is a
/// detail.
std::vector<RibbonStretch> ribbonStretches(const RibbonColumns& columns, const TimelineGeometry& geometry,
                                           double slice);

/// Returns the height of each cause in a column, from its top and in proportion to the cause's time. The heights add up
/// to `height` pixels.
std::array<int, engine::kCauses> ribbonHeights(const engine::CauseTimes& times, int height);

struct Palette;

/// Paints a ribbon: each column has the colours and textures of its causes, each as high as its share of the column's
/// time. The causes are stacked in a fixed order, so that the area of a cause is its time at every zoom. `height`, and
/// `spacing` of the textures, are in device pixels. Returns a null image if there are no columns.
QImage ribbonImage(const RibbonColumns& columns, int height, double pixelRatio, int spacing, const Palette& palette);

}  // namespace ui
