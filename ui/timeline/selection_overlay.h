#pragma once

#include "data/replay/flow.h"
#include "ui/timeline/timeline_overlay.h"

#include <memory>

namespace ui {

class ViewState;

/// Draws what is selected: an outline around the span, a veil over the area with how long it lasts.
class SelectionOverlay final : public TimelineOverlay {
public:
    /// `viewState` must outlive the overlay.
    explicit SelectionOverlay(const ViewState& viewState) : m_viewState(viewState) {}

    void showRun(std::shared_ptr<const data::Flow> flow) { m_flow = std::move(flow); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    void paintSpan(QPainter& painter, const TimelinePicture& picture, data::SpanRef span) const;
    void paintArea(QPainter& painter, const TimelinePicture& picture, const data::Area& area) const;

    const ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
};

}  // namespace ui
