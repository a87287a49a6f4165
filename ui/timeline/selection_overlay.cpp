#include "ui/timeline/selection_overlay.h"

#include "ui/look/format.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/overlay_anchor.h"

#include <QPainter>

#include <algorithm>

namespace ui {

void SelectionOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (const auto span = m_viewState.selectedSpan(); span && m_flow && m_flow->contains(*span))
        paintSpan(painter, picture, *span);
    if (const auto area = m_viewState.selectedArea())
        paintArea(painter, picture, *area);
}

void SelectionOverlay::paintSpan(QPainter& painter, const TimelinePicture& picture, data::SpanRef span) const {
    const auto anchor = anchorOf(picture, *m_flow, span);
    if (!anchor)
        return;
    // However short the span, there is something to see; a light line outside the dark one parts it from any colour.
    const double least = picture.line * 0.35;
    QRectF box = anchor->box;
    if (box.width() < least)
        box.adjust(-(least - box.width()) / 2, 0, (least - box.width()) / 2, 0);
    // Ends far outside would make a dash pattern a matter of seconds.
    box = box.intersected(picture.clip.adjusted(-picture.line, -picture.line, picture.line, picture.line));
    if (box.isEmpty())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.surface, 2));
    painter.drawRect(box.adjusted(-3, -3, 3, 3));
    painter.setPen(QPen(picture.palette.ink, 2, anchor->own ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(box.adjusted(-1, -1, 1, 1));
}

void SelectionOverlay::paintArea(QPainter& painter, const TimelinePicture& picture, const data::Area& area) const {
    const auto rows = rowsOf(picture, area.firstGpu, area.lastGpu);
    if (!rows)
        return;
    const double left = std::max(picture.geometry.xOf(area.range.start), picture.clip.left() - 4);
    const double right = std::min(picture.geometry.xOf(area.range.end), picture.clip.right() + 4);
    if (right <= left)
        return;
    const double margin = picture.line * 0.15;
    const QRectF box(QPointF(left, rows->first - margin), QPointF(right, rows->second + margin));
    painter.fillRect(box, Palette::seeThrough(picture.palette.accent, picture.palette.theme == Theme::dark ? 70 : 45));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.accent, 2));
    painter.drawRect(box);
    drawPlate(painter, picture, QPointF(box.center().x(), std::max(box.top(), picture.clip.top()) + picture.line * 0.8),
              formatTime(area.range.span()), picture.palette.accent);
}

}  // namespace ui
