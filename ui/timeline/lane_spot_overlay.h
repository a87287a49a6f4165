#pragma once

#include "engine/api/trace.h"
#include "ui/timeline/timeline_overlay.h"

#include <optional>

namespace ui {

/// A frame around one kind of lane of the first GPU in sight, for "this one". A lane that stands among the details of
/// another is framed there where its own row is not shown.
class LaneSpotOverlay final : public TimelineOverlay {
public:
    void pointAt(std::optional<engine::LaneKind> lane) { m_lane = lane; }

    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    std::optional<engine::LaneKind> m_lane;
};

}  // namespace ui
