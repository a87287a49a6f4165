#pragma once

#include "data/replay/flow.h"
#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"
#include "ui/timeline/timeline_model.h"

#include <QRectF>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// A row where it stands now, in coordinates of the viewport. Rows that are scrolled out of sight are there as well.
struct PicturedRow {
    Row row;
    QRectF box;  ///< from the picture's left edge to its right one, without the gutter
};

/// What an overlay needs to draw upon the timeline. Good for one painting: it changes with every zoom and scroll.
struct TimelinePicture {
    TimelineGeometry geometry;  ///< time to x of the viewport and back
    std::vector<PicturedRow> rows;
    QRectF
        clip;  ///< the rows' part of the viewport, right of the gutter; the painter is clipped to it or to a part of it
    double line;  ///< height of a line of text, what sizes are measured in
    const TimelineModel& model;
    const Palette& palette;
};

/// Something drawn upon the rows of a TimelineView and below its cursor: a selection, measures, arrows.
class TimelineOverlay {
public:
    TimelineOverlay() = default;
    TimelineOverlay(const TimelineOverlay&) = delete;
    TimelineOverlay& operator=(const TimelineOverlay&) = delete;
    virtual ~TimelineOverlay() = default;

    /// Asked once for the rows that scroll and, where some are pinned, once for those.
    virtual void paint(QPainter& painter, const TimelinePicture& picture) const = 0;
};

/// Where an overlay can point at a span.
struct Anchor {
    QRectF box;       ///< in the viewport, not clipped to it
    bool own = true;  ///< a row shows the span itself; else it is the row of its GPU that comes nearest
};

/// Returns the rows that show a lane or, the nearest first, tell something about what goes on there.
std::array<RowKind, 4> rowsNear(engine::LaneKind kind);

/// Nothing when no row is about its GPU.
std::optional<Anchor> anchorOf(const TimelinePicture& picture, const data::Flow& flow, data::SpanRef ref);

/// From the top of the first row of these GPUs to the bottom of the last; nothing when none is shown.
std::optional<std::pair<double, double>> rowsOf(const TimelinePicture& picture, std::uint32_t firstGpu,
                                                std::uint32_t lastGpu);

/// Words on a plate that stands out from whatever is drawn beneath, kept within the picture.
void drawPlate(QPainter& painter, const TimelinePicture& picture, QPointF centre, const QString& text,
               const QColor& color);

}  // namespace ui
