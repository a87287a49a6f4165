#include "ui/timeline/timeline_tools.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_overlay.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kLeastArrow = 6;  // pixels: a shorter one would be all head

/// Where an arrow begins and ends.
struct ArrowEnds {
    QPointF from, to;
};

QPainterPath curveOf(const ArrowEnds& ends, double line) {
    const double dx = ends.to.x() - ends.from.x();
    const double dy = ends.to.y() - ends.from.y();
    // Level where time passes, steep where it does not: an arrow between two rows at one moment is straight.
    const double bend = std::clamp(dx * 0.5, 0.0, line * 5);
    const double rise = dx > 0 ? dy * std::clamp(0.4 - bend / (line * 5), 0.0, 0.4) : dy * 0.4;
    QPainterPath path(ends.from);
    path.cubicTo(ends.from + QPointF(bend, rise), ends.to - QPointF(bend, rise), ends.to);
    return path;
}

void drawHead(QPainter& painter, const QPainterPath& path, double share, double size) {
    const QPointF tip = path.pointAtPercent(share);
    const double length = std::max(1.0, path.length());
    const QPointF before = path.pointAtPercent(std::max(0.0, share - size / length));
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    QPainterPath head(tip);
    for (const double turn : {0.42, -0.42})
        head.lineTo(tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size);
    head.closeSubpath();
    painter.drawPath(head);
}

/// The last part of the path that is inside, as a share of it; nothing when none of it is.
std::optional<double> lastInside(const QPainterPath& path, const QRectF& clip) {
    constexpr int kSteps = 48;
    for (int i = kSteps; i >= 0; --i) {
        const double share = static_cast<double>(i) / kSteps;
        if (clip.contains(path.pointAtPercent(share)))
            return share;
    }
    return std::nullopt;
}

/// One span's arrow to the next, between the boxes that stand for them. It leaves at the moment that mattered: the
/// end of the first or, where the second begins before that, when it begins; into a tracked tile at its completion.
ArrowEnds arrowBetween(const data::Flow& flow, const data::FlowEdge& edge, const QRectF& from, const QRectF& to,
                       const TimelineGeometry& geometry) {
    const engine::Span& cause = flow.span(edge.from);
    const engine::Span& effect = flow.span(edge.to);
    const bool completes = effect.kind == engine::SpanKind::trackedTile;
    const std::int64_t leaves = completes ? cause.end.ps : std::clamp(effect.start.ps, cause.start.ps, cause.end.ps);
    const std::int64_t arrives = completes ? std::clamp(cause.end.ps, effect.start.ps, effect.end.ps) : effect.start.ps;
    return {QPointF(geometry.xOf(leaves), from.center().y()), QPointF(geometry.xOf(arrives), to.center().y())};
}

}  // namespace

void FlowOverlay::showRun(std::shared_ptr<const data::Flow> flow) {
    m_flow = std::move(flow);
    m_chainOf.reset();
}

const data::FlowChain& FlowOverlay::chain(data::SpanRef of) const {
    if (m_chainOf != of) {
        m_chain = m_flow->chain(of);
        m_chainOf = of;
    }
    return m_chain;
}

void FlowOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    const auto selected = m_viewState.selectedSpan();
    if (!selected || !m_flow || !m_flow->contains(*selected))
        return;
    struct Arrow {
        QPainterPath path;
        double inside;
        bool decisive;
    };
    std::vector<Arrow> arrows;
    for (const data::FlowEdge& edge : chain(*selected).edges) {
        const auto from = anchorOf(picture, *m_flow, edge.from);
        const auto to = anchorOf(picture, *m_flow, edge.to);
        if (!from || !to)
            continue;
        const ArrowEnds ends = arrowBetween(*m_flow, edge, from->box, to->box, picture.geometry);
        const QRectF extent = QRectF(ends.from, ends.to).normalized().adjusted(-1, -1, 1, 1);
        if (std::hypot(ends.to.x() - ends.from.x(), ends.to.y() - ends.from.y()) < kLeastArrow ||
            !extent.intersects(picture.clip))
            continue;
        const QPainterPath path = curveOf(ends, picture.line);
        if (const auto inside = lastInside(path, picture.clip))
            arrows.push_back({path, *inside, edge.decisive});
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = std::max(1.5, picture.line * 0.1);
    const double head = picture.line * 0.55;
    // All halos first: an arrow must not cut another in two.
    painter.setBrush(Qt::NoBrush);
    const QColor halo = Palette::seeThrough(picture.palette.surface, 215);
    painter.setPen(QPen(halo, width * 2.6));
    for (const Arrow& arrow : arrows)
        painter.drawPath(arrow.path);
    for (const Arrow& arrow : arrows) {
        const QColor color = arrow.decisive ? picture.palette.ink : picture.palette.inkSoft;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(
            QPen(color, arrow.decisive ? width : width * 0.8, arrow.decisive ? Qt::SolidLine : Qt::DashLine));
        painter.drawPath(arrow.path);
        painter.setPen(QPen(halo, 1));
        painter.setBrush(color);
        drawHead(painter, arrow.path, arrow.inside, head);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace ui
