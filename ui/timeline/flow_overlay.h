#pragma once

#include "data/replay/flow.h"
#include "ui/timeline/timeline_overlay.h"

#include <memory>
#include <optional>

class QPainterPath;

namespace ui {

class ViewState;

/// Draws the way of the selected span's tile or chunk through the ring: an arrow for each step from row to row. What
/// was waited for last is a full line, what was there before a dashed one. Where a step leaves the picture, a head
/// at its border says where to.
class FlowOverlay final : public TimelineOverlay {
public:
    /// `viewState` must outlive the overlay.
    explicit FlowOverlay(const ViewState& viewState) : m_viewState(viewState) {}

    void showRun(std::shared_ptr<const data::Flow> flow);
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    const data::FlowChain& chain(data::SpanRef of) const;

    const ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
    mutable std::optional<data::SpanRef> m_chainOf;  // the chain of what was painted last is kept for the next frame
    mutable data::FlowChain m_chain;
};

/// Where an arrow begins and ends.
struct ArrowEnds {
    QPointF from, to;
};

/// One span's arrow to the next, between the boxes that stand for them. It leaves at the moment that mattered: the
/// end of the first or, where the second begins before that, when it begins; into a tracked tile at its completion.
ArrowEnds arrowBetween(const data::Flow& flow, const data::FlowEdge& edge, const QRectF& from, const QRectF& to,
                       const TimelineGeometry& geometry);

}  // namespace ui
