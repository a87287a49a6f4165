#pragma once

#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"
#include "ui/timeline/timeline_model.h"

#include <QRectF>

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

}  // namespace ui
