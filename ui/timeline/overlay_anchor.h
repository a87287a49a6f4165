#pragma once

#include "data/replay/flow.h"
#include "ui/timeline/timeline_overlay.h"

#include <optional>

namespace ui {

/// Where an overlay can point at a span.
struct Anchor {
    QRectF box;       ///< in the viewport, not clipped to it
    bool own = true;  ///< a row shows the span itself; else it is the row of its GPU that comes nearest
};

/// Nothing when no row is about its GPU.
std::optional<Anchor> anchorOf(const TimelinePicture& picture, const data::Flow& flow, data::SpanRef ref);

/// From the top of the first row of these GPUs to the bottom of the last; nothing when none is shown.
std::optional<std::pair<double, double>> rowsOf(const TimelinePicture& picture, std::uint32_t firstGpu,
                                                std::uint32_t lastGpu);

/// Words on a plate that stands out from whatever is drawn beneath, kept within the picture.
void drawPlate(QPainter& painter, const TimelinePicture& picture, QPointF centre, const QString& text,
               const QColor& color);

}  // namespace ui
