#pragma once

#include <QRectF>

#include <optional>

namespace ui {

/// What a drag draws over the rows of the timeline while the button is down.
struct DragFeedback {
    std::optional<QRectF> zoomBox;   ///< the area that the button's release will zoom to
    std::optional<QRectF> dropLine;  ///< where it will drop the lane
};

}  // namespace ui
