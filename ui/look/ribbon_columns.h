#pragma once

#include "data/replay/cause_index.h"
#include "ui/look/timeline_geometry.h"

#include <QImage>

#include <array>
#include <cstdint>
#include <vector>

namespace ui {

/// Time by cause in each device pixel of the width that lies inside the run.
struct RibbonColumns {
    std::int64_t first = 0;  ///< device pixel of the first one
    std::vector<engine::CauseTimes> times;
};

RibbonColumns ribbonColumns(const data::CauseIndex& causes, const TimelineGeometry& geometry);

/// Neighbouring slices of the width in which the same cause took the most time: what words can stand on.
struct RibbonStretch {
    double left = 0, right = 0;  ///< in the widget's coordinates
    engine::Cause cause{};
    double share = 0;  ///< of the stretch's time that the cause took
};

/// `slice` is the width below which what happens is a detail, in the widget's coordinates.
std::vector<RibbonStretch> ribbonStretches(const RibbonColumns& columns, const TimelineGeometry& geometry,
                                           double slice);

/// How high each cause stands in a column of `height` pixels, from its top: by the share of its time, `height` in all.
std::array<int, engine::kCauses> ribbonHeights(const engine::CauseTimes& times, int height);

struct Palette;

/// A ribbon's columns in the colours and textures of their causes, each as high as its share of the column's time; the
/// causes lie on each other in one order, so that their areas are their times at every zoom. `height` and `spacing`, of
/// the textures, are in device pixels; null where there are no columns.
QImage ribbonImage(const RibbonColumns& columns, int height, double pixelRatio, int spacing, const Palette& palette);

}  // namespace ui
