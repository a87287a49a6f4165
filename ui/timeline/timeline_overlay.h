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

/// A row with its current position in the viewport's coordinates. Rows that are scrolled out of view are included.
struct PicturedRow {
    Row row;
    QRectF box;  ///< from the picture's left edge to its right one, without the gutter
};

/// The positions and colours with which an overlay draws over the timeline. Valid for one painting only, because they
/// change with every zoom and scroll.
struct TimelinePicture {
    TimelineGeometry geometry;  ///< time to x of the viewport and back
    std::vector<PicturedRow> rows;
    QRectF
        clip;  ///< the rows' part of the viewport, right of the gutter; the painter is clipped to it or to a part of it
    double line;  ///< height of a line of text, the unit of sizes
    const TimelineModel& model;
    const Palette& palette;
    std::vector<QRectF> texts{};  ///< where the labels of the rows have their text; empty outside a painting
};

/// Interface of something that is drawn over the rows of a TimelineView and below its cursor: a selection, measures,
/// arrows.
class TimelineOverlay {
public:
    TimelineOverlay() = default;
    TimelineOverlay(const TimelineOverlay&) = delete;
    TimelineOverlay& operator=(const TimelineOverlay&) = delete;
    virtual ~TimelineOverlay() = default;

    /// Paints the overlay. Called once for the scrolling rows and, if there are pinned rows, once more for those.
    virtual void paint(QPainter& painter, const TimelinePicture& picture) const = 0;
};

/// The position at which an overlay can point at a span.
struct Anchor {
    QRectF box;       ///< in the viewport's coordinates, not clipped to it
    bool own = true;  ///< true: a row shows the span itself; false: the row of its GPU that is most closely related
};

/// Returns the rows that show a lane or, in order of preference, rows related to it.
std::array<RowKind, 4> rowsNear(engine::LaneKind kind);

/// Returns where to point at a span; an empty optional if no row belongs to its GPU.
std::optional<Anchor> anchorOf(const TimelinePicture& picture, const data::Flow& flow, data::SpanRef ref);

/// Returns the range from the top of the first row of these GPUs to the bottom of the last; an empty optional if no
/// such row is shown.
std::optional<std::pair<double, double>> rowsOf(const TimelinePicture& picture, std::uint32_t firstGpu,
                                                std::uint32_t lastGpu);

/// Paints a text on a plate that stands out from the picture below, kept within the picture.
void drawPlate(QPainter& painter, const TimelinePicture& picture, QPointF centre, const QString& text,
               const QColor& color);

}  // namespace ui
